"""Vitest: `Tests  1 failed | 2 passed | 1 skipped (4)`."""

from __future__ import annotations

import re

from mmcg.audit.runs.counts._count import Count, parts

_TESTS = re.compile(r"^\s*Tests\s{2,}((?:\d+ [a-z ]+? \| )*\d+ [a-z ]+?)(?: \(\d+\))?\s*$", re.MULTILINE)
_NONE = re.compile(r"^\s*No test files found, exiting with code \d|^\s*Tests\s{2,}no tests\s*$", re.MULTILINE)


def count(output: str) -> Count | None:
    """The sum over all runs."""
    found = [parts(each[1]) for each in _TESTS.finditer(output)]
    if not found:
        return Count(("vitest",), 0) if _NONE.search(output) else None
    passed = sum(each.get("passed", 0) + each.get("expected", 0) for each in found)
    failed = sum(each.get("failed", 0) for each in found)
    skipped = sum(each.get("skipped", 0) + each.get("todo", 0) for each in found)
    return Count(("vitest",), passed + failed, failed, skipped)
