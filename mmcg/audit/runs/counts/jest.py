"""Jest: `Tests:       1 failed, 2 skipped, 3 passed, 6 total`."""

from __future__ import annotations

import re

from mmcg.audit.runs.counts._count import Count, parts

_TESTS = re.compile(r"^Tests:\s+((?:\d+ [a-z]+, )*\d+ total)\s*$", re.MULTILINE)
_NONE = re.compile(r"^No tests found, exiting with code \d", re.MULTILINE)


def count(output: str) -> Count | None:
    """The sum over all projects."""
    found = [parts(each[1]) for each in _TESTS.finditer(output)]
    if not found:
        return Count(("jest",), 0) if _NONE.search(output) else None
    passed = sum(each.get("passed", 0) for each in found)
    failed = sum(each.get("failed", 0) for each in found)
    skipped = sum(each.get("skipped", 0) + each.get("todo", 0) for each in found)
    return Count(("jest",), passed + failed, failed, skipped)
