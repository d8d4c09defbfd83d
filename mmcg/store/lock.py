"""One writer at a time.

The lock is the operating system's, so that it dies with its owner. A small file beside it says who holds it and since
when, for the message to whoever waits in vain; it is only ever read as a courtesy and never trusted.
"""

from __future__ import annotations

import json
import os
import socket
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import filelock

from mmcg.errors import LockedError, StoreWriteError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from mmcg.settings import Places


@contextmanager
def writing(places: Places, wait: float) -> Iterator[None]:
    """Hold the lock of an index, having waited up to `wait` seconds for it."""
    lock = filelock.FileLock(places.lock)
    try:
        lock.acquire(timeout=wait)
    except filelock.Timeout:
        raise LockedError(
            f"Another process is writing the index of `{places.root}`{_holder(places)}.",
            "Wait until it is done, or end it, and try again.",
        ) from None
    except OSError as error:
        raise StoreWriteError(
            f"`{places.folder}` cannot be written: {error.strerror or error}.",
            "Give this user the right to write there.",
        ) from None
    try:
        _sidecar(places).write_text(json.dumps(_owner()), encoding="utf-8")
        yield
    finally:
        _sidecar(places).unlink(missing_ok=True)
        lock.release()


def _owner() -> dict[str, object]:
    return {
        "pid": os.getpid(),
        "host": socket.gethostname(),
        "since": datetime.now(UTC).isoformat(timespec="seconds"),
    }


def _sidecar(places: Places) -> Path:
    return places.lock.with_suffix(".lock.json")


def _holder(places: Places) -> str:
    """Who holds the lock, as far as it is known."""
    try:
        owner = json.loads(_sidecar(places).read_text(encoding="utf-8"))
        return f": process {int(owner['pid'])} on `{owner['host']}`, since {owner['since']}"
    except (OSError, ValueError, KeyError, TypeError):
        return ""
