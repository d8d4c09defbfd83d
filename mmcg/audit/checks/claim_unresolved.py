"""Whether a claim is true cannot be told, so it is not counted as true.

Found when a name in the report fits several symbols, when a call that it speaks of is only known by its name, or when
it names something that is defined outside of the repository.

It is a warning, and changes no verdict.

What to do: name symbols by their addresses, `path::Outer.member`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmcg.audit.findings import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mmcg.audit.findings import Finding
    from mmcg.audit.work import Work

KIND = Kind("claim_unresolved", effect="warning")


def audit(work: Work) -> Iterator[Finding]:
    """The claims that could not be judged."""
    yield from work.found_in_claims(KIND)
