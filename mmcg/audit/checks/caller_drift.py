"""A symbol that the spec names lost callers or gained some that were not planned.

Found for each symbol under `touches` that is still there: its callers in the baseline's graph are compared with those
in the tree's, and each one gained or lost is named. `callers: {gained: n, lost: n}` plans so many, and so many must
come; without it none may. Calls that the `CHANGE TO` text of an exact edit adds, or its `FIND` text loses, are
planned, and so is the loss of a caller that is itself declared to be removed.

A caller that moved or was renamed is the same caller. Callers in test code do not count, nor does recursion, nor
calls that only share a name. A caller whose own code did not change counts only where its call surely goes elsewhere.

What to do: undo the unplanned calls, or plan them under `callers` and approve the spec again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmcg import indexing
from mmcg.audit.findings import Kind
from mmcg.audit.symbols import look_up

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mmcg.audit.findings import Finding
    from mmcg.audit.work import Named, Work
    from mmcg.query.between import Caller
    from mmcg.query.context import Context

KIND = Kind("caller_drift", effect="drift")


def audit(work: Work) -> Iterator[Finding]:
    """The callers that came or went beyond the plan."""
    removed = {
        each.id
        for plan in work.spec.removes
        for each in look_up(work.before, plan.name, signature=plan.signature, near=False).symbols
    }
    for named in work.staying:
        yield from _of(work, named, removed)


def _of(work: Work, named: Named, removed: set[int]) -> Iterator[Finding]:
    callers = work.graphs.callers(named.then.ids, work.definitions_now(named))
    gained = _counted(work, work.after, callers.gained)
    lost = _counted(work, work.before, callers.lost)
    planned_gained = [each for each in gained if _edited_in(work, each)]
    planned_lost = [each for each in lost if _edited_out(work, each) or _goes(work, each, removed)]
    yield from _compared(work, named, "gained", gained, planned_gained)
    yield from _compared(work, named, "lost", lost, planned_lost)


def _counted(work: Work, context: Context, callers: Sequence[Caller]) -> list[Caller]:
    return [each for each in callers if not work.in_tests(context, each.symbol)]


def _compared(work: Work, named: Named, what: str, found: list[Caller], planned: list[Caller]) -> Iterator[Finding]:
    declared = (named.plan.gained if what == "gained" else named.plan.lost) or 0
    count = len(found)
    if count - len(planned) <= declared <= count:
        return
    symbol = named.then.symbol.address
    unplanned = [each for each in found if each not in planned]
    if count < declared:
        at = work.after.symbols(named.now)[named.now[0]]
        some = f": only {', '.join(f'`{each.symbol.address}`' for each in found)}" if found else ""
        yield KIND.in_audit(
            f"`{symbol}` was to {'gain' if what == 'gained' else 'lose'} {_callers(declared)} and "
            f"{what} {count or 'none'}{some}.",
            about=[symbol],
            file=at.path,
            line=at.line,
            expected=f"{declared} {what}",
            found=f"{count} {what}",
            hint=f"Make the planned calls, or correct `{what}` in the spec.",
        )
        return
    for each in unplanned:
        yield KIND.in_audit(
            f"`{symbol}` {what} the caller `{each.symbol.address}`; {_plan(declared)} planned.",
            about=[symbol, each.symbol.address],
            file=each.symbol.path,
            line=each.lines[0],
            expected=f"{declared} {what}",
            found=f"{count} {what}: " + ", ".join(other.symbol.address for other in found),
            hint=(
                f"{'Undo the call' if what == 'gained' else 'Restore the call'}, or plan it with "
                f"`callers: {{{what}: {count}}}` and approve the spec again."
            ),
        )


def _callers(count: int) -> str:
    return f"{count} caller{'' if count == 1 else 's'}"


def _plan(declared: int) -> str:
    return "none was" if not declared else f"{declared} {'was' if declared == 1 else 'were'}"


def _edited_in(work: Work, caller: Caller) -> bool:
    """Whether the calls stand in the `CHANGE TO` text of an exact edit of the file."""
    wanted = _lines(indexing.decoded(work.graphs.text_now(caller.symbol.path)), caller.lines)
    given = [each.change_to for each in work.spec.edits if each.file == caller.symbol.path and each.change_to]
    return bool(wanted) and wanted <= {line.strip() for text in given for line in text.split("\n")}


def _edited_out(work: Work, caller: Caller) -> bool:
    """Whether the calls stood in the `FIND` text of an exact edit of the file."""
    wanted = _lines(indexing.decoded(work.graphs.text_then(caller.symbol.path)), caller.lines)
    given = [each.find for each in work.spec.edits if each.file == caller.symbol.path and each.change_to is not None]
    return bool(wanted) and wanted <= {line.strip() for text in given for line in text.split("\n")}


def _lines(text: str, numbers: Sequence[int]) -> set[str]:
    lines = text.split("\n")
    return {lines[each - 1].strip() for each in numbers if each <= len(lines)}


def _goes(work: Work, caller: Caller, removed: set[int]) -> bool:
    """Whether the caller itself is declared to go."""
    if work.graphs.now(caller.symbol.id) is not None:
        return False
    return caller.symbol.id in removed or any(each.path == caller.symbol.path for each in work.spec.deletes)
