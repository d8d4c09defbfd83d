"""A name in the spec fits several symbols, and nothing tells which is meant.

A whole qualified name wins over longer ones that end so, and definitions of one name in one file (overloads) are one
symbol. The candidates are listed.

What to do: name the symbol by more of its address (`path::Outer.member`), or give its `signature`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmcg.audit.documents.fields import shown
from mmcg.audit.findings import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mmcg.audit.findings import Finding
    from mmcg.audit.verification import Subject

KIND = Kind("symbol_ambiguous", severity="error")
_SHOWN = 8


def verify(subject: Subject) -> Iterator[Finding]:
    """Named symbols that several symbols are."""
    for each in subject.named:
        if not each.lookup.ambiguous:
            continue
        names = [symbol.address for symbol in each.lookup.candidates]
        more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
        listed = ", ".join(f"`{name}`" for name in names[:_SHOWN])
        yield KIND.in_spec(
            f"The name `{shown(each.plan.name)}` under `{each.key}` fits {len(names)} symbols: {listed}{more}.",
            about=[each.plan.name, *names],
            file=subject.spec.path,
            line=each.plan.line,
            expected="one symbol",
            found=", ".join(names[:_SHOWN]) + more,
            hint="Name it by more of its address, or give its signature.",
        )
