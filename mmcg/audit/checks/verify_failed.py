"""A declared command failed, ran out of time, could not be started, or has no result.

With `--run`, the commands of the spec are run: without a shell unless the spec asks for one, in a process group of
their own, with stdin closed, the environment as it is, and limits of time and output. What came of them is kept as a
receipt that is bound to the contents of the tree. Without `--run`, the last receipt counts if the tree is what it was
then; else the word of the report does. A command that neither was run nor is in the report has no result.

It is broken; a warning while there is no report, or the report says that the work is not complete.

What to do: make the command pass; it must pass on the tree as it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmcg.audit.findings import Kind
from mmcg.audit.runs.results import results

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mmcg.audit.findings import Finding
    from mmcg.audit.runs.results import Result
    from mmcg.audit.work import Work

KIND = Kind("verify_failed", effect="broken")


def audit(work: Work) -> Iterator[Finding]:
    """The declared commands that did not pass."""
    for result in results(work):
        if not result.passed:
            yield _failed(work, result)


def _failed(work: Work, result: Result) -> Finding:
    command = result.command
    complete = work.report is not None and work.report.status == "complete"
    missing = result.source == "none"
    claimed = result.claimed == "pass" and not missing
    return KIND.in_audit(
        f"The declared command `{command.id}` {result.what}"
        + (", although the report says that it passed." if claimed else "."),
        about=[command.id],
        file=work.spec.path,
        line=command.line,
        expected="exit code 0",
        found=result.excerpt or result.what,
        hint=f"Run `{command.text}` and make it pass."
        if not missing
        else "Run the audit with `--run`, or put the result into the report.",
        effect="warning" if missing and not complete else None,
    )
