"""Arrow tables into a new database file.

Rows arrive in the order they are to be stored in, so that nothing is sorted here.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from mmcg.errors import CoreError
from mmcg.store import duck
from mmcg.store.meta import meta_rows
from mmcg.store.schema import FROM_CORE, META, SKIPPED, TABLES, WORDS, Table

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from mmcg.model import Meta


class ArrowTable(Protocol):
    """Anything that can be read as a stream of Arrow record batches."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """A capsule, by the Arrow PyCapsule interface."""
        ...


WRITER_SETTINGS: dict[str, str | bool | int | float | list[str]] = {
    # One thread keeps the order of rows, and costs the least processor time (measured on an index of
    # 42,000 symbols and 210,000 calls: 0.51 s with one, 0.78 s with two, at about the same wall time).
    "threads": 1,
    # What is written leaves the memory when there is more of it than that; there is nowhere to swap to.
    "memory_limit": "512MB",
    "temp_directory": "",
    # What is committed goes where it belongs at once: a log of it would only be copied from in the end.
    "checkpoint_threshold": "1KB",
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
}

# Measured on the same index: the newest storage format saves a quarter of the processor time, and small row groups
# make lookups in clustered tables read less (a caller's lookup among a million calls: 0.7 ms to 0.5 ms).
_ATTACH_OPTIONS = "(STORAGE_VERSION 'latest', ROW_GROUP_SIZE 16384)"

_SORTING_MEMORY = "4GB"
"""What sorting a table may take."""

_BY_NAME = {table.name: table for table in FROM_CORE}


class Writer:
    """A database file that is being written. Nobody else reads it before it is finished."""

    def __init__(self, path: Path, options: str = "") -> None:
        self.connection = duck.connect(":memory:", config=WRITER_SETTINGS)
        try:
            self.connection.execute(f"ATTACH {text_literal(str(path))} AS graph {options}")
            self.connection.execute("USE graph")
            self.connection.execute("BEGIN")
        except BaseException:
            self.close()
            raise

    def settle(self) -> None:
        """Put what is there so far into its final form."""
        self.connection.execute("COMMIT")
        self.connection.execute("BEGIN")

    def finish(self) -> None:
        """Complete the file: on return no part of it is left in a log beside it."""
        self.connection.execute("COMMIT")
        self.connection.execute("USE memory")
        self.connection.execute("DETACH graph")
        self.close()

    def close(self) -> None:
        """Let go of the file, finished or not."""
        self.connection.close()


class Builder:
    """A new index that is being written, table by table, in whatever order they come.

    A long table may come in parts, one after the other.
    """

    def __init__(self, path: Path) -> None:
        self._writer = Writer(path, _ATTACH_OPTIONS)
        self._connection = self._writer.connection
        self._counts: dict[str, int] = {}
        self._last = ""
        try:
            _create_words(self._connection)
        except BaseException:
            self.close()
            raise

    def add(self, name: str, rows: ArrowTable) -> None:
        """Write a table or a part of one."""
        table = _BY_NAME.get(name)
        if table is None:
            return
        if name != self._last:
            self._derive()
            self._last = name
        self._fill(table, rows)
        if table is SKIPPED:
            # The last that comes before the edges are resolved, which leaves time to spare.
            self._writer.settle()

    def _derive(self) -> None:
        """Write the tables that are made from the one that came last alone: it is complete."""
        derived = [table for table in TABLES if table.source and table.source == self._last]
        if not derived:
            return
        self._connection.execute(f"SET memory_limit = '{_SORTING_MEMORY}'")
        for table in derived:
            self._fill(table, None)
        # Where that much cannot be let go at once, the higher limit stays.
        with suppress(duck.Error):
            self._connection.execute(f"SET memory_limit = '{WRITER_SETTINGS['memory_limit']}'")

    def finish(self, meta: Meta) -> Meta:
        """Complete the file; gives `meta` with the number of rows of each table."""
        self._derive()
        for table in TABLES:
            if table is not META and table.name not in self._counts:
                raise CoreError(f"The core handed over no table `{table.name}`.", "Install mastermind again.")
        self._connection.execute(META.create_sql())
        meta = replace(meta, counts={table.name: self._counts[table.name] for table in TABLES if table is not META})
        write_meta(self._connection, meta)
        self._writer.finish()
        return meta

    def close(self) -> None:
        """Let go of the file, finished or not."""
        self._writer.close()

    def _fill(self, table: Table, incoming: ArrowTable | None) -> None:  # noqa: ARG002 - see below
        """Put rows into a table, made first if it is new. DuckDB finds `incoming` among the local variables."""
        if table.name not in self._counts:
            self._connection.execute(table.create_sql())
            self._counts[table.name] = 0
        self._counts[table.name] += self._connection.execute(table.insert_sql("incoming")).fetchall()[0][0]


def build_database(path: Path, tables: Mapping[str, ArrowTable], meta: Meta) -> Meta:
    """Write a whole index to the new file `path`; gives `meta` with the number of rows of each table."""
    builder = Builder(path)
    try:
        for table in FROM_CORE:
            if table.name in tables:
                builder.add(table.name, tables[table.name])
        return builder.finish(meta)
    finally:
        builder.close()


def write_meta(connection: duck.DuckDBPyConnection, meta: Meta) -> None:
    """Fill the empty table `meta`."""
    # Not as parameters: for those DuckDB tries to import whatever they might be values of.
    values = ", ".join(f"({text_literal(key)}, {text_literal(value)})" for key, value in meta_rows(meta))
    connection.execute(f"INSERT INTO meta VALUES {values}")  # noqa: S608


def text_literal(text: str) -> str:
    """A text as SQL, where a statement takes no parameter."""
    return "'" + text.replace("'", "''") + "'"


def _create_words(connection: duck.DuckDBPyConnection) -> None:
    """Create the types of words."""
    for name, words in WORDS.items():
        connection.execute(f"CREATE TYPE {name} AS ENUM ({', '.join(map(text_literal, words))})")
