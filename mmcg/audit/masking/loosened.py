"""Tests that a change deletes, and assertions that it deletes or loosens."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mmcg.audit import evidence
from mmcg.audit.files import fits
from mmcg.audit.masking.alike import RENAMED, likeness, merged, words
from mmcg.audit.masking.declared import covering, reading
from mmcg.audit.masking.hidden import Masked, short
from mmcg.audit.tests.planned import is_planned

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mmcg.audit.evidence import Assertion, Evidence, Unit
    from mmcg.audit.work import Work
    from mmcg.query.worktree import Change

_LOOSER_UP = re.compile(
    r"^(?:rel|abs|delta|tol|atol|rtol|tolerance|epsilon|eps|within|margin)$|InDelta|InEpsilon|NEAR|offset|closeTo"
)
_LOOSER_DOWN = re.compile(r"^(?:places|precision|digits|decimal|numDigits)$|toBeCloseTo|AlmostEqual")
_WORD = re.compile(r"\w+")
_WIDEST = frozenset({"Exception", "BaseException", "Throwable", "Error", "RuntimeException", "object", "Object"})


@dataclass(frozen=True, slots=True)
class _Test:
    file: str
    unit: Unit
    found: Evidence

    @property
    def assertions(self) -> list[Assertion]:
        return [each for each in self.found.assertions_of(self.unit) if each.counts]


def lost(work: Work) -> Iterator[Masked]:
    """Every test that is gone, and every assertion that is gone or says less."""
    gone: list[_Test] = []
    pairs: list[tuple[_Test, _Test]] = []
    new: list[_Test] = []
    for change in work.changes:
        _sort(work, change, gone, pairs, new)
    renamed = _renamed(gone, new)
    pairs += renamed
    taken = {id(one) for one, _ in renamed}
    others = new + [now for _, now in pairs]
    for test in gone:
        if id(test) not in taken and not _permitted(work, test) and not _is_merged(test, others):
            yield _deleted(work, test)
    here = Counter(each.text for test in others for each in test.assertions)
    before = Counter(each.text for test in gone for each in test.assertions)
    before += Counter(each.text for then, _ in pairs for each in then.assertions)
    for then, now in pairs:
        yield from _compared(work, then, now, here - before)
    yield from _scripts(work)


def _sort(work: Work, change: Change, gone: list[_Test], pairs: list[tuple[_Test, _Test]], new: list[_Test]) -> None:
    old = evidence.then(work, change.before) if change.before else evidence.Evidence(change.path)
    now = evidence.now(work, change.after) if change.after else evidence.Evidence(change.path)
    if not old.tests and not now.tests:
        return
    for unit in old.tests:
        same = now.same(unit)
        one = _Test(change.before or "", unit, old)
        if same is None or not same.test:
            gone.append(one)
        elif same.text != unit.text:
            pairs.append((one, _Test(change.after or "", same, now)))
    new += [_Test(change.after or "", unit, now) for unit in now.tests if old.same(unit) is None]


def _renamed(gone: list[_Test], new: list[_Test]) -> list[tuple[_Test, _Test]]:
    """Gone tests with what they are called now, or where they are: those that are most alike first."""
    if len(gone) * len(new) > 40_000:
        return []
    scored = []
    for one in gone:
        for other in new:
            share = likeness(one.unit, other.unit)
            # Where the name is the same, the test has moved.
            if share >= (RENAMED / 2 if one.unit.name == other.unit.name else RENAMED):
                scored.append((-share, one.file, one.unit.at.start, other.file, other.unit.at.start, one, other))
    pairs, taken = [], set()
    for *_, one, other in sorted(scored, key=lambda each: each[:5]):
        if id(one) not in taken and id(other) not in taken:
            taken |= {id(one), id(other)}
            pairs.append((one, other))
    return pairs


def _is_merged(test: _Test, others: list[_Test]) -> bool:
    """Whether another test checks the same values, such as one with parameters."""
    calls = _subjects(test)
    return any(merged(test.assertions, test.unit.text, other.unit.text, calls) for other in others)


def _subjects(test: _Test) -> set[str]:
    """What a test calls besides its assertions."""
    asserted = {each.form for each in test.assertions}
    return {
        each.name
        for each in test.found.calls_of(test.unit)
        if each.head not in asserted and not _is_frame(each.head, test)
    }


def _is_frame(head: str, test: _Test) -> bool:
    """Whether a call belongs to an assertion or makes the test."""
    return any(each.form.startswith(head) for each in test.assertions) or test.unit.text.startswith(head.split("(")[0])


def _permitted(work: Work, test: _Test) -> bool:
    """Whether the spec lets a test go: its file is to be deleted, or it is about what is to be removed."""
    if any(fits(each.path, test.file) for each in work.spec.deletes):
        return True
    said = words(test.unit.text)
    parts = set(re.findall(r"\w+", test.unit.text))
    for plan in work.spec.removes:
        last = re.split(r"[.:#/]+", plan.name.rstrip("()"))[-1]
        if last in parts or last in said or last == test.unit.name:
            return True
    shown = (test.unit.name, test.unit.symbol)
    return any(
        each.file == test.file
        and any(name and name in each.find and name not in (each.change_to or "") for name in shown)
        for each in work.spec.edits
    )


def _deleted(work: Work, test: _Test) -> Masked:
    return Masked(
        test.file,
        test.unit.at.line,
        f"The test `{test.unit.shown}` of `{test.file}` was deleted, and nothing in the spec says so.",
        (test.file, test.unit.shown),
        hides=_hides(work, test),
        expected="the test of the baseline",
        found="none",
        hint="Bring it back, or name what it tests under `removes`.",
    )


def _hides(work: Work, test: _Test) -> str:
    if is_planned(work, test.file, test.unit):
        return f"the planned test `{test.unit.shown}`"
    command = covering(work, test.file, test.unit)
    return f"the command `{command}`" if command else ""


def _compared(work: Work, then: _Test, now: _Test, elsewhere: Counter[str]) -> Iterator[Masked]:
    """What became of the assertions of one test."""
    old, new = then.assertions, now.assertions
    left = _without(old, Counter(each.text for each in new))
    came = _without(new, Counter(each.text for each in old))
    # An assertion may have moved into another test, or into a helper.
    left = _without(left, elsewhere)
    if not left or _has_helper(then, now) or _about_removed(work, left):
        return
    weaker = any(
        sum(each.strength >= least for each in left) > sum(each.strength >= least for each in came) for least in (2, 3)
    )
    strong = next((each for each in left if _says_less(each, came)), None) if weaker else None
    if strong is not None:
        less = [each for each in came if each.strength < strong.strength and _about_the_same(strong, each)]
        yield _loosened(work, now, strong, less, "loosened")
    elif len(left) > len(came):
        calls = _subjects(then)
        if came and merged(left, then.unit.text, now.unit.text, calls & _subjects(now)):
            return
        yield _loosened(work, now, left[0], came, "deleted", doubtful=bool(came))
    elif weaker:
        yield _loosened(work, now, left[0], came, "loosened", doubtful=True)
    else:
        for one, other in zip(left, came, strict=False):
            if _wider(one, other):
                yield _loosened(work, now, one, [other], "loosened")


def _says_less(old: Assertion, came: list[Assertion]) -> bool:
    """Whether what an assertion was about is only said to be there now, or to be true."""
    same = [each for each in came if _about_the_same(old, each)]
    return bool(same) and all(each.strength < old.strength for each in same)


def _about_the_same(one: Assertion, other: Assertion) -> bool:
    """Whether two assertions share most names of what they check."""
    mine, theirs = _names(one), _names(other)
    return bool(mine) and 2 * len(mine & theirs) >= len(mine)


def _names(each: Assertion) -> set[str]:
    """The names in an assertion, without strings and what makes it one."""
    plain = re.sub(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|`[^`]*`", " ", each.text)
    return set(re.findall(r"[A-Za-z_]\w*", plain)) - set(re.findall(r"\w+", each.form)) - {"t"}


def _without(items: list[Assertion], counted: Counter[str]) -> list[Assertion]:
    left = Counter(counted)
    rest = []
    for each in items:
        if left[each.text] > 0:
            left[each.text] -= 1
        else:
            rest.append(each)
    return rest


def _has_helper(then: _Test, now: _Test) -> bool:
    """Whether the test calls a function of its file that asserts, and did not before."""
    before, after = words(then.unit.text), set(words(now.unit.text))
    spoken = {part for word in after for part in word.split(".")} - {
        part for word in before for part in word.split(".")
    }
    return any(
        each.name in spoken and any(one.counts for one in now.found.assertions_of(each))
        for each in now.found.units
        if each.kind == "function" and not each.test
    )


def _about_removed(work: Work, left: list[Assertion]) -> bool:
    names = {re.split(r"[.:#/]+", plan.name.rstrip("()"))[-1] for plan in work.spec.removes}
    return bool(names) and all(names & set(re.findall(r"\w+", each.text)) for each in left)


def _wider(one: Assertion, other: Assertion) -> bool:
    """Whether two assertions differ in one place only, and the second allows more there."""
    mine, theirs = one.text.split(" "), other.text.split(" ")
    if one.form == other.form and len(theirs) < len(mine) and mine[: len(theirs) - 1] == theirs[:-1]:
        # It asks for less: an argument at the end is gone.
        return True
    if len(mine) != len(theirs):
        return False
    at = [index for index, (a, b) in enumerate(zip(mine, theirs, strict=True)) if a != b]
    if len(at) != 1:
        return False
    before, after = mine[at[0]], theirs[at[0]]
    if after in _WIDEST and before[:1].isupper():
        return True
    try:
        less, more = float(before), float(after)
    except ValueError:
        return False
    named = mine[max(0, at[0] - 2) : at[0]]
    argument = named[0] if named[1:] == ["="] and _WORD.fullmatch(named[0]) else ""
    name = argument or one.form
    last = not argument and mine[at[0] + 1 :] == [")"] and mine[at[0] - 1] == ","
    if _LOOSER_UP.search(name) and (argument or last):
        return more > less
    return bool(_LOOSER_DOWN.search(name)) and bool(argument or last) and more < less


def _loosened(
    work: Work, now: _Test, old: Assertion, new: list[Assertion], how: str, *, doubtful: bool = False
) -> Masked:
    place = new[0].at.line if new else now.unit.at.line
    became = f"; it says `{short(new[0].text)}` now" if new and how == "loosened" else ""
    return Masked(
        now.file,
        place,
        f"An assertion of the test `{now.unit.shown}` was {how}: `{short(old.text)}`{became}.",
        (now.file, now.unit.shown),
        hides=_hides(work, now),
        doubtful=doubtful,
        expected=short(old.text),
        found=short(new[0].text) if new else "none",
        hint="Bring the assertion back, and make the code fit it.",
    )


def _scripts(work: Work) -> Iterator[Masked]:
    """Scripts of declared checks that fail in fewer places than before."""
    for change in work.changes:
        if not change.before or not change.after or work.is_test_path(change.after):
            continue
        command = reading(work, change.after)
        if not command:
            continue
        old = [each for each in evidence.then(work, change.before).assertions if each.counts]
        new = [each for each in evidence.now(work, change.after).assertions if each.counts]
        left = _without(old, Counter(each.text for each in new))
        came = _without(new, Counter(each.text for each in old))
        if len(left) > len(came):
            yield Masked(
                change.after,
                1,
                f"`{change.after}`, which the command `{command}` runs, fails in fewer places than before: "
                f"`{short(left[0].text)}` is gone.",
                (change.after,),
                hides=f"the command `{command}`",
                doubtful=bool(came),
                expected=short(left[0].text),
                found="none",
                hint="Let the check fail where it did.",
            )
