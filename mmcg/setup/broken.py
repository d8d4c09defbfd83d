"""What is said of a configuration that cannot be understood."""

from __future__ import annotations


class BrokenError(ValueError):
    """A text that is not in its format: the line, from 1, and what is wrong there."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line
        self.message = message
