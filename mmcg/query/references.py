"""`references`: every use of a symbol, one row a use.

Row: `symbol` (the user), `kind` (call, read, write, type, import, inherit), `file, line, column, confidence, rule`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmcg.query.address import resolve
from mmcg.query.answer import RANK, Answer, Options, Row, answer
from mmcg.query.edges import targets_of

if TYPE_CHECKING:
    from mmcg.query.context import Context

_USES = """
SELECT source, 'call' AS kind, file, line, "column", confidence, rule FROM calls WHERE target = {id:d}::UINTEGER
UNION ALL
SELECT source, 'call', file, line, "column", confidence, rule FROM calls WHERE constructs = {id:d}::UINTEGER
UNION ALL
SELECT source, kind, file, line, "column", confidence, rule FROM "references" WHERE target = {id:d}::UINTEGER"""


def ask(context: Context, query: str, targets: list[str], options: Options) -> Answer:
    """Every use that is sure enough."""
    found = resolve(context, targets[0])
    if found.symbol is None:
        return found.refusal(query, targets[0])
    uses = {use for each in targets_of(context, found.symbol) for use in context.rows(_USES.format(id=each.id))}
    symbols = context.symbols(use[0] for use in uses)
    rows: list[Row] = []
    possible = 0
    for source, kind, file, line, column, confidence, rule in uses:
        if options.language not in (None, symbols[source].language):
            continue
        if not options.sure_enough(confidence):
            possible += confidence == "possible"
            continue
        place = {"file": context.path_of(file), "line": line, "column": column}
        rows.append(
            {"symbol": symbols[source].address, "kind": kind} | place | {"confidence": confidence, "rule": rule}
        )
    rows.sort(key=lambda row: (RANK[row["confidence"]], row["file"], row["line"], row["column"], row["kind"]))
    return answer(query, found.symbol.address, rows, options, possible=possible)
