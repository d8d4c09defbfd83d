"""An audit, or the summary of several and of a policy, as Markdown: `audit.md`, and what a pull request shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mmcg.audit.auditing import Audit
    from mmcg.audit.ci import Summary
    from mmcg.audit.findings import Finding

_SAID = {
    "held": "The work is what the spec and the report say.",
    "partial": "The work drifts from the spec.",
    "broken": "The work is not what the spec or the report says.",
    None: "There is no verdict: evidence is missing.",
}


_SUMMARY_SAID = {
    "held": "The change keeps to its specs and to the policy.",
    "partial": "The change drifts from a spec or from the policy.",
    "broken": "The change breaks a rule, or is not what a spec or report says.",
}


def page(done: Audit | Summary) -> str:
    """The whole page of either."""
    from mmcg.audit.ci import Summary

    return summary(done) if isinstance(done, Summary) else markdown(done)


def summary(done: Summary) -> str:
    """The whole page of a summary."""
    said = _SUMMARY_SAID.get(done.verdict or "", "Nothing was checked.")
    if done.status == "incomplete":
        said = _SAID[None]
    lines = [f"# mastermind: {done.verdict or done.status.replace('_', ' ')}", "", said, ""]
    if done.baseline:
        lines += [f"Compared with commit {code(done.baseline)}, where {code(done.since)} parts from it.", ""]
    if done.tasks or done.policy:
        lines += ["| | Done | Verdict | Findings |", "|---|---|---|---|"]
        if done.policy:
            rules = f"{done.policy.rules} rules held"
            lines.append(_row(done.policy.path, rules, done.policy.verdict, len(done.policy.findings)))
        lines += [_row(each.task.id, each.done, each.verdict, len(each.findings)) for each in done.tasks]
        lines.append("")
    lines += findings_of(done.findings)
    for each in done.tasks:
        if each.audit is not None:
            lines += _claims(f"Claims of {code(each.task.id)}", each.audit)
    return "\n".join([*lines, *_notices(done.notices)])


def _row(what: str, done: str, verdict: str | None, findings: int) -> str:
    return f"| {_cell(code(what))} | {done} | {verdict or 'no verdict'} | {findings or ''} |"


def markdown(audit: Audit) -> str:
    """The whole page."""
    verdict = audit.verdict or "no verdict"
    lines = [f"# Audit of {code(audit.task.id)}: {verdict}", "", _SAID[audit.verdict], ""]
    if audit.baseline:
        lines += [f"Compared with commit {code(audit.baseline)}.", ""]
    lines += findings_of(audit.findings)
    lines += _claims("Claims", audit)
    if audit.checked:
        counts = ", ".join(f"{count} {name.replace('_', ' ')}" for name, count in audit.checked.items())
        lines += ["## Checked", "", f"{counts}.", ""]
    return "\n".join([*lines, *_notices(audit.notices)])


def _claims(title: str, audit: Audit) -> list[str]:
    if not audit.claims:
        return []
    rows = [f"| {_cell(each.ask.text)} | {each.result} | {_cell(each.evidence)} |" for each in audit.claims]
    return [f"## {title}", "", "| Claim | Result | Evidence |", "|---|---|---|", *rows, ""]


def _notices(notices: Iterable[str]) -> list[str]:
    lines = [f"- {_plain(each)}" for each in notices]
    return ["## Notices", "", *lines, ""] if lines else []


def findings_of(findings: Iterable[Finding]) -> list[str]:
    """The section of the findings, one paragraph each; empty without any."""
    lines = []
    for each in findings:
        place = f" ({code(each.file)}{f' line {each.line}' if each.line else ''})" if each.file else ""
        weight = each.weight + (f", {code(each.origin)}" if each.origin else "")
        lines.append(f"- **{each.kind}** ({weight}){place}: {_plain(each.message)}")
        if each.expected is not None:
            lines.append(f"  - expected: {code(each.expected)}")
        if each.found is not None:
            lines.append(f"  - found: {code(each.found)}")
        if each.hint:
            lines.append(f"  - {_plain(each.hint)}")
    return ["## Findings", "", *lines, ""] if lines else []


def code(text: str) -> str:
    """A text in back-quotes, on one line, whatever it holds."""
    plain = _plain(text)
    longest = max((len(run) for run in _runs(plain)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if plain[:1] == "`" or plain[-1:] == "`" else ""
    return f"{fence}{pad}{plain}{pad}{fence}"


def _runs(text: str) -> list[str]:
    import re

    return re.findall("`+", text)


def _plain(text: str) -> str:
    """One line without control characters, and without what would be markup of HTML."""
    line = "".join(each if each.isprintable() else " " for each in text)
    return line.replace("<", "&lt;") if "`" not in line else line


def _cell(text: str) -> str:
    return _plain(text).replace("|", "\\|")
