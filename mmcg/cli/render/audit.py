"""An audit, or the summary of several and of a policy, as text for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmcg.cli.render.findings import counted, lines_of
from mmcg.cli.render.safe import safe

if TYPE_CHECKING:
    from collections.abc import Sized

    from mmcg.audit.auditing import Audit
    from mmcg.audit.ci import Summary, TaskResult


def text(done: Audit | Summary) -> str:
    """The findings, then the verdict of each thing that was checked, a line each."""
    from mmcg.audit.ci import Summary

    lines = lines_of(done.findings)
    if not isinstance(done, Summary):
        return "\n".join([*lines, _audit(done)])
    for each in done.tasks:
        told = _audit(each.audit, each) if each.audit else f"{safe(each.task.id)}: {_verdict(each.verdict)} ("
        lines.append(told if each.audit else told + f"spec verified, {_findings(each.findings)})")
    if done.policy is not None:
        held, policy = counted(done.policy.rules, "rule"), done.policy
        lines.append(f"{safe(policy.path)}: {_verdict(policy.verdict)} ({held}, {_findings(policy.findings)})")
    compared = f", baseline {done.baseline[:12]}" if done.baseline else ""
    files = f", {counted(done.checked['files'], 'changed file')}" if done.checked else ""
    verdict = done.verdict or ("no verdict" if done.status == "incomplete" else "nothing was checked")
    lines.append(f"change since {safe(done.since)}: {verdict} ({_findings(done.findings)}{files}{compared})")
    return "\n".join(lines)


def _audit(audit: Audit, task: TaskResult | None = None) -> str:
    """The verdict of an audit in one line; `task` has what was found besides."""
    findings, verdict = (audit.findings, audit.verdict) if task is None else (task.findings, task.verdict)
    results = [each.result for each in audit.claims]
    parts = [_findings(findings)]
    if results:
        parts.append(f"{results.count('verified')} of {counted(len(results), 'claim')} verified")
    if audit.checked:
        parts.append(f"{counted(audit.checked['files'], 'changed file')}")
    return f"{safe(audit.task.id)}: {_verdict(verdict)} ({', '.join(parts)})"


def _verdict(verdict: str | None) -> str:
    return verdict or "no verdict"


def _findings(findings: Sized) -> str:
    return counted(len(findings), "finding") if findings else "no finding"
