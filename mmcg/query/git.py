"""What git knows about a tree, asked so that nothing in the repository can run.

Only commits, trees and blobs are read, by plumbing commands. The working tree is compared by the hashes of its bytes,
not by `git diff`: that would run the filters that a repository's configuration names, and would trust times and sizes.
No shell, no hooks, no pager, no lazy fetching; a revision is resolved to an object id first, so that no later command
sees text that could be read as an option.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from mmcg.errors import InputError, MastermindError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

SECONDS = 60
"""How long one git command may take."""

LARGEST = 20_000_000
"""Bytes; larger files hold no source."""

_SAFE = (
    "--no-pager",
    "--no-optional-locks",
    "-c", "core.fsmonitor=false",
    "-c", "core.hooksPath=/dev/null",
)  # fmt: skip


class GitError(MastermindError):
    """git is missing, or this is no repository."""

    code = "git"


@dataclass(frozen=True, slots=True)
class Change:
    """A changed file: its path then and now; None where it did not or does not exist."""

    before: str | None
    after: str | None
    blob: str = ""
    """The object id of its contents then."""


def commit_of(root: Path, revision: str) -> str:
    """The object id of the commit a revision names."""
    done = _run(root, ["rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}"])
    if done.returncode:
        inside = _run(root, ["rev-parse", "--is-inside-work-tree"])
        if inside.returncode:
            raise GitError(f"`{root}` is not in a git repository.", "`changed` compares with a commit of git.")
        raise InputError(f"`{revision}` names no commit.", "Give a commit, branch or tag, such as `HEAD~1` or `main`.")
    return done.stdout.decode().strip()


def changes_since(root: Path, commit: str, indexed: Iterable[str]) -> list[Change]:
    """The files that differ between a commit and the indexed files of a folder, committed or not."""
    then = _tree(root, commit)
    now = {path: each for path in indexed if (each := _blob_of(root / path, len(commit))) is not None}
    gone = {blob: path for path, blob in then.items() if path not in now and not os.path.lexists(root / path)}
    changes = []
    for path, blob in now.items():
        if path not in then:
            before = gone.pop(blob, None)
            changes.append(Change(before, path, blob if before else ""))
        elif then[path] != blob:
            changes.append(Change(path, path, then[path]))
    renamed = {each.before for each in changes}
    changes += [
        Change(path, None, blob)
        for path, blob in then.items()
        if path not in now and path not in renamed and not os.path.lexists(root / path)
    ]
    return sorted(changes, key=lambda each: each.after or each.before or "")


def write_blobs(root: Path, changes: Iterable[Change], folder: Path) -> None:
    """Write changed files as they were into an empty folder; paths that could lead out of it are left out."""
    wanted = [each for each in changes if each.before is not None and _plain(each.before)]
    if not wanted:
        return
    out = _must(root, ["cat-file", "--batch"], "".join(each.blob + "\n" for each in wanted).encode())
    at = 0
    for each in wanted:
        end = out.index(b"\n", at)
        head = out[at:end].split()
        if len(head) != 3:
            raise GitError(f"git has no contents for `{each.before}`.", "Fetch the whole history, and try again.")
        start, size = end + 1, int(head[2])
        target = folder / str(each.before)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(out[start : start + size])
        at = start + size + 1


def _tree(root: Path, commit: str) -> dict[str, str]:
    """The regular files of a commit below the folder, by path, with their contents' object ids."""
    found = {}
    for entry in _paths(_must(root, ["ls-tree", "-r", "-l", "-z", commit])):
        head, _, path = entry.partition("\t")
        mode, kind, blob, size = head.split()
        if kind == "blob" and mode != "120000" and int(size) <= LARGEST:
            found[path] = blob
    return found


def _blob_of(path: Path, digits: int) -> str | None:
    """The object id that git would give a file's bytes as they are on disk."""
    try:
        data = path.read_bytes()
    except OSError:
        return None
    head = b"blob %d\0" % len(data)
    if digits == 64:
        return hashlib.sha256(head + data).hexdigest()
    return hashlib.sha1(head + data, usedforsecurity=False).hexdigest()


def _plain(path: str) -> bool:
    parts = PurePosixPath(path).parts
    return bool(parts) and not path.startswith("/") and ".." not in parts and ".git" not in parts


def _paths(text: bytes) -> Iterator[str]:
    return (os.fsdecode(part) for part in text.split(b"\0") if part)


def _must(root: Path, arguments: list[str], given: bytes = b"") -> bytes:
    done = _run(root, arguments, given)
    if done.returncode:
        detail = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise GitError(f"git failed: {detail[-1] if detail else done.returncode}.", "Check `git status` in the folder.")
    return done.stdout


def _run(root: Path, arguments: list[str], given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    environment = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    environment |= {
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_OPTIONAL_LOCKS": "0",
        "LC_ALL": "C",
    }
    try:
        return subprocess.run(  # noqa: S603 (fixed options; revisions are resolved first)
            ["git", *_SAFE, *arguments],  # noqa: S607 (the user's own git)
            cwd=root,
            env=environment,
            input=given,
            capture_output=True,
            timeout=SECONDS,
            check=False,
        )
    except FileNotFoundError:
        raise GitError("`git` was not found.", "Install git, or put it on PATH.") from None
    except subprocess.TimeoutExpired:
        raise GitError(f"git took longer than {SECONDS} s.", "Try again, or narrow the question.") from None
