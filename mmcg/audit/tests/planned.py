"""The tests that a spec plans: where they are, and whether they are new or changed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mmcg.audit import evidence
from mmcg.audit.files import fits
from mmcg.audit.tests.names import named

if TYPE_CHECKING:
    from mmcg.audit.compared import Compared
    from mmcg.audit.documents.spec import PlannedTest
    from mmcg.audit.evidence import Unit
    from mmcg.audit.work import Work

MOST = 5_000
"""So many test files that did not change are looked through for a test that no changed file has."""


@dataclass(frozen=True, slots=True)
class Found:
    """A test in a file of the working tree."""

    file: str
    unit: Unit
    changed: bool
    """Whether it is new, or not what it was."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A planned test and what is there of it."""

    test: PlannedTest
    found: tuple[Found, ...]
    searched: tuple[str, ...]
    """The files that it was looked for in."""
    readable: bool
    """Whether it is known what tests look like in all of these."""

    @property
    def name(self) -> str:
        """What it is called, for people."""
        return self.test.name or self.test.file or ""


def plans(work: Work) -> list[Plan]:
    """Every planned test, looked for."""
    key = ("planned", "")
    if key not in work.kept:
        work.kept[key] = [_plan(work, each) for each in work.spec.tests]
    found: list[Plan] = work.kept[key]
    return found


def is_planned(work: Work, file: str, unit: Unit) -> bool:
    """Whether a test is among the planned ones, by name: of the baseline or of the tree."""
    for each in work.spec.tests:
        if each.file and not fits(each.file, file):
            continue
        if each.name is None:
            return True
        found = evidence.Evidence(file, units=(unit,))
        if named(found, each.name):
            return True
    return False


def find(work: Work, name: str, files: list[str]) -> list[Found]:
    """The tests that a name means in some files."""
    return [
        Found(file, unit, changed(work, file, unit)) for file in files for unit in named(evidence.now(work, file), name)
    ]


def changed(work: Compared, file: str, unit: Unit) -> bool:
    """Whether a test is new or says something else, or something that it uses in its own file does."""
    if file not in work.changed:
        return False
    before = evidence.earlier(work, file).same(unit)
    if before is None or before.text != unit.text:
        return True
    if not unit.text and _source(work, file, before, now=False) != _source(work, file, unit, now=True):
        return True
    words = set(unit.text.split())
    return any(each.name in words for each in _helpers(work, file)) or any(
        name in words for name in _values(work, file)
    )


def changed_files(work: Compared) -> list[str]:
    """The changed files that are there."""
    return [each.after for each in work.changes if each.after]


def files_with_tests(work: Compared) -> list[str]:
    """The changed files that hold tests, or are where tests are kept."""
    return [path for path in changed_files(work) if work.is_test_path(path) or evidence.now(work, path).tests]


def _plan(work: Work, test: PlannedTest) -> Plan:
    if test.file is not None:
        files = [path for path in dict.fromkeys([*changed_files(work), *work.after.files()]) if fits(test.file, path)]
        if not files and work.exists(test.file) is not None:
            files = [test.file]
    else:
        files = files_with_tests(work)
    known = all(evidence.now(work, path).known for path in files)
    if test.name is None:
        found = [
            Found(path, unit, changed(work, path, unit)) for path in files for unit in evidence.now(work, path).tests
        ]
        return Plan(test, tuple(found), tuple(files), known)
    found = find(work, test.name, files)
    if not found and test.file is None:
        others = [path for path in work.after.files() if path not in work.changed and work.is_test_path(path)]
        files = files + others[:MOST]
        found = find(work, test.name, _holding(work, test.name, others[:MOST]))
    return Plan(test, tuple(found), tuple(files), known)


def _holding(work: Work, name: str, files: list[str]) -> list[str]:
    """The files whose text has the last word of a name."""
    word = name.split()[-1].rpartition(".")[2].rpartition(":")[2].rpartition("/")[2].encode()
    return [path for path in files if word in work.graphs.text_now(path)]


def _source(work: Compared, file: str, unit: Unit, *, now: bool) -> bytes:
    """The source of a unit, for files of no tests, whose tokens are not kept. `file` is where it is now."""
    earlier = work.changed[file].before or file
    data = work.graphs.text_now(file) if now else work.graphs.text_then(earlier)
    return data[unit.at.start : unit.at.end]


def _helpers(work: Compared, file: str) -> list[Unit]:
    """The functions of a file that are no tests and say something else than before."""
    before = evidence.earlier(work, file)
    return [
        each
        for each in evidence.now(work, file).units
        if not each.test and each.kind == "function" and getattr(before.same(each), "text", "") != each.text
    ]


def _values(work: Compared, file: str) -> set[str]:
    """The names of variables and constants of a file that are set to something else than before."""
    kinds = ("constant", "variable", "field")
    pairs = work.pairs.values()
    return {
        other.name
        for one, other in pairs
        if other.path == file and other.kind in kinds and one.body_hash != other.body_hash
    } | {each.name for each in work.graphs.pairing.came if each.path == file and each.kind in kinds}
