"""A server from start to end: which repository, what keeps its index current, and serving."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from mmcg.mcp.desk import Desk
from mmcg.mcp.memory import few_heaps
from mmcg.mcp.readers import Readers
from mmcg.mcp.upkeep import Upkeep
from mmcg.settings import FOLDER, Places, folder_given

if TYPE_CHECKING:
    from mmcg.mcp.stdio import Streams
    from mmcg.watch.keeper import Keeper

_WAIT = 2.0


def run(path: str | None, streams: Streams, *, watch: bool) -> None:
    """Serve the repository that `path` or the current folder is in, until the client goes away."""
    few_heaps()
    root, builds = repository(path)
    places = Places(root)
    keeper = _keeper(root) if watch and builds else None
    readers = Readers(places)
    upkeep = Upkeep(places, readers, builds=builds, watcher=keeper)
    # Beside the imports, which take longer than a small repository's index.
    upkeep.begin()
    from mmcg.mcp.server import serve

    try:
        asyncio.run(serve(Desk(places, readers, upkeep), streams))
    finally:
        until = time.monotonic() + _WAIT
        if keeper is not None:
            keeper.stop(_WAIT)
        upkeep.close(max(0.0, until - time.monotonic()))


def _home() -> Path | None:
    try:
        return Path(os.path.realpath(Path.home()))
    except RuntimeError:
        return None


def _keeper(root: Path) -> Keeper:
    from mmcg.watch.keeper import Keeper

    keeper = Keeper(root, on_notice=lambda text: print(text, file=sys.stderr, flush=True))  # noqa: T201
    keeper.start()
    return keeper


def repository(path: str | None) -> tuple[Path, bool]:
    """The root to answer about, by its real path, and whether an index may be made there.

    It is the nearest folder upwards that has an index; else the folder given; else the nearest upwards that is a
    repository of git. Where nothing says that this is a repository, no index is made: clients start servers anywhere,
    also in the home folder, which some keep in git.
    """
    start = Path(os.path.realpath(folder_given(path) if path is not None else Path.cwd()))
    for folder in (start, *start.parents):
        if (folder / FOLDER).is_dir():
            return folder, True
    if path is not None:
        return start, True
    for folder in (start, *start.parents):
        if (folder / ".git").exists():
            return folder, folder != _home()
    return start, False
