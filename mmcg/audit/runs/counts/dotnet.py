"""`dotnet test`: a line of totals for each assembly."""

from __future__ import annotations

import re

from mmcg.audit.runs.counts._count import Count, number

_TOTALS = re.compile(
    r"(?:Passed|Failed|Skipped)!\s+- Failed:\s*(\d+), Passed:\s*(\d+), Skipped:\s*(\d+), Total:\s*(\d+)"
)
_NONE = re.compile(r"No test (?:is available in|matches the given testcase filter)|Zero tests ran")


def count(output: str) -> Count | None:
    """The sum over all assemblies."""
    found = [tuple(map(int, each.groups())) for each in _TOTALS.finditer(output)]
    if found:
        failed, passed, skipped, _ = (sum(column) for column in zip(*found, strict=True))
        return Count(("dotnet test",), passed + failed, failed, skipped)
    if re.search(r"(?m)^\s*Total tests: \d+", output):
        passed = number(r"(?m)^\s*Passed: (\d+)", output)
        failed = number(r"(?m)^\s*Failed: (\d+)", output)
        return Count(("dotnet test",), passed + failed, failed, number(r"(?m)^\s*Skipped: (\d+)", output))
    if re.search(r"(?m)^Test summary: total: \d+", output):
        failed, passed = number(r"failed: (\d+)", output), number(r"succeeded: (\d+)", output)
        return Count(("dotnet test",), passed + failed, failed, number(r"skipped: (\d+)", output))
    return Count(("dotnet test",), 0) if _NONE.search(output) else None
