"""Where a name begins and ends, read from the file where that is still what was indexed."""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate

_WORD = r"[\w$#@]+"
_PATH = re.compile(rf"{_WORD}(?:\s*(?:::|\.|->|\\|/)\s*{_WORD})*")
_SEGMENT = re.compile(_WORD)


class Places:
    """The lines of a file; without a text, what names tell."""

    def __init__(self, text: str | None) -> None:
        self._lines = None if text is None else text.split("\n")
        self._starts: list[int] = []

    def token(self, line: int, column: int, name: str) -> list[int]:
        """`[line, start, end]`, from 0, of the token at a place (from 1) that says `name` or stands for it.

        A qualified name is indexed where it begins, and its token is the part that says the name. An alias says another
        name, and an operator none: the token is what stands there.
        """
        start = column - 1
        text = "" if self._lines is None or line > len(self._lines) else self._lines[line - 1]
        if self._lines is None or text.startswith(name, start):
            return [line - 1, start, start + len(name)]
        found = _PATH.match(text, start)
        if found is None:
            return [line - 1, start, min(start + 1, max(len(text), start))]
        parts = list(_SEGMENT.finditer(text, start, found.end()))
        part = next((each for each in reversed(parts) if each.group() == name), parts[0])
        return [line - 1, *part.span()]

    def extent(self, start: int, end: int) -> list[int]:
        """`[line, column, line, column]`, from 0, of bytes of the file's UTF-8 text; empty without a text."""
        if self._lines is None:
            return []
        if not self._starts:
            self._starts = [0, *accumulate(len(line.encode()) + 1 for line in self._lines)]
        return [*self._place(start), *self._place(end)]

    def _place(self, byte: int) -> tuple[int, int]:
        assert self._lines is not None  # noqa: S101
        line = min(bisect_right(self._starts, byte) - 1, len(self._lines) - 1)
        within = self._lines[line].encode()[: byte - self._starts[line]]
        return line, len(within.decode("utf-8", "replace"))
