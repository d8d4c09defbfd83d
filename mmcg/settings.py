"""Where things are, and the numbers a user or a test may want to change."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from mmcg.errors import InputError, NoIndexError

FOLDER = ".mastermind"
"""The folder in a repository's root that holds everything of ours."""

LOCK_WAIT_SECONDS = 60.0
"""How long a second writer waits for its turn."""

REFRESH_SECONDS = 2.0
"""A stale index is refreshed before a query when its last run was no slower than this."""


@dataclass(frozen=True, slots=True)
class Places:
    """The files of one repository's index."""

    root: Path
    published: str = "mmcg.db"
    """The index's file in the folder; another one for the graph of a commit."""

    @property
    def folder(self) -> Path:
        """The folder that holds the index, caches and tasks."""
        return self.root / FOLDER

    @property
    def database(self) -> Path:
        """The published index."""
        return self.folder / self.published

    @property
    def lock(self) -> Path:
        """The file a writer locks; beside it, `mmcg.lock.json` says who and since when."""
        return self.folder / "mmcg.lock"

    @property
    def cache(self) -> Path:
        """What may be deleted at any time: facts of files by content hash."""
        return self.folder / "cache"


def debugging() -> bool:
    """Whether tracebacks of unexpected faults are wanted (`MASTERMIND_DEBUG=1`)."""
    return os.environ.get("MASTERMIND_DEBUG", "") not in ("", "0")


def seconds_from_environment(name: str, default: float) -> float:
    """A number of seconds that a user may set in the environment."""
    text = os.environ.get(name, "")
    if not text:
        return default
    try:
        return float(text)
    except ValueError:
        raise InputError(f"`{name}` is `{text}`, which is no number.", "Give it in seconds, such as `30`.") from None


def lock_wait_seconds() -> float:
    """How long to wait for another writer (`MASTERMIND_LOCK_WAIT`)."""
    return seconds_from_environment("MASTERMIND_LOCK_WAIT", LOCK_WAIT_SECONDS)


def refresh_seconds() -> float:
    """The budget of a refresh before a query (`MASTERMIND_REFRESH`; 0 turns it off)."""
    return seconds_from_environment("MASTERMIND_REFRESH", REFRESH_SECONDS)


def find_root(start: str | os.PathLike[str] | None = None) -> Path:
    """The folder to answer about: `start` itself if given, else the nearest one upwards that holds an index folder."""
    if start is not None:
        return folder_given(start)
    here = Path.cwd()
    for folder in (here, *here.parents):
        if (folder / FOLDER).is_dir():
            return _named(folder)
    raise NoIndexError(
        f"There is no index: neither `{here}` nor a folder above it holds `{FOLDER}`.",
        "Run `mastermind index` in the root of the repository first.",
    )


def project_root(start: str | os.PathLike[str] | None = None) -> Path:
    """The folder of a project: `start` itself if given, else the nearest upwards that is indexed or a repository.

    Where there is none, it is the current folder.
    """
    if start is not None:
        return folder_given(start)
    here = Path.cwd()
    found = (folder for folder in (here, *here.parents) if any((folder / each).exists() for each in (FOLDER, ".git")))
    return next(found, here)


def folder_given(path: str | os.PathLike[str]) -> Path:
    """An existing folder named by the user, as an absolute path."""
    if not os.fspath(path):
        raise InputError("The path is empty.", "Give the folder of a repository, such as `.`.")
    folder = Path(path).absolute()
    if not folder.exists():
        raise InputError(f"`{path}` does not exist.", "Give the folder of a repository.")
    if not folder.is_dir():
        raise InputError(f"`{path}` is no folder.", "Give the folder of a repository, not a file in it.")
    return _named(Path(os.path.normpath(folder)))


def _named(folder: Path) -> Path:
    """The same folder, if the database can be told its name."""
    name = os.fsencode(folder).decode("utf-8", "replace")
    if name != str(folder):
        raise InputError(f"The path `{name}` is not UTF-8.", "Rename the folder, or give a link to it.")
    return folder
