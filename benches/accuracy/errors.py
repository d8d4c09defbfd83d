"""The kinds of error: what is counted together, and what each kind means. The only place that says so."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from benches.accuracy.score import Score, Wrong
    from benches.accuracy.truth import Site

SAYINGS = {
    "unseen": "not taken for a call",
    "unresolved": "stored as `unresolved`",
    "external": "said to leave the project",
    "possible": "the right definition, but only as `possible`",
    "other_possible": "only `possible` definitions, the right one not among them",
    "other": "another definition",
}
"""What the index says of a site that it misses."""

RELATIONS = {
    "outside": "the call leaves the project",
    "unbuilt": "a definition in a file of which the judge says nothing: not built",
    "override": "an override that the judge does not list",
    "owner": "another definition of the same name",
    "name": "a definition of another name",
}
"""How a wrong answer differs from the judge's."""

FORMS = {
    "constructs": "a construction",
    "macro": "a call among a macro's arguments",
    "member": "a member of an object: `x.f()`, `x->f()`",
    "path": "a member of a type, a module or a namespace: `X::f()`",
    "name": "a bare name: `f()`",
}
"""How a call is written, told by the text before its name."""


Label = tuple[str, str]
"""A kind of error, and where one of it is."""


@dataclass(frozen=True)
class Kind:
    """Errors that are counted together."""

    text: str
    count: int
    example: str


def wrong_labels(project: str, score: Score) -> Iterator[Label]:
    """Each wrong answer with its kind: the rule that gave it and how it differs."""
    for error in score.wrong:
        yield f"`{error.answer.rule}`: {RELATIONS[relation(error, score.files)]}", _where(project, error.site)


def missed_labels(project: str, score: Score, form: Callable[[Site], str]) -> Iterator[Label]:
    """Each missed site with its kind: how it is written and what the index says."""
    for error in score.missed:
        yield f"{FORMS[form(error.site)]} — {SAYINGS[error.saying]}", _where(project, error.site)


def listed(score: Score) -> Iterator[str]:
    """Every error in a line, for who looks for causes."""
    for error in score.wrong:
        site, answer = error.site, error.answer
        told = f"{answer.confidence} {answer.rule} {answer.place[0]}:{answer.place[1]} {answer.name}"
        yield f"wrong  {site.file}:{site.line} {site.name}: {told}, not {_truth(site)}"
    for missed in score.missed:
        site = missed.site
        yield f"missed {site.file}:{site.line} {site.name}: {SAYINGS[missed.saying]}, not {_truth(site)}"


def kinds(labels: Iterable[Label]) -> list[Kind]:
    """The kinds, the most frequent first."""
    counts: Counter[str] = Counter()
    examples: dict[str, str] = {}
    for text, where in labels:
        counts[text] += 1
        examples.setdefault(text, where)
    frequent = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return [Kind(text, count, examples[text]) for text, count in frequent]


def relation(error: Wrong, built: set[str]) -> str:
    """One of `RELATIONS`; `built` are the files that the judge has seen."""
    if error.site.target is None:
        return "outside"
    if error.answer.place[0] not in built:
        return "unbuilt"
    if error.answer.rule == "override":
        return "override"
    return "owner" if _last(error.answer.name) == _last(error.site.target) else "name"


def form_in(source: Path) -> Callable[[Site], str]:
    """Tells one of `FORMS` for sites of the source below a folder."""
    texts: dict[str, list[bytes]] = {}

    def form(site: Site) -> str:
        if site.kind != "call":
            return "constructs"
        if site.in_macro:
            return "macro"
        if site.file not in texts:
            texts[site.file] = (source / site.file).read_bytes().split(b"\n")
        lines = texts[site.file]
        before = lines[site.line - 1][: site.column].rstrip()
        # A chain over several lines may end a line with its dot.
        before = before or (lines[site.line - 2].rstrip() if site.line > 1 else b"")
        if before.endswith((b".", b"->")):
            return "member"
        return "path" if before.endswith(b"::") else "name"

    return form


def _truth(site: Site) -> str:
    return " | ".join([site.target or "outside", *(f"{file}:{line}" for file, line in sorted(site.right))])


def _where(project: str, site: Site) -> str:
    return f"{project}: `{site.file}:{site.line}` `{site.name}`"


def _last(name: str) -> str:
    return name.rpartition(".")[2].rpartition("::")[2]
