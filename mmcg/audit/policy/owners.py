r"""`CODEOWNERS`: who owns a file, by the rules of GitHub.

The file is looked for in `.github`, the root and `docs` of the repository, and the first one found counts. Each line
has a pattern and its owners; the last line that fits decides, and one without owners takes them away. Patterns are
those of `.gitignore`, but without `!`, `[…]` and `\#`, and `folder/*` means the files of that folder only.
Lines that do not keep to this are passed over, as GitHub does.
(https://docs.github.com/repositories/managing-your-repositorys-settings-and-features/customizing-your-repository/about-code-owners)
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mmcg.audit.files import reached, read_document

if TYPE_CHECKING:
    from pathlib import Path

PLACES = (".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS")

_OWNER = re.compile(r"@[A-Za-z0-9_][A-Za-z0-9_-]*(/[A-Za-z0-9_.-]+)?|[^@\s]+@[^@\s]+\.[^@\s]+")
_WORD = re.compile(r"(?:\\.|[^\s\\])+")


@dataclass(frozen=True, slots=True)
class Line:
    """A pattern and its owners."""

    number: int
    pattern: str
    owners: tuple[str, ...]
    parts: tuple[str, ...]
    """The names that it is made of."""


@dataclass(frozen=True, slots=True)
class Owners:
    """What a file of owners says."""

    path: str = ""
    """From the root of the repository; empty where there is none."""
    lines: tuple[Line, ...] = ()
    wrong: tuple[int, ...] = ()
    """Lines that were passed over."""

    def line_for(self, path: str) -> Line | None:
        """The line that decides about a path, from the root of the repository."""
        return next((each for each in reversed(self.lines) if _fits(each.parts, path.split("/"))), None)

    def of(self, path: str) -> tuple[str, ...]:
        """Who owns a path."""
        line = self.line_for(path)
        return () if line is None else line.owners


def read_owners(top: Path) -> Owners:
    """The owners of the repository at `top`. Raises `InputError` for a file that cannot be read as text."""
    for place in PLACES:
        if (top / place).exists() or (top / place).is_symlink():
            text, _ = read_document(top, top / place)
            return parse_owners(text, place)
    return Owners()


def parse_owners(text: str, path: str = PLACES[0]) -> Owners:
    """A text of owners, read."""
    lines, wrong = [], []
    for number, raw in enumerate(text.split("\n"), 1):
        words = _words(raw)
        if not words:
            continue
        pattern, *owners = words
        if pattern.startswith("!") or "[" in pattern or not all(_OWNER.fullmatch(each) for each in owners):
            wrong.append(number)
            continue
        lines.append(Line(number, pattern, tuple(owners), _parts(pattern)))
    return Owners(path, tuple(lines), tuple(wrong))


def _words(raw: str) -> list[str]:
    """The words of a line before its comment; a backslash takes a blank into a word."""
    words: list[str] = []
    for fit in _WORD.finditer(raw):
        if fit[0].startswith("#"):
            break
        words.append(fit[0])
    return words


def _parts(pattern: str) -> tuple[str, ...]:
    """The names of a pattern from the root on: `**` stands for any folders, and at the end for all that is below."""
    path = re.sub(r"\\(.)", r"\1", pattern)
    parts = [part for part in path.split("/") if part]
    if "/" not in path.rstrip("/"):
        parts.insert(0, "**")
    if path.endswith("/"):
        parts.append("**")
    return tuple(parts)


def _fits(parts: tuple[str, ...], names: list[str]) -> bool:
    """Whether names of folders and a file fit a pattern's parts."""
    places = reached(parts, names)
    # A folder is everything in it, unless only its own files are named.
    return len(names) in places or (bool(places) and not (parts[-1] == "*" and parts[0] != "**"))
