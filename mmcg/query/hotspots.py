"""`hotspots`: what is called from the most places.

Row: `symbol, kind, file, line, callers, sites, files`; most callers first.
"""

from __future__ import annotations

from mmcg.query.answer import Answer, Options, Row, answer
from mmcg.query.context import Context
from mmcg.query.symbols import paths_named

_SQL = """
WITH counted AS (
    SELECT target, count(DISTINCT source) AS callers, count(DISTINCT (file, line, "column")) AS sites,
           count(DISTINCT file) AS files
    FROM calls WHERE target IS NOT NULL AND confidence IN (SELECT unnest($1::VARCHAR[])) GROUP BY target
)
SELECT c.target, c.callers, c.sites, c.files, count(*) OVER () AS total
FROM counted AS c JOIN symbols AS s ON s.rowid = c.target
WHERE ($2 = '' OR s.language = $2) AND ($3::UINTEGER[] IS NULL OR s.file IN (SELECT unnest($3::UINTEGER[])))
ORDER BY callers DESC, sites DESC, target"""


def ask(context: Context, query: str, targets: list[str], options: Options) -> Answer:
    """The symbols with the most callers, in the whole project or one folder."""
    files = None
    if targets:
        paths, refused = paths_named(context, query, targets[0])
        if refused is not None:
            return refused
        files = [context.files()[path] for path in paths]
    limit = "" if options.limit is None else f" LIMIT {options.limit}"
    found = context.rows(_SQL + limit, list(options.confidences()), options.language or "", files)
    symbols = context.symbols(row[0] for row in found)
    rows: list[Row] = [
        symbols[target].row() | {"callers": callers, "sites": sites, "files": count}
        for target, callers, sites, count, _ in found
    ]
    return answer(query, targets[0] if targets else ".", rows, options, total=found[0][4] if found else 0)
