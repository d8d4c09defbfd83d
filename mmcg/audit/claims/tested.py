"""Claims that a test was added."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmcg.audit import evidence
from mmcg.audit.checks import report_code_mismatch
from mmcg.audit.claims.judged import Ask, Judged, contradicted, unresolved, verified
from mmcg.audit.claims.known import addresses, find
from mmcg.audit.tests import planned, reach
from mmcg.query.context import CALLABLE_KINDS, TYPE_KINDS

if TYPE_CHECKING:
    from mmcg.audit.findings import Finding
    from mmcg.audit.tests.planned import Found
    from mmcg.audit.work import Work
    from mmcg.query.context import Symbol

HINT = "Add the test, or take the claim out of the report."


def test_added(work: Work, ask: Ask) -> Judged:
    """A test that is new or changed, and reaches what it covers."""
    found = planned.find(work, ask.symbol, planned.changed_files(work))
    new = [each for each in found if each.changed]
    if not new:
        unread = [path for path in planned.files_with_tests(work) if not evidence.now(work, path).known]
        if not found and unread:
            return unresolved(ask, f"it is not known what tests look like in `{unread[0]}`")
        known = "it is as it was" if found else "no changed file has it"
        return contradicted(ask, _mismatch(ask, f"The report says that the test `{ask.symbol}` was added; {known}."))
    for covered in ask.covers:
        now = find(work.after, covered)
        if not now.found:
            return unresolved(ask, f"`{covered}` is not one symbol of the tree", addresses(now.candidates))
        if not any(_covers(work, each, now.symbols, covered) for each in new):
            message = f"The report says that the test `{ask.symbol}` covers `{covered}`; the test does not reach it."
            return contradicted(ask, _mismatch(ask, message, covered))
    return verified(ask, f"`{new[0].file}` has the test `{new[0].unit.shown}`, which is new or changed.")


def tests_for(work: Work, ask: Ask) -> Judged:
    """A sentence that tests for something were added."""
    new = [
        planned.Found(path, unit, changed=True)
        for path in planned.files_with_tests(work)
        for unit in evidence.now(work, path).tests
        if planned.changed(work, path, unit)
    ]
    if not new:
        if any(not evidence.now(work, path).known for path in planned.files_with_tests(work)):
            return unresolved(ask, "it is not known what tests look like in the changed files")
        message = f"The report says that tests for `{ask.target}` were added; no test was added or changed."
        return contradicted(ask, _mismatch(ask, message))
    now = find(work.after, ask.target)
    if now.ambiguous:
        some = [each for each in now.candidates if any(_covers(work, test, (each,), ask.target) for test in new)]
        if not some:
            return unresolved(ask, f"`{ask.target}` may be several symbols", addresses(now.candidates))
        return verified(ask, f"A new or changed test reaches `{some[0].address}`.")
    if not now.found:
        # What is tested need not be a symbol: an option, an error, a file.
        said = [each for each in new if reach.mentions(each.unit, ask.target)]
        if said:
            return verified(ask, f"The test `{said[0].unit.shown}` in `{said[0].file}` speaks of `{ask.target}`.")
        return unresolved(ask, f"`{ask.target}` is no symbol of the tree")
    covering = [each for each in new if _covers(work, each, now.symbols, ask.target)]
    if covering:
        return verified(ask, f"`{covering[0].file}` has the test `{covering[0].unit.shown}`, which reaches it.")
    return unresolved(ask, f"no new or changed test is seen to reach `{ask.target}`")


def _covers(work: Work, test: Found, symbols: tuple[Symbol, ...], name: str) -> bool:
    """Whether a test reaches a symbol, or may: where the graph has no sure way, the name decides."""
    if not any(each.kind in CALLABLE_KINDS | TYPE_KINDS for each in symbols):
        return True
    for confidence in ("inferred", "possible"):
        if reach.reaches(work, test.file, test.unit, reach.calling(work, symbols, confidence), confidence):
            return True
    return reach.mentions(test.unit, name) or any(reach.mentions(test.unit, each.name) for each in symbols)


def _mismatch(ask: Ask, message: str, covered: str = "") -> Finding:
    return report_code_mismatch.KIND.in_audit(
        message,
        about=[each for each in (ask.symbol or ask.target, covered) if each],
        file=ask.file,
        line=ask.line,
        expected="a test that is new or changed" + (f" and reaches `{covered}`" if covered else ""),
        found="none",
        hint=HINT,
    )
