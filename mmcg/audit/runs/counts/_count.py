"""What a runner says about its tests."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Count:
    """Tests by what came of them."""

    runners: tuple[str, ...]
    run: int | None
    """Tests that were run to an end; None when some were, and it is not said how many."""
    failed: int = 0
    skipped: int = 0

    def __add__(self, other: Count) -> Count:
        """Both together."""
        run = None if self.run is None or other.run is None else self.run + other.run
        names = tuple(dict.fromkeys(self.runners + other.runners))
        return Count(names, run, self.failed + other.failed, self.skipped + other.skipped)


def number(pattern: str, text: str) -> int:
    """The number in the first group of a pattern, summed over all its places."""
    return sum(int(each[1]) for each in re.finditer(pattern, text))


def parts(text: str) -> dict[str, int]:
    """`3 passed, 1 failed` as words with their numbers."""
    return {each[2]: int(each[1]) for each in re.finditer(r"(\d+)\s+([a-z]+)", text)}


def summed(runner: str, output: str, tests: re.Pattern[str], none: re.Pattern[str]) -> Count | None:
    """The sum over all lines that `tests` fits, its first group being `parts`; no test where only `none` fits."""
    found = [parts(each[1]) for each in tests.finditer(output)]
    if not found:
        return Count((runner,), 0) if none.search(output) else None

    def told(*words: str) -> int:
        return sum(each.get(word, 0) for each in found for word in words)

    failed = told("failed")
    return Count((runner,), told("passed", "expected") + failed, failed, told("skipped", "todo"))
