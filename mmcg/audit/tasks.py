"""The folders of tasks: `.mastermind/tasks/NNN-slug`, what lies in one, and how a new one is numbered and named."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from mmcg.audit.files import inside
from mmcg.errors import InputError
from mmcg.settings import FOLDER, Places

TASKS = f"{FOLDER}/tasks"
"""Where tasks are, from the root."""

LONGEST_SLUG = 40
"""Characters of a title that make the name of its folder."""

_NUMBER = re.compile(r"^(\d+)(?:-|$)")


@dataclass(frozen=True, slots=True)
class Task:
    """One task's folder."""

    root: Path
    """Of the repository: the folder that holds `.mastermind`."""
    folder: Path

    @property
    def id(self) -> str:
        """The folder's name, which is the spec's `id`."""
        return self.folder.name

    @property
    def spec(self) -> Path:
        """The contract."""
        return self.folder / "spec.md"

    @property
    def snapshot(self) -> Path:
        """What was there when the spec was approved."""
        return self.folder / "snapshot.json"

    @property
    def report(self) -> Path:
        """What the executor says was done."""
        return self.folder / "executor-report.md"

    @property
    def audit_markdown(self) -> Path:
        """The findings, for people."""
        return self.folder / "audit.md"

    @property
    def audit_json(self) -> Path:
        """The findings, for programs."""
        return self.folder / "audit.json"

    @property
    def state(self) -> Path:
        """Where the task stands."""
        return self.folder / "state.json"

    @property
    def receipts(self) -> Path:
        """What the declared commands gave when they were run."""
        return self.folder / "receipts.json"

    def place(self, file: Path) -> str:
        """A file of the task as findings name it: from the root."""
        try:
            return file.relative_to(self.root).as_posix()
        except ValueError:
            return file.as_posix()


def tasks_folder(root: Path) -> Path:
    """The folder of all tasks of a repository."""
    return root / FOLDER / "tasks"


def all_tasks(root: Path) -> list[Task]:
    """The tasks of a repository in order of their names. Names that begin with `_` or `.` are none, nor are links."""
    folder = tasks_folder(root)
    if not folder.is_dir() or folder.is_symlink():
        return []
    found = [
        Task(root, each)
        for each in folder.iterdir()
        if each.is_dir() and not each.is_symlink() and not each.name.startswith(("_", "."))
    ]
    return sorted(found, key=lambda task: (_number(task.id), task.id))


def find_task(root: Path, text: str) -> Task:
    """The task that a path, folder name, number or begin of a name means. Raises `InputError` for none or several."""
    named = _by_path(root, text)
    if named is not None:
        return named
    tasks = all_tasks(root)
    for fitting in (
        [task for task in tasks if task.id == text],
        [task for task in tasks if text.isdecimal() and _number(task.id) == int(text)],
        [task for task in tasks if text and (task.id.startswith(text) or task.id.partition("-")[2].startswith(text))],
    ):
        if len(fitting) == 1:
            return fitting[0]
        if fitting:
            several = ", ".join(f"`{task.id}`" for task in fitting)
            raise InputError(f"`{text}` may be several tasks: {several}.", "Give the whole name.")
    import difflib

    near = difflib.get_close_matches(text, [task.id for task in tasks], n=3)
    hint = "Did you mean " + " or ".join(f"`{each}`" for each in near) + "?" if near else ""
    raise InputError(f"There is no task `{text}` in `{root}`.", hint or "`mastermind status` lists the tasks.")


def _by_path(root: Path, text: str) -> Task | None:
    """The task whose folder, or a file of it, this path names, seen from here or from the root."""
    if not text:
        return None
    for base in (Path.cwd(), root):
        path = base / text
        try:
            folder = path if path.is_dir() else path.parent if path.is_file() else None
        except (OSError, ValueError):
            return None
        if folder is None:
            continue
        home = Path(os.path.normpath(folder.absolute()))
        if home.parent.name == "tasks" and home.parent.parent.name == FOLDER:
            if home.is_symlink() or not inside(home.parent.parent.parent, f"{TASKS}/{home.name}"):
                raise InputError(f"`{text}` is a link.", "Give the folder of the task itself.")
            return Task(home.parent.parent.parent, home)
    return None


def task_of_file(path: Path) -> Task | None:
    """The task in whose folder a file lies, by its path."""
    folder = Path(os.path.normpath(path.absolute())).parent
    if folder.parent.name == "tasks" and folder.parent.parent.name == FOLDER and not folder.is_symlink():
        return Task(folder.parent.parent.parent, folder)
    return None


def slug(title: str) -> str:
    """What a title becomes in the name of its folder."""
    short = title[:LONGEST_SLUG].lower()
    return re.sub(r"[^a-z0-9]+", "-", short).strip("-") or "task"


def new_task(root: Path, title: str) -> Task:
    """Make the folder of a new task; its number is the next one after all that are there."""
    from mmcg.store.publish import prepare_folder

    folder = tasks_folder(root)
    if not inside(root, TASKS):
        raise InputError(f"`{TASKS}` leads out of `{root}` through a link.", "Make it a folder of the repository.")
    prepare_folder(Places(root))
    folder.mkdir(exist_ok=True)
    number = max((_number(each.name) for each in folder.iterdir()), default=0)
    while True:
        number += 1
        path = folder / f"{number:03d}-{slug(title)}"
        try:
            path.mkdir()
        except FileExistsError:
            continue
        return Task(root, path)


def _number(name: str) -> int:
    fits = _NUMBER.match(name)
    return int(fits[1]) if fits and len(fits[1]) < 10 else 0
