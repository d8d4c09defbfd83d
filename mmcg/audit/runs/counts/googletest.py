"""GoogleTest, and the other runners that C++ programs have inside: Catch2 and doctest."""

from __future__ import annotations

import re

from mmcg.audit.runs.counts._count import Count, number

_RAN = re.compile(r"^\[=+\] (\d+) tests? from \d+ test (?:suites?|cases?) ran\.", re.MULTILINE)
_ALL = re.compile(r"^All tests passed \(\d+ assertions? in (\d+) test cases?\)", re.MULTILINE)
_CASES = re.compile(r"^(?:\[doctest\] )?test cases:\s*(\d+) \|(.*)$", re.MULTILINE)
_NONE = re.compile(r"^(?:No tests ran|No test cases matched|\[=+\] Running 0 tests)", re.MULTILINE)


def count(output: str) -> Count | None:
    """The sum over all programs."""
    ran = [int(each[1]) for each in _RAN.finditer(output)]
    if ran:
        skipped = number(r"(?m)^\[  SKIPPED \] (\d+) tests?", output)
        failed = number(r"(?m)^\[  FAILED  \] (\d+) tests?, listed below", output)
        return Count(("googletest",), max(sum(ran) - skipped, 0), failed, skipped)
    cases = list(_CASES.finditer(output))
    passed = [int(each[1]) for each in _ALL.finditer(output)]
    if not cases and not passed:
        return Count(("catch2",), 0) if _NONE.search(output) else None
    # What doctest leaves out by a filter is not among its cases.
    failed = sum(number(r"(\d+) failed", each[2]) for each in cases)
    return Count(("catch2",), sum(passed) + sum(int(each[1]) for each in cases), failed)
