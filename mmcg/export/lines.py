"""Call edges and symbols as JSON Lines, streamed: memory does not grow with the repository."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mmcg.query.sql import plain

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

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
WHERE s.file BETWEEN {first} AND {last}
ORDER BY s.id"""

_JSON = frozenset({"parameters", "decorators"})


def edges(context: Context) -> Iterator[Row]:
    """One row a call site and target; `target: null` for sites without a definition here."""
    yield from _stream(context, EDGES)


def file_ranges(context: Context) -> Iterator[tuple[int, int]]:
    """First and last ids of files that together have a bounded number of calls."""
    files, calls = context.rows("SELECT (SELECT count(*) FROM files), (SELECT count(*) FROM calls)")[0]
    stride = max(1, files * _ROWS_AT_ONCE // max(calls, 1))
    for first in range(0, files, stride):
        yield first, first + stride - 1


def write(context: Context, what: str, out: BinaryIO) -> None:
    """All `edges`, or all `symbols`, one JSON object a line, in UTF-8 wherever this runs."""
    import json

    encoder = json.JSONEncoder(ensure_ascii=False)
    texts = edge_lines(context) if what == "edges" else map(encoder.encode, symbols(context))
    for text in texts:
        out.write(text.encode() + b"\n")


def edge_lines(context: Context) -> Iterator[str]:
    """The same rows as JSON texts, written by the database because that is several times as quick."""
    for first, last in file_ranges(context):
        sql = EDGES.format(first=first, last=last)
        for (text,) in batches(context, f"SELECT to_json(e)::VARCHAR FROM ({sql}) AS e"):
            yield str(text)


def symbols(context: Context) -> Iterator[Row]:
    """One row a symbol, with every documented column; the file is `file`, and JSON texts are values."""
    import json

    for row in _stream(context, SYMBOLS):
        row["file"] = row.pop("path")
        for key in _JSON:
            row[key] = json.loads(row[key]) if row[key] else []
        yield row


def _stream(context: Context, sql: str) -> Iterator[Row]:
    for first, last in file_ranges(context):
        names: list[str] = []
        for row in batches(context, sql.format(first=first, last=last), names):
            yield {name: plain(value) for name, value in zip(names, row, strict=True)}


def batches(context: Context, sql: str, names: list[str] | None = None) -> Iterator[tuple[Any, ...]]:
    """The rows of a statement, a batch of them in memory at a time; `names` is filled with the columns'."""
    connection = context.index.cursor()
    try:
        cursor = connection.execute(sql)
        if names is not None:
            names += [column[0] for column in cursor.description or ()]
        while batch := cursor.fetchmany(BATCH):
            yield from batch
    finally:
        connection.close()
