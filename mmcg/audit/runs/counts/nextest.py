"""`cargo nextest run`: a summary line."""

from __future__ import annotations

import re

from mmcg.audit.runs.counts._count import Count, parts

_SUMMARY = re.compile(r"^[ \t]*Summary \[[^\]]*\]\s+(\d+)(?:/\d+)? tests? run: (.*)$", re.MULTILINE)
_NONE = re.compile(r"^[ \t]*(?:error: no tests to run|Starting 0 tests across )", re.MULTILINE)


def count(output: str) -> Count | None:
    """The sum over all summaries."""
    found = [(int(each[1]), parts(each[2])) for each in _SUMMARY.finditer(output)]
    if not found:
        return Count(("nextest",), 0) if _NONE.search(output) else None
    failed = sum(words.get("failed", 0) + words.get("timed", 0) for _, words in found)
    skipped = sum(words.get("skipped", 0) for _, words in found)
    return Count(("nextest",), sum(run for run, _ in found), failed, skipped)
