"""What a report claims, claim by claim: those of its machine block, and those of its sentences.

Each claim is verified, contradicted or unresolved, with the evidence; what is wrong with it becomes findings of the
kind that such a claim leads to. An ambiguous claim is never counted as verified.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmcg.audit.claims.integrations import integration, uses
from mmcg.audit.claims.judged import Judged, ask_of_block, ask_of_prose
from mmcg.audit.claims.symbols import added, changed, removed
from mmcg.audit.claims.tested import test_added, tests_for
from mmcg.audit.documents.prose import INTEGRATION, TESTS_ADDED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mmcg.audit.work import Work

_BLOCK = {
    "symbol_added": added,
    "symbol_changed": changed,
    "symbol_removed": removed,
    "integration": integration,
    "test_added": test_added,
}


def judged(work: Work) -> Iterator[Judged]:
    """Every claim of the report, in order."""
    if work.report is None:
        return
    for claim in work.report.claims:
        yield _BLOCK[claim.kind](work, ask_of_block(work.report, claim))
    said = {(each.source, each.target) for each in work.report.claims if each.kind == "integration"}
    for each in work.report.prose:
        ask = ask_of_prose(work.report, each)
        if each.kind == TESTS_ADDED:
            yield tests_for(work, ask)
        elif each.kind == INTEGRATION:
            yield integration(work, ask, said)
        else:
            yield uses(work, ask)
