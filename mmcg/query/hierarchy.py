"""`hierarchy`: what a type descends from, and what from it; what a member overrides, and what overrides it.

Row: `relation, symbol, kind, file, line, distance, confidence, rule`; `relation` is `extends`, `implements`, `mixin` or
`embeds` for bases, `extended_by`, `implemented_by`, … for what descends, `overrides` and `overridden_by` for members. A
base outside the project has `symbol: null` and its name in `external`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmcg.query.address import resolve
from mmcg.query.answer import RANK, Answer, Options, Row, answer
from mmcg.query.context import listed

if TYPE_CHECKING:
    from mmcg.query.context import Context, Symbol
    from mmcg.store.reader import Row as SqlRow

_BACKWARD = {"extends": "extended_by", "implements": "implemented_by", "mixin": "mixed_into", "embeds": "embedded_by"}

# From a symbol to the next: (direction, near, far, name, kind, line, confidence, rule); answers are in this order.
_BASES, _OVERRIDES, _DERIVED, _OVERRIDDEN = range(4)
_EDGES = {
    _BASES: "symbol, base, name, kind, line, confidence, rule FROM bases WHERE symbol",
    _OVERRIDES: "symbol, overridden, NULL, 'overrides', 0, 'exact', 'inherited' FROM overrides WHERE symbol",
    _DERIVED: "base, symbol, name, kind, line, confidence, rule FROM bases WHERE base",
    _OVERRIDDEN: "overridden, symbol, NULL, 'overridden_by', 0, 'exact', 'inherited' FROM overrides WHERE overridden",
}


def ask(context: Context, query: str, targets: list[str], options: Options) -> Answer:
    """Everything above and below, nearest first."""
    found = resolve(context, targets[0])
    if found.symbol is None:
        return found.refusal(query, targets[0])
    climbs = [_Climb(direction, found.symbol.id) for direction in _EDGES]
    # All directions at once, a level with each statement.
    while open_ := [each for each in climbs if each.frontier]:
        parts = [f"SELECT {each.direction}, {_EDGES[each.direction]} IN ({listed(each.frontier)})" for each in open_]
        edges = context.rows(" UNION ALL ".join(parts))
        symbols = context.symbols(edge[2] for edge in edges if edge[2] is not None)
        for climb in open_:
            climb.go_on([edge for edge in edges if edge[0] == climb.direction], symbols, options)
    rows = [row for climb in climbs for row in sorted(climb.rows, key=_nearest_first)]
    return answer(query, found.symbol.address, rows, options, possible=sum(climb.possible for climb in climbs))


class _Climb:
    """One direction, level by level; a circle of bases ends where it meets itself."""

    def __init__(self, direction: int, start: int) -> None:
        self.direction = direction
        self.frontier = [start]
        self.rows: list[Row] = []
        self.possible = 0
        self._seen = {start}
        self._distance = 0

    def go_on(self, edges: list[SqlRow], symbols: dict[int, Symbol], options: Options) -> None:
        """Take in the edges that leave the frontier."""
        self._distance += 1
        self.frontier = []
        for _, _, far, name, kind, line, confidence, rule in sorted(edges, key=_as_written):
            if confidence == "possible" and not options.sure_enough(confidence):
                self.possible += 1
                continue
            relation = _BACKWARD[kind] if self.direction == _DERIVED else kind
            tail = {"distance": self._distance, "confidence": confidence, "rule": rule}
            if far is None:
                outside: Row = {"relation": relation, "symbol": None, "kind": None, "file": None, "line": line}
                self.rows.append(outside | tail | {"external": name})
            elif far not in self._seen:
                self._seen.add(far)
                self.frontier.append(far)
                if options.language in (None, symbols[far].language):
                    self.rows.append({"relation": relation} | symbols[far].row() | tail)


def _as_written(edge: SqlRow) -> tuple[int, int, int]:
    near, far, line = edge[1], edge[2], edge[5]
    return near, line, -1 if far is None else far


def _nearest_first(row: Row) -> tuple[int, int, str, int]:
    return row["distance"], RANK[row["confidence"]], row["file"] or "", row["line"] or 0
