"""What the judges say: call sites of real projects with the definitions they reach.

A file a project, `truth/<project>.jsonl.gz`, a line a call site; `README.md` describes the lines. `projects.toml` says what was
judged, by what, and what else is to be known about it.
"""

from __future__ import annotations

import gzip
import json
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

HERE = Path(__file__).parent
Place = tuple[str, int]
"""A definition's file and the line of its name."""

SCORED = frozenset({"call", "new", "ctor", "variant", "ctorcall", "new-anon", "tag"})
"""Kinds of sites that count. Others are macros, conversions, references to methods and calls of function values."""


@dataclass(frozen=True, slots=True)
class Site:
    """One call as the judge sees it."""

    file: str
    line: int
    column: int
    """Of the called name's token, from 0, in bytes."""
    name: str
    kind: str
    counts: bool
    """Whether it is scored: the judge knows its target, and that is written in the source."""
    target: str | None
    """The qualified name of the definition; `None` if it is outside the project."""
    right: frozenset[Place]
    """Every place that is a right answer."""
    virtual: bool
    in_macro: bool

    @property
    def internal(self) -> bool:
        """Whether the call stays in the project."""
        return self.target is not None


@dataclass(frozen=True)
class Project:
    """A project with a truth."""

    name: str
    corpus: str
    """The path of its source in `benches/corpora.toml`."""
    language: str
    licence: str
    judged: str
    """What of it was judged, and in which configuration."""
    quick: bool
    """Whether it is scored on every submission."""

    @property
    def path(self) -> Path:
        """The file of its truth."""
        return HERE / "truth" / f"{self.name}.jsonl.gz"


@dataclass(frozen=True)
class Language:
    """What is to be known about a language's truth."""

    name: str
    judge: str
    limits: str
    """What the judge leaves out."""
    beyond: str
    """What is out of reach without a build, and why."""


@cache
def _listed() -> dict[str, Any]:
    return tomllib.loads((HERE / "projects.toml").read_text(encoding="utf-8"))


def projects() -> list[Project]:
    """All projects, by name."""
    return [Project(name=name, **entry) for name, entry in sorted(_listed()["project"].items())]


def languages() -> dict[str, Language]:
    """All languages that are judged, by name."""
    return {name: Language(name=name, **entry) for name, entry in sorted(_listed()["language"].items())}


def read(path: Path) -> Iterator[Site]:
    """The sites of a truth file."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield site(json.loads(line))


def site(row: dict[str, Any]) -> Site:
    """A site from its line."""
    target, kind = row["target"], row.get("kind", "call")
    known = target is None or (isinstance(target, dict) and not target.get("generated"))
    virtual = bool(row.get("virtual"))
    declared = row.get("declared")
    places = [target] if isinstance(target, dict) else []
    places += row.get("alts", []) if target is not None else []
    places += row.get("overrides", []) if virtual else []
    places += [declared] if isinstance(declared, dict) else []
    return Site(
        file=row["file"],
        line=row["line"],
        column=row["col"],
        name=row["name"],
        kind=kind,
        counts=known and kind in SCORED,
        target=target["name"] if isinstance(target, dict) else target,
        right=frozenset((place["file"], place["line"]) for place in places),
        virtual=virtual,
        in_macro=bool(row.get("in_macro")),
    )


def differing(sites: Iterable[Site], root: Path) -> list[Site]:
    """Sites whose name does not stand at their place in the source: then other source was judged than what is there."""
    texts: dict[str, list[bytes]] = {}
    found = []
    for each in sites:
        if each.file not in texts:
            path = root / each.file
            texts[each.file] = path.read_bytes().split(b"\n") if path.is_file() else []
        lines = texts[each.file]
        text = lines[each.line - 1] if each.line <= len(lines) else b""
        if not text[each.column :].startswith(each.name.encode()):
            found.append(each)
    return found
