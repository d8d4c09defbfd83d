"""Claims that a test was added."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmcg.audit.claims.judged import Ask, Judged, unresolved

if TYPE_CHECKING:
    from mmcg.audit.work import Work


def test_added(work: Work, ask: Ask) -> Judged:  # noqa: ARG001
    """A test that is new or changed, and reaches what it covers."""
    return unresolved(ask, "tests are not looked at yet")


def tests_for(work: Work, ask: Ask) -> Judged:  # noqa: ARG001
    """A sentence that tests for something were added."""
    return unresolved(ask, "tests are not looked at yet")
