"""Noticing that the client is gone although the stream from it stays open.

A client that dies usually closes the stream. But another process may hold the other end, and a shell between the
client and the server may outlive the client. So the server also ends when its parent does, and, where the parent only
passes its own standard input on to us, when the parent's parent does, and so on up to the client itself.
"""

from __future__ import annotations

import asyncio
import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_SECONDS = 1.0
_MOST = 16


def watch_client(source: int, on_gone: Callable[[], object]) -> Callable[[], object]:
    """Call `on_gone` in the running loop when one of the processes that started us ends; gives what stops it.

    `source` is the descriptor on which the client speaks.
    """
    loop = asyncio.get_running_loop()
    handles: list[int] = []
    poll: asyncio.Task[None] | None = None
    parent = os.getppid()
    for pid in (parent, *_above(parent, source)):
        try:
            handle = os.pidfd_open(pid)
        except (AttributeError, OSError):
            continue
        loop.add_reader(handle, on_gone)
        handles.append(handle)
    if not handles or os.getppid() != parent:
        poll = loop.create_task(_poll(parent, on_gone))

    def stop() -> None:
        for handle in handles:
            loop.remove_reader(handle)
            os.close(handle)
        if poll is not None:
            poll.cancel()

    return stop


async def _poll(parent: int, on_gone: Callable[[], object]) -> None:
    """For systems that cannot tell us: an orphan gets another parent."""
    while os.getppid() == parent:
        await asyncio.sleep(_SECONDS)
    on_gone()


def _above(pid: int, source: int) -> Iterator[int]:
    """The parents of those processes that only pass their standard input on to us. None where `/proc` does not tell."""
    own = os.fstat(source)
    for _ in range(_MOST):
        try:
            theirs = Path(f"/proc/{pid}/fd/0").stat()
            if (theirs.st_dev, theirs.st_ino) != (own.st_dev, own.st_ino):
                return
            pid = _parent(pid)
        except (OSError, ValueError):
            return
        if pid <= 1:
            return
        yield pid


def _parent(pid: int) -> int:
    with suppress(StopIteration):
        # The name in brackets may hold anything, also brackets.
        return int(
            Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[1]
        )
    return 0
