"""Writing anew what changes in an index when no edge does: times of files, and where code stands in them.

Rows keep their places, so that an index that was renewed is, row for row, one that was built.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmcg.store.ingest import Writer, text_literal, write_meta
from mmcg.store.schema import TABLES, quoted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from mmcg.model import Meta
    from mmcg.store import duck
    from mmcg.store.ingest import ArrowTable

_FILE_COLUMNS = ("size", "lines", "hash")
_SYMBOL_COLUMNS = (
    "address",
    "line",
    "column",
    "end_line",
    "start_byte",
    "end_byte",
    "signature",
    "decorators",
    "doc",
    "body_hash",
)
"""What layout, comments and docs decide."""

_PLACED = [table for table in TABLES if {"file", "line"} <= {column.name for column in table.columns}]


def renew_database(path: Path, times: Sequence[tuple[str, int]], tables: Mapping[str, ArrowTable], meta: Meta) -> None:
    """Bring a copy of an index up to date.

    `times` are those of all files, in nanoseconds. `tables` are empty, or `files` and `symbols` of the files that were
    laid out anew, `lines`: for each line of code that is another now its `path`, `before` and `line`, and `columns`:
    for what stands at another column of its line its `path`, `line` as it is now, `before` and `column`.
    """
    writer = Writer(path)
    try:
        _renew_times(writer.connection, times)
        if tables:
            _renew_places(writer.connection, tables)
        writer.connection.execute("DELETE FROM meta")
        write_meta(writer.connection, meta)
        writer.finish()
    finally:
        writer.close()


def _renew_times(connection: duck.DuckDBPyConnection, times: Sequence[tuple[str, int]]) -> None:
    known = dict(connection.execute("SELECT path, mtime_ns FROM files").fetchall())
    changed = [(file, time) for file, time in times if known.get(file) != time]
    if changed:
        values = ", ".join(f"({text_literal(file)}, {time:d}::BIGINT)" for file, time in changed)
        connection.execute(
            "UPDATE files SET mtime_ns = now.mtime_ns "  # noqa: S608 - paths are literals
            f"FROM (VALUES {values}) now (path, mtime_ns) WHERE files.path = now.path"
        )


def _renew_places(connection: duck.DuckDBPyConnection, tables: Mapping[str, ArrowTable]) -> None:
    for name in tables:
        incoming = tables[name]  # noqa: F841 - DuckDB finds it among the local variables
        connection.execute(f"CREATE TEMP TABLE new_{name} AS SELECT * FROM incoming")  # noqa: S608
    connection.execute(
        f"UPDATE files SET {_set(_FILE_COLUMNS)} FROM new_files new WHERE files.path = new.path"  # noqa: S608
    )
    connection.execute(
        # The new symbols are numbered by themselves; those of a file come one after the other in both.
        "CREATE TEMP TABLE numbered AS SELECT new.*, file.id AS at, "
        "first + new.id - min(new.id) OVER (PARTITION BY new.path) AS known "
        "FROM new_symbols new JOIN files file USING (path) "
        "JOIN (SELECT path, min(id) AS first FROM symbols GROUP BY path) USING (path)"
    )
    connection.execute(
        f"UPDATE symbols SET {_set(_SYMBOL_COLUMNS)} FROM numbered new WHERE symbols.id = new.known"  # noqa: S608
    )
    connection.execute(
        "CREATE TEMP TABLE moved AS SELECT id AS file, before, line FROM new_lines JOIN files USING (path)"
    )
    connection.execute(
        'CREATE TEMP TABLE shifted AS SELECT id AS file, line, before, "column" '
        "FROM new_columns JOIN files USING (path)"
    )
    for table in _PLACED:
        if table.name != "symbols":
            connection.execute(
                f"UPDATE {table.sql_name()} AS old SET line = moved.line FROM moved "  # noqa: S608
                "WHERE old.file = moved.file AND old.line = moved.before"
            )
            connection.execute(
                f'UPDATE {table.sql_name()} AS old SET "column" = shifted."column" FROM shifted '  # noqa: S608
                'WHERE old.file = shifted.file AND old.line = shifted.line AND old."column" = shifted.before'
            )
    connection.execute(
        "UPDATE bases SET line = moved.line FROM moved JOIN symbols ON symbols.file = moved.file "
        "WHERE bases.symbol = symbols.id AND bases.line = moved.before"
    )
    connection.execute(
        "UPDATE calls SET caller = substr(new.address, length(new.path) + 3), caller_line = new.line "
        "FROM numbered new WHERE calls.source = new.known AND calls.file = new.at AND calls.target IS NOT NULL "
        "AND (calls.caller_line <> new.line OR calls.caller <> substr(new.address, length(new.path) + 3))"
    )


def _set(columns: Sequence[str]) -> str:
    return ", ".join(f"{quoted(column)} = new.{quoted(column)}" for column in columns)
