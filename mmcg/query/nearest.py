"""The nearest names to one that does not exist."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mmcg.query.answer import Row
    from mmcg.query.context import Context, Symbol

_COUNT = 8

# Jaro-Winkler over all distinct names costs 35 ms on 1.5 million symbols; edit distance over all of them ten times
# that. So the first chooses, the second ranks.
_NEAR = """
WITH near AS (
    SELECT name, greatest(
        jaro_winkler_similarity(lower(name), $1),
        CASE WHEN length($1) >= 3 AND (contains(lower(name), $1) OR (length(name) >= 4 AND contains($1, lower(name))))
             THEN 0.9 ELSE 0 END) AS likeness
    FROM (SELECT DISTINCT name FROM names) WHERE name <> '<module>' AND length(name) BETWEEN 1 AND 120
)
SELECT name, likeness, damerau_levenshtein(lower(name), $1) AS distance
FROM (SELECT * FROM near WHERE likeness >= 0.8 ORDER BY likeness DESC, name LIMIT 60)
"""


def nearest_symbols(context: Context, text: str) -> list[Row]:
    """Symbols whose name is like the one asked for, likeliest first: never an answer, only a suggestion."""
    path, _, qualified = text.rpartition("::")
    qualified = re.sub(r"@\d+$", "", qualified)
    name = re.split(r"\.(?=[^.])", qualified)[-1].lower()[:120]
    if not name:
        return []
    found = context.rows(_NEAR, name)
    # An edit per four letters is a typo; more is another word, unless one holds the other.
    likely = {
        each: (distance if distance <= 1 + len(name) // 4 else 10 + distance)
        for each, likeness, distance in found
        if distance <= 1 + len(name) // 4 or likeness >= 0.88
    }
    if not likely:
        return []
    names = sorted(likely, key=lambda each: (likely[each], each))[: _COUNT * 2]
    symbols = [each for each in context.symbols_called(names) if each.kind != "module"]
    wanted = path.replace("\\", "/").rpartition("/")[2]

    def order(symbol: Symbol) -> tuple[bool, int, bool, str, int]:
        elsewhere = bool(wanted) and symbol.path.rpartition("/")[2] != wanted
        unlike = not symbol.qualified.lower().endswith(qualified.lower())
        return elsewhere, likely.get(symbol.name, _COUNT), unlike, symbol.path, symbol.line

    return [each.row() for each in sorted(symbols, key=order)[:_COUNT]]


def nearest_paths(context: Context, text: str) -> list[Row]:
    """Files whose path is like the one asked for."""
    sql = """
        SELECT path, language FROM files
        ORDER BY jaro_winkler_similarity(lower(string_split(path, '/')[-1]), $1) DESC, path LIMIT 5"""
    name = text.replace("\\", "/").rstrip("/").rpartition("/")[2].lower()
    return [{"file": path, "language": language} for path, language in context.rows(sql, name)] if name else []
