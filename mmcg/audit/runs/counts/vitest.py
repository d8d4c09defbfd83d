"""Vitest: `Tests  1 failed | 2 passed | 1 skipped (4)`."""

from __future__ import annotations

import re

from mmcg.audit.runs.counts._count import Count, summed

_TESTS = re.compile(r"^[ \t]*Tests\s{2,}((?:\d+ [a-z ]+? \| )*\d+ [a-z ]+?)(?: \(\d+\))?[ \t\r]*$", re.MULTILINE)
_NONE = re.compile(
    r"^[ \t]*No test files found, exiting with code \d|^[ \t]*Tests\s{2,}no tests[ \t\r]*$", re.MULTILINE
)


def count(output: str) -> Count | None:
    """The sum over all runs."""
    return summed("vitest", output, _TESTS, _NONE)
