"""The words inside an identifier."""

from __future__ import annotations

import re

_WORD = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+|[^\W\d_a-zA-Z]+")


def words(name: str) -> list[str]:
    """`getHTTPUser_by2` → `get`, `http`, `user`, `by`, `2`."""
    return [word.lower() for word in _WORD.findall(name)]
