"""Mocha: `3 passing (10ms)`, `1 failing`, `1 pending`."""

from __future__ import annotations

import re

from mmcg.audit.runs.counts._count import Count, number

_PASSING = re.compile(r"^[ \t]*\d+ passing \([\d.]+\s?\w+\)[ \t\r]*$", re.MULTILINE)


def count(output: str) -> Count | None:
    """The sum over all runs."""
    if not _PASSING.search(output):
        return None
    failed = number(r"(?m)^\s*(\d+) failing\s*$", output)
    passed = number(r"(?m)^\s*(\d+) passing \(", output)
    return Count(("mocha",), passed + failed, failed, number(r"(?m)^\s*(\d+) pending\s*$", output))
