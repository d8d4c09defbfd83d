"""JUnit as Maven, Ant and JUnit's own runners print it."""

from __future__ import annotations

import re

from mmcg.audit.runs.counts._count import Count, number

_TOTALS = re.compile(
    r"Tests run:\s*(\d+),\s*Failures:\s*(\d+)(?:,\s*Errors:\s*(\d+))?(?:,\s*Skipped:\s*(\d+))?(.*)$", re.MULTILINE
)
_OK = re.compile(r"^OK \((\d+) tests?\)[ \t\r]*$", re.MULTILINE)
_NONE = re.compile(r"No tests (?:to run|were executed|found)\b|Tests are skipped\.", re.MULTILINE)


def count(output: str) -> Count | None:
    """The totals; where there are only those of the classes, their sum."""
    found = list(_TOTALS.finditer(output))
    if found:
        # Those of a class are followed by its time.
        whole = [each for each in found if "Time elapsed" not in each[5]] or found
        run, failures, errors, skipped = (sum(int(each[at] or 0) for each in whole) for at in (1, 2, 3, 4))
        return Count(("junit",), run - skipped, failures + errors, skipped)
    if "tests successful" in output:
        passed = number(r"(?m)^\[\s*(\d+) tests successful\s*\]", output)
        failed = number(r"(?m)^\[\s*(\d+) tests failed\s*\]", output)
        return Count(("junit",), passed + failed, failed, number(r"(?m)^\[\s*(\d+) tests skipped\s*\]", output))
    simple = [int(each[1]) for each in _OK.finditer(output)]
    if simple:
        return Count(("junit",), sum(simple))
    return Count(("junit",), 0) if _NONE.search(output) and "[INFO]" in output else None
