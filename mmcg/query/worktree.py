"""Which files of a folder are not what they were in a commit, committed or not.

Files are compared by the hashes of their bytes: times and sizes are never trusted, and no filter of the repository's
configuration runs. Line ends that git itself would convert, and contents that Git LFS keeps elsewhere, are no change.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mmcg.query import git
from mmcg.settings import FOLDER

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from mmcg.query.git import Entry, Tree

ALIKE = 0.5
"""The share of lines that a renamed and edited file keeps."""

_PAIRS = 40_000
"""So many pairs of gone and new files are compared by their lines."""
_COMPARED = 1_000_000
"""Bytes; larger files are only renamed when they are the same."""

_POINTER = b"version https://git-lfs.github.com/spec/v1\n"


@dataclass(frozen=True, slots=True)
class Change:
    """A changed file: its path then and now; None where it did not or does not exist."""

    before: str | None
    after: str | None
    blob: str = ""
    """The object id of its contents then."""
    mode_only: bool = False
    """Whether its bytes are the same, and only its mode is another."""

    @property
    def path(self) -> str:
        """Where it is now, or was."""
        return self.after or self.before or ""

    @property
    def renamed(self) -> bool:
        """Whether it is somewhere else now."""
        return self.before is not None and self.after is not None and self.before != self.after

    def paths(self) -> tuple[str, ...]:
        """Both ends, without doubles."""
        return tuple(dict.fromkeys(path for path in (self.before, self.after) if path is not None))


@dataclass(frozen=True, slots=True)
class Comparison:
    """A commit's files and the folder's."""

    tree: Tree
    changes: tuple[Change, ...]
    """By path."""
    unreadable: tuple[str, ...]
    """Files that are there and cannot be compared."""
    foreign: tuple[str, ...]
    """Folders that are other repositories: their contents are not compared."""


def compare(root: Path, commit: str) -> Comparison:
    """Compare the folder as it is on disk with a commit. `.mastermind` and ignored files are left out."""
    tree = git.tree_of(root, commit)
    listed = git.present(root)
    foreign = sorted({path.rstrip("/") for path in listed if path.endswith("/")} | set(tree.submodules))
    inside = tuple(each + "/" for each in foreign)
    then = {path: entry for path, entry in tree.files.items() if not _ours(path)}
    # A file of the commit that git no longer tracks may be there all the same.
    wanted = sorted(
        path for path in {*listed, *then} if not _ours(path) and not path.startswith(inside) and path not in foreign
    )
    digits = len(commit)
    # One after the other: thousands of small files take several threads longer than one.
    states = {path: _state(root, path, digits) for path in wanted}
    unreadable = [path for path, state in states.items() if state == "unreadable"]
    now = {path: state for path, state in states.items() if isinstance(state, tuple)}
    modes = git.setting(root, "core.fileMode") != "false"
    different = {path for path, entry in then.items() if path in now and now[path][0] != entry.blob}
    same = _same_to_git(root, then, different)
    changes = [Change(path, path, then[path].blob) for path in sorted(different - same)]
    changes += [
        Change(path, path, entry.blob, mode_only=True)
        for path, entry in then.items()
        if path in now and path not in different and _mode_differs(entry.mode, now[path][1], modes)
    ]
    gone = {path: entry.blob for path, entry in then.items() if states.get(path) == "gone"}
    came = {path: state[0] for path, state in now.items() if path not in then}
    changes += _paired(root, gone, came, then)
    changes.sort(key=lambda each: each.path)
    return Comparison(tree, tuple(changes), tuple(unreadable), tuple(foreign))


def is_in(root: Path, tree: Tree, path: str) -> bool:
    """Whether a file of the folder has the contents that a commit has at its path."""
    entry = tree.files.get(path)
    state = _state(root, path, len(entry.blob)) if entry is not None else ""
    return entry is not None and isinstance(state, tuple) and state[0] == entry.blob


def _ours(path: str) -> bool:
    return path == FOLDER or path.startswith(FOLDER + "/") or f"/{FOLDER}/" in path


def _state(root: Path, path: str, digits: int) -> tuple[str, str] | str:
    """The object id and mode of a file as git would have them; else `gone` or `unreadable`."""
    name = f"{root}/{path}"
    try:
        status = os.lstat(name)
    except (FileNotFoundError, NotADirectoryError):
        return "gone"
    except OSError:
        return "unreadable"
    try:
        if stat.S_ISLNK(status.st_mode):
            return _object_id(os.fsencode(os.readlink(name)), digits), "120000"  # noqa: PTH115 (as bytes)
        if stat.S_ISDIR(status.st_mode):
            return "gone"
        if not stat.S_ISREG(status.st_mode):
            return "unreadable"
        with open(name, "rb") as file:  # noqa: PTH123 (thousands of files)
            data = file.read()
    except OSError:
        return "unreadable"
    return _object_id(data, digits), "100755" if status.st_mode & stat.S_IXUSR else "100644"


def _object_id(data: bytes, digits: int) -> str:
    """The object id that git would give these bytes."""
    head = b"blob %d\0" % len(data)
    digest = hashlib.sha256(head) if digits == 64 else hashlib.sha1(head, usedforsecurity=False)
    digest.update(data)
    return digest.hexdigest()


def _mode_differs(then: str, now: str, modes: bool) -> bool:
    if (then == "120000") != (now == "120000"):
        return True
    return modes and then != now


def _same_to_git(root: Path, then: dict[str, Entry], different: set[str]) -> set[str]:
    """The files whose bytes differ from the commit's only by what git converts when it checks them out."""
    candidates = [path for path in sorted(different) if not then[path].link]
    if not candidates:
        return set()
    said = git.attributes(root, candidates, "text", "eol", "filter")
    automatic = git.setting(root, "core.autocrlf") in ("true", "input")
    stored = {path: then[path].blob for path in candidates if said.get(path, {}).get("filter") == "lfs"}
    pointers = dict(git.blobs(root, ((blob, 200) for blob in set(stored.values()))))
    same = set()
    for path in candidates:
        attribute = said.get(path, {})
        if path in stored:
            if _is_pointed_to(root, path, pointers[stored[path]]):
                same.add(path)
            continue
        converts = attribute.get("text", "auto" if automatic else "unset") != "unset" or "eol" in attribute
        if converts and _without_returns(root, path, len(then[path].blob)) == then[path].blob:
            same.add(path)
    return same


