
"""A made-up index of any size, written through the store's own schema: what questions are timed on.

Calls are spread as real ones are: a few symbols are called from thousands of places, most from one or two.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import duckdb

from mmcg.model import Meta
from mmcg.settings import Places
from mmcg.store.ingest import build_database
from mmcg.store.publish import prepare_folder
from mmcg.store.schema import FROM_CORE, SCHEMA_VERSION, WORDS

if TYPE_CHECKING:
    from pathlib import Path

    from mmcg.store.ingest import ArrowTable

PER_FILE = 25
"""Symbols of a file: its module, then classes of a constructor, some methods and some functions."""

_FILES = """
SELECT id::UINTEGER AS id, printf('src/area%03d/part%02d/file%06d.py', id // 500, (id // 25) % 20, id) AS path,
       'python' AS language, 9000::UBIGINT AS size, 300::UINTEGER AS lines, md5(id::VARCHAR) AS hash, 1::BIGINT AS mtime_ns
FROM range({files}) AS r(id)"""

# Every file: 0 the module, 1 a class, 2 its constructor, 3 to 9 its methods, the rest functions.
_SYMBOLS = """
WITH s AS (SELECT id, id // {per_file} AS file, id % {per_file} AS place, (hash(id) % 1000000007)::BIGINT AS dice FROM range({symbols}) AS r(id)),
word AS (SELECT ['get', 'set', 'make', 'load', 'find', 'build', 'parse', 'user', 'order', 'node', 'cache', 'tree'] AS w),
named AS (
    SELECT s.*, CASE place WHEN 0 THEN '<module>' WHEN 1 THEN printf('Store%d', file) WHEN 2 THEN '__init__'
        ELSE w[1 + dice % 12] || '_' || w[1 + (dice // 12) % 12] || '_' || ((dice // 144) % {names}) END AS name
    FROM s, word
),
whole AS (
    SELECT *, CASE WHEN place BETWEEN 2 AND 9 THEN printf('Store%d.%s', file, name) ELSE name END AS qualified,
           count(*) OVER (PARTITION BY file, name) > 1 AS twice FROM named
)
SELECT w.id::UINTEGER AS id, w.file::UINTEGER AS file, f.path,
       f.path || '::' || qualified || CASE WHEN twice THEN '@' || (1 + 10 * place) ELSE '' END AS address, name, qualified,
       CASE place WHEN 0 THEN 'module' WHEN 1 THEN 'class' WHEN 2 THEN 'constructor'
            ELSE CASE WHEN place < 10 THEN 'method' ELSE 'function' END END AS kind,
       CASE WHEN place BETWEEN 2 AND 9 THEN w.file * {per_file} + 1 END::UINTEGER AS container,
       (1 + 10 * place)::UINTEGER AS line, 5::UINTEGER AS "column", (9 + 10 * place)::UINTEGER AS end_line,
       (300 * place)::UINTEGER AS start_byte, (300 * place + 280)::UINTEGER AS end_byte,
       'def ' || name || '(self, key: str, limit: int = 10) -> list[str]' AS signature,
       '[{{"name": "key", "kind": "positional", "required": true}}]' AS parameters, 1::USMALLINT AS required,
       2::USMALLINT AS maximum, '[]' AS decorators, 'public' AS visibility,
       CASE WHEN dice % 3 = 0 THEN 'Gives what ' || name || ' is about, or nothing.' END AS doc, dice::UBIGINT AS body_hash,
       w.file % 10 = 0 AS test, FALSE AS static, FALSE AS async, FALSE AS abstract, FALSE AS exported, 'python' AS language
FROM whole AS w JOIN files AS f ON f.id = w.file ORDER BY w.id"""

_CALLS = """
WITH c AS (SELECT i, (hash(i * 3) % 1000000007)::BIGINT AS a, (hash(i * 7 + 1) % 1000000007)::BIGINT AS b,
           (hash(i * 11 + 2) % 1000000007)::BIGINT AS d FROM range({calls}) AS r(i)),
e AS (
    SELECT CASE WHEN d % 3 = 0 THEN NULL ELSE least({symbols} - 1,
               floor({symbols} * pow((a % 1000003) / 1000003.0, 3)))::BIGINT END AS rank,
           b % {symbols} AS source, a, b, d FROM c
),
t AS (SELECT *, (rank * 7919 + 13) % {symbols} AS target FROM e)
SELECT t.target::UINTEGER AS target, NULL::UINTEGER AS constructs, t.source::UINTEGER AS source, s.file, (s.line + d % 9)::UINTEGER AS line,
       (1 + b % 60)::UINTEGER AS "column", coalesce(g.name, 'lost' || (a % 5000)) AS name,
       CASE WHEN t.target IS NULL THEN 'unresolved' WHEN a % 20 = 0 THEN 'possible' WHEN a % 3 = 0 THEN 'exact'
            ELSE 'inferred' END AS confidence,
       CASE WHEN t.target IS NULL THEN 'unresolved' WHEN a % 20 = 0 THEN 'name_only' ELSE 'receiver_type' END AS rule,
       NULL::VARCHAR AS external, 1::USMALLINT AS arguments, NULL::VARCHAR AS keywords, FALSE AS spread, 'call' AS form,
       CASE WHEN t.target IS NOT NULL THEN split_part(s.address, '::', 2) END AS caller,
       CASE WHEN t.target IS NOT NULL THEN s.kind END AS caller_kind,
       CASE WHEN t.target IS NOT NULL THEN s.line END AS caller_line
FROM t JOIN symbols AS s ON s.id = t.source LEFT JOIN symbols AS g ON g.id = t.target
ORDER BY t.target NULLS LAST, t.source, line, "column" """


class Rows:
    """A query's rows as an Arrow stream: a relation of one connection cannot be read by another, nor two of one at once."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, sql: str) -> None:
        self.connection = connection
        self.sql = sql

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.connection.cursor().sql(self.sql).__arrow_c_stream__(requested_schema)


def write(root: Path, *, resolved: int, symbols: int) -> int:
    """Write an index with `resolved` edges between `symbols` symbols below `root`; gives its size in bytes."""
    places = Places(root)
    root.mkdir(parents=True, exist_ok=True)
    prepare_folder(places)
    places.database.unlink(missing_ok=True)
    connection = duckdb.connect(":memory:")
    numbers = {
        "files": symbols // PER_FILE,
        "symbols": symbols // PER_FILE * PER_FILE,
        "per_file": PER_FILE,
        "names": symbols // 150,
        "calls": resolved * 3 // 2,
    }
    for name, sql in (("files", _FILES), ("symbols", _SYMBOLS), ("calls", _CALLS)):
        connection.execute(f"CREATE TABLE {name} AS {sql.format(**numbers)}")
    for word in WORDS:
        connection.execute(f"CREATE TYPE {word} AS VARCHAR")
    for table in FROM_CORE:
        if table.name not in ("files", "symbols", "calls"):
            connection.execute(table.create_sql())
    tables: dict[str, ArrowTable] = {
        table.name: Rows(connection, f"SELECT * FROM {table.sql_name()}") for table in FROM_CORE
    }
    build_database(places.database, tables, _meta(root))
    connection.close()
    return places.database.stat().st_size


def _meta(root: Path) -> Meta:
    return Meta(
        schema_version=SCHEMA_VERSION,
        mmcg_version="0",
        core={},
        root=str(root),
        built_at="2026-01-01T00:00:00Z",
        started_ns=0,
        finished_ns=0,
        fingerprint="",
        seconds=1.0,
        refresh_seconds=1.0,
        summary={},
    )
