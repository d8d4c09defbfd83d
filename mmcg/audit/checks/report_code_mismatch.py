"""The report says something that is not so, or contradicts itself.

In an audit: `files_modified` is not the set of changed files; a symbol said to be added was there before, is not there,
or has another signature; a symbol said to be removed is still there; a test said to be added was not; the report is
about another spec. In `report check`, and in an audit too: the machine block is missing or cannot be read; the status
is `complete` although a verification failed, a defect is listed or a phase is pending; the status is `partial` or
`failed` and no defect says why.

What to do: correct the report, or do what it says.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from mmcg.audit.findings import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mmcg.audit.documents.report import Report
    from mmcg.audit.findings import Finding
    from mmcg.audit.work import Work

KIND = Kind("report_code_mismatch", severity="error", effect="broken")


def audit(work: Work) -> Iterator[Finding]:
    """What the report says that is not so."""
    from mmcg.audit.consistency import inconsistencies

    if work.report is None:
        return
    for finding in (*work.report_findings, *inconsistencies(work.report, work.spec.id)):
        if finding.kind == KIND.name and finding.severity == "error":
            yield replace(finding, severity=None, effect=KIND.effect)
    if "files_modified" in work.report.keys:
        yield from _files(work, work.report)
    yield from work.found_in_claims(KIND)


def _files(work: Work, report: Report) -> Iterator[Finding]:
    """`files_modified` against the changed files; both ends of a rename are changed."""
    listed = {each.path: each.line for each in report.files_modified}
    for path, line in listed.items():
        if path not in work.changed:
            there = work.exists(path) is not None
            yield KIND.in_audit(
                f"`files_modified` lists `{path}`, which {'is as it was' if there else 'is not there and was not'}.",
                about=[path],
                file=report.path,
                line=line,
                expected=f"a change of `{path}`",
                found="none",
                hint="Take it out of the list, or make the change.",
            )
    for change in work.changes:
        for path in change.paths():
            if path not in listed:
                yield KIND.in_audit(
                    f"`{path}` was changed, but `files_modified` does not list it.",
                    about=[path],
                    file=report.path,
                    line=report.line_of("files_modified"),
                    expected=f"`{path}` in the list",
                    found="not listed",
                    hint="List every changed path, both ends of a rename included.",
                )
