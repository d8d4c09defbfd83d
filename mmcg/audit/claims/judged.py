"""A claim, what it is judged by, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from mmcg.audit.documents.prose import ProseClaim
    from mmcg.audit.documents.report import Claim, Report
    from mmcg.audit.findings import Finding

Result = Literal["verified", "contradicted", "unresolved"]

SHOWN = 4
"""So many candidates of an ambiguous name are listed."""


@dataclass(frozen=True, slots=True)
class Ask:
    """A claim in one form, wherever it stands."""

    text: str
    kind: str
    file: str
    """Of the report."""
    line: int
    symbol: str = ""
    """What was added, changed or removed; of a test claim, the test."""
    signature: str | None = None
    source: str = ""
    target: str = ""
    covers: tuple[str, ...] = ()
    existing: bool = False
    """Whether the text calls the target existing."""
    prose: bool = False


@dataclass(frozen=True, slots=True)
class Judged:
    """A claim with its result."""

    ask: Ask
    result: Result
    evidence: str
    findings: tuple[Finding, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The claim as programs read it."""
        place = {"file": self.ask.file, "line": self.ask.line}
        return {
            "text": self.ask.text,
            "kind": self.ask.kind,
            "place": place,
            "result": self.result,
            "evidence": self.evidence,
        }


def ask_of_block(report: Report, claim: Claim) -> Ask:
    """A claim of the machine block."""
    return Ask(
        claim.text,
        claim.kind,
        report.path,
        claim.line,
        symbol=claim.test or claim.symbol or "",
        signature=claim.signature,
        source=claim.source or "",
        target=claim.target or "",
        covers=claim.covers,
    )


def ask_of_prose(report: Report, claim: ProseClaim) -> Ask:
    """A claim of a sentence."""
    return Ask(
        claim.text,
        claim.kind,
        report.path,
        claim.line,
        source=claim.source or "",
        target=claim.target,
        existing=claim.existing,
        prose=True,
    )


def verified(ask: Ask, evidence: str, *findings: Finding) -> Judged:
    """The claim is true, as far as it goes."""
    return Judged(ask, "verified", evidence, findings)


def contradicted(ask: Ask, finding: Finding) -> Judged:
    """The claim is false, as the finding says."""
    return Judged(ask, "contradicted", finding.message, (finding,))


def unresolved(ask: Ask, why: str, candidates: tuple[str, ...] = ()) -> Judged:
    """What the claim means, or whether it is true, cannot be told."""
    from mmcg.audit.checks.claim_unresolved import KIND

    some = ", ".join(f"`{each}`" for each in candidates[:SHOWN])
    more = f" and {len(candidates) - SHOWN} more" if len(candidates) > SHOWN else ""
    message = f"The claim \u201c{ask.text}\u201d is not counted as true: {why}{': ' + some + more if some else ''}."
    finding = KIND.in_audit(
        message,
        about=[each for each in (ask.symbol, ask.source, ask.target) if each],
        file=ask.file,
        line=ask.line,
        found=", ".join(candidates) or None,
        hint="Name symbols by their addresses, `path::Outer.member`." if candidates else "",
    )
    return Judged(ask, "unresolved", why, (finding,))
