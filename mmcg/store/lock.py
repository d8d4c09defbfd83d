"""One writer at a time.

The lock is the operating system's, so that it dies with its owner. A small file beside it says who holds it and since
when, for the message to whoever waits in vain; it is only ever read as a courtesy and never trusted.
"""

from __future__ import annotations

import json
import os
import socket
import time
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from mmcg.errors import LockedError, StoreWriteError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from mmcg.settings import Places


@contextmanager
def writing(places: Places, wait: float) -> Iterator[None]:
    """Hold the lock of an index, having waited up to `wait` seconds for it."""
    try:
        release = _acquire(places.lock, wait)
    except TimeoutError:
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
        # On a full disk it is the index that must fail, with its own message.
        with suppress(OSError):
            _sidecar(places).write_text(json.dumps(_owner()), encoding="utf-8")
        yield
    finally:
        with suppress(OSError):
            _sidecar(places).unlink(missing_ok=True)
        release()


def _acquire(path: Path, wait: float) -> Callable[[], object]:
    """Lock a file and give what unlocks it; `TimeoutError` if another process keeps it for `wait` seconds."""
    try:
        import fcntl
    except ImportError:
        return _acquire_elsewhere(path, wait)
    # The same call as `filelock` makes, whose import takes longer than a small repository's whole index.
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    until = time.monotonic() + wait
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= until:
                os.close(handle)
                raise TimeoutError from None
            time.sleep(0.05)
        except OSError:
            os.close(handle)
            raise
        else:
            return lambda: os.close(handle)


def _acquire_elsewhere(path: Path, wait: float) -> Callable[[], object]:
    import filelock

    lock = filelock.FileLock(path)
    try:
        lock.acquire(timeout=wait)
    except filelock.Timeout:
        raise TimeoutError from None
    return lock.release


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
