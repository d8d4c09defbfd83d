"""A thread that keeps the index of one repository current.

It reports what it does and never raises: whatever keeps it from working (a full disk, another writer, a root that was
renamed away) is told once, and tried again until it works or the keeper is stopped.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from mmcg import indexing
from mmcg.errors import InternalError, MastermindError
from mmcg.settings import Places

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from types import TracebackType

_POLL_SECONDS = 1.0
_RETRY_SECONDS = 1.0
_LOCK_SECONDS = 0.5


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
    """From the moment the change was noticed to the moment the new snapshot could be read."""
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


class Keeper:
    """Keeps the index of the repository at `root` current from `start` to `stop`.

    `on_update` is called with an `Update` after each snapshot, `on_notice` with a sentence whenever something is in the
    way or out of it; both on the keeper's thread, one call at a time. An exception that they raise ends the keeper.

        with Keeper(root, on_update=lambda update: ...) as keeper:
            keeper.wait_until_current(5.0)
    """

    def __init__(
        self,
        root: Path,
        on_update: Callable[[Update], object] | None = None,
        on_notice: Callable[[str], object] | None = None,
    ) -> None:
        self.places = Places(root)
        self._on_update = on_update or (lambda _: None)
        self._on_notice = on_notice or (lambda _: None)
        self._stopping = threading.Event()
        self._current = threading.Event()
        self._told = ""
        self._first = True
        self._thread = threading.Thread(target=self._run, name="mastermind-keeper", daemon=True)

    def start(self) -> None:
        """Begin, and return at once. Once only."""
        self._thread.start()

    def stop(self, timeout: float | None = None) -> bool:
        """End after the update that is being made, if any; whether it ended within `timeout` seconds."""
        self._stopping.set()
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
        seen = ""
        while not self._stopping.is_set():
            pause = _POLL_SECONDS
            try:
                now = indexing.fingerprint(self.places.root)
                if now != seen or not self.places.database.exists():
                    self._current.clear()
                    self._update()
                    seen = now
                self._clear()
                self._current.set()
            except MastermindError as error:
                self._tell(error.message)
                pause = _RETRY_SECONDS
            except Exception as error:
                self._tell(InternalError(f"Something went wrong inside mastermind: `{error}`.").message)
                pause = _RETRY_SECONDS
            self._stopping.wait(pause)

    def _update(self) -> None:
        begun = time.monotonic()
        done = indexing.index(self.places.root, wait=_LOCK_SECONDS)
        if done.unchanged and not self._first:
            return
        update = Update(
            first=self._first,
            published=not done.unchanged,
            files=done.summary["files"],
            parsed=done.summary["parsed"],
            rows=sum(done.meta.counts.values()),
            milliseconds=round((time.monotonic() - begun) * 1000),
            at=done.meta.built_at,
            notices=tuple(done.summary["notices"]),
        )
        self._first = False
        self._on_update(update)

    def _tell(self, message: str) -> None:
        """Say what is in the way, once."""
        if message != self._told:
            self._told = message
            self._on_notice(message)

    def _clear(self) -> None:
        """Say that nothing is in the way any more."""
        if self._told:
            self._told = ""
            self._on_notice("The index is current again.")
