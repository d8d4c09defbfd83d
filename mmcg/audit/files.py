r"""Paths as people write them, and files of a repository that may have been put there to do harm.

One path has one spelling here: from the root, with `/`, without `./` (so `src\a.py`, `./src/a.py` and `src/a.py` are
one). Nothing outside the root is read, no link is followed out of it, and neither pipes nor devices nor huge files are
opened.
"""

from __future__ import annotations

import os
import re
import stat
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING

from mmcg.errors import InputError
from mmcg.settings import FOLDER

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

LARGEST_DOCUMENT = 2_000_000
"""Bytes of a spec or report; larger ones are refused."""

LARGEST_SOURCE = 20_000_000
"""Bytes of a file in which an exact edit is looked for."""

_DRIVE = re.compile(r"^[A-Za-z]:")
_GLOB = re.compile(r"[*?\[]")


def clean(text: str) -> str:
    """The one spelling of a path; what is wrong with it stays in it, for `fault` to tell."""
    path = text.strip().replace("\\", "/")
    absolute = path.startswith("/")
    parts = [part for part in path.split("/") if part not in ("", ".")]
    return ("/" if absolute else "") + "/".join(parts)


def fault(path: str) -> str:
    """What makes a clean path unusable, from its text alone; empty when nothing does."""
    if not path:
        return "is empty"
    if any(not each.isprintable() and each != " " for each in path):
        return "holds control characters"
    if path.startswith("/"):
        return "is absolute"
    if _DRIVE.match(path):
        return "begins with a drive letter"
    parts = path.split("/")
    if ".." in parts:
        return "leads upwards with `..`"
    if parts[0] == FOLDER:
        return f"is in `{FOLDER}`, which no change is about"
    if parts[0] == ".git":
        return "is in git's own folder"
    return ""


def fault_on_disk(root: Path, path: str) -> str:
    """What makes a path without fault in its text unusable on the disk: a way out of the root, or no regular file."""
    if not inside(root, path):
        return "leads out of the repository through a link"
    try:
        mode = (root / path).stat().st_mode
    except OSError:
        return ""
    if stat.S_ISDIR(mode):
        return "is a directory"
    return "" if stat.S_ISREG(mode) else "is no regular file"


def inside(root: Path, path: str) -> bool:
    """Whether a path stays in the root when all links are followed."""
    real = os.path.realpath(root)
    try:
        target = os.path.realpath(f"{real}/{path}")
    except (OSError, ValueError):
        return False
    return target == real or target.startswith(real.rstrip(os.sep) + os.sep)


def exists(root: Path, path: str) -> bool:
    """Whether there is something of this name; a link whose target is gone is something."""
    try:
        return os.path.lexists(root / path)
    except ValueError:
        return False


def is_folder(path: str | Path) -> bool:
    """Whether a path that may be anything is one of a folder."""
    try:
        return Path(path).is_dir()
    except (OSError, ValueError):
        return False


def is_link(path: Path) -> bool:
    """Whether a path that may be anything is one of a link."""
    try:
        return path.is_symlink()
    except (OSError, ValueError):
        return False


def is_glob(path: str) -> bool:
    """Whether a path may stand for several."""
    return _GLOB.search(path) is not None


def reached(parts: Sequence[str], names: Sequence[str]) -> set[int]:
    """How many of a path's names the parts of a glob can take up, all parts used; by steps, since anyone writes globs.

    `**` alone is any folders, and at the end all that is below; in other parts it crosses folders, where `*`, `?` and
    `[…]` stay in one name.
    """
    places = {0}
    for at, part in enumerate(parts):
        if part == "**":
            least = min(places, default=len(names))
            # At the end it is what is below, which is something.
            places = {len(names)} - {least} if at == len(parts) - 1 else set(range(least, len(names) + 1))
            continue
        plain = _closed(part.replace("[^", "[!"))
        one = re.sub(r"\*\*+", "*", plain)
        after = {each + 1 for each in places if each < len(names) and fnmatchcase(names[each], one)}
        if "**" in plain:
            head, _, tail = plain.partition("**")
            begins = [each for each in places if each < len(names) and fnmatchcase(names[each], f"{head}*")]
            ends = range(min(begins) + 1, len(names)) if begins else ()
            tail = re.sub(r"\*\*+", "*", tail)
            after |= {each + 1 for each in ends if fnmatchcase(names[each], f"*{tail}")}
        places = after
    return places


