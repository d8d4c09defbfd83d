"""Counts how often the index is right about the sites of a truth.

*Recall*: sites with at least one right answer, of all sites whose target is in the project. *Precision*: right answers of all
answers on sites that the judge knows; an answer in the project for a call that leaves it is wrong. An answer is a definition
that a site reaches with confidence `exact` or `inferred`; `possible` ones are counted apart. Saying nothing, or that a call
leaves the project, is no answer.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from benches.accuracy.truth import Place, Site

    Row = Mapping[str, Any]

SURE = ("exact", "inferred")
COUNTED = (*SURE, "possible")


@dataclass(frozen=True, slots=True)
class Answer:
    """A definition that the index gives for a site."""

    place: Place
    name: str
    """Its qualified name."""
    confidence: str
    rule: str


@dataclass(frozen=True, slots=True)
class Wrong:
    """A sure answer that the judge contradicts."""

    site: Site
    answer: Answer


@dataclass(frozen=True, slots=True)
class Missed:
    """A site of the project without a right sure answer."""

    site: Site
    saying: str
    """What the index says of it instead; one of the keys of `errors.SAYINGS`."""


@dataclass
class Score:
    """The counts of one project, or the sum of several."""

    sites: int = 0
    """Whose target is in the project."""
    outside: int = 0
    """Sites whose target is not."""
    found: int = 0
    """Sites with a right answer."""
    answers: int = 0
    right: int = 0
    wrong_outside: int = 0
    """Answers in the project for calls that leave it."""
    by_confidence: dict[str, Counter[str]] = field(default_factory=lambda: {each: Counter() for each in COUNTED})
    """By confidence: `answers`, `right` ones, and sites `found` by it."""
    files: set[str] = field(default_factory=set)
    """Files that the judge has seen: those of its sites and of their targets."""
    wrong: list[Wrong] = field(default_factory=list)
    missed: list[Missed] = field(default_factory=list)

    @property
    def precision(self) -> float:
        """Of sure answers; 1 where there are none."""
        return self.right / self.answers if self.answers else 1.0

    @property
    def recall(self) -> float:
        """Of sites; 1 where there are none."""
        return self.found / self.sites if self.sites else 1.0

    def precision_of(self, confidence: str) -> float:
        """Of the answers of one confidence."""
        counts = self.by_confidence[confidence]
        return counts["right"] / counts["answers"] if counts["answers"] else 1.0

    def add(self, other: Score) -> None:
        """Sum up the counts: sites of several projects weigh the same."""
        for name in ("sites", "outside", "found", "answers", "right", "wrong_outside"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for confidence, counts in other.by_confidence.items():
            self.by_confidence[confidence].update(counts)


def score(sites: Iterable[Site], rows: Iterable[Row]) -> Score:
    """What the rows of `export edges` are worth against the sites of a truth."""
    truth: dict[tuple[str, int, str], list[Site]] = defaultdict(list)
    for site in sites:
        truth[site.file, site.line, site.name].append(site)
    given: dict[int, list[Row]] = defaultdict(list)
    for row in rows:
        for site in truth.get((row["file"], row["line"], row["name"]), ()):
            # The index counts columns from 1.
            if site.column == row["column"] - 1:
                given[id(site)].append(row)
    total = Score()
    for group in truth.values():
        for site in group:
            total.files.add(site.file)
            total.files.update(file for file, _ in site.right)
            if site.counts:
                _count(total, site, given[id(site)])
    return total


def _count(total: Score, site: Site, rows: list[Row]) -> None:
    """Add one site."""
    if site.internal:
        total.sites += 1
    else:
        total.outside += 1
    found: set[str] = set()
    for answer in _answers(rows):
        right = answer.place in site.right
        counts = total.by_confidence[answer.confidence]
        counts["answers"] += 1
        counts["right"] += right
        if right and site.internal:
            found.add(answer.confidence)
        if answer.confidence not in SURE:
            continue
        total.answers += 1
        total.right += right
        if not right:
            total.wrong.append(Wrong(site, answer))
            total.wrong_outside += not site.internal
    for confidence in found:
        total.by_confidence[confidence]["found"] += 1
    if found.intersection(SURE):
        total.found += 1
    elif site.internal:
        total.missed.append(Missed(site, _saying(site, rows)))


def _answers(rows: list[Row]) -> list[Answer]:
    """One answer a place, the surest: a class and its constructor in one line are one answer."""
    best: dict[Place, Answer] = {}
    for row in rows:
        if row["target"] is None or row["confidence"] not in COUNTED:
            continue
        place = row["target_file"], row["target_line"]
        name = row["target"].partition("::")[2].partition("@")[0]
        known = best.get(place)
        if known is None or COUNTED.index(row["confidence"]) < COUNTED.index(known.confidence):
            best[place] = Answer(place, name, row["confidence"], row["rule"])
    return list(best.values())


def _saying(site: Site, rows: list[Row]) -> str:
    answers = _answers(rows)
    if any(answer.confidence in SURE for answer in answers):
        return "other"
    if answers:
        return "possible" if any(answer.place in site.right for answer in answers) else "other_possible"
    confidences = {row["confidence"] for row in rows}
    return next((each for each in ("external", "unresolved") if each in confidences), "unseen")
