"""What a spec declares, as text for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmcg.cli.render.safe import safe

if TYPE_CHECKING:
    from mmcg.audit.documents.spec import Spec, SymbolPlan


def text(spec: Spec) -> str:
    """One line for each thing that is declared."""
    lines = [f"{safe(spec.id)}: {safe(spec.title)} (mode {spec.mode}, risk {spec.risk})"]
    for touch in spec.touches:
        lines.append(f"  touches  {safe(touch.file)}")
        lines += [f"           {_symbol(plan)}" for plan in touch.symbols]
    for key in ("creates", "deletes", "docs"):
        lines += [f"  {key:8} {safe(each.path)}" for each in getattr(spec, key)]
    for key in ("adds", "removes"):
        lines += [f"  {key:8} {_symbol(each)}" for each in getattr(spec, key)]
    for test in spec.tests:
        lines.append(f"  tests    {safe(': '.join(each for each in (test.file, test.name) if each))}")
    lines += [f"  verify   {safe(each.id)}: {safe(each.text)}" for each in spec.verify]
    lines += [f"  edit     {safe(each.file)} (line {each.line})" for each in spec.edits]
    return "\n".join(lines)


def _symbol(plan: SymbolPlan) -> str:
    parts = [safe(plan.name)]
    if plan.becomes:
        parts.append(f"becomes {safe(plan.becomes)}")
    if plan.gained is not None:
        parts.append(f"gains {plan.gained} callers")
    if plan.lost is not None:
        parts.append(f"loses {plan.lost} callers")
    return ", ".join(parts)
