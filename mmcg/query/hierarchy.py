"""`hierarchy`: what a type descends from, and what from it; what a member overrides, and what overrides it.

Row: `relation, symbol, kind, file, line, distance, confidence, rule`; `relation` is `extends`, `implements`, `mixin` or
`embeds` for bases, `extended_by`, `implemented_by`, … for what descends, `overrides` and `overridden_by` for members. A
base outside the project has `symbol: null` and its name in `external`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmcg.query.address import resolve
from mmcg.query.answer import RANK, Answer, Options, Row, answer

if TYPE_CHECKING:
    from mmcg.query.context import Context

_BACKWARD = {"extends": "extended_by", "implements": "implemented_by", "mixin": "mixed_into", "embeds": "embedded_by"}

_BASES = """
SELECT symbol, base, name, kind, line, confidence, rule FROM bases
WHERE symbol IN {ids} ORDER BY symbol, line"""
_DERIVED = """
SELECT base, symbol, name, kind, line, confidence, rule FROM bases
WHERE base IN {ids} ORDER BY base, symbol"""
_OVERRIDES = """
SELECT symbol, overridden, NULL, 'overrides', 0, 'exact', 'inherited' FROM overrides
WHERE symbol IN {ids} ORDER BY symbol, overridden"""
_OVERRIDDEN = """
SELECT overridden, symbol, NULL, 'overridden_by', 0, 'exact', 'inherited' FROM overrides
WHERE overridden IN {ids} ORDER BY overridden, symbol"""


def ask(context: Context, query: str, targets: list[str], options: Options) -> Answer:
    """Everything above and below, nearest first."""
    found = resolve(context, targets[0])
    if found.symbol is None:
        return found.refusal(query, targets[0])
    rows: list[Row] = []
    possible = 0
    for sql in (_BASES, _OVERRIDES, _DERIVED, _OVERRIDDEN):
        more, less = _climb(context, sql, found.symbol.id, options, backward=sql is _DERIVED)
        possible += less
        rows += sorted(more, key=_nearest_first)
    return answer(query, found.symbol.address, rows, options, possible=possible)


def _climb(context: Context, sql: str, start: int, options: Options, *, backward: bool) -> tuple[list[Row], int]:
    """One direction, level by level; a circle of bases ends where it meets itself."""
    seen = {start}
    frontier = [start]
    rows: list[Row] = []
    possible = distance = 0
    while frontier:
        distance += 1
        edges = context.rows(sql.format(ids="(" + ", ".join(map(str, frontier)) + ")"))
        symbols = context.symbols(edge[1] for edge in edges if edge[1] is not None)
        frontier = []
        for _, far, name, kind, line, confidence, rule in edges:
            if confidence == "possible" and not options.sure_enough(confidence):
                possible += 1
                continue
            relation = _BACKWARD[kind] if backward else kind
            tail = {"distance": distance, "confidence": confidence, "rule": rule}
            if far is None:
                outside: Row = {"relation": relation, "symbol": None, "kind": None, "file": None, "line": line}
                rows.append(outside | tail | {"external": name})
            elif far not in seen:
                seen.add(far)
                frontier.append(far)
                if options.language in (None, symbols[far].language):
                    rows.append({"relation": relation} | symbols[far].row() | tail)
    return rows, possible


def _nearest_first(row: Row) -> tuple[int, int, str, int]:
    return row["distance"], RANK[row["confidence"]], row["file"] or "", row["line"] or 0
