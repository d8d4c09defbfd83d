"""Arrow tables into a new database file.

Rows arrive in the order they are to be stored in, so that nothing is sorted here.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

import duckdb

from mmcg.model import Meta
from mmcg.store.meta import meta_rows
from mmcg.store.schema import FROM_CORE, META, Table, quoted


class ArrowTable(Protocol):
    """Anything that can be read as a stream of Arrow record batches."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> Any:
        """A capsule, by the Arrow PyCapsule interface."""
        ...


WRITER_SETTINGS: dict[str, str | bool | int | float | list[str]] = {
    "threads": 2,
    "memory_limit": "4GB",
    "temp_directory": "",
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
}


def build_database(path: Path, tables: Mapping[str, ArrowTable], meta: Meta) -> None:
    """Write a whole index to the new file `path`; on return no part of it is left in a log beside it."""
    connection = duckdb.connect(":memory:", config=WRITER_SETTINGS)
    try:
        connection.execute(f"ATTACH '{str(path).replace(chr(39), chr(39) * 2)}' AS graph")
        connection.execute("USE graph")
        connection.execute("BEGIN")
        for table in FROM_CORE:
            _take(connection, table, tables[table.name])
        connection.execute(META.create_sql())
        connection.executemany("INSERT INTO meta VALUES (?, ?)", meta_rows(meta))
        connection.execute("COMMIT")
        connection.execute("USE memory")
        connection.execute("DETACH graph")
    finally:
        connection.close()


def _take(connection: duckdb.DuckDBPyConnection, table: Table, incoming: ArrowTable) -> None:
    names = ", ".join(quoted(column.name) for column in table.columns)
    connection.execute(table.create_sql())
    # DuckDB finds `incoming` among the local variables.
    connection.execute(f"INSERT INTO {table.sql_name()} SELECT {names} FROM incoming")
