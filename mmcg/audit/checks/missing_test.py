"""A test that the spec plans was not added or changed.

A test is named by its address, or by what its runner prints: a bare name, `TestX/sub name`, `Suite.Name`, the string of
an `it(...)`, with or without the groups around it. An existing test counts as changed when it says something else,
layout and comments left aside, or when a helper or value of its own file that it uses does. A test that stands only in
a comment or a string is none. Where only a file is planned, any change of it will do.

It is drift. Where it is not known what tests look like in a language, it is a warning.

What to do: write the test, or take it out of the spec.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmcg.audit.findings import Kind
from mmcg.audit.tests.planned import plans

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mmcg.audit.findings import Finding
    from mmcg.audit.tests.planned import Plan
    from mmcg.audit.work import Work

KIND = Kind("missing_test", effect="drift")


def audit(work: Work) -> Iterator[Finding]:
    """The planned tests that are not there, or are as they were."""
    for plan in plans(work):
        if any(each.changed for each in plan.found):
            continue
        if plan.test.name is None and plan.found and any(path in work.changed for path in plan.searched):
            continue
        if not plan.found and not plan.readable and _written(work, plan):
            continue
        yield _missing(work, plan)


def _written(work: Work, plan: Plan) -> bool:
    """Whether the name stands in a changed file in which tests cannot be told."""
    if plan.test.name is None:
        return any(path in work.changed for path in plan.searched)
    word = plan.test.name.rpartition("::")[2].encode()
    return any(path in work.changed and word in work.graphs.text_now(path) for path in plan.searched)


def _missing(work: Work, plan: Plan) -> Finding:
    where = f" in `{plan.test.file}`" if plan.test.file and plan.test.name else ""
    if plan.found:
        place = plan.found[0]
        return KIND.in_audit(
            f"The planned test `{plan.name}`{where} was neither added nor changed: it says what it said before.",
            about=[plan.name],
            file=place.file,
            line=place.unit.at.line,
            expected="a new or changed test",
            found="the test of the baseline",
            hint="Change the test as planned, or take it out of the spec.",
        )
    what = f"No test `{plan.name}`" if plan.test.name else f"No new or changed test in `{plan.name}`"
    return KIND.in_audit(
        f"{what} is there{where}, although it is planned.",
        about=[plan.name, *([plan.test.file] if plan.test.file and plan.test.name else [])],
        file=work.spec.path,
        line=plan.test.line,
        expected="a new or changed test",
        found="none",
        hint="Write the test, or take it out of the spec.",
        effect=None if plan.readable or not plan.searched else "warning",
    )
