"""`hotspots`: what is called from the most places.

Row: `symbol, kind, file, line, callers, call_sites`; most callers first.
"""

from __future__ import annotations

from mmcg.query.answer import Answer, Options, Row, answer
from mmcg.query.context import Context, listed
from mmcg.query.symbols import folder_condition

_SQL = """
WITH called AS (
    SELECT unnest([target, constructs]) AS target, source FROM calls WHERE confidence IN ({confidences})
),
counted AS (
    SELECT target, count(DISTINCT source) AS callers, count(*) AS sites FROM called
    WHERE target IS NOT NULL GROUP BY target
)
SELECT c.target, c.callers, c.sites, count(*) OVER () AS total
FROM counted AS c JOIN symbols AS s ON s.rowid = c.target
WHERE ($1 = '' OR s.language = $1) AND {files}
ORDER BY callers DESC, sites DESC, target"""


def ask(context: Context, query: str, targets: list[str], options: Options) -> Answer:
    """The symbols with the most callers, in the whole project or one folder."""
    files, refused = folder_condition(context, query, targets)
    if refused is not None:
        return refused
    limit = "" if options.limit is None else f" LIMIT {options.limit}"
    sql = _SQL.format(confidences=listed(options.confidences()), files=files)
    found = context.rows(sql + limit, options.language or "")
    symbols = context.symbols(row[0] for row in found)
    rows: list[Row] = [
        symbols[target].row() | {"callers": callers, "call_sites": sites} for target, callers, sites, _ in found
    ]
    return answer(query, targets[0] if targets else ".", rows, options, total=found[0][3] if found else 0)