def _is_pointed_to(root: Path, path: str, pointer: bytes) -> bool:
    if not pointer.startswith(_POINTER):
        return False
    try:
        data = (root / path).read_bytes()
    except OSError:
        return False
    return b"oid sha256:" + hashlib.sha256(data).hexdigest().encode() + b"\n" in pointer


def _without_returns(root: Path, path: str, digits: int) -> str:
    try:
        data = (root / path).read_bytes()
    except OSError:
        return ""
    return "" if b"\0" in data else _object_id(data.replace(b"\r\n", b"\n"), digits)


def _paired(root: Path, gone: dict[str, str], came: dict[str, str], then: dict[str, Entry]) -> list[Change]:
    """Gone and new files as renames, deletions and additions: the same bytes first, then most of the same lines."""
    pairs: list[tuple[str, str]] = []
    places: dict[str, list[str]] = defaultdict(list)
    for path in sorted(came):
        places[came[path]].append(path)
    left = []
    for path in sorted(gone):
        there = places.get(gone[path])
        if there and then[path].size:
            # The nearest name first: of two files with the same bytes each keeps its own.
            best = min(there, key=lambda other: (other.rpartition("/")[2] != path.rpartition("/")[2], other))
            there.remove(best)
            pairs.append((path, best))
        else:
            left.append(path)
    new = sorted(set(came) - {after for _, after in pairs})
    pairs += _alike(root, left, new, gone, then)
    before = {each for each, _ in pairs}
    after = {each for _, each in pairs}
    changes = [Change(one, other, gone[one]) for one, other in pairs]
    changes += [Change(path, None, gone[path]) for path in gone if path not in before]
    changes += [Change(None, path) for path in came if path not in after]
    return changes


def _alike(
    root: Path, gone: list[str], new: list[str], ids: dict[str, str], then: dict[str, Entry]
) -> list[tuple[str, str]]:
    gone = [path for path in gone if 0 < then[path].size <= _COMPARED and not then[path].link]
    if not gone or not new or len(gone) * len(new) > _PAIRS:
        return []
    texts = dict(git.blobs(root, [(ids[path], then[path].size) for path in gone]))
    old_lines = {path: Counter(_lines(texts[ids[path]])) for path in gone}
    new_lines = {path: Counter(_lines(data)) for path in new if (data := _small(root, path))}
    scored = []
    for one, mine in old_lines.items():
        for other, theirs in new_lines.items():
            if one.rpartition(".")[2] == other.rpartition(".")[2]:
                share = sum((mine & theirs).values()) / max(sum(mine.values()), sum(theirs.values()), 1)
                if share >= ALIKE:
                    scored.append((-share, one, other))
    pairs: list[tuple[str, str]] = []
    taken: set[str] = set()
    for _, one, other in sorted(scored):
        if one not in taken and other not in taken:
            pairs.append((one, other))
            taken |= {one, other}
    return pairs


def _lines(data: bytes) -> Iterable[bytes]:
    return (line for line in map(bytes.strip, data.splitlines()) if line)


def _small(root: Path, path: str) -> bytes | None:
    file = root / path
    try:
        if file.is_symlink() or file.stat().st_size > _COMPARED:
            return None
        return file.read_bytes()
    except OSError:
        return None
