"""ctest: `100% tests passed, 0 tests failed out of 3`."""

from __future__ import annotations

import re

from mmcg.audit.runs.counts._count import Count

_SUMMARY = re.compile(r"^\d+% tests passed, (\d+) tests? failed out of (\d+)", re.MULTILINE)
_SKIPPED = re.compile(r"^[ \t]*\d+/\d+ Test\s+#\d+: .*\*\*\*(?:Skipped|Not Run)", re.MULTILINE)


def count(output: str) -> Count | None:
    """The sum over all runs."""
    found = [(int(each[1]), int(each[2])) for each in _SUMMARY.finditer(output)]
    if not found:
        return Count(("ctest",), 0) if re.search(r"^No tests were found!!!", output, re.MULTILINE) else None
    skipped = len(_SKIPPED.findall(output))
    return Count(("ctest",), sum(total for _, total in found) - skipped, sum(failed for failed, _ in found), skipped)
