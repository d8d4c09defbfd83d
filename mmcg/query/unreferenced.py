"""`unreferenced`: definitions that nothing in the project uses, with the reason for believing so.

Row: `symbol, kind, file, line, signature, confidence, reason`. Left out is whatever may be used in ways that no call
graph shows: tests, exported names, entry points, names the language calls by itself, decorated definitions (they may be
registered somewhere), overrides, members of types with a base outside the project, and members that must exist to be
overridden. What is used only by itself or from inside itself counts as unused.

Confidence: `exact` for private names; `inferred` for others; `possible` where a call that could not be resolved has
the same name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmcg.query.answer import Answer, Options, Row, answer, by_sureness
from mmcg.query.symbols import folder_condition

if TYPE_CHECKING:
    from mmcg.query.context import Context

_KINDS = "'function', 'method', 'class', 'struct', 'union', 'interface', 'trait', 'enum', 'type', 'macro'"

# A use from inside does not count: from the symbol itself or from what it directly contains. A type is used when one of
# its members is. The cheap conditions come first, so that the joins are over few symbols.
_SQL = f"""
WITH uses AS (
    SELECT target, source FROM calls WHERE target IS NOT NULL AND target <> source
    UNION ALL SELECT constructs, source FROM calls WHERE constructs IS NOT NULL AND constructs <> source
    UNION ALL SELECT target, source FROM "references" WHERE kind <> 'import' AND target <> source
    UNION ALL SELECT base, symbol FROM bases WHERE base IS NOT NULL AND base <> symbol
),
pairs AS (SELECT DISTINCT target, source FROM uses),
outer_uses AS (
    SELECT DISTINCT p.target FROM pairs AS p JOIN symbols AS s ON s.rowid = p.source
    WHERE s.container IS NULL OR s.container <> p.target
),
used AS (
    SELECT target AS id FROM outer_uses
    UNION SELECT t.container FROM outer_uses AS u JOIN symbols AS t ON t.rowid = u.target WHERE t.container IS NOT NULL
),
lost AS (SELECT DISTINCT name FROM calls WHERE target IS NULL AND confidence = 'unresolved'),
candidates AS (
    SELECT s.id, s.name, s.container, s.signature, s.visibility FROM symbols AS s
    WHERE s.kind IN ({_KINDS}) AND NOT s.test AND NOT s.exported AND NOT s.abstract AND s.decorators IN ('', '[]')
      AND NOT (starts_with(s.name, '__') AND ends_with(s.name, '__')) AND NOT starts_with(s.name, 'operator')
      AND NOT (s.kind IN ('function', 'method') AND lower(s.name) IN ('main', 'init'))
      AND ($1 = '' OR s.language = $1) AND {{files}}
),
left_over AS (
    SELECT * FROM candidates AS c
    WHERE NOT EXISTS (FROM used AS u WHERE u.id = c.id)
      AND NOT EXISTS (FROM overrides AS o WHERE o.symbol = c.id)
      AND NOT EXISTS (FROM overrides AS o WHERE o.overridden = c.id)
      AND NOT EXISTS (FROM bases AS b WHERE b.symbol = c.container AND b.base IS NULL)
)
SELECT c.id, c.signature, c.visibility, EXISTS (FROM lost AS l WHERE l.name = c.name) AS lost
FROM left_over AS c LEFT JOIN symbols AS k ON k.rowid = c.container
WHERE NOT coalesce(k.test, FALSE) AND coalesce(k.kind::VARCHAR, '') NOT IN ('interface', 'trait')
ORDER BY c.id"""


def ask(context: Context, query: str, targets: list[str], options: Options) -> Answer:
    """Everything believed dead, in the whole project or one folder."""
    files, refused = folder_condition(context, query, targets)
    if refused is not None:
        return refused
    found = context.rows(_SQL.format(files=files), options.language or "")
    symbols = context.symbols(row[0] for row in found)
    rows: list[Row] = []
    possible = 0
    for each, signature, visibility, lost in found:
        confidence, reason = _judged(visibility, lost)
        if options.sure_enough(confidence):
            rows.append(symbols[each].row() | {"signature": signature, "confidence": confidence, "reason": reason})
        else:
            possible += 1
    rows.sort(key=by_sureness)
    return answer(query, targets[0] if targets else ".", rows, options, possible=possible)


def _judged(visibility: str, lost: bool) -> tuple[str, str]:
    if lost:
        return "possible", "no use was found, but a call that could not be resolved has its name"
    if visibility == "private":
        return "exact", "private, and not used"
    if visibility == "public":
        return "inferred", "not used here; code outside the project could use it"
    return "inferred", f"{visibility}, and not used"
