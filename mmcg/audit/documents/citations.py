"""Citations in prose: `path/to/file:line`, and the name of a symbol that stands beside one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mmcg.audit.documents.markdown import Fence, Markdown, Prose
from mmcg.audit.files import clean

if TYPE_CHECKING:
    from collections.abc import Iterator

CITATION = re.compile(
    r"(?<![\w:/.@+~-])(?<![\w.@+~-]\\)"
    r"(?P<file>(?:[\w@+~.-]++[/\\])*+(?:[\w-]*+[@+~.])*+(?:(?![A-Za-z])[\w-])*+[A-Za-z][\w-]*+)"
    r":(?P<line>\d{1,7}+)(?:-(?P<end>\d{1,7}+))?+(?![\w:.]*\w)"
)
"""`file:line` or `file:line-line`. Nothing is tried twice, nor begun inside of a path: a word may be megabytes long."""

_BESIDE = re.compile(r"^[\s(]*(?:(?:is|are|was|stands|defined|called|in|at|on|from|see|line)\s+)*[\s(]*$")
_NEAR = 200
"""Characters that may stand between a symbol and its citation."""
_NAME = re.compile(r"(?=\W*+\w)[\w$#.:<>~-]*+(?<=[\w$])(?:\(\))?")


@dataclass(frozen=True, slots=True)
class Citation:
    """A place in the code that a text names."""

    file: str
    """A clean path; it need not exist."""
    begin: int
    end: int
    line: int
    """In the document."""
    name: str | None = None
    """The symbol that is named right beside it."""

    @property
    def text(self) -> str:
        """As it is written."""
        return f"{self.file}:{self.begin}" + (f"-{self.end}" if self.end != self.begin else "")


def citations(document: Markdown) -> Iterator[Citation]:
    """The citations of a document's prose."""
    for block in document.blocks:
        if not isinstance(block, Fence):
            yield from _citations(block)


def _citations(block: Prose) -> Iterator[Citation]:
    for at, (kind, text, line) in enumerate(block.parts):
        for fit in CITATION.finditer(text):
            if kind == "code" and fit.group() != text.strip():
                continue
            begin = int(fit["line"])
            end = int(fit["end"] or begin)
            yield Citation(clean(fit["file"]), begin, end, line, _name_beside(block, at, fit))


def _name_beside(block: Prose, at: int, fit: re.Match[str]) -> str | None:
    """The code span before a citation, with nothing but a word such as `at` or a bracket between."""
    kind, text, _ = block.parts[at]
    between = text[max(0, fit.start() - _NEAR - 1) : fit.start()] if kind == "text" else ""
    while at and len(between) <= _NEAR:
        at -= 1
        kind, part, _ = block.parts[at]
        if kind == "code":
            name = part.strip()
            fits = (
                len(name) <= _NEAR and _BESIDE.match(between) and _NAME.fullmatch(name) and not CITATION.fullmatch(name)
            )
            return name if fits else None
        between = part + between
    return None
