"""A stand-in for the native core: tables made of plain Python rows, handed over through the same door.

`graph_tables` fills in every column that a test does not care about.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import duckdb

from mmcg.model import Meta
from mmcg.settings import Places
from mmcg.store.ingest import build_database
from mmcg.store.publish import publishing
from mmcg.store.schema import FROM_CORE, SCHEMA_VERSION, WORDS, Table, quoted

if TYPE_CHECKING:
    from pathlib import Path

Rows = Sequence[Mapping[str, object]]

DEFAULTS: dict[str, object] = {
    "VARCHAR": "",
    "BOOLEAN": False,
}


class FakeTable:
    """Rows as an Arrow stream."""

    def __init__(self, table: Table, rows: Rows) -> None:
        self._connection = duckdb.connect(":memory:")
        self._name = table.sql_name()
        for word in WORDS:
            self._connection.execute(f"CREATE TYPE {word} AS VARCHAR")
        self._connection.execute(table.create_sql())
        if rows:
            columns = table.columns
            names = ", ".join(quoted(column.name) for column in columns)
            values = [
                {
                    column.name: row.get(column.name, None if column.nullable else _default(column.type))
                    for column in columns
                }
                for row in rows
            ]
            # One text: DuckDB takes half a millisecond for each value of a list that is a parameter.
            shape = json.dumps([{column.name: _plain(column.type) for column in columns}])
            self._connection.execute(
                f"INSERT INTO {self._name} ({names}) SELECT unnest(from_json(?, ?), recursive := true)",
                [json.dumps(values), shape],
            )

    def __arrow_c_stream__(self, requested_schema: object = None) -> Any:
        columns = self._connection.execute(f"SELECT * FROM {self._name}").description
        names = ", ".join(quoted(column[0]) for column in columns or ())
        return self._connection.sql(f"SELECT {names} FROM {self._name}").__arrow_c_stream__(requested_schema)


def _default(type_: str) -> object:
    return WORDS[type_][0] if type_ in WORDS else DEFAULTS.get(type_, 0)


def _plain(type_: str) -> str:
    return "VARCHAR" if type_ in WORDS else type_


def graph_tables(**rows: Rows) -> dict[str, FakeTable]:
    """All tables the core hands over; those not named are empty."""
    return {table.name: FakeTable(table, _whole(table, rows)) for table in FROM_CORE}


def _whole(table: Table, rows: Mapping[str, Rows]) -> Rows:
    """The rows of a table, calls with what stands there about their callers."""
    given = rows.get(table.name, ())
    if table.name != "calls":
        return given
    known = {symbol["id"]: symbol for symbol in rows.get("symbols", ())}
    return [{**_caller(known.get(row["source"], {})), **row} if row.get("target") is not None else row for row in given]


def _caller(symbol: Mapping[str, Any]) -> dict[str, object]:
    return {
        "caller": str(symbol.get("address", "")).partition("::")[2],
        "caller_kind": symbol.get("kind", WORDS["KIND"][0]),
        "caller_line": symbol.get("line", 0),
    }


def fake_meta(root: Path, **changes: Any) -> Meta:
    """What an index built by a test says about itself."""
    values: dict[str, Any] = {
        "schema_version": SCHEMA_VERSION,
        "mmcg_version": "0.1.0",
        "core": {"core": "0.1.0", "facts": 1, "grammars": {}, "build": "test"},
        "root": str(root),
        "built_at": "2026-01-01T00:00:00Z",
        "started_ns": 0,
        "finished_ns": 0,
        "fingerprint": "",
        "seconds": 0.1,
        "refresh_seconds": 0.1,
        "summary": {"files": 0, "symbols": 0, "call_sites": 0, "edges": {}, "languages": {}, "notices": []},
    }
    return Meta(**{**values, **changes})


def write_index(root: Path, **rows: Rows) -> None:
    """Put an index of the given rows where a reader looks for it."""
    folder = root / ".mastermind"
    folder.mkdir(exist_ok=True)
    path = folder / "mmcg.db"
    path.unlink(missing_ok=True)
    build_database(path, graph_tables(**rows), fake_meta(root))


def publish(root: Path, tables: Mapping[str, FakeTable], meta: Meta) -> None:
    """Replace the index as a run does."""
    with publishing(Places(root)) as new:
        for name, rows in tables.items():
            new.add(name, rows)
        new.finish(meta)
