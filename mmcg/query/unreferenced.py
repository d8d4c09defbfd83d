"""`unreferenced`: definitions that nothing in the project uses, with the reason for believing so.

Row: `symbol, kind, file, line, signature, confidence, reason`. Left out is whatever may be used in ways that no call
graph shows: tests, exported names, entry points, names the language calls by itself, decorated definitions (they may be
registered somewhere), overrides, members of types with a base outside the project, and members that must exist to be
overridden. What is used only by itself or from inside itself counts as unused.

Confidence: `exact` for private names; `inferred` for others; `possible` where a call that could not be resolved has
the same name.
"""

from __future__ import annotations

from mmcg.query.answer import Answer, Options, Row, answer, by_sureness
from mmcg.query.context import Context
from mmcg.query.symbols import paths_named

_KINDS = "'function', 'method', 'class', 'struct', 'union', 'interface', 'trait', 'enum', 'type', 'macro'"

# `uses` are from anywhere but the symbol itself and what it contains; a type is used when one of its members is.
_SQL = f"""
WITH uses AS (
    SELECT DISTINCT target, source FROM calls WHERE target IS NOT NULL
    UNION SELECT DISTINCT target, source FROM "references" WHERE kind <> 'import'
    UNION SELECT base, symbol FROM bases WHERE base IS NOT NULL
),
outer_uses AS (
    SELECT u.target FROM uses AS u
    JOIN symbols AS t ON t.rowid = u.target JOIN symbols AS s ON s.rowid = u.source
    WHERE NOT (s.file = t.file AND s.start_byte >= t.start_byte AND s.end_byte <= t.end_byte AND s.kind <> 'module')
),
used AS (
    SELECT target AS id FROM outer_uses
    UNION SELECT t.container FROM outer_uses AS u JOIN symbols AS t ON t.rowid = u.target WHERE t.container IS NOT NULL
),
lost AS (SELECT DISTINCT name FROM calls WHERE target IS NULL AND confidence = 'unresolved'),
foreign_base AS (SELECT DISTINCT symbol AS id FROM bases WHERE base IS NULL)
SELECT s.id, s.signature, s.visibility,
       s.name IN (SELECT name FROM lost) AS lost
FROM symbols AS s LEFT JOIN symbols AS c ON c.rowid = s.container
WHERE s.kind IN ({_KINDS})
  AND s.id NOT IN (SELECT id FROM used)
  AND NOT s.test AND NOT s.exported AND NOT s.abstract
  AND NOT coalesce(c.test, FALSE)
  AND coalesce(c.kind, '') NOT IN ('interface', 'trait')
  AND s.decorators IN ('', '[]')
  AND NOT (s.name LIKE '\\_\\_%\\_\\_' ESCAPE '\\') AND NOT starts_with(s.name, 'operator')
  AND NOT (lower(s.name) IN ('main', 'init') AND s.kind IN ('function', 'method'))
  AND s.id NOT IN (SELECT symbol FROM overrides) AND s.id NOT IN (SELECT overridden FROM overrides)
  AND (c.id IS NULL OR c.id NOT IN (SELECT id FROM foreign_base))
  AND ($1 = '' OR s.language = $1)
  AND ($2::UINTEGER[] IS NULL OR s.file IN (SELECT unnest($2::UINTEGER[])))
ORDER BY s.id"""


def ask(context: Context, query: str, targets: list[str], options: Options) -> Answer:
    """Everything believed dead, in the whole project or one folder."""
    files = None
    if targets:
        paths, refused = paths_named(context, query, targets[0])
        if refused is not None:
            return refused
        files = [context.files()[path] for path in paths]
    found = context.rows(_SQL, options.language or "", files)
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
