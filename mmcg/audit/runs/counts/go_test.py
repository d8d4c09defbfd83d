"""`go test`: a line a package; with `-v` a line a test; with `-json` an object a line.

Without `-v` it is said of a package whether tests ran, not how many.
"""

from __future__ import annotations

import json
import re

from mmcg.audit.runs.counts._count import Count

_TEST = re.compile(r"^[ \t]*--- (PASS|FAIL|SKIP): \S", re.MULTILINE)
_PACKAGE = re.compile(r"^(ok|FAIL|\?)[ \t]+(\S+)[ \t]+(.*)$", re.MULTILINE)
_NO_TESTS = re.compile(r"\[no (?:tests to run|test files)\]")


def count(output: str) -> Count | None:
    """Tests, where they are listed; else packages."""
    listed = _json(output)
    if listed is not None:
        return listed
    tests = [each[1] for each in _TEST.finditer(output)]
    packages = [each for each in _PACKAGE.finditer(output) if each[1] != "?" or "[no test files]" in each[3]]
    packages = [each for each in packages if re.match(r"[\d.]+s\b|\(cached\)|\[|coverage:", each[3])]
    if not packages and "testing: warning: no tests to run" not in output and "PASS\n" not in output + "\n":
        return None
    if tests:
        failed, skipped = tests.count("FAIL"), tests.count("SKIP")
        return Count(("go test",), len(tests) - skipped, failed, skipped)
    if not packages and "testing: warning: no tests to run" not in output:
        return None
    ran = [each for each in packages if not _NO_TESTS.search(each[3])]
    failed = sum(each[1] == "FAIL" for each in ran)
    return Count(("go test",), None if ran else 0, failed)


def _json(output: str) -> Count | None:
    passed = failed = skipped = 0
    seen = False
    for line in output.splitlines():
        if not (line.startswith('{"') and '"Action"' in line):
            continue
        try:
            event = json.loads(line)
        except ValueError:
            continue
        seen = seen or "Package" in event
        if "Test" in event:
            passed += event["Action"] == "pass"
            failed += event["Action"] == "fail"
            skipped += event["Action"] == "skip"
    return Count(("go test",), passed + failed, failed, skipped) if seen else None
