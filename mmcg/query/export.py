"""Whole tables as lines for other programs, streamed: memory does not grow with the repository."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmcg.query.sql import plain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mmcg.query.answer import Row
    from mmcg.query.context import Context

BATCH = 5_000
_ROWS_AT_ONCE = 200_000

# Ordered by place so that two exports of one tree are the same bytes; a range of files at a time, so that no more than
# that is ever sorted.
EDGES = """
SELECT f.path AS file, c.line, c."column", c.name, s.address AS caller, t.address AS target, t.path AS target_file,
       t.line AS target_line, c.external, c.confidence, c.rule
FROM calls AS c
JOIN files AS f ON f.rowid = c.file
JOIN symbols AS s ON s.rowid = c.source
LEFT JOIN symbols AS t ON t.rowid = c.target
WHERE c.file BETWEEN {first} AND {last}
ORDER BY c.file, c.line, c."column", c.name, c.target NULLS LAST, c.source, c.rule"""
SYMBOLS = """
SELECT s.address AS symbol, s.* EXCLUDE (id, file, address, container), c.address AS container
FROM symbols AS s LEFT JOIN symbols AS c ON c.rowid = s.container
ORDER BY s.id"""

_JSON = frozenset({"parameters", "decorators"})


def edges(context: Context) -> Iterator[Row]:
    """One row a call site and target; `target: null` for sites without a definition here."""
    files, calls = context.rows("SELECT (SELECT count(*) FROM files), (SELECT count(*) FROM calls)")[0]
    stride = max(1, files * _ROWS_AT_ONCE // max(calls, 1))
    for first in range(0, files, stride):
        yield from _stream(context, EDGES.format(first=first, last=first + stride - 1))


def symbols(context: Context) -> Iterator[Row]:
    """One row a symbol, with every documented column; the file is `file`, and JSON texts are values."""
    import json

    for row in _stream(context, SYMBOLS):
        row["file"] = row.pop("path")
        for key in _JSON:
            row[key] = json.loads(row[key]) if row[key] else []
        yield row


def _stream(context: Context, sql: str) -> Iterator[Row]:
    connection = context.index.connection.cursor()
    try:
        connection.execute("USE graph")
        cursor = connection.execute(sql)
        names = [column[0] for column in cursor.description or ()]
        while batch := cursor.fetchmany(BATCH):
            for row in batch:
                yield {name: plain(value) for name, value in zip(names, row, strict=True)}
    finally:
        connection.close()
