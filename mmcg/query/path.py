"""`path`: the shortest chain of calls from one symbol to another.

One row a symbol on the way: `symbol, kind, file, line, step, confidence, rule, sites`; the last three speak of the call
that leads to it from the row before, and are empty for the first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmcg.query.address import resolve
from mmcg.query.answer import Answer, Options, Row, answer
from mmcg.query.walk import BACKWARD, FORWARD, MOST, starts, step

if TYPE_CHECKING:
    from mmcg.query.context import Context

_SITES = """
SELECT confidence, rule, file, line, "column" FROM calls
WHERE (target = {to:d} OR constructs = {to:d}) AND source = {from_:d}::UINTEGER"""


def ask(context: Context, query: str, targets: list[str], options: Options) -> Answer:
    """The rows of one shortest path; none where there is no path."""
    named = " -> ".join(targets)
    ends = []
    for text in targets:
        found = resolve(context, text)
        if found.symbol is None:
            refused = found.refusal(query, named)
            refused.notices.append(f"`{text}` is {'ambiguous' if found.ambiguous else 'not in the index'}.")
            return refused
        ends.append(found.symbol)
    begin, end = ends
    ways, complete = shortest(
        context, [each.id for each in starts(context, begin)], [each.id for each in starts(context, end)], options
    )
    rows = _rows(context, ways, options)
    notices = [] if rows or complete else [f"Stopped after {MOST} symbols without a path."]
    if not rows and complete:
        notices = [f"No chain of calls leads from `{begin.address}` to `{end.address}`."]
    return answer(query, f"{begin.address} -> {end.address}", rows, options, notices=notices)


def shortest(context: Context, begin: list[int], end: list[int], options: Options) -> tuple[list[int], bool]:
    """The ids along a shortest path, by a search from both ends that always widens the smaller one."""
    ahead: dict[int, int | None] = dict.fromkeys(begin)
    behind: dict[int, int | None] = dict.fromkeys(end)
    meeting = min((each for each in ahead if each in behind), default=None)
    front, back = begin, end
    while meeting is None and front and back:
        if len(ahead) + len(behind) > MOST:
            return [], False
        forward = len(front) <= len(back)
        mine, other = (ahead, behind) if forward else (behind, ahead)
        reached: list[int] = []
        for near, far, _, _ in step(context, FORWARD if forward else BACKWARD, front if forward else back, options):
            if far not in mine:
                mine[far] = near
                reached.append(far)
                if meeting is None and far in other:
                    meeting = far
        if forward:
            front = reached
        else:
            back = reached
    if meeting is None:
        return [], True
    return [*reversed(_chain(ahead, meeting)), *_chain(behind, meeting)[1:]], True


def _chain(previous: dict[int, int | None], end: int) -> list[int]:
    chain = [end]
    while (before := previous[chain[-1]]) is not None:
        chain.append(before)
    return chain


def _rows(context: Context, way: list[int], options: Options) -> list[Row]:
    symbols = context.symbols(way)
    rows: list[Row] = []
    for number, each in enumerate(way):
        row = symbols[each].row() | {"step": number, "confidence": None, "rule": None, "sites": []}
        if number:
            found = context.rows(_SITES.format(to=each, from_=way[number - 1]))
            edges = sorted((e for e in found if options.sure_enough(e[0])), key=lambda edge: edge[2:])
            surest = min(edges, key=lambda edge: options.confidences().index(edge[0]))
            row["confidence"], row["rule"] = surest[0], surest[1]
            row["sites"] = [{"file": context.path_of(e[2]), "line": e[3], "column": e[4]} for e in edges]
        rows.append(row)
    return rows
