"""The report claims that something calls something, and it does not, or did before, or no test reaches the call.

Found for `integration` claims, and for sentences such as "wired `a` to call `b`", "`a` now calls `b`", "uses the
existing `b`" or "routed through `b`". Three things must be so: both symbols are there; the call is in the tree's
graph and not in the baseline's; and a test reaches it. The message names the part that is missing. If only the test
is missing, it is drift. A sentence that names no caller needs some use of the target in a changed file.

What to do: make the call and test it, or take the claim out of the report.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmcg.audit.findings import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mmcg.audit.findings import Finding
    from mmcg.audit.work import Work

KIND = Kind("false_integration_claim", effect="broken")


def audit(work: Work) -> Iterator[Finding]:
    """The claims of integrations that are not so."""
    yield from work.found_in_claims(KIND)
