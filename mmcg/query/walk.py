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

_MANY = 200
"""A level of more symbols is grouped in SQL; of fewer, as most are, that costs more than looking them up."""

# Of equally sure edges between two symbols, that of the rule which the schema lists first.
_EDGES = """
SELECT enum_code(confidence)::INTEGER * 100 + enum_code(rule) AS rank, {far} AS far, {near} AS near, confidence, rule
FROM {{{near}}} AND confidence IN ({{confidences}})"""
_GROUPED = """
SELECT min(rank) AS least, far, near, arg_min(confidence, rank), arg_min(rule, rank) FROM ({edges})
WHERE far IS NOT NULL GROUP BY far, near ORDER BY least, far, near"""
# A construction through an inherited constructor is a call of the constructed type too, as `callers` has it.
BACKWARD = " UNION ALL ".join(_EDGES.format(near=each, far="source") for each in ("target", "constructs"))
FORWARD = _EDGES.format(near="source", far="unnest([target, constructs])")


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
    """The edges that leave a frontier: (near, far, confidence, rule). The surest come first: paths are made of them."""
    if not frontier:
        return []
    ends = {near: _calls_at(near, frontier) for near in ("source", "target", "constructs")}
    edges = sql.format(**ends, confidences=listed(options.confidences()))
    if len(frontier) > _MANY:
        rows = context.rows(_GROUPED.format(edges=edges))
    else:
        rows = sorted(row for row in set(context.rows(edges)) if row[1] is not None)
    return [(near, far, confidence, rule) for _, far, near, confidence, rule in rows]


def _calls_at(near: str, frontier: list[int]) -> str:
    """The calls with one of these symbols at an end, as SQL that a further condition may follow."""
    if len(frontier) == 1:
        return f"calls WHERE {near} = {frontier[0]:d}::UINTEGER"
    return f"{values(frontier)} AS w(id) JOIN calls ON {near} = w.id::UINTEGER WHERE TRUE"


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
