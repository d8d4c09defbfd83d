"""`callers`: who calls a symbol, one row a caller with all its sites.

Row: `symbol, kind, file, line, confidence, rule, sites: [{file, line, column}]`, and `via` where a type is called
through its constructor.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmcg.query.address import resolve
from mmcg.query.answer import Answer, Options, Row, answer, by_sureness
from mmcg.query.edges import edges_into, targets_of

if TYPE_CHECKING:
    from mmcg.query.context import Context


def ask(context: Context, query: str, targets: list[str], options: Options) -> Answer:
    """Every caller that is sure enough, and how many more share only the name."""
    found = resolve(context, targets[0])
    if found.symbol is None:
        return found.refusal(query, targets[0])
    called = targets_of(context, found.symbol)
    gathered = edges_into(context, called)
    inherited = {target for entry in gathered.values() for target in entry.via} - {each.id for each in called}
    names = {each.id: each.address for each in [*called[1:], *context.symbols(inherited).values()]}
    rows: list[Row] = []
    possible = 0
    for entry in gathered.values():
        if options.language is not None and context.language_at(entry.symbol["file"]) != options.language:
            continue
        if not options.sure_enough(entry.confidence):
            possible += entry.confidence == "possible"
            continue
        row = entry.symbol | entry.row(context)
        through = [names[each] for each in entry.via if each in names]
        if through:
            row["via"] = min(through)
        rows.append(row)
    rows.sort(key=by_sureness)
    return answer(query, found.symbol.address, rows, options, possible=possible, notices=_prototype(found.symbol.kind))


def _prototype(kind: str) -> list[str]:
    if kind != "prototype":
        return []
    return ["This is a prototype: its definition is another symbol, or is not in this repository."]
