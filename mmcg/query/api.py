"""`api`: what of a folder is used from outside it.

Row: `symbol, kind, file, line, signature, uses, users, confidence`; `uses` counts places, `users` files.
"""

from __future__ import annotations

from mmcg.model import CONFIDENCES
from mmcg.query.answer import Answer, Options, Row, answer
from mmcg.query.context import Context, among
from mmcg.query.symbols import paths_named

_SQL = """
WITH range_of AS (SELECT s.id FROM symbols AS s WHERE {inside} AND s.kind <> 'module'),
uses AS (
    SELECT target, file, line, "column", confidence FROM calls
    WHERE target IN (FROM range_of) AND NOT ({outside})
    UNION
    SELECT constructs, file, line, "column", confidence FROM calls
    WHERE constructs IN (FROM range_of) AND NOT ({outside})
    UNION
    SELECT target, file, line, "column", confidence FROM "references"
    WHERE target IN (FROM range_of) AND NOT ({outside})
)
SELECT s.address, s.kind, s.path, s.line, s.signature, count(DISTINCT (u.file, u.line, u."column")) AS uses,
       count(DISTINCT u.file) AS users, min(list_position($1::VARCHAR[], u.confidence)) AS rank
FROM uses AS u JOIN symbols AS s ON s.rowid = u.target
WHERE ($2 = '' OR s.language = $2)
GROUP BY ALL ORDER BY rank, s.path, s.line, s.address"""
_KEYS = ("symbol", "kind", "file", "line", "signature", "uses", "users")


def ask(context: Context, query: str, targets: list[str], options: Options) -> Answer:
    """The symbols of a folder (or file) that code elsewhere uses."""
    paths, refused = paths_named(context, query, targets[0])
    if refused is not None:
        return refused
    files = [context.files()[path] for path in paths]
    sql = _SQL.format(inside=among("s.file", files), outside=among("file", files))
    rows: list[Row] = []
    possible = 0
    for *values, rank in context.rows(sql, list(CONFIDENCES), options.language or ""):
        confidence = CONFIDENCES[rank - 1]
        if options.sure_enough(confidence):
            rows.append(dict(zip(_KEYS, values, strict=True)) | {"confidence": confidence})
        else:
            possible += 1
    return answer(query, targets[0], rows, options, possible=possible)
