"""`tests`: the tests that reach a symbol through calls, nearest first.

Row: as for `impact`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmcg.query.address import resolve
from mmcg.query.answer import Answer, Options, answer
from mmcg.query.impact import incomplete, reached
from mmcg.query.walk import callers_of_callers, starts

if TYPE_CHECKING:
    from mmcg.query.context import Context

DEPTH = 12
"""How far `tests` looks unless told otherwise: tests stand further away than callers that matter."""


def ask(context: Context, query: str, targets: list[str], options: Options) -> Answer:
    """All tests from which calls lead to the symbol."""
    found = resolve(context, targets[0])
    if found.symbol is None:
        return found.refusal(query, targets[0])
    depth = options.depth or DEPTH
    walk = callers_of_callers(context, [each.id for each in starts(context, found.symbol)], options, depth)
    rows = reached(context, walk, options, tests_only=True)
    notices = [] if walk.complete else [incomplete(walk, depth)]
    if found.symbol.test:
        notices.append(f"`{found.symbol.address}` is a test itself.")
    return answer(query, found.symbol.address, rows, options, notices=notices)
