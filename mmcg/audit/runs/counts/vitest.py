"""Vitest: `Tests  1 failed | 2 passed | 1 skipped (4)`."""

from __future__ import annotations

import re

from mmcg.audit.runs.counts._count import Count, summed

_TESTS = re.compile(r"^\s*Tests\s{2,}((?:\d+ [a-z ]+? \| )*\d+ [a-z ]+?)(?: \(\d+\))?\s*$", re.MULTILINE)
_NONE = re.compile(r"^\s*No test files found, exiting with code \d|^\s*Tests\s{2,}no tests\s*$", re.MULTILINE)


def count(output: str) -> Count | None:
    """The sum over all runs."""
    return summed("vitest", output, _TESTS, _NONE)
