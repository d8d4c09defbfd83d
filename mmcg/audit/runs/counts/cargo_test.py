"""`cargo test`: one line of results for each test binary and for the examples in documentation."""

from __future__ import annotations

import re

from mmcg.audit.runs.counts._count import Count

_RESULT = re.compile(
    r"^test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored; (\d+) measured; (\d+) filtered out", re.MULTILINE
)


def count(output: str) -> Count | None:
    """The sum over all binaries."""
    found = [tuple(map(int, each.groups())) for each in _RESULT.finditer(output)]
    if not found:
        return None
    passed, failed, ignored, measured, _ = (sum(column) for column in zip(*found, strict=True))
    return Count(("cargo test",), passed + failed + measured, failed, ignored)
