"""An audit as Markdown: `audit.md`, and what a pull request shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mmcg.audit.auditing import Audit
    from mmcg.audit.findings import Finding

_SAID = {
    "held": "The work is what the spec and the report say.",
    "partial": "The work drifts from the spec.",
    "broken": "The work is not what the spec or the report says.",
    None: "There is no verdict: evidence is missing.",
}


def markdown(audit: Audit) -> str:
    """The whole page."""
    verdict = audit.verdict or "no verdict"
    lines = [f"# Audit of {code(audit.task.id)}: {verdict}", "", _SAID[audit.verdict], ""]
    if audit.baseline:
        lines += [f"Compared with commit {code(audit.baseline)}.", ""]
    lines += findings_of(audit.findings)
    if audit.claims:
        lines += ["## Claims", "", "| Claim | Result | Evidence |", "|---|---|---|"]
        lines += [f"| {_cell(each.ask.text)} | {each.result} | {_cell(each.evidence)} |" for each in audit.claims]
        lines.append("")
    if audit.checked:
        counts = ", ".join(f"{count} {name.replace('_', ' ')}" for name, count in audit.checked.items())
        lines += ["## Checked", "", f"{counts}.", ""]
    if audit.notices:
        lines += ["## Notices", "", *(f"- {_plain(each)}" for each in audit.notices), ""]
    return "\n".join(lines)


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
