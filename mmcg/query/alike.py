"""How much of one text is in another, by words and marks: enough to tell a renamed definition from a new one."""

from __future__ import annotations

import re
from collections import Counter

LONGEST = 100_000
"""Characters; of longer texts only so many are compared."""

_WORDS = re.compile(r"\w+|[^\w\s]")


def share(one: str, other: str) -> float:
    """The share of words that two texts have in common, from 0 to 1; 0 where one of them has none."""
    mine, theirs = Counter(_WORDS.findall(one[:LONGEST])), Counter(_WORDS.findall(other[:LONGEST]))
    most = max(mine.total(), theirs.total())
    return (mine & theirs).total() / most if most else 0.0
