"""Noticing that the client is gone although the stream from it stays open.

A client that dies usually closes the stream. But another process may hold the other end, and a shell between the
client and the server may outlive the client. So the server also ends when its parent does, and, where the parent only
passes its own standard input on to us, when the parent's parent does, and so on up to the client itself.
"""

from __future__ import annotations

import os
import stat
import threading
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable, Iterator

_SECONDS = 1.0
_MOST = 16


@dataclass(frozen=True, slots=True)
class Client:
    """The processes that started us, as they were when we began."""

    parent: int
    handles: tuple[int, ...]
    """Descriptors that become readable when one of the processes ends; none where the system has no such thing."""


def client_on(source: int) -> Client:
    """Who started us and speaks on the descriptor `source`. To be called early: whoever dies before is not noticed."""
    parent = os.getppid()
    handles: list[int] = []
    for pid in (parent, *_above(parent, source)):
        with suppress(AttributeError, OSError):
            handles.append(os.pidfd_open(pid))
    return Client(parent, tuple(handles))


def watch(client: Client, loop: asyncio.AbstractEventLoop, on_gone: Callable[[], object]) -> Callable[[], object]:
    """Call `on_gone` in the loop when one of the client's processes ends; gives what stops watching."""
    for handle in client.handles:
        loop.add_reader(handle, on_gone)
    stopped = threading.Event()

    def poll() -> None:
        # An orphan gets another parent. Where processes can be watched this only closes the gap at the start.
        while os.getppid() == client.parent:
            if client.handles or stopped.wait(_SECONDS):
                return
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(on_gone)

    threading.Thread(target=poll, name="mastermind-parent", daemon=True).start()

    def stop() -> None:
        stopped.set()
        for handle in client.handles:
            loop.remove_reader(handle)
            os.close(handle)

    return stop


def _above(pid: int, source: int) -> Iterator[int]:
    """The parents of those processes that only pass their standard input on to us. None where `/proc` does not tell."""
    own = os.fstat(source)
    if not (stat.S_ISFIFO(own.st_mode) or stat.S_ISSOCK(own.st_mode)):
        return
    for _ in range(_MOST):
        try:
            theirs = Path(f"/proc/{pid}/fd/0").stat()
            if (theirs.st_dev, theirs.st_ino) != (own.st_dev, own.st_ino):
                return
            pid = _parent(pid)
        except (OSError, ValueError, IndexError):
            return
        if pid <= 1:
            return
        yield pid


def _parent(pid: int) -> int:
    # The name in brackets may hold anything, also brackets.
    status = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    return int(status.rpartition(")")[2].split()[1])
