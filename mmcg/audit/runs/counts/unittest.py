"""unittest, and runners that print as it does: `Ran 3 tests in 0.001s`, then `OK (skipped=1)`."""

from __future__ import annotations

import re

from mmcg.audit.runs.counts._count import Count, number

_RAN = re.compile(r"^Ran (\d+) tests? in [\d.]+s", re.MULTILINE)
_RESULT = re.compile(r"^(?:OK|FAILED|NO TESTS RAN)(?: \(([^)]*)\))?[ \t\r]*$", re.MULTILINE)


def count(output: str) -> Count | None:
    """The sum over all runs. What was skipped is among the tests that it says it ran."""
    ran = [int(each[1]) for each in _RAN.finditer(output)]
    if not ran:
        return None
    results = " ".join(each[1] or "" for each in _RESULT.finditer(output))
    skipped = number(r"\bskipped=(\d+)", results)
    failed = number(r"\b(?:failures|errors)=(\d+)", results)
    return Count(("unittest",), max(sum(ran) - skipped, 0), failed, skipped)
