"""The task or document that a command is about."""

from __future__ import annotations

import os
from pathlib import Path

from mmcg.audit.files import is_folder
from mmcg.audit.tasks import Task, find_task
from mmcg.errors import InputError, NoIndexError
from mmcg.settings import FOLDER, find_root, folder_given


def root_of(root: str | None) -> Path:
    """The repository's root: the folder that holds `.mastermind`."""
    try:
        return find_root(root)
    except NoIndexError:
        raise InputError(
            f"Neither `{Path.cwd()}` nor a folder above it holds `{FOLDER}`.",
            "Run `mastermind index` in the root of the repository first, or name it by `--root`.",
        ) from None


def root_for_new(root: str | None) -> Path:
    """The root of a repository that may have no index folder yet: then the folder that git's lies in, or this one."""
    if root is not None:
        return find_root(root)
    here = Path.cwd()
    for marker in (FOLDER, ".git"):
        for folder in (here, *here.parents):
            if (folder / marker).exists():
                return folder_given(folder)
    return folder_given(here)


def task_of(root: str | None, text: str) -> Task:
    """The task that was named: by its folder, its name, its number, or the begin of its name."""
    return find_task(root_of(root), text)


def document_of(root: str | None, text: str, name: str) -> tuple[Path, Path]:
    """The root, and the document that was named: a file itself, or the one of that name in a task's folder."""
    home = root_of(root)
    if text and not is_folder(text) and (os.path.lexists(text) or text.endswith(".md")):
        return home, Path(os.path.normpath(Path(text).absolute()))
    task = find_task(home, text)
    return task.root, task.folder / name
