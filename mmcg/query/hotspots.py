"""`hotspots`: what is called from the most places.

Row: `symbol, kind, file, line, callers, call_sites`; most callers first.
"""

from __future__ import annotations

from mmcg.query.answer import Answer, Options, Row, answer
from mmcg.query.context import Context, among
from mmcg.query.symbols import paths_named

_SQL = """
WITH counted AS (
    SELECT target, count(DISTINCT source) AS callers, count(*) AS sites FROM calls
    WHERE target IS NOT NULL AND confidence IN ({confidences}) GROUP BY target
)
SELECT c.target, c.callers, c.sites, count(*) OVER () AS total
FROM counted AS c JOIN symbols AS s ON s.rowid = c.target
WHERE ($1 = '' OR s.language = $1) AND {files}
ORDER BY callers DESC, sites DESC, target"""


def ask(context: Context, query: str, targets: list[str], options: Options) -> Answer:
    """The symbols with the most callers, in the whole project or one folder."""
    files = "TRUE"
    if targets:
        paths, refused = paths_named(context, query, targets[0])
        if refused is not None:
            return refused
        files = among("s.file", (context.files()[path] for path in paths))
    limit = "" if options.limit is None else f" LIMIT {options.limit}"
    sure = ", ".join(f"'{each}'" for each in options.confidences())
    found = context.rows(_SQL.format(confidences=sure, files=files) + limit, options.language or "")
    symbols = context.symbols(row[0] for row in found)
    rows: list[Row] = [
        symbols[target].row() | {"callers": callers, "call_sites": sites} for target, callers, sites, _ in found
    ]
    return answer(query, targets[0] if targets else ".", rows, options, total=found[0][3] if found else 0)
