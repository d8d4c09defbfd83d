"""From the many ways to write a path to the one under which the index knows it."""

from __future__ import annotations

import os
import posixpath
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mmcg.query.context import Context

_DRIVE = re.compile(r"^[A-Za-z]:/")
# `/home/ci/x.py`, `C:\\x.py`, `~/x.py`, `$HOME/x.py`, `<ROOT>/x.py`.
_FOREIGN = re.compile(r"^(/|[A-Za-z]:[/\\]|[~$<])")


def spellings(context: Context, text: str) -> list[str]:
    """What a path as given may be called in the index, likeliest first. Pure text: the file need not exist."""
    found: list[str] = []
    for written in (text, text.replace("\\", "/")):
        for path in _relative(context, written):
            clean = posixpath.normpath(path) if path else ""
            while clean.startswith("../"):
                clean = clean[3:]
            if clean in ("", ".", "..", "/"):
                clean = ""
            if clean not in found:
                found.append(clean)
    return found


def file_named(context: Context, text: str) -> str | None:
    """The file with exactly this path."""
    known = context.files()
    return next((path for path in spellings(context, text) if path in known), None)


def file_elsewhere(context: Context, text: str) -> str | None:
    """The file that a path of another checkout or a container names: one that starts at some other root.

    Its leading folders are dropped until the rest is a whole path of the index. A rest without a folder must be the
    only file of that name. A relative path never qualifies: it says where from here a file is, and there is none.
    """
    if not _FOREIGN.match(text):
        return None
    known = context.files()
    for path in spellings(context, text):
        parts = path.split("/")
        for start in range(1, len(parts)):
            rest = "/".join(parts[start:])
            if rest in known and (start < len(parts) - 1 or not any(each.endswith("/" + rest) for each in known)):
                context.remark(f"`{text}` is taken for `{rest}`: the index has no file at the path as given.")
                return rest
    return None


def files_ending(context: Context, text: str) -> list[str]:
    """All files whose path ends in this one."""
    known = context.files()
    ends = tuple("/" + path for path in spellings(context, text) if path)
    return [each for each in known if each.endswith(ends)] if ends else []


def files_under(context: Context, text: str) -> list[str]:
    """All files in the folder of this path; the root's for `.`. A folder may be named by the end of its path."""
    known = context.files()
    for folder in spellings(context, text):
        if not folder:
            return list(known)
        inside = [each for each in known if each.startswith(folder + "/")]
        if inside:
            return inside
        marker = f"/{folder}/"
        heads = {each[: each.index(marker) + len(marker)] for each in known if marker in each}
        if len(heads) == 1:
            head = heads.pop()
            return [each for each in known if each.startswith(head)]
    return []


def _relative(context: Context, path: str) -> list[str]:
    """The path from the root; roots are recognised as given and as they really are."""
    if not (path.startswith("/") or _DRIVE.match(path)):
        return [path]
    folder, name = os.path.split(path)
    roots = {os.fspath(context.root), os.path.realpath(context.root)}
    for candidate in (path, f"{os.path.realpath(folder)}/{name}"):
        clean = os.path.normpath(candidate).replace("\\", "/")
        for root in sorted(roots):
            base = root.replace("\\", "/").rstrip("/")
            if clean == base:
                return [""]
            if clean.startswith(base + "/"):
                return [clean[len(base) + 1 :]]
    return [path.lstrip("/")]
