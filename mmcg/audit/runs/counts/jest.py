"""Jest: `Tests:       1 failed, 2 skipped, 3 passed, 6 total`."""

from __future__ import annotations

import re

from mmcg.audit.runs.counts._count import Count, summed

_TESTS = re.compile(r"^Tests:\s+((?:\d+ [a-z]+, )*\d+ total)[ \t\r]*$", re.MULTILINE)
_NONE = re.compile(r"^No tests found, exiting with code \d", re.MULTILINE)


def count(output: str) -> Count | None:
    """The sum over all projects."""
    return summed("jest", output, _TESTS, _NONE)
