"""Findings as annotations of GitHub Actions: lines that the runner reads from a step's output."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mmcg.audit.findings import Finding

_COMMANDS = {"no_verdict": "error", "broken": "error", "error": "error", "drift": "warning", "warning": "notice"}


def workflow_commands(findings: Iterable[Finding], notices: Iterable[str] = ()) -> list[str]:
    """One workflow command a finding and a notice.

    The runner obeys what stands at the begin of any line of a step, so nothing else of a repository is to be printed.
    """
    lines = [f"::notice title=mastermind::{_text(each)}" for each in notices]
    for each in findings:
        options = {"title": f"{each.kind} ({each.origin})" if each.origin else each.kind}
        if each.file is not None:
            options["file"] = each.file
            if each.line is not None:
                options["line"] = str(each.line)
        given = ",".join(f"{key}={_option(value)}" for key, value in options.items())
        lines.append(f"::{_COMMANDS[each.weight]} {given}::{_text(f'{each.message} {each.hint}'.strip())}")
    return lines


def _text(text: str) -> str:
    """What the runner reads back: it decodes exactly these three."""
    return _shown(text.replace("%", "%25")).replace("\r", "%0D").replace("\n", "%0A")


def _option(text: str) -> str:
    return _text(text).replace(":", "%3A").replace(",", "%2C")


def _shown(text: str) -> str:
    """Without control characters, which a terminal that shows the log would obey."""
    return "".join(each if each.isprintable() or each in "\r\n" else " " for each in text)
