"""What files hold as evidence: tests, assertions, marks, suppressions, numbers. The core finds it, this reads it.

Looked for in the files that an audit is about, then and now, when a check asks.
"""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from mmcg import indexing

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mmcg.audit.compared import Compared


THREADS = 4
"""The core reads files beside the interpreter."""


@dataclass(frozen=True, slots=True)
class At:
    """A place in a file: lines from 1, bytes from 0."""

    line: int
    end_line: int
    start: int
    end: int

    def holds(self, other: At) -> bool:
        """Whether another place lies inside."""
        return self.start <= other.start and other.end <= self.end


@dataclass(frozen=True, slots=True)
class Unit:
    """A piece of code that can be a test, or hold assertions for one."""

    at: At
    kind: str
    """`function`, `call`, `block`, `macro`, or `group` for what only holds tests."""
    test: bool
    name: str
    path: tuple[str, ...]
    """Names of what it stands in, then its own."""
    symbol: str
    """The qualified name of the symbol that it is or stands in."""
    text: str
    """Its tokens, without layout and comments."""

    @property
    def shown(self) -> str:
        """Its name for people."""
        return (" > " if self.kind in ("call", "block", "group") else ".").join(self.path)


@dataclass(frozen=True, slots=True)
class Assertion:
    """Something that fails a test if it does not hold."""

    at: At
    form: str
    text: str
    vacuous: str
    """Why it cannot fail; empty where it can."""
    strength: int
    """0: says nothing; 1: that something is there, or true; 2: a part or a bound; 3: a value, or a failure."""
    implicit: bool
    """Fails by the way only, such as by unwrapping."""

    @property
    def counts(self) -> bool:
        """Whether it is written to fail, and can."""
        return not self.vacuous and not self.implicit


@dataclass(frozen=True, slots=True)
class Mark:
    """A mark that keeps a test from running or from counting, or others from running."""

    at: At
    kind: str
    """`skip`, `conditional`, `expected_failure`, `only`, `todo`."""
    text: str
    target: At
    """The code that it belongs to."""


@dataclass(frozen=True, slots=True)
class Suppression:
    """Something that keeps a tool from telling what it finds."""

    at: At
    form: str
    text: str
    tools: tuple[str, ...]
    expecting: bool
    """Whether it fails where there is nothing to suppress."""
    symbol: str
    target: str
    """Tokens of the line that it belongs to."""


@dataclass(frozen=True, slots=True)
class Number:
    """A number with a name."""

    at: At
    name: str
    value: str
    symbol: str


@dataclass(frozen=True, slots=True)
class Called:
    """A call."""

    at: At
    head: str
    name: str


class Placed(Protocol):
    """Anything that has a place."""

    @property
    def at(self) -> At:
        """Where it is."""


T = TypeVar("T", bound=Placed)


@dataclass(frozen=True, slots=True)
class Evidence:
    """All that is found in a file."""

    path: str
    known: bool = False
    """Whether it is said what the file's language calls its tests and assertions."""
    test_path: bool = False
    registered: bool = False
    """Whether functions are tests only where something names them."""
    units: tuple[Unit, ...] = ()
    assertions: tuple[Assertion, ...] = ()
    marks: tuple[Mark, ...] = ()
    suppressions: tuple[Suppression, ...] = ()
    numbers: tuple[Number, ...] = ()
    calls: tuple[Called, ...] = ()

    @property
    def tests(self) -> tuple[Unit, ...]:
        """The units that are tests."""
        return tuple(each for each in self.units if each.test)

    def assertions_of(self, unit: Unit) -> list[Assertion]:
        """The assertions in a unit."""
        return inside(unit, self.assertions)

    def calls_of(self, unit: Unit) -> list[Called]:
        """The calls in a unit."""
        return inside(unit, self.calls)

    def marks_of(self, unit: Unit) -> list[Mark]:
        """The marks that a unit has, those of the groups around it included."""
        return [each for each in self.marks if each.target.holds(unit.at)]

    def test_at(self, at: At) -> Unit | None:
        """The innermost test around a place."""
        around = [each for each in self.tests if each.at.holds(at)]
        return min(around, key=lambda each: each.at.end - each.at.start, default=None)

    def same(self, unit: Unit) -> Unit | None:
        """The unit of the same name and kind, as another state of the file has it."""
        found = [each for each in self.units if each.path == unit.path and each.kind == unit.kind]
        if len(found) < 2:
            return found[0] if found else None
        # Overloads, and tests that share a name: the most alike.
        words = Counter(unit.text.split())
        return max(found, key=lambda each: sum((words & Counter(each.text.split())).values()) / (len(each.text) + 1))


def inside(unit: Unit, items: Iterable[T]) -> list[T]:
    """The items that lie in a unit."""
    return [each for each in items if unit.at.holds(each.at)]


def read(data: bytes, path: str) -> Evidence:
    """What a file holds; nothing where no parser is at hand for it."""
    found = indexing.evidence_in(data, path) if data else None
    if found is None:
        return Evidence(path)
    return Evidence(
        path,
        found["known"],
        found["test_path"],
        found["registered"],
        tuple(
            Unit(_at(e), e["kind"], e["test"], e["name"], tuple(e["path"]), e["symbol"], e["text"])
            for e in found["units"]
        ),
        tuple(
            Assertion(_at(e), e["form"], e["text"], e["vacuous"], e["strength"], e["implicit"])
            for e in found["assertions"]
        ),
        tuple(Mark(_at(e), e["kind"], e["text"], At(**e["target"])) for e in found["marks"]),
        tuple(
            Suppression(_at(e), e["form"], e["text"], tuple(e["tools"]), e["expecting"], e["symbol"], e["target"])
            for e in found["suppressions"]
        ),
        tuple(Number(_at(e), e["name"], e["value"], e["symbol"]) for e in found["numbers"]),
        tuple(Called(_at(e), e["head"], e["name"]) for e in found["calls"]),
    )


def now(work: Compared, path: str) -> Evidence:
    """What a file of the working tree holds."""
    return _kept(work, ("now", path))


def then(work: Compared, path: str) -> Evidence:
    """What a file of the baseline held. `path` is the one that it had then."""
    change = work.changed.get(path)
    if change is None:
        return now(work, path)
    return _kept(work, ("then", path))


def _kept(work: Compared, key: tuple[str, str]) -> Evidence:
    if key not in work.kept:
        todo = [key]
        if ("evidence", "") not in work.kept:
            # All changed files are looked through sooner or later.
            work.kept["evidence", ""] = True
            pairs = [("then", each.before) for each in work.changes] + [("now", each.after) for each in work.changes]
            todo = list(dict.fromkeys([key, *((side, path) for side, path in pairs if path)]))
        contents = ((_bytes(work, side, path), path) for side, path in todo)
        with ThreadPoolExecutor(THREADS) as threads:
            work.kept.update(zip(todo, threads.map(lambda given: read(*given), contents), strict=True))
    found: Evidence = work.kept[key]
    return found


def _bytes(work: Compared, side: str, path: str) -> bytes:
    return work.graphs.text_then(path) if side == "then" else work.graphs.text_now(path)


def earlier(work: Compared, path: str) -> Evidence:
    """What the file that is now at `path` held in the baseline, wherever it was then."""
    change = work.changed.get(path)
    if change is None:
        return now(work, path)
    if change.after != path or change.before is None:
        return Evidence(path)
    return then(work, change.before)


def _at(found: dict[str, Any]) -> At:
    return At(**found["at"])
