"""`_lessons.md`: one line for each audit that did not hold, over all tasks of a repository."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmcg.audit.files import read_bytes
from mmcg.audit.state import now, replace_file
from mmcg.audit.tasks import tasks_folder

if TYPE_CHECKING:
    from pathlib import Path

    from mmcg.audit.tasks import Task

NAME = "_lessons.md"
LARGEST = 10_000_000

_HEAD = "# Lessons\n\nOne line for each audit that did not hold: date, task, verdict, root cause.\n\n"
_LONGEST = 300


def lessons(root: Path) -> list[dict[str, str]]:
    """What past audits taught, the newest first: `date`, `task`, `verdict` and `cause` of each."""
    path = tasks_folder(root) / NAME
    if not path.is_file() or path.is_symlink():
        return []
    found = []
    for line in read_bytes(path, LARGEST).decode("utf-8", "replace").splitlines():
        parts = line.removeprefix("- ").split(" | ", 3)
        if line.startswith("- ") and len(parts) == 4:
            found.append(dict(zip(("date", "task", "verdict", "cause"), parts, strict=True)))
    return found[::-1]


def add_lesson(task: Task, verdict: str, cause: str) -> bool:
    """Note what an audit taught; says whether it is new. The same task, verdict and cause are noted once."""
    path = tasks_folder(task.root) / NAME
    plain = "".join(each if each.isprintable() else " " for each in cause)
    short = " ".join(plain.replace("|", "/").split())[:_LONGEST]
    lesson = f"{task.id} | {verdict} | {short}"
    text = read_bytes(path, LARGEST).decode("utf-8", "replace") if path.exists() else _HEAD
    if any(line.partition(" | ")[2] == lesson for line in text.splitlines()):
        return False
    if not text.endswith("\n"):
        text += "\n"
    replace_file(path, f"{text}- {now()[:10]} | {lesson}\n")
    return True
