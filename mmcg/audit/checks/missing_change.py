"""Something that the spec declares was not done.

Found when a file under `touches` or `docs` is unchanged, a file under `creates` is not there or one under `deletes`
still is, a symbol under `adds` is not there or one under `removes` still is, the `CHANGE TO` text of an exact edit is
not in its file, or a symbol named under `touches` says what it said before (layout and comments left aside). A symbol
that moved was changed; an entry with nothing but `callers` asks for no change of the symbol itself.

It is drift; where the report claims the change, it is broken.

What to do: make the change, or take it out of the spec.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmcg import indexing
from mmcg.audit.change.bodies import became, says_the_same
from mmcg.audit.files import fits
from mmcg.audit.findings import Kind
from mmcg.audit.signatures import stated
from mmcg.audit.symbols import look_up, signature_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mmcg.audit.documents.edits import Edit
    from mmcg.audit.documents.spec import Touch
    from mmcg.audit.findings import Effect, Finding
    from mmcg.audit.work import Named, Work
    from mmcg.query.context import Symbol

KIND = Kind("missing_change", effect="drift")


def audit(work: Work) -> Iterator[Finding]:
    """What was planned and not done."""
    for touch in work.spec.touches:
        if not _changed(work, touch.file) and not _only_callers(touch):
            yield _file(work, touch.file, touch.line, "is declared to be changed and is as it was")
    for doc in work.spec.docs:
        if not _changed(work, doc.path):
            yield _file(work, doc.path, doc.line, "is documentation that is declared to be changed and is as it was")
    for path in work.spec.creates:
        if work.exists(path.path) is None:
            yield _file(work, path.path, path.line, "is declared to be created and is not there")
    for path in work.spec.deletes:
        if work.exists(path.path) is not None:
            yield _file(work, path.path, path.line, "is declared to be deleted and is still there")
    for named in work.named:
        yield from _symbol(work, named)
    for edit in work.spec.edits:
        yield from _edit(work, edit)
    yield from _adds(work)
    yield from _removes(work)


def _changed(work: Work, declared: str) -> bool:
    return any(fits(declared, path) for path in work.changed)


def _only_callers(touch: Touch) -> bool:
    return bool(touch.symbols) and all(plan.only_callers for plan in touch.symbols)


def _file(work: Work, path: str, line: int, what: str) -> Finding:
    claimed = work.report is not None and any(fits(path, each.path) for each in work.report.files_modified)
    return KIND.in_audit(
        f"`{path}` {what}{', although the report lists it' if claimed else ''}.",
        about=[path],
        file=work.spec.path,
        line=line,
        expected="a change",
        found="none",
        hint=f"Change `{path}` as planned, or take it out of the spec.",
        effect="broken" if claimed else None,
    )


def _symbol(work: Work, named: Named) -> Iterator[Finding]:
    plan = named.plan
    if not named.then.found or plan.only_callers or not named.now:
        return
    if not _changed(work, named.file) and not any(each.path in work.changed for each in named.then.symbols):
        return  # Said of the file already.
    if all(says_the_same(work, each) for each in named.then.symbols):
        symbol = named.then.symbol
        later = work.after.symbols(named.now)[named.now[0]]
        claimed = _claims_change(work, set(named.now))
        yield KIND.in_audit(
            f"`{symbol.address}` is declared to be changed and says what it said before"
            f"{', although the report claims it' if claimed else ''}.",
            about=[symbol.address],
            file=later.path,
            line=later.line,
            expected="another body or signature",
            found="the same",
            hint=f"Change `{plan.name}` as planned, or take it out of the spec.",
            effect="broken" if claimed else None,
        )
    elif plan.becomes is not None and not became(work, named):
        later = work.after.symbols(named.now)[named.now[0]]
        yield KIND.in_audit(
            f"`{symbol_of(named)}` does not have its planned signature.",
            about=[symbol_of(named)],
            file=later.path,
            line=later.line,
            expected=plan.becomes,
            found=work.state_now(later.id).signature,
            hint="Give it the planned signature, or correct `becomes` in the spec.",
            effect=_claimed_effect(work, set(named.now)),
        )


def symbol_of(named: Named) -> str:
    """The address that messages call it by."""
    return named.then.symbol.address


def _claimed_effect(work: Work, ids: set[int]) -> Effect | None:
    return "broken" if _claims_change(work, ids) else None


def _claims_change(work: Work, ids: set[int]) -> bool:
    claims = work.report.claims if work.report else ()
    return any(
        each.kind == "symbol_changed" and each.symbol and look_up(work.after, each.symbol, near=False).ids & ids
        for each in claims
    )


def _edit(work: Work, edit: Edit) -> Iterator[Finding]:
    if edit.change_to is None or not edit.file:
        return
    path = work.graphs.moved_files.get(edit.file) or edit.file
    text = _plain(indexing.decoded(work.graphs.text_now(path)))
    find, change_to = _plain(edit.find), _plain(edit.change_to)
    # What is only shorter than before is in the old text too.
    done = change_to in text and not (find in text and find not in change_to and change_to in find)
    if not done:
        claimed = work.report is not None and any(each.path == path for each in work.report.files_modified)
        yield KIND.in_audit(
            f"The text that an exact edit gives for `{edit.file}` is not in the file.",
            about=[edit.file],
            file=work.spec.path,
            line=edit.line,
            expected=edit.change_to,
            found=_nearest_line(text, change_to),
            hint="Make the edit as it is written, or correct it in the spec.",
            effect="broken" if claimed else None,
        )


def _plain(text: str) -> str:
    """The text without differences of line ends and of blanks at the ends of lines."""
    return "\n".join(line.rstrip() for line in text.replace("\r\n", "\n").split("\n")).strip("\n")


def _nearest_line(text: str, wanted: str) -> str | None:
    import difflib

    first = next((line for line in wanted.split("\n") if line.strip()), "")
    near = difflib.get_close_matches(first, text.split("\n")[:5000], n=1)
    return near[0].strip() if near else None


def _adds(work: Work) -> Iterator[Finding]:
    for plan in work.spec.adds:
        if not look_up(work.after, plan.name, near=False).found and not look_up(work.after, plan.name).ambiguous:
            claims = work.report.claims if work.report else ()
            claimed = any(each.kind == "symbol_added" and each.symbol == plan.name for each in claims)
            yield KIND.in_audit(
                f"`{plan.name}` is declared to be added and is not there.",
                about=[plan.name],
                file=work.spec.path,
                line=plan.line,
                expected="a new symbol",
                found="none",
                hint=f"Add `{plan.name}`, or take it out of `adds`.",
                effect="broken" if claimed else None,
            )


def _removes(work: Work) -> Iterator[Finding]:
    for plan in work.spec.removes:
        then = look_up(work.before, plan.name, signature=plan.signature, near=False)
        # A signature that picks one of several names that one only: what has another now is another one.
        picked = plan.signature if len(look_up(work.before, plan.name, near=False).symbols) > 1 else None
        later = next((now for each in then.symbols if (now := _left(work, plan.name, picked, each)) is not None), None)
        if later is not None:
            yield KIND.in_audit(
                f"`{plan.name}` is declared to be removed and is still there.",
                about=[later.address],
                file=later.path,
                line=later.line,
                expected="no such symbol",
                found=later.address,
                hint=f"Remove `{plan.name}`, or take it out of `removes`.",
            )


def _left(work: Work, name: str, picked: str | None, then: Symbol) -> Symbol | None:
    """What a symbol of the baseline is now.

    None where it has another name, is not the one of several that a signature picks, or left the file that is named.
    """
    id_ = work.graphs.now(then.id)
    if id_ is None:
        return None
    now = work.after.symbols([id_])[id_]
    if picked is not None and not stated(picked).means(signature_of(work.after, now)):
        return None
    left = now.path != work.graphs.renamed.get(then.path, then.path) and name.startswith(f"{then.path}::")
    return None if left or now.qualified != then.qualified else now
