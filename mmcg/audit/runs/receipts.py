"""`receipts.json`: what the declared commands gave, bound to the contents of the tree that they ran on."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mmcg.audit import state
from mmcg.audit.files import read_bytes
from mmcg.errors import MastermindError
from mmcg.query.worktree import compare

if TYPE_CHECKING:
    from pathlib import Path

    from mmcg.audit.documents.spec import VerifyCommand
    from mmcg.audit.tasks import Task
    from mmcg.query.worktree import Comparison

VERSION = 1

LARGEST = 4_000_000
"""Bytes of a file of receipts."""

EXCERPT = 4_000
"""Characters of a command's output that a receipt keeps: its end."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """What one command gave."""

    id: str
    run: str
    """The command as the spec has it."""
    shell: bool
    tree: str
    """The digest of the tree that it ran on."""
    exit_code: int | None
    timed_out: bool
    problem: str
    seconds: float
    tests_run: int | None
    tests_failed: int
    tests_skipped: int
    runners: tuple[str, ...]
    output: str
    """Its end."""
    truncated: bool
    changed: tuple[str, ...] = ()
    """Files that it changed, made or deleted, without those that git ignores."""

    def is_of(self, command: VerifyCommand) -> bool:
        """Whether it is of this command, unchanged."""
        return (self.id, self.run, self.shell) == (command.id, command.text, command.shell)

    def to_json(self) -> dict[str, Any]:
        """The receipt as it is kept."""
        row = {name: getattr(self, name) for name in _FIELDS}
        return row | {"runners": list(self.runners), "changed": list(self.changed)}


_FIELDS = (
    "id", "run", "shell", "tree", "exit_code", "timed_out", "problem", "seconds", "tests_run", "tests_failed",
    "tests_skipped", "runners", "output", "truncated", "changed",
)  # fmt: skip


def digests(root: Path, files: Comparison) -> dict[str, str]:
    """By path: what each file that is not as in the baseline holds. Gone files have an empty digest."""
    found = {}
    for change in files.changes:
        for path in change.paths():
            try:
                data = (root / path).read_bytes() if path == change.after else None
            except OSError:
                data = None
            found[path] = hashlib.sha256(data).hexdigest() if data is not None else ""
    return found


def tree_of(commit: str, changed: dict[str, str]) -> str:
    """The digest of a tree: of its baseline, and of what is not as it was there."""
    lines = [f"{path}\0{digest}\0" for path, digest in sorted(changed.items())]
    return hashlib.sha256("".join([commit, "\0", *lines]).encode("utf-8", "surrogateescape")).hexdigest()


def current(root: Path, commit: str) -> dict[str, str]:
    """The digests of the tree as it is on disk."""
    return digests(root, compare(root, commit))


def read(task: Task) -> list[Receipt]:
    """The receipts of a task; none where the file is missing or of another form: a receipt must be sure."""
    try:
        rows = json.loads(read_bytes(task.receipts, LARGEST))
        if rows["version"] != VERSION:
            return []
        return [
            Receipt(**{**row, "runners": tuple(row["runners"]), "changed": tuple(row["changed"])})
            for row in rows["receipts"]
        ]
    except (MastermindError, OSError, ValueError, KeyError, TypeError):
        return []


def write(task: Task, receipts: list[Receipt]) -> None:
    """Keep receipts in place of all earlier ones."""
    rows = {"version": VERSION, "receipts": [each.to_json() for each in receipts]}
    state.replace_file(task.receipts, json.dumps(rows, indent=2, ensure_ascii=False) + "\n")
