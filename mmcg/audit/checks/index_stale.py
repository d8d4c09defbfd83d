"""The index does not match the tree, so what a spec says about symbols cannot be judged.

Found in mode `strict` when a file changed, came or went since the index was made. In the other modes the index is
brought up to date first, and this is found only when that is not possible: another process holds it, or it cannot be
written.

What to do: run `mastermind index`, and verify again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmcg.audit.findings import Finding, Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mmcg.audit.verification import Subject

KIND = Kind("index_stale", severity="error")


def finding(spec: str, built_at: str) -> Finding:
    """The finding, for an index of that time."""
    return KIND.in_spec(
        "The index does not match the tree.",
        file=spec,
        line=1,
        expected="an index of the files as they are",
        found=f"one of {built_at}",
        hint="Run `mastermind index`, and verify again.",
    )


def verify(subject: Subject) -> Iterator[Finding]:
    """What opening the index found."""
    if subject.spec.touches or subject.spec.removes or subject.spec.mode == "strict":
        yield from subject.index_findings
