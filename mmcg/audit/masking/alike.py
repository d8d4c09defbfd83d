"""Whether one test is another, renamed, moved or merged into it."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mmcg.audit.evidence import Assertion, Unit

RENAMED = 0.7
"""The share of its words that a renamed test keeps."""

_TOKEN = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|`[^`]*`|[\w.]+")
_VALUE = re.compile(r"[\"'`\d].*", re.DOTALL)


def words(text: str) -> Counter[str]:
    """The words and values of a text of tokens."""
    return Counter(_TOKEN.findall(text))


def values(text: str) -> set[str]:
    """The values that are written in it, however they are quoted."""
    return {each.strip("\"'`") for each in _TOKEN.findall(text) if _VALUE.match(each)}


def likeness(one: Unit, other: Unit) -> float:
    """The share of words that two tests have in common, their names left aside."""
    mine, theirs = words(one.text), words(other.text)
    for counter, unit in ((mine, one), (theirs, other)):
        for quoted in (unit.name, f'"{unit.name}"', f"'{unit.name}'", f"`{unit.name}`"):
            counter.pop(quoted, None)
    return sum((mine & theirs).values()) / max(sum(mine.values()), sum(theirs.values()), 1)


def merged(gone: list[Assertion], test: str, into: str, calls: set[str]) -> bool:
    """Whether all values of some assertions, and of their test, are in another text that calls the same."""
    wanted = set().union(*(values(each.text) for each in gone)) if gone else values(test)
    if not wanted:
        return False
    return wanted <= values(into) and calls <= set(words(into)) | set(re.findall(r"\w+", into))
