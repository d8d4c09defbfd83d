"""`impact`: what may notice a change of a symbol — its callers, theirs, and so on, nearest first.

Row: `symbol, kind, file, line, distance, confidence, rule, test, path` where `path` leads from the row's symbol down to
the one asked for, and `confidence` is that of its least sure call.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmcg.query.address import resolve
from mmcg.query.answer import RANK, Answer, Options, Row, answer
from mmcg.query.walk import MOST, Walk, callers_of_callers, starts

if TYPE_CHECKING:
    from mmcg.query.context import Context, Symbol

DEPTH = 5
"""How far `impact` goes unless told otherwise."""


def ask(context: Context, query: str, targets: list[str], options: Options) -> Answer:
    """All callers of callers within the depth."""
    found = resolve(context, targets[0])
    if found.symbol is None:
        return found.refusal(query, targets[0])
    depth = options.depth or DEPTH
    begin = starts(context, found.symbol)
    walk = callers_of_callers(context, [each.id for each in begin], options, depth)
    rows = reached(context, walk, options)
    notices = [] if walk.complete else [incomplete(walk, depth)]
    if len(begin) > 1:
        notices.append(f"Callers of the members of `{found.symbol.address}` are counted too.")
    return answer(query, found.symbol.address, rows, options, notices=notices)


def reached(context: Context, walk: Walk, options: Options, *, tests_only: bool = False) -> list[Row]:
    """A row for each symbol a walk came to, nearest first."""
    symbols = context.symbols(walk.visits)
    rows = []
    for each, visit in walk.visits.items():
        symbol = symbols[each]
        if not visit.distance or options.language not in (None, symbol.language) or (tests_only and not symbol.test):
            continue
        rows.append(_row(symbol, walk, symbols))
    rows.sort(key=lambda row: (row["distance"], RANK[row["confidence"]], row["file"], row["line"], row["symbol"]))
    return rows


def incomplete(walk: Walk, depth: int) -> str:
    """What is said when there is more to reach."""
    if len(walk.visits) > MOST:
        return f"Stopped after {MOST} symbols; there are more."
    return f"Stopped at distance {depth}; there are more further away (`--depth {depth * 2}`)."


def _row(symbol: Symbol, walk: Walk, symbols: dict[int, Symbol]) -> Row:
    visit = walk.visits[symbol.id]
    return symbol.row() | {
        "distance": visit.distance,
        "confidence": visit.confidence,
        "rule": visit.rule,
        "test": symbol.test,
        "path": [symbols[each].address for each in walk.way(symbol.id)],
    }
