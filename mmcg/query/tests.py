"""`tests`: the tests that reach a symbol through calls, nearest first.

Row: as for `impact`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmcg.query.impact import reaching

if TYPE_CHECKING:
    from mmcg.query.answer import Answer, Options
    from mmcg.query.context import Context

DEPTH = 12
"""How far `tests` looks unless told otherwise: tests stand further away than callers that matter."""


def ask(context: Context, query: str, targets: list[str], options: Options) -> Answer:
    """All tests from which calls lead to the symbol."""
    return reaching(context, query, targets[0], options, options.depth or DEPTH, tests_only=True)
