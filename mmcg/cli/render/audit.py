"""An audit as text for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmcg.cli.render.findings import counted, lines_of
from mmcg.cli.render.safe import safe

if TYPE_CHECKING:
    from mmcg.audit.auditing import Audit


def text(audit: Audit) -> str:
    """The findings, then the verdict in one line."""
    lines = lines_of(audit.findings)
    results = [each.result for each in audit.claims]
    parts = [counted(len(audit.findings), "finding")] if audit.findings else ["no finding"]
    if results:
        parts.append(f"{results.count('verified')} of {counted(len(results), 'claim')} verified")
    if audit.checked:
        parts.append(f"{counted(audit.checked['files'], 'changed file')}")
    lines.append(f"{safe(audit.task.id)}: {audit.verdict or 'no verdict'} ({', '.join(parts)})")
    return "\n".join(lines)
