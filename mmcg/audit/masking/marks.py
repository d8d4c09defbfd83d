"""Marks that a change adds to tests: skipped, expected to fail, only this one, to do."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mmcg.audit import evidence
from mmcg.audit.masking.declared import covering
from mmcg.audit.masking.hidden import Masked, short
from mmcg.audit.tests.planned import is_planned

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mmcg.audit.evidence import Evidence, Mark, Unit
    from mmcg.audit.work import Work

_SAID = {
    "skip": "is skipped now",
    "conditional": "is skipped under a condition now",
    "expected_failure": "is expected to fail now",
    "only": "is the only one of its file that runs now",
    "todo": "is only to be written now",
}


@dataclass(frozen=True, slots=True)
class _Owned:
    mark: Mark
    owner: tuple[str, ...]
    """Names of the test or group that has it; empty for the file."""


def added(work: Work) -> Iterator[Masked]:
    """The marks that are new."""
    for change in work.changes:
        if not change.after:
            continue
        new = evidence.now(work, change.after)
        if not new.marks:
            continue
        old = evidence.then(work, change.before) if change.before else evidence.Evidence(change.after)
        for owned in _unpaired(_owned(old), _owned(new)):
            masked = _masked(work, change.after, owned, old, new)
            if masked is not None:
                yield masked


def _owned(found: Evidence) -> list[_Owned]:
    return [_Owned(each, _owner(found, each)) for each in found.marks]


def _owner(found: Evidence, mark: Mark) -> tuple[str, ...]:
    for unit in found.units:
        if unit.at == mark.target:
            return unit.path
    # A class, or what a call in a helper is in.
    inner = [unit for unit in found.units if mark.target.holds(unit.at)]
    around = {unit.path[:-1] for unit in inner}
    return around.pop() if len(around) == 1 else ()


def _unpaired(old: list[_Owned], new: list[_Owned]) -> list[_Owned]:
    """The marks that were not there: of the same kind on the same test, or the very same elsewhere."""
    owners = Counter((each.mark.kind, each.owner) for each in old)
    rest = []
    for each in new:
        key = (each.mark.kind, each.owner)
        if owners[key] > 0:
            owners[key] -= 1
        else:
            rest.append(each)
    texts: Counter[tuple[str, str]] = Counter()
    left = Counter((each.mark.kind, each.owner) for each in new)
    for each in old:
        key = (each.mark.kind, each.owner)
        if left[key] > 0:
            left[key] -= 1
        else:
            texts[(each.mark.kind, each.mark.text)] += 1
    found = []
    for each in rest:
        text = (each.mark.kind, each.mark.text)
        if texts[text] > 0:
            texts[text] -= 1
        else:
            found.append(each)
    return found


def _masked(work: Work, file: str, owned: _Owned, old: Evidence, new: Evidence) -> Masked | None:
    mark = owned.mark
    tests: list[Unit] = [unit for unit in new.tests if mark.target.holds(unit.at)]
    if not tests:
        around = new.test_at(mark.at)
        if around is None and not new.test_path:
            return None
        tests = [around] if around else []
    planned = next((unit for unit in tests if is_planned(work, file, unit)), None)
    before = [unit for unit in tests if old.same(unit) is not None]
    hides = f"the planned test `{planned.shown}`" if planned else ""
    if not hides:
        wanted: list[Unit | None] = [*tests] or [None]
        command = next((id_ for unit in wanted if (id_ := covering(work, file, unit))), "")
        hides = f"the command `{command}`" if command else ""
    whole = len(tests) != 1 and mark.kind != "only"
    subject = f"`{' > '.join(owned.owner) or file}`" if whole or not tests else f"The test `{tests[0].shown}`"
    said = _SAID.get(mark.kind, "is marked now")
    return Masked(
        file,
        mark.at.line,
        f"{subject} {said} ({file}:{mark.at.line}: `{short(mark.text)}`).",
        (file, *(unit.shown for unit in tests[:5])),
        hides=hides,
        # A new test for some platforms only is no test taken away.
        doubtful=not before and planned is None and mark.kind in ("conditional", "todo"),
        expected="a test that runs",
        found=short(mark.text),
        hint="Take the mark away, and make the test pass.",
    )
