"""A symbol that the spec names has another signature, and the spec does not say so.

Found for each symbol under `touches`: a signature is the header without the body, with decorators and attributes, but
without those that only silence warnings; layout and trailing commas do not matter. `becomes`, or the `CHANGE TO` text
of an exact edit that holds the new header, declares a change. Tests have no signature that matters.

It is drift. Where calls in the tree no longer fit (they miss a required parameter, or pass one that is gone), it is
broken, declared or not, and each such call is named with its file and line. Calls that spread collections are passed
over, and so is every call that did not fit before either.

What to do: restore the signature, or declare it with `becomes`; bring every named call in line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmcg.audit.change.bodies import header
from mmcg.audit.change.fit import misfits, shapes
from mmcg.audit.findings import Kind
from mmcg.audit.signatures import stated, states

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mmcg.audit.findings import Finding
    from mmcg.audit.work import Named, Work
    from mmcg.query.compare import State

KIND = Kind("signature_changed", effect="drift")

SHOWN = 20
"""So many calls that no longer fit are findings of their own."""


def audit(work: Work) -> Iterator[Finding]:
    """The signatures that changed, and the calls that no longer fit."""
    for named in work.staying:
        if not work.in_tests(work.before, named.then.symbol):
            yield from _of(work, named)


def _of(work: Work, named: Named) -> Iterator[Finding]:
    now = [work.state_now(each) for each in work.definitions_now(named)]
    then = [work.state_then(each.id) for each in named.then.symbols]
    new = [state for state in now if all(header(state) != header(other) for other in then)]
    if not new:
        return
    wrong = misfits(shapes(work.before, named.then.ids), work.after, shapes(work.after, (each.id for each in now)))
    address = named.then.symbol.address
    old = next((each for each in then if all(header(each) != header(other) for other in now)), then[0])
    for state in new:
        if not _declared(work, named, state):
            expected = named.plan.becomes or old.signature
            yield KIND.in_audit(
                f"`{address}` has another signature, which the spec does not declare: "
                f"it was `{old.signature}` and is `{state.signature}`{_decorators(old, state)}.",
                about=[address],
                file=state.path,
                line=state.line,
                expected=expected,
                found=state.signature,
                hint="Restore the signature, or declare it with `becomes` and approve the spec again.",
                effect="broken" if wrong else None,
            )
    for each in wrong[:SHOWN]:
        caller = work.after.symbols([each.caller])[each.caller]
        more = f" ({len(wrong) - SHOWN} more calls do not fit either)" if len(wrong) > SHOWN else ""
        yield KIND.in_audit(
            f"The call of `{named.plan.name}` in `{caller.address}`, {each.file}:{each.line}, no longer fits: "
            f"{each.why}{more}.",
            about=[address, caller.address],
            file=each.file,
            line=each.line,
            expected=new[0].signature,
            found=each.why,
            hint=f"Bring the call in line with `{new[0].signature}`.",
            effect="broken",
        )


def _decorators(old: State, new: State) -> str:
    """The decorators, where they are what differs."""
    if header(old).attributes == header(new).attributes or old.decorators == new.decorators:
        return ""
    return f", with the decorators {new.decorators} instead of {old.decorators}"


def _declared(work: Work, named: Named, state: State) -> bool:
    live = header(state)
    if named.plan.becomes is not None and stated(named.plan.becomes).means(live):
        return True
    places = {state.path, named.file, named.then.symbol.path}
    return any(
        edit.file in places and edit.change_to is not None and states(edit.change_to, live) for edit in work.spec.edits
    )
