"""A test, or a command that runs tests, passes without having checked anything.

A planned test is vacuous when it has no assertion, or only ones that cannot fail: `assert True`, two constants, a value
with itself, `x or True`, a chain that says nothing (`expect(x)`), an assertion behind a `return` or under a condition
that never holds, one whose failure is caught and dropped; or, where no runner finds tests by their names, when nothing
names it. Assertions in helpers that the test calls count, however they are spelt, and so do declared failures
(`pytest.raises`, `should_panic`, `expectException`).

A command that passed is vacuous when it ran no test: the filter matched nothing, all were skipped, there are none; or
when it ran fewer than the spec's `expect_tests`.

A test that can fail only by the way, such as by unwrapping a value, is a warning. All else is broken.

What to do: assert what the planned behaviour is; name tests that exist.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mmcg.audit import evidence
from mmcg.audit.findings import Kind
from mmcg.audit.masking.hidden import short
from mmcg.audit.runs.results import results
from mmcg.audit.tests.checked import checked
from mmcg.audit.tests.planned import plans

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mmcg.audit.documents.spec import VerifyCommand
    from mmcg.audit.findings import Finding
    from mmcg.audit.runs.results import Result
    from mmcg.audit.tests.planned import Found
    from mmcg.audit.work import Work

KIND = Kind("vacuous_test_pass", effect="broken")


def audit(work: Work) -> Iterator[Finding]:
    """Planned tests that cannot fail, and commands that ran no test."""
    seen = set()
    for plan in plans(work):
        for each in plan.found:
            place = (each.file, each.unit.at.start)
            if place in seen or (plan.test.name is None and not each.changed):
                continue
            seen.add(place)
            yield from _test(work, each)
    for result in results(work):
        yield from _command(work, result)


def _test(work: Work, test: Found) -> Iterator[Finding]:
    found = evidence.now(work, test.file)
    if not found.known:
        return
    if any(mark.kind == "todo" for mark in found.marks_of(test.unit)):
        yield _vacuous(test, "it has no body", None)
        return
    if found.registered and test.unit.kind == "function" and not _is_named(work, test):
        yield _vacuous(test, "nothing calls or registers it, so it never runs", None)
        return
    said = checked(work, test.file, test.unit)
    if said.sure:
        return
    if said.implicit:
        yield KIND.in_audit(
            f"The planned test `{test.unit.shown}` asserts nothing: it fails only if something in it cannot go on.",
            about=[test.unit.shown],
            file=test.file,
            line=test.unit.at.line,
            expected="an assertion",
            found=said.own[0].text,
            hint="Assert what the planned behaviour is.",
            effect="warning",
        )
        return
    vacuous = [each for each in said.own if each.vacuous]
    if vacuous:
        why = "; ".join(f"`{short(each.text)}` {each.vacuous}" for each in vacuous[:3])
        yield _vacuous(test, f"none of its assertions can fail: {why}", vacuous[0].at.line, short(vacuous[0].text))
    else:
        yield _vacuous(test, "it has no assertion", None)


def _is_named(work: Work, test: Found) -> bool:
    """Whether the name of a test stands anywhere besides its definition: in its file, or in another of tests."""
    name = re.compile(rb"\b" + re.escape(test.unit.name.encode()) + rb"\b")
    if len(name.findall(work.graphs.text_now(test.file))) > 1:
        return True
    others = (path for path in work.after.files() if path != test.file and work.is_test_path(path))
    return any(name.search(work.graphs.text_now(path)) for path in others)


def _vacuous(test: Found, why: str, line: int | None, text: str | None = None) -> Finding:
    return KIND.in_audit(
        f"The planned test `{test.unit.shown}` checks nothing: {why}.",
        about=[test.unit.shown],
        file=test.file,
        line=line or test.unit.at.line,
        expected="an assertion that can fail",
        found=text or "none",
        hint="Assert what the planned behaviour is.",
    )


def _command(work: Work, result: Result) -> Iterator[Finding]:
    command = result.command
    if not result.passed:
        return
    if result.tests_run == 0:
        skipped = " All that it found were skipped." if result.skipped else ""
        yield _ran(
            work,
            command,
            f"passed and ran no test.{skipped}",
            "at least one test",
            "0 tests",
            "Name tests that exist: a filter that matches nothing passes.",
        )
    elif command.expect_tests is not None and result.tests_run is not None and result.tests_run < command.expect_tests:
        yield _ran(
            work,
            command,
            f"ran {result.tests_run} tests, not the {command.expect_tests} planned.",
            f"{command.expect_tests} tests",
            f"{result.tests_run} tests",
            "Find out which tests were not run, or correct `expect_tests`.",
        )


def _ran(work: Work, command: VerifyCommand, what: str, expected: str, found: str, hint: str) -> Finding:
    return KIND.in_audit(
        f"The declared command `{command.id}` {what}",
        about=[command.id],
        file=work.spec.path,
        line=command.line,
        expected=expected,
        found=found,
        hint=hint,
    )
