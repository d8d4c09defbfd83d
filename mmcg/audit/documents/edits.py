"""Exact edits of a spec: `FIND:` / `CHANGE TO:` pairs of code blocks under a line that names the file."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mmcg.audit.documents.markdown import Fence, Prose
from mmcg.audit.files import clean

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mmcg.audit.documents.markdown import Markdown

_FILE = re.compile(r"^File:?\s*:?\s*(?P<rest>.*)$", re.IGNORECASE)
_FIND = re.compile(r"^FIND\s*:$")
_CHANGE = re.compile(r"^CHANGE\s+TO\s*:$")


@dataclass(frozen=True, slots=True)
class Edit:
    """One text to be found in a file, and what is to stand there."""

    file: str
    """Empty when no file was named before it."""
    find: str
    """Without the line end that closes the code block."""
    change_to: str | None
    """None when no second block follows."""
    line: int


def read_edits(document: Markdown) -> Iterator[Edit]:
    """The edits of a document, in order."""
    file = ""
    find: tuple[str, int] | None = None
    wanted = ""
    for block in document.blocks:
        if isinstance(block, Fence):
            text = block.text.removesuffix("\n")
            if wanted == "find":
                find = (text, block.line)
            elif wanted == "change" and find is not None:
                yield Edit(file, find[0], text, find[1])
                find = None
            wanted = ""
            continue
        for line, code in _lines(block):
            named = _FILE.match(line)
            marker = "find" if _FIND.match(line) else "change" if _CHANGE.match(line) else ""
            if (named or marker == "find") and find is not None:
                yield Edit(file, find[0], None, find[1])
                find = None
            if named and (code or named["rest"]):
                file = clean(code or named["rest"])
            wanted = marker
    if find is not None:
        yield Edit(file, find[0], None, find[1])


def _lines(block: Prose) -> Iterator[tuple[str, str]]:
    """The lines of a paragraph without markup, each with its first code span."""
    place, text, code = 0, "", ""
    for kind, part, line in block.parts:
        if line != place and place:
            yield text.strip(), code
            text = code = ""
        place = line
        text += part
        if kind == "code" and not code:
            code = part
    yield text.strip(), code
