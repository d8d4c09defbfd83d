"""A thread that keeps the index of one repository current.

It reports what it does: whatever keeps it from working (a full disk, another writer, a root that was renamed away) is
told once, and tried again until it works or the keeper is stopped.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from mmcg import indexing
from mmcg.errors import InputError, LockedError, MastermindError
from mmcg.settings import Places
from mmcg.watch.eyes import Eyes

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from types import TracebackType

_TICK_SECONDS = 1.0
"""How often it is looked whether the root and the database are still there."""

_LOCK_SECONDS = 1.0
_LOCK_PATIENCE = 5.0
"""Another writer is waited for without a word for so long."""

_RETRY_SECONDS = (1.0, 2.0, 5.0, 15.0)
"""Pauses before trying again; the last one again and again."""


@dataclass(frozen=True, slots=True)
class Update:
    """A snapshot that was published, or, as the first of a keeper, found to be current."""

    first: bool
    """Whether this is the keeper's first: the index is current from now on."""
    published: bool
    """Whether a new snapshot was written; false only for the first, of an index that was current."""
    files: int
    """Files in the index."""
    parsed: int
    """Files whose content was new."""
    rows: int
    """Rows of all tables."""
    milliseconds: int
    """From the moment a change was noticed to the moment its snapshot could be read."""
    at: str
    """When the snapshot was made: UTC, ISO 8601."""
    notices: tuple[str, ...]
    """What the run had to say."""

    def to_json(self) -> dict[str, object]:
        """The update as programs get it."""
        return {
            "event": "ready" if self.first else "update",
            "published": self.published,
            "files": self.files,
            "parsed": self.parsed,
            "rows": self.rows,
            "milliseconds": self.milliseconds,
            "at": self.at,
            "notices": list(self.notices),
        }


class _StoppedError(Exception):
    """The keeper was told to end."""


class Keeper:
    """Keeps the index of the repository at `root` current from `start` to `stop`.

    `on_update` is called with an `Update` after each snapshot, `on_notice` with a sentence whenever something is in the
    way or out of it; both on the keeper's thread, one call at a time. An exception that they raise ends the keeper, and
    is its `failure`. `on_end` is called when the keeper ends for whatever reason. `polling` looks again and again
    instead of waiting for native events.

        with Keeper(root, on_update=lambda update: ...) as keeper:
            keeper.wait_until_current(5.0)
    """

    def __init__(
        self,
        root: Path,
        on_update: Callable[[Update], object] | None = None,
        on_notice: Callable[[str], object] | None = None,
        *,
        on_end: Callable[[], object] | None = None,
        polling: bool = False,
    ) -> None:
        self.places = Places(root)
        self.failure: BaseException | None = None
        self._on_update = on_update or (lambda _: None)
        self._on_notice = on_notice or (lambda _: None)
        self._on_end = on_end or (lambda: None)
        self._eyes = Eyes(root, self._on_notice, polling=polling)
        self._stopping = threading.Event()
        self._current = threading.Event()
        self._root: tuple[int, int] | None = None
        self._first = True
        self._told = ""
        self._failures = 0
        self._locked_since = 0.0
        self._thread = threading.Thread(target=self._run, name="mastermind-keeper", daemon=True)

    def start(self) -> None:
        """Begin, and return at once. Once only."""
        self._thread.start()

    def stop(self, timeout: float | None = None) -> bool:
        """End; a run that is being made is given up, and the old index stays.

        Gives whether that was done within `timeout` seconds.
        """
        self._stopping.set()
        self._eyes.wake()
        if self._thread.ident is not None:
            self._thread.join(timeout)
        return not self._thread.is_alive()

    @property
    def alive(self) -> bool:
        """Whether it was started and has not ended."""
        return self._thread.is_alive()

    def wait_until_current(self, timeout: float | None = None) -> bool:
        """Wait until every change that was noticed is in the index; whether that was so within `timeout` seconds."""
        return self._current.wait(timeout)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _run(self) -> None:
        try:
            noticed: float | None = time.monotonic()
            while not self._stopping.is_set():
                noticed = self._turn(noticed)
        except _StoppedError:
            pass
        except BaseException as error:  # Of a callback: for whoever waits for the end.
            self.failure = error
        finally:
            self._eyes.close()
            self._current.clear()
            self._on_end()

    def _turn(self, noticed: float | None) -> float | None:
        """Bring the index up to date if need be, and wait for the next change.

        `noticed` is the moment of the oldest change that is not in the index yet.
        """
        try:
            if not self._settled():
                noticed = noticed or time.monotonic()
            if noticed is not None:
                self._current.clear()
                update = self._update(noticed)
                self._clear()
                if update is not None:
                    self._on_update(update)
        except MastermindError as error:
            self._fail(error)
            return noticed or time.monotonic()
        self._current.set()
        return time.monotonic() if self._eyes.wait(_TICK_SECONDS) else None

    def _settled(self) -> bool:
        """Whether nothing happened to the root, the index and the watch; puts right what can be put right."""
        status = self._status()
        if status != self._root:
            self._eyes.close()
            self._root = status
        if not self._eyes.open:
            self._eyes.watch()
            return False
        return self.places.database.exists()

    def _status(self) -> tuple[int, int]:
        """Which folder the root is."""
        root = self.places.root
        try:
            status = root.stat()
        except OSError as error:
            self._root = None
            raise InputError(
                f"`{root}` is gone: {error.strerror}.", "Updates go on as soon as it is back; Ctrl-C ends the watch."
            ) from None
        return status.st_dev, status.st_ino

    def _update(self, noticed: float) -> Update | None:
        """Make an index; nothing if the one that is there is current and was so before."""
        done = indexing.index(self.places.root, progress=self._go_on, wait=_LOCK_SECONDS)
        first, self._first = self._first, False
        if done.unchanged and not first:
            return None
        return Update(
            first=first,
            published=not done.unchanged,
            files=done.summary["files"],
            parsed=done.summary["parsed"],
            rows=sum(done.meta.counts.values()),
            milliseconds=round((time.monotonic() - noticed) * 1000),
            at=done.meta.built_at,
            notices=tuple(done.summary["notices"]),
        )

    def _go_on(self, *_: int) -> None:
        if self._stopping.is_set():
            raise _StoppedError

    def _fail(self, error: MastermindError) -> None:
        """Say what is in the way, once, and wait before the next try."""
        now = time.monotonic()
        if isinstance(error, LockedError):
            self._locked_since = self._locked_since or now
        if not isinstance(error, LockedError) or now - self._locked_since > _LOCK_PATIENCE:
            self._failures += 1
            if error.message != self._told:
                self._told = error.message
                self._on_notice(f"{error.message} {error.advice}".rstrip())
        self._stopping.wait(_RETRY_SECONDS[min(self._failures, len(_RETRY_SECONDS) - 1)])

    def _clear(self) -> None:
        """Say that nothing is in the way any more."""
        if self._told:
            self._on_notice("The index is current again.")
        self._told = ""
        self._failures = 0
        self._locked_since = 0.0
