"""Walks over the call graph: breadth first, one SQL statement a level, safe in cycles and bounded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mmcg.query.answer import RANK, Options
from mmcg.query.context import TYPE_KINDS, Context, Symbol, listed, values

if TYPE_CHECKING:
    from collections.abc import Iterable

MOST = 20_000
"""Symbols that a walk visits at most; an answer that stops there says so."""

# The surest edge between two symbols comes first, so that it is the one a path is made of.
_STEP = """
SELECT near, far, arg_min(confidence, rank) AS confidence, arg_min(rule, rank) AS rule
FROM (
    SELECT *, list_position(['exact', 'inferred', 'possible'], confidence) AS rank FROM ({edges})
    WHERE near IS NOT NULL AND far IS NOT NULL AND confidence IN ({{confidences}})
)
GROUP BY near, far ORDER BY min(rank), far, near"""
# A construction through an inherited constructor is a call of the constructed type too, as `callers` has it.
BACKWARD = _STEP.format(
    edges="""
    SELECT target AS near, source AS far, confidence, rule
    FROM {frontier} AS w(id) JOIN calls ON target = w.id::UINTEGER
    UNION ALL
    SELECT constructs, source, confidence, rule FROM {frontier} AS w(id) JOIN calls ON constructs = w.id::UINTEGER"""
)
FORWARD = _STEP.format(
    edges="""
    SELECT source AS near, unnest([target, constructs]) AS far, confidence, rule
    FROM {frontier} AS w(id) JOIN calls ON source = w.id::UINTEGER"""
)


@dataclass(slots=True)
class Visit:
    """How a walk came to a symbol."""

    distance: int
    previous: int | None
    """The symbol before it on the way from the start."""
    confidence: str
    """That of the least sure edge on the way."""
    rule: str
    """That of the last edge."""


@dataclass(slots=True)
class Walk:
    """All symbols reached, with the shortest way to each."""

    visits: dict[int, Visit]
    complete: bool = True

    def way(self, symbol: int) -> list[int]:
        """The symbols from `symbol` back to the start."""
        way = [symbol]
        while (previous := self.visits[way[-1]].previous) is not None:
            way.append(previous)
        return way


def starts(context: Context, symbol: Symbol) -> list[Symbol]:
    """Where a walk from a symbol begins: a type stands for its members too."""
    if symbol.kind not in TYPE_KINDS:
        return [symbol]
    return [symbol, *(each for each in context.members(symbol) if each.kind not in ("field", "variant"))]


def step(context: Context, sql: str, frontier: list[int], options: Options) -> list[tuple[int, int, str, str]]:
    """The edges that leave a frontier: (near, far, confidence, rule)."""
    if not frontier:
        return []
    return context.rows(sql.format(frontier=values(frontier), confidences=listed(options.confidences())))


def callers_of_callers(context: Context, begin: Iterable[int], options: Options, depth: int) -> Walk:
    """Everything from which a call can reach one of `begin`, within `depth` calls."""
    walk = Walk({each: Visit(0, None, "exact", "") for each in begin})
    frontier = list(walk.visits)
    for distance in range(1, depth + 1):
        reached: list[int] = []
        for near, far, confidence, rule in step(context, BACKWARD, frontier, options):
            if far in walk.visits:
                continue
            least = max(confidence, walk.visits[near].confidence, key=RANK.__getitem__)
            walk.visits[far] = Visit(distance, near, least, rule)
            reached.append(far)
        if not reached:
            return walk
        if len(walk.visits) > MOST:
            walk.complete = False
            return walk
        frontier = reached
    walk.complete = not any(far not in walk.visits for _, far, _, _ in step(context, BACKWARD, frontier, options))
    return walk
