"""A symbol is gone that the spec does not remove.

Found for every symbol of the baseline that the tree does not have: functions, methods, types, constants, fields. It
is not gone if it moved, with its name and body, into a declared file, or with its whole file. What goes with a
deleted file is declared with the file, and what an exact edit takes out is declared by it. A symbol with another name
is gone. Tests are no matter of this check: a deleted test is `suppression_masking`.

What to do: restore the symbol, or list it under `removes` and approve the spec again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmcg.audit.files import fits
from mmcg.audit.findings import Kind
from mmcg.audit.signatures import states, stored
from mmcg.audit.symbols import look_up

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mmcg.audit.findings import Finding
    from mmcg.audit.work import Work
    from mmcg.query.compare import State

KIND = Kind("symbol_removed", effect="broken")

_BODIES = frozenset({"function", "method", "constructor", "property", "macro"})
"""Kinds whose inner definitions are a matter of their own."""


def audit(work: Work) -> Iterator[Finding]:
    """The symbols that are gone without being declared to go."""
    pairing = work.graphs.pairing
    names = {one.id: other for one, other in pairing.renamed}
    allowed = _allowed(work)
    gone = [*pairing.gone, *(one for one, other in pairing.pairs if _moved_away(work, one, other))]
    missing = {each.id for each in gone}
    containers = {each.id: each for each in work.graphs.states_then(sorted({each.path for each in gone}))}
    for state in sorted(gone, key=lambda each: (each.path, each.line)):
        chain = list(_containers(state, containers))
        if state.id in allowed or any(each.id in allowed or each.id in missing for each in chain):
            continue
        if any(each.kind in _BODIES for each in chain) or _tested(work, state) or _declared(work, state, names):
            continue
        if state.kind == "prototype" and _goes_with_definition(work, state, missing, allowed):
            continue
        yield _finding(work, state, names.get(state.id))


def _allowed(work: Work) -> set[int]:
    return {
        each.id
        for plan in work.spec.removes
        for each in look_up(work.before, plan.name, signature=plan.signature, near=False).symbols
    }


def _moved_away(work: Work, then: State, now: State) -> bool:
    """Whether a symbol moved alone into a file that no one declared."""
    return work.graphs.renamed.get(then.path, then.path) != now.path and not work.spec.declares(now.path)


def _containers(state: State, known: dict[int, State]) -> Iterator[State]:
    while state.container is not None and state.container in known:
        state = known[state.container]
        yield state


def _tested(work: Work, state: State) -> bool:
    return work.in_tests(work.before, work.before.symbols([state.id])[state.id])


def _declared(work: Work, state: State, names: dict[int, State]) -> bool:
    """Whether the file is declared to go, an exact edit takes the header out, or `becomes` gives it another one."""
    if any(fits(each.path, state.path) for each in work.spec.deletes):
        change = work.changed.get(state.path)
        if change is not None and change.after is None:
            return True
    live = stored(state.signature, state.decorators)
    for edit in work.spec.edits:
        if edit.file == state.path and edit.change_to is not None and states(edit.find, live):
            return True
    other = names.get(state.id)
    return other is not None and any(
        named.plan.becomes is not None and state.id in named.then.ids for named in work.named
    )


def _goes_with_definition(work: Work, state: State, missing: set[int], allowed: set[int]) -> bool:
    """Whether the definition is still there, or is gone too: then it is the one that matters."""
    there = work.after.symbols_called([state.name])
    was = [each for each in work.before.symbols_called([state.name]) if each.kind != "prototype"]
    return any(each.qualified == state.qualified and each.kind != "prototype" for each in there) or any(
        each.qualified == state.qualified and (each.id in missing or each.id in allowed) for each in was
    )


def _finding(work: Work, state: State, other: State | None) -> Finding:
    pair = work.pairs.get(state.id)
    now = pair[1] if pair is not None else other
    if pair is not None:
        found = f"it moved to `{pair[1].address}`, a file that is not declared"
    else:
        found = f"`{other.address}` has most of its text" if other else "nothing"
    change = work.changed.get(state.path)
    file = now.path if now else (change.path if change else state.path)
    seems = f"; {found}" if now else ""
    return KIND.in_audit(
        f"`{state.address}` ({state.kind}) is gone and not declared to be removed{seems}.",
        about=[state.address],
        file=file,
        line=now.line if now else None,
        expected=state.signature,
        found=found,
        hint=f"Restore `{state.qualified}`, or list it under `removes` and approve the spec again.",
    )
