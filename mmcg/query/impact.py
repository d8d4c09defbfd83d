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
    return reaching(context, query, targets[0], options, options.depth or DEPTH)


def reaching(
    context: Context, query: str, target: str, options: Options, depth: int, *, tests_only: bool = False
) -> Answer:
    """What calls the target within so many calls, or the tests among it."""
    found = resolve(context, target)
    if found.symbol is None:
        return found.refusal(query, target)
    begin = starts(context, found.symbol)
    walk = callers_of_callers(context, [each.id for each in begin], options, depth)
    rows = _reached(context, walk, options, tests_only)
    notices = [] if walk.complete else [_incomplete(walk, depth)]
    if len(begin) > 1:
        notices.append(f"Callers of the members of `{found.symbol.address}` are counted too.")
    if tests_only and found.symbol.test:
        notices.append(f"`{found.symbol.address}` is a test itself.")
    return answer(query, found.symbol.address, rows, options, notices=notices)


def _reached(context: Context, walk: Walk, options: Options, tests_only: bool) -> list[Row]:
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


def _incomplete(walk: Walk, depth: int) -> str:
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
