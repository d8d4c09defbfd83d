"""What a test checks: its own assertions, and those of the helpers that it calls."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mmcg.audit import evidence
from mmcg.query.context import literal

if TYPE_CHECKING:
    from mmcg.audit.evidence import Assertion, Called, Unit
    from mmcg.audit.work import Work

DEPTH = 4
"""Helpers that call helpers are followed so far."""

MOST = 200
"""Helpers that are looked at for one test."""

_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_ASSERTING = frozenset(
    {"assert", "asserts", "assertion", "expect", "expects", "verify", "verifies", "should", "check", "checks", "must",
     "require", "ensure", "fail", "fails", "raises", "throws", "snapshot", "approve", "validate", "compare"}
)  # fmt: skip
"""Words in the names of functions that assert, by the custom of most languages."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What a test checks."""

    sure: bool
    """It has an assertion that can fail, or calls something that has."""
    own: tuple[Assertion, ...]
    """Its own assertions."""
    by_name: tuple[str, ...] = ()
    """Functions from elsewhere that it calls and that assert, if their names say what they do."""

    @property
    def implicit(self) -> bool:
        """Whether it fails by the way only."""
        return any(each.implicit for each in self.own)


def checked(work: Work, file: str, unit: Unit) -> Checked:
    """What a test of the working tree checks."""
    found = evidence.now(work, file)
    own = tuple(found.assertions_of(unit))
    if any(each.counts for each in own):
        return Checked(True, own)
    calls = found.calls_of(unit)
    local, foreign = _targets(work, file, unit)
    if _helpers_assert(work, file, unit, local):
        return Checked(True, own)
    asserted = {each.at.start for each in own}
    known = {name for _, _, name in local}
    named = [
        each.head
        for each in calls
        if asserting(each.name)
        and each.name not in known
        and not _judged(each, asserted, own)
        and each.name not in foreign
    ]
    return Checked(bool(named), own, tuple(dict.fromkeys(named)))


def asserting(name: str) -> bool:
    """Whether a name says that the function asserts."""
    return any(word.lower() in _ASSERTING for word in _WORDS.findall(name))


def _judged(call: Called, starts: set[int], own: tuple[Assertion, ...]) -> bool:
    """Whether a call belongs to an assertion that was judged already."""
    return call.at.start in starts or any(each.at.holds(call.at) for each in own)


def _targets(work: Work, file: str, unit: Unit) -> tuple[list[tuple[str, str, str]], set[str]]:
    """What a unit calls here: path, qualified name and name of helpers; and the names of what is no test code."""
    context = work.after
    number = context.files().get(file)
    if number is None:
        return [], set()
    sql = (
        f"SELECT DISTINCT target FROM calls WHERE file = {number:d}::UINTEGER "  # noqa: S608 - numbers
        f"AND line BETWEEN {literal(unit.at.line)} AND {literal(unit.at.end_line)} AND target IS NOT NULL "
        f"AND confidence IN ('exact', 'inferred', 'possible')"
    )
    helpers, others = [], set()
    for each in context.symbols(row[0] for row in context.rows(sql)).values():
        if work.in_tests(context, each) or asserting(each.name) or each.path == file or "test" in each.path.lower():
            helpers.append((each.path, each.qualified, each.name))
        else:
            others.add(each.name)
    return helpers, others


def _helpers_assert(work: Work, file: str, unit: Unit, local: list[tuple[str, str, str]]) -> bool:
    """Whether a helper of a unit asserts, or one of theirs."""
    # Helpers of the same file are found by their names too: a function value has no edge.
    words = set(unit.text.split())
    near = [
        (file, each.symbol, each.name)
        for each in evidence.now(work, file).units
        if each.kind == "function" and not each.test and each.name in words and not unit.at.holds(each.at)
    ]
    todo, seen = [(each, 1) for each in [*local, *near]], {(file, unit.symbol)}
    while todo and len(seen) <= MOST:
        (path, qualified, _), depth = todo.pop()
        if (path, qualified) in seen:
            continue
        seen.add((path, qualified))
        found = evidence.now(work, path)
        helper = next((each for each in found.units if each.symbol == qualified and each.kind == "function"), None)
        if helper is None or helper.test:
            continue
        if any(each.counts for each in found.assertions_of(helper)):
            return True
        if depth < DEPTH:
            further, foreign = _targets(work, path, helper)
            todo += [(each, depth + 1) for each in further]
            names = {name for _, _, name in further} | foreign
            if any(asserting(each.name) and each.name not in names for each in found.calls_of(helper)):
                return True
    return False
