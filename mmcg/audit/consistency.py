"""Whether a report fits itself and the task it lies in. Whether it fits the code is the audit's question."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmcg.audit import files
from mmcg.audit.checks.report_code_mismatch import KIND
from mmcg.audit.documents.fields import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mmcg.audit.documents.report import Report
    from mmcg.audit.findings import Finding


def inconsistencies(report: Report, spec_id: str | None = None) -> Iterator[Finding]:
    """What a report contradicts itself in; `spec_id` is the id of the spec it should be about."""
    if spec_id and report.spec and report.spec != spec_id:
        yield KIND.in_spec(
            f"The report is about spec `{shown(report.spec)}`, but lies in the task of `{spec_id}`.",
            about=["spec", report.spec],
            file=report.path,
            line=report.line_of("spec"),
            expected=spec_id,
            found=report.spec,
            hint="Write the report of the right task, or correct `spec`.",
        )
    yield from _status(report)
    yield from _verifications(report)
    yield from _files(report)
    yield from _claims(report)


def _status(report: Report) -> Iterator[Finding]:
    line = report.line_of("status")
    if report.status == "complete":
        reasons = [(f"defect `{shown(each.kind)}`", each.kind, each.line) for each in report.defects]
        reasons += [
            (f"phase `{shown(each.id)}` that is {each.status}", each.id, each.line)
            for each in report.phases
            if each.status in ("pending", "stopped")
        ]
        reasons += [
            (f"verification `{shown(each.id)}` that failed", each.id, each.line)
            for each in report.verifications
            if each.result == "fail"
        ]
        for reason, name, place in reasons:
            yield KIND.in_spec(
                f"The status is `complete`, but the report lists a {reason}.",
                about=[name, "complete"],
                file=report.path,
                line=place,
                expected="no defect, all phases done or skipped, no failed verification",
                found=reason,
                hint="Say `partial` or `failed`, with a defect that says why; or finish the work.",
            )
    elif report.status and not report.defects:
        yield KIND.in_spec(
            f"The status is `{report.status}`, but no defect says why.",
            about=["status", "defects"],
            file=report.path,
            line=line,
            hint="Add an entry to `defects`.",
        )


def _verifications(report: Report) -> Iterator[Finding]:
    for each in report.verifications:
        if each.result == "pass" and each.exit_code not in (None, 0):
            yield KIND.in_spec(
                f"Verification `{shown(each.id)}` is said to pass with exit code {each.exit_code}.",
                about=[each.id],
                file=report.path,
                line=each.line,
                expected="exit code 0",
                found=f"exit code {each.exit_code}",
                hint="A command passes when it exits with 0.",
            )


def _files(report: Report) -> Iterator[Finding]:
    for each in report.files_modified:
        wrong = files.fault(each.path)
        if wrong:
            yield KIND.in_spec(
                f"`files_modified` lists `{shown(each.path)}`, which {wrong}.",
                about=[each.path],
                file=report.path,
                line=each.line,
                hint="Give paths from the folder that holds `.mastermind`.",
            )


def _claims(report: Report) -> Iterator[Finding]:
    added = {each.symbol for each in report.claims if each.kind == "symbol_added"}
    for each in report.claims:
        if each.kind == "symbol_removed" and each.symbol in added:
            yield KIND.in_spec(
                f"`{shown(each.symbol or '')}` is said to be both added and removed.",
                about=[each.symbol or ""],
                file=report.path,
                line=each.line,
                hint="Keep the claim that is true.",
            )
