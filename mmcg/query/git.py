"""What git knows about a tree, asked so that nothing in the repository can run.

Only commits, trees and blobs are read, by plumbing commands. The working tree is compared by the hashes of its bytes,
not by `git diff`: that would run the filters that a repository's configuration names, and would trust times and sizes.
No shell, no hooks, no pager, no lazy fetching; a revision is resolved to an object id first, so that no later command
sees text that could be read as an option.
"""

from __future__ import annotations

import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from mmcg.errors import InputError, MastermindError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

SECONDS = 60
"""How long one git command may take."""

LARGEST = 20_000_000
"""Bytes; larger files hold no source."""

PART = 64_000_000
"""Bytes of contents that are read at once."""

_SAFE = (
    "--no-pager",
    "--no-optional-locks",
    "-c", "core.fsmonitor=false",
    "-c", "core.hooksPath=/dev/null",
)  # fmt: skip


class GitError(MastermindError):
    """git is missing, or this is no repository."""

    code = "git"


class MissingObjectError(GitError):
    """git does not have what a commit is made of: the history was cut off, or rewritten."""

    code = "missing_history"


@dataclass(frozen=True, slots=True)
class Entry:
    """A file of a commit."""

    blob: str
    """The object id of its contents; for a link, of the path it leads to."""
    mode: str
    """`100644`, `100755` or `120000`."""
    size: int
    """Bytes."""

    @property
    def link(self) -> bool:
        """Whether it is a symbolic link."""
        return self.mode == "120000"


@dataclass(frozen=True, slots=True)
class Tree:
    """What a commit holds below a folder; paths from that folder, with `/`."""

    id: str
    """The object id of the folder's tree; empty where the commit has no such folder."""
    files: dict[str, Entry]
    submodules: tuple[str, ...]
    """Paths of other repositories; what is in them is not part of the commit."""


def commit_of(root: Path, revision: str) -> str:
    """The object id of the commit a revision names."""
    done = _run(root, ["rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}"])
    if done.returncode:
        inside = _run(root, ["rev-parse", "--is-inside-work-tree"])
        if inside.returncode:
            raise GitError(f"`{root}` is not in a git repository.", "`changed` compares with a commit of git.")
        raise InputError(f"`{revision}` names no commit.", "Give a commit, branch or tag, such as `HEAD~1` or `main`.")
    return done.stdout.decode().strip()


def known_commit(root: Path, commit: str) -> str:
    """The object id of a commit that was written down earlier; `MissingObjectError` when it is no longer there."""
    try:
        return commit_of(root, commit)
    except InputError:
        raise MissingObjectError(
            f"The commit `{commit}` is not in this repository any more.",
            f"Fetch it (`git fetch origin {commit}`, or `git fetch --unshallow` in a shallow clone), and try again.",
        ) from None


def merge_base(root: Path, revision: str) -> str:
    """The object id of the commit from which the history of HEAD and that of a revision part.

    It is that of the revision where they share nothing. Raises `MissingObjectError` where a clone lacks what would
    tell, and `InputError` for what names no commit.
    """
    if revision and not revision.strip("0"):
        raise InputError(
            f"`{revision}` names no commit: it stands for the one before a new branch.",
            "Name the branch that it came from, such as `origin/main`.",
        )
    try:
        commit = commit_of(root, revision)
    except InputError:
        remotes = _must(root, ["remote"]).decode("utf-8", "replace").split()
        remote, _, branch = revision.partition("/")
        fetched = remote in remotes and branch
        if not (fetched or _cut_off(root) or re.fullmatch(r"[0-9a-f]{40}([0-9a-f]{24})?", revision)):
            raise
        get = f"git fetch {remote} {branch}" if fetched else f"git fetch origin {revision}"
        raise MissingObjectError(
            f"The commit `{revision}` is not in this clone.",
            f"Fetch it (`{get}`, or `git fetch --unshallow` in a shallow clone; `fetch-depth: 0` of actions/checkout).",
        ) from None
    found = _run(root, ["merge-base", commit, "HEAD"])
    if not found.returncode:
        return found.stdout.decode().split()[0]
    if _cut_off(root):
        raise MissingObjectError(
            f"The clone is shallow, and does not reach back to where HEAD and `{revision}` part.",
            "Fetch the whole history (`git fetch --unshallow`; `fetch-depth: 0` of actions/checkout).",
        )
    return commit


def _cut_off(root: Path) -> bool:
    return _run(root, ["rev-parse", "--is-shallow-repository"]).stdout.strip() == b"true"


