"""node's own runner: `# tests 3` in TAP, with another mark for people."""

from __future__ import annotations

import re

from mmcg.audit.runs.counts._count import Count, number


def count(output: str) -> Count | None:
    """The sum over all runs."""
    if not re.search(r"(?m)^(?:#|\u2139) tests \d+\s*$", output) or not re.search(
        r"(?m)^(?:#|\u2139) pass \d+\s*$", output
    ):
        return None

    def said(word: str) -> int:
        return number(rf"(?m)^(?:#|\u2139) {word} (\d+)\s*$", output)

    failed = said("fail") + said("cancelled")
    return Count(("node --test",), said("pass") + failed, failed, said("skipped") + said("todo"))
