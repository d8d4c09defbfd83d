"""pytest: the summary line, with or without its frame."""

from __future__ import annotations

import re

from mmcg.audit.runs.counts._count import Count, parts

_SUMMARY = re.compile(
    r"^(?:=+ )?((?:\d+ (?:passed|failed|skipped|errors?|xfailed|xpassed|deselected|warnings?|rerun|subtests passed)"
    r"(?:, )?)+|no tests (?:ran|collected)(?:, .*?)?) in [\d.]+s?.*$",
    re.MULTILINE,
)


def count(output: str) -> Count | None:
    """The sum over all summary lines."""
    found = [parts(each[1]) for each in _SUMMARY.finditer(output)]
    if not found:
        return None

    def total(*words: str) -> int:
        return sum(each.get(word, 0) for each in found for word in words)

    failed = total("failed", "error", "errors")
    return Count(("pytest",), total("passed", "xfailed", "xpassed") + failed, failed, total("skipped"))
