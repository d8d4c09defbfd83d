"""Suppressions that a change adds: comments, attributes and pragmas that keep a tool from telling what it finds."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mmcg.audit import evidence
from mmcg.audit.masking.allowed import allows
from mmcg.audit.masking.declared import obeying
from mmcg.audit.masking.hidden import Masked

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from mmcg.audit.compared import Compared
    from mmcg.audit.evidence import Suppression
    from mmcg.audit.work import Work

ALIKE = 0.5
"""The share of words that an edited line keeps."""

Placed = tuple[str, "Suppression"]
"""A suppression with its file."""


@dataclass(frozen=True, slots=True)
class Added:
    """A suppression that the commit does not have."""

    file: str
    each: Suppression
    doubtful: bool
    """Whether it may be something else: code that moved and changed, or a test of what a tool finds."""


def added(work: Work) -> Iterator[Masked]:
    """The suppressions that are new and that the spec does not allow."""
    for new in new_suppressions(work, lambda file, each: allows(work, file, each.text, each.form)):
        file, each = new.file, new.each
        yield Masked(
            file,
            each.at.line,
            f"`{each.text}` was added" + (f" in `{each.symbol}`" if each.symbol else "") + f" ({file}:{each.at.line}).",
            (file, *((each.symbol,) if each.symbol else ())),
            hides=_command(obeying(work, each.tools)),
            doubtful=new.doubtful,
            expected="no new suppression",
            found=each.text,
            hint="Mend what the tool finds, or say in the spec that the suppression is wanted.",
        )


def new_suppressions(work: Compared, allowed: Callable[[str, Suppression], bool] | None = None) -> Iterator[Added]:
    """The suppressions that are new. One that moved with what it belongs to is not, nor is one that covers less."""
    old: list[Placed] = [
        (change.before, each)
        for change in work.changes
        if change.before
        for each in evidence.then(work, change.before).suppressions
    ]
    new: list[Placed] = [
        (change.after, each)
        for change in work.changes
        if change.after
        for each in evidence.now(work, change.after).suppressions
    ]
    for same in _SAME:
        old, new = _without_pairs(old, new, same)
    gone = Counter(each.text for _, each in old)
    for file, each in new:
        if allowed is not None and allowed(file, each):
            continue
        # In a test it says that the tool must find something.
        asserts = each.expecting and (work.is_test_path(file) or evidence.now(work, file).test_at(each.at) is not None)
        # As many of them went elsewhere: it may be that code moved and changed.
        moved = gone[each.text] > 0
        gone[each.text] -= moved
        yield Added(file, each, moved or asserts)


def _exact(one: Placed, other: Placed) -> bool:
    (_, a), (_, b) = one, other
    return (a.text, a.symbol, a.target) == (b.text, b.symbol, b.target)


def _same_line(one: Placed, other: Placed) -> bool:
    return one[1].text == other[1].text and bool(one[1].target) and one[1].target == other[1].target


def _same_symbol(one: Placed, other: Placed) -> bool:
    a, b = one[1], other[1]
    return a.text == b.text and a.symbol == b.symbol and (bool(a.symbol) or one[0] == other[0]) and _alike(a, b)


def _like_line(one: Placed, other: Placed) -> bool:
    return one[1].text == other[1].text and bool(one[1].target) and _alike(one[1], other[1])


def _narrower(one: Placed, other: Placed) -> bool:
    """Whether the second is the first, restricted to some of its codes."""
    a, b = one[1], other[1]
    if a.form != b.form or not _alike(a, b):
        return False
    before, after = _codes(a), _codes(b)
    return not before or (bool(after) and after <= before)


_SAME: tuple[Callable[[Placed, Placed], bool], ...] = (_exact, _same_line, _same_symbol, _like_line, _narrower)


def _without_pairs(
    old: list[Placed], new: list[Placed], same: Callable[[Placed, Placed], bool]
) -> tuple[list[Placed], list[Placed]]:
    left = list(old)
    rest = []
    for each in new:
        pair = next((other for other in left if same(other, each)), None)
        if pair is None:
            rest.append(each)
        else:
            left.remove(pair)
    return left, rest


def _alike(one: Suppression, other: Suppression) -> bool:
    if not one.target or not other.target:
        return one.symbol == other.symbol
    mine, theirs = Counter(re.findall(r"\w+", one.target)), Counter(re.findall(r"\w+", other.target))
    return sum((mine & theirs).values()) >= ALIKE * max(sum(mine.values()), sum(theirs.values()), 1)


def _codes(each: Suppression) -> set[str]:
    """The codes that it is restricted to; none for all."""
    rest = each.text[each.text.lower().find(each.form.lower()) + len(each.form) :]
    return set(re.findall(r"[\w:/@-]+", rest.split(" -- ")[0]))


def _command(id_: str) -> str:
    return f"the command `{id_}`" if id_ else ""
