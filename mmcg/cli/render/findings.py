"""Findings as text for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmcg.cli.render.safe import safe

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mmcg.audit.findings import Finding


def lines_of(findings: Iterable[Finding]) -> list[str]:
    """Two lines a finding, or three: what is wrong and where; expected and found; what to do."""
    lines: list[str] = []
    for each in findings:
        place = safe(each.file) + (f":{each.line}" if each.line else "") + ": " if each.file else ""
        origin = f" ({safe(each.origin)})" if each.origin else ""
        lines.append(f"{place}{each.weight}: {each.kind}{origin}: {safe(each.message)}")
        if each.expected is not None and each.found is not None:
            lines.append(f"    expected {safe(each.expected)}; found {safe(each.found)}")
        if each.hint:
            lines.append(f"    {safe(each.hint)}")
    return lines


def counted(count: int, one: str, several: str = "") -> str:
    """A number with its noun."""
    return f"{count} {one if count == 1 else several or one + 's'}"
