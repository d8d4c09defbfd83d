"""Text from a repository on a terminal: made safe to print, and how wide it is."""

from __future__ import annotations

import unicodedata

from mmcg.query.safe import safe, safe_block

__all__ = ["safe", "safe_block", "width"]


def width(text: str) -> int:
    """The columns that a text takes on a terminal."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(each) else 2 if unicodedata.east_asian_width(each) in "WF" else 1 for each in text
    )
