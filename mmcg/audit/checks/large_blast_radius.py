"""A symbol that is to be changed has very many callers.

Found for symbols under `touches` with 30 callers or more; how many symbols are reached over all their callers is given
too. It is a warning: such a change may be right, but deserves a second look.

What to do: look at `mastermind query impact SYMBOL`; plan the change so that callers need not change, or in steps.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmcg.audit.findings import Kind
from mmcg.query.answer import Options
from mmcg.query.edges import edges_into, targets_of
from mmcg.query.walk import callers_of_callers

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mmcg.audit.findings import Finding
    from mmcg.audit.verification import Subject

KIND = Kind("large_blast_radius", severity="warning")

MANY = 30
"""Callers."""

_DEPTH = 50


def verify(subject: Subject) -> Iterator[Finding]:
    """Symbols with many callers."""
    for each in subject.named:
        if each.key != "touches" or not each.lookup.found:
            continue
        targets = [target for symbol in each.lookup.symbols for target in targets_of(subject.context, symbol)]
        sure = Options()
        callers = [
            caller
            for caller, entry in edges_into(subject.context, targets).items()
            if sure.sure_enough(entry.confidence)
        ]
        if len(callers) < MANY:
            continue
        walk = callers_of_callers(subject.context, [target.id for target in targets], sure, _DEPTH)
        reached = sum(1 for visit in walk.visits.values() if visit.distance)
        more = "" if walk.complete else "at least "
        yield KIND.in_spec(
            f"`{each.lookup.symbol.address}` has {len(callers)} callers, and {more}{reached} symbols reach it.",
            about=[each.lookup.symbol.address],
            file=subject.spec.path,
            line=each.plan.line,
            expected=f"fewer than {MANY} callers",
            found=f"{len(callers)} callers, {more}{reached} over all",
            hint=f"Look at `mastermind query impact {each.plan.name}`.",
        )
