"""PHPUnit and Pest."""

from __future__ import annotations

import re

from mmcg.audit.runs.counts._count import Count, number, parts

_OK = re.compile(r"^OK \((\d+) tests?, \d+ assertions?\)", re.MULTILINE)
_TOTALS = re.compile(r"^Tests: (\d+), Assertions: \d+(.*?)\.?[ \t\r]*$", re.MULTILINE)
_PEST = re.compile(
    r"^[ \t]*Tests:\s+(.{0,300}\d (?:passed|failed|skipped).{0,300}?) ?\(\d+ assertions?\)[ \t\r]*$", re.MULTILINE
)


def count(output: str) -> Count | None:
    """The sum over all runs."""
    ok = sum(int(each[1]) for each in _OK.finditer(output))
    totals = list(_TOTALS.finditer(output))
    pest = [parts(each[1]) for each in _PEST.finditer(output)]
    if not (totals or pest or _OK.search(output)):
        return Count(("phpunit",), 0) if re.search(r"^No tests executed!", output, re.MULTILINE) else None
    rest = " ".join(each[2] for each in totals)
    failed = number(r"\b(?:Failures|Errors): (\d+)", rest) + sum(each.get("failed", 0) for each in pest)
    skipped = number(r"\b(?:Skipped|Incomplete): (\d+)", rest)
    run = ok + sum(int(each[1]) for each in totals) - skipped
    run += sum(each.get("passed", 0) + each.get("failed", 0) for each in pest)
    return Count(("phpunit",), run, failed, skipped + sum(each.get("skipped", 0) for each in pest))