def _closed(part: str) -> str:
    """A part of a glob with each `[` that no `]` closes as a class of itself.

    It means the same, but `fnmatch` looks for the end of each such `[` through all that follows.
    """
    last, at, found = part.rfind("]"), 0, []
    while (begin := part.find("[", at)) >= 0:
        found.append(part[at:begin])
        # As `fnmatch` has it: a `]` that comes first is a member.
        first = begin + 1 + part.startswith("!", begin + 1)
        end = part.find("]", first + part.startswith("]", first)) if begin < last else -1
        found.append("[[]" if end < 0 else part[begin : end + 1])
        at = begin + 1 if end < 0 else end + 1
    return "".join(found) + part[at:]


def fits(declared: str, path: str) -> bool:
    """Whether a declared path or glob means this path. A name that is literally so is always meant."""
    if declared == path:
        return True
    names = path.split("/")
    return is_glob(declared) and len(names) in reached(declared.split("/"), names)


def matches(root: Path, declared: str) -> list[str]:
    """The files on the disk that a declared path or glob means, in order."""
    if exists(root, declared):
        return [declared]
    if not is_glob(declared):
        return []
    head = declared[: _GLOB.search(declared).start()].rpartition("/")[0]  # type: ignore[union-attr]
    return sorted(path for path in _walk(root, head) if fits(declared, path))


def _walk(root: Path, head: str) -> Iterator[str]:
    """All files below a folder of the root, without following links and without git's and our own folder."""
    if not inside(root, head):
        return
    for folder, folders, names in os.walk(root / head):
        folders[:] = [each for each in folders if each not in (".git", FOLDER)]
        base = Path(folder).relative_to(root).as_posix()
        for name in names:
            yield name if base == "." else f"{base}/{name}"


def read_bytes(path: Path, most: int) -> bytes:
    """A regular file's bytes. Raises `InputError` for anything else, and for more than `most` bytes."""
    try:
        # Without waiting: opening a pipe would block until somebody writes to it.
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except FileNotFoundError:
        raise InputError(f"`{path}` does not exist.", "Check the path.") from None
    except (OSError, ValueError) as error:
        raise InputError(f"`{path}` cannot be read: {getattr(error, 'strerror', None) or error}.", "") from None
    try:
        mode = os.fstat(handle)
        if not stat.S_ISREG(mode.st_mode):
            what = "a directory" if stat.S_ISDIR(mode.st_mode) else "no regular file"
            raise InputError(f"`{path}` is {what}.", "Only files are read.")
        if mode.st_size > most:
            raise InputError(
                f"`{path}` has {mode.st_size:,} bytes; more than {most:,} are not read.", "Make it shorter."
            )
        with os.fdopen(handle, "rb", closefd=False) as file:
            data = file.read(most + 1)
    finally:
        os.close(handle)
    if len(data) > most:
        raise InputError(f"`{path}` has more than {most:,} bytes, which are not read.", "Make it shorter.")
    return data


def read_document(root: Path, path: Path) -> tuple[str, bytes]:
    r"""The text and the bytes of a spec or report: UTF-8, lines ended by `\n`.

    Raises `InputError` for a file outside the root, a link, a pipe, a huge file, or another encoding.
    """
    if is_link(path):
        raise InputError(f"`{path}` is a link.", "Put the document itself there: links are not followed.")
    if not inside(root, os.path.relpath(path, root)):
        raise InputError(f"`{path}` is outside of `{root}`.", "Give a document of this repository.")
    data = read_bytes(path, LARGEST_DOCUMENT)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(f"`{path}` is not UTF-8: line {line} cannot be read.", "Save it as UTF-8.") from None
    if "\0" in text:
        raise InputError(f"`{path}` holds NUL characters: it is no text.", "Save it as UTF-8.")
    return text.replace("\r\n", "\n").replace("\r", "\n"), data


def siblings(root: Path, path: str) -> list[str]:
    """The files of the folder in which a path would be; none if that is not there."""
    folder = path.rpartition("/")[0]
    if not inside(root, folder):
        return []
    try:
        with os.scandir(root / folder) as entries:
            names = sorted(each.name for each in entries if each.is_file(follow_symlinks=False))
    except OSError:
        return []
    return [f"{folder}/{name}" if folder else name for name in names]
