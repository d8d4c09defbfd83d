"""`report check`: whether a report, or a document of another role, has its form and fits itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mmcg.audit import state
from mmcg.audit.consistency import inconsistencies
from mmcg.audit.documents import markdown
from mmcg.audit.documents.report import Report, read_report
from mmcg.audit.documents.roles import check_role, roles_of
from mmcg.audit.files import read_document
from mmcg.audit.findings import Finding, in_order

if TYPE_CHECKING:
    from pathlib import Path

    from mmcg.audit.tasks import Task

ROLES = ("executor", "intake", "investigator", "researcher")


@dataclass(frozen=True, slots=True)
class Checked:
    """What checking a document gave."""

    path: str
    roles: tuple[str, ...]
    findings: tuple[Finding, ...]
    report: Report | None = None
    """The executor's report, if it is one."""

    def to_json(self) -> dict[str, Any]:
        """The answer as programs read it."""
        report = self.report
        return {
            "status": "ok",
            "spec": report.spec if report else None,
            "verdict": "fail" if self.findings else "pass",
            "baseline": None,
            "roles": list(self.roles),
            "findings": [each.to_json() for each in self.findings],
            "claims": [
                *(
                    {"text": each.text, "kind": each.kind, "place": {"file": self.path, "line": each.line}}
                    for each in (report.claims if report else ())
                ),
                *(
                    {"text": each.text, "kind": each.kind, "place": {"file": self.path, "line": each.line}}
                    for each in (report.prose if report else ())
                ),
            ],
            "checked": {
                "claims": len(report.claims) if report else 0,
                "prose_claims": len(report.prose) if report else 0,
                "files_modified": len(report.files_modified) if report else 0,
                "verifications": len(report.verifications) if report else 0,
            },
            "notices": [],
        }


def check_document(root: Path, path: Path, role: str | None = None, spec_id: str | None = None) -> Checked:
    """Check the document at `path`, as one of `role`, or of every role whose marks it has.

    Raises `InputError` when the file cannot be read at all.
    """
    text, _ = read_document(root, path)
    reading = read_report(path, root)
    document = markdown.parse(text)
    roles = [role] if role else roles_of(text, document)
    if role is None and (not roles or _has_report(document)):
        roles.insert(0, "executor")
    findings: list[Finding] = []
    for each in roles:
        if each == "executor":
            findings += [*reading.findings, *inconsistencies(reading.report, spec_id)]
        else:
            findings += check_role(each, text, reading.report.path)
    is_report = "executor" in roles
    return Checked(reading.report.path, tuple(roles), tuple(in_order(findings)), reading.report if is_report else None)


def check_report(task: Task) -> Checked:
    """Check a task's report; one without faults moves the task on to its audit, or to its planner."""
    checked = check_document(task.root, task.report, "executor", task.id)
    if not checked.findings and checked.report is not None:
        before = state.read_state(task)
        first = checked.report.defects[0] if checked.report.defects else None
        reason = f"{first.kind}: {first.details}".strip(": ") if first else None
        if before.status != "closed":
            state.write_state(task, state.reported(before, status=checked.report.status, first_defect=reason))
    return checked


def _has_report(document: markdown.Markdown) -> bool:
    return any(text.startswith("mastermind:report-") for text, _ in document.comments)
