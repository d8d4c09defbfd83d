"""Gradle: says of a test task whether it ran, and lists tests where it is told to log them."""

from __future__ import annotations

import re

from mmcg.audit.runs.counts._count import Count, number

_TASK = re.compile(r"^> Task (:\S*[tT]est\w*)(?: (\S+))?[ \t\r]*$", re.MULTILINE)
_TEST = re.compile(r"^(?=\S.* > .).* (PASSED|FAILED|SKIPPED)[ \t\r]*$", re.MULTILINE)


def count(output: str) -> Count | None:
    """Tests, where they are listed; else whether there were any."""
    tests = [each[1] for each in _TEST.finditer(output)]
    completed = number(r"(?m)^(\d+) tests? completed", output)
    if completed:
        failed = number(r"(?m)^\d+ tests? completed, (\d+) failed", output)
        skipped = number(r"(?m)^\d+ tests? completed.*?, (\d+) skipped", output)
        return Count(("gradle",), completed - skipped, failed, skipped)
    if tests:
        failed, skipped = tests.count("FAILED"), tests.count("SKIPPED")
        return Count(("gradle",), len(tests) - skipped, failed, skipped)
    # Compiling tests is a task of its own.
    tasks = [each for each in _TASK.finditer(output) if not re.search(r":(?:compile|process)|[tT]estClasses$", each[1])]
    if not tasks:
        return None
    return Count(("gradle",), 0 if all(each[2] in ("NO-SOURCE", "SKIPPED") for each in tasks) else None)
