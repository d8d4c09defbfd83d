"""`callees`: what a symbol calls, one row a target with all its sites.

Row: as for `callers`. A target outside the project has `symbol: null` and its name in `external`, with the confidence
`external` where the package is known and `unresolved` where it is not. Those are part of every answer: leaving them out
would make an incomplete answer look complete.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmcg.query.address import resolve
from mmcg.query.answer import Answer, Options, Row, answer, by_sureness
from mmcg.query.edges import edges_out_of

if TYPE_CHECKING:
    from mmcg.query.context import Context


def ask(context: Context, query: str, targets: list[str], options: Options) -> Answer:
    """Every callee that is sure enough, then the external and unresolved ones."""
    found = resolve(context, targets[0])
    if found.symbol is None:
        return found.refusal(query, targets[0])
    inside, outside = edges_out_of(context, [found.symbol])
    symbols = context.symbols(inside)
    rows: list[Row] = []
    possible = 0
    for target, entry in inside.items():
        if options.language not in (None, symbols[target].language):
            continue
        if options.sure_enough(entry.confidence):
            rows.append(symbols[target].row() | entry.row(context))
        else:
            possible += entry.confidence == "possible"
    for (name, _), entry in outside.items():
        row: Row = {"symbol": None, "kind": None, "file": None, "line": None}
        rows.append(row | entry.row(context) | {"external": name})
    rows.sort(key=by_sureness)
    return answer(query, found.symbol.address, rows, options, possible=possible)
