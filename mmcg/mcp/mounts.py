"""Whether a system surely tells of every change of a tree: where nobody else can write to its file systems."""

from __future__ import annotations

import os
from pathlib import Path

_OWN = frozenset({"bcachefs", "btrfs", "ext2", "ext3", "ext4", "f2fs", "overlay", "tmpfs", "xfs", "zfs"})
"""Kinds of file systems of Linux that only this system writes to. Those of networks and virtual machines are none."""
_TABLE = Path("/proc/self/mountinfo")


def only_ours(root: Path, table: Path = _TABLE) -> bool:
    """Whether all file systems at and below a folder are written to by this system alone; no if that is not known."""
    try:
        lines = table.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
        own = os.path.realpath(root)
        kinds: dict[str, str] = {}
        for line in lines:
            before, _, after = line.partition(" - ")
            # A later mount at the same place hides an earlier one.
            kinds[_unescaped(before.split()[4])] = after.split()[0]
    except (OSError, IndexError):
        return False
    above = [point for point in kinds if _inside(own, point)]
    below = [point for point in kinds if _inside(point, own)]
    return bool(above) and all(kinds[point] in _OWN for point in (max(above, key=len), *below))


def _inside(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def _unescaped(text: str) -> str:
    """A path as the table writes it: blanks and backslashes in octal."""
    for code in ("\\040", "\\011", "\\012", "\\134"):
        text = text.replace(code, chr(int(code[1:], 8)))
    return text