def tree_of(root: Path, commit: str) -> Tree:
    """The files of a commit below a folder."""
    found = _run(root, ["rev-parse", "--verify", "--quiet", "--end-of-options", f"{commit}:{prefix(root)}"])
    files: dict[str, Entry] = {}
    submodules = []
    if found.returncode:
        # A folder that came after the commit; a tree that is missing fails in `ls-tree`, with its message.
        return Tree("", files, ())
    listed = _run(root, ["ls-tree", "-r", "-l", "-z", commit])
    # Where contents are missing their sizes are not known either.
    out = _must(root, ["ls-tree", "-r", "-z", commit]) if listed.returncode else listed.stdout
    for entry in _paths(out):
        head, _, path = entry.partition("\t")
        mode, kind, blob, *size = head.split()
        if kind == "commit":
            submodules.append(path)
        elif kind == "blob":
            files[path] = Entry(blob, mode, int(size[0]) if size and size[0].isdigit() else 0)
    return Tree(found.stdout.decode().strip(), files, tuple(submodules))


def blobs(root: Path, wanted: Iterable[tuple[str, int]]) -> Iterator[tuple[str, bytes]]:
    """The contents of objects, given by id and size, in their order; never many of them in memory at once."""
    part: list[str] = []
    weight = 0
    for blob, size in wanted:
        part.append(blob)
        weight += size
        if weight > PART:
            yield from _read_blobs(root, part)
            part, weight = [], 0
    if part:
        yield from _read_blobs(root, part)


def _read_blobs(root: Path, wanted: list[str]) -> Iterator[tuple[str, bytes]]:
    out = _must(root, ["cat-file", "--batch"], "".join(blob + "\n" for blob in wanted).encode())
    at = 0
    for blob in wanted:
        end = out.index(b"\n", at)
        head = out[at:end].split()
        if len(head) != 3:
            raise MissingObjectError(
                f"git has no contents for the object `{blob}`: the clone is not whole.",
                "Fetch the whole history (`git fetch --unshallow`, or `git fetch --refetch` in a partial clone).",
            )
        start, size = end + 1, int(head[2])
        yield blob, out[start : start + size]
        at = start + size + 1


def present(root: Path) -> list[str]:
    """The files of the working tree that are tracked, or neither tracked nor ignored; some may be gone from disk.

    Folders of other repositories end with `/`.
    """
    listed = _must(root, ["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
    return sorted(set(_paths(listed)))


def setting(root: Path, name: str) -> str:
    """The value of a setting; empty where there is none."""
    return _run(root, ["config", "--get", name]).stdout.decode("utf-8", "replace").strip()


def attributes(root: Path, paths: Iterable[str], *names: str) -> dict[str, dict[str, str]]:
    """For each path what `.gitattributes` says of some attributes; those that are not specified are left out."""
    given = b"".join(os.fsencode(path) + b"\0" for path in paths)
    if not given:
        return {}
    found: dict[str, dict[str, str]] = {}
    fields = list(_paths(_must(root, ["check-attr", "-z", "--stdin", *names], given)))
    for path, name, value in zip(fields[::3], fields[1::3], fields[2::3], strict=True):
        if value != "unspecified":
            found.setdefault(path, {})[name] = value
    return found


def prefix(root: Path) -> str:
    """The path of a folder from the root of its repository, with `/` at its end; empty for that root."""
    return os.fsdecode(_must(root, ["rev-parse", "--show-prefix"])).rstrip("\n")


def top(root: Path) -> Path:
    """The root of the repository's working tree."""
    return Path(os.fsdecode(_must(root, ["rev-parse", "--show-toplevel"])).rstrip("\n"))


def own_path(root: Path, name: str) -> Path:
    """The place of a file of git's own, such as `info/exclude`, in worktrees too."""
    return root / os.fsdecode(_must(root, ["rev-parse", "--git-path", name])).rstrip("\n")


def contents_at(root: Path, commit: str, path: str) -> bytes | None:
    """The contents of a file of a commit, by its path from the repository's root; None when there is none."""
    done = _run(root, ["cat-file", "blob", f"{commit}:{path}"])
    return None if done.returncode else done.stdout


def changed_outside(root: Path, commit: str) -> list[str]:
    """Paths of the repository outside of the folder that differ from a commit, from the repository's root.

    Only told, never judged: by git's own comparison of names, in which no filter runs.
    """
    below = prefix(root)
    if not below:
        return []
    whole = top(root)
    listed = _run(whole, ["diff-tree", "-r", "-z", "--name-only", "--no-renames", commit, "HEAD"])
    dirty = _run(whole, ["diff-files", "-z", "--name-only"])
    new = _run(whole, ["ls-files", "-z", "--others", "--exclude-standard"])
    found = {path for each in (listed, dirty, new) if not each.returncode for path in _paths(each.stdout)}
    return sorted(path for path in found if not path.startswith(below))


def has_word(root: Path, commit: str, word: str) -> bool:
    """Whether a word stands in a text file of a commit, below the folder."""
    done = _run(root, ["grep", "-q", "-I", "-w", "-F", "-e", word, commit, "--", "."])
    return done.returncode == 0


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
