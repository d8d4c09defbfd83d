"""Whether the index says what the tree says, found out before answers and mended where that is quick.

In a small repository every answer looks first. In a large one a look serves the answers of the next moments too: of
about ten times as long as it takes, half a second where there are three thousand files. The snapshot that somebody else
publishes counts as a look as well: it was made from the tree as it was when its run began.
"""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

from mmcg import indexing
from mmcg.errors import BadIndexError, InternalError, MastermindError, NoIndexError, StoppedError
from mmcg.model import Freshness
from mmcg.settings import refresh_seconds
from mmcg.store import open_index

if TYPE_CHECKING:
    from collections.abc import Callable

    from mmcg.settings import Places
    from mmcg.store.reader import Index

SMALL = 300
"""Files up to which every answer looks."""
TRUSTED_NS = 150_000
"""A look is trusted for so long a file: ten times what one costs, which is no measure itself on a busy machine."""
LONGEST_NS = 5_000_000_000
"""But for no longer than this."""
PATIENCE = 5.0
"""Seconds that an answer waits for a look and a refresh."""
FIRST_PATIENCE = 20.0
"""Seconds that an answer waits for the first index."""
RETRY_NS = 1_000_000_000
"""After a look that failed, the next one is not taken sooner."""
_SLICE = 0.05


class Upkeep:
    """Looks, refreshes and first builds of one index: one at a time, on a thread of their own."""

    def __init__(self, places: Places, *, builds: bool, current: Callable[[float], bool] | None = None) -> None:
        """`builds`: whether to make an index where there is none. `current`: waits for a watcher, if there is one."""
        self._places = places
        self._budget = refresh_seconds()
        self._builds = builds and self._budget > 0
        self._watcher = current
        self._lock = threading.Lock()
        self._running: threading.Thread | None = None
        self._state: Freshness | MastermindError | None = None
        self._looked_ns = 0
        self._trusted_ns = 0
        self._scout: Index | None = None
        self.progress: tuple[int, int] | None = None
        """Files read and files in all, while the first index is made."""

    def begin(self) -> threading.Thread:
        """Take a look now, if none is under way."""
        with self._lock:
            return self._begin()

    def close(self, timeout: float) -> None:
        """Wait for what is under way, so that no half-written file is left behind."""
        with self._lock:
            running = self._running
        if running is not None:
            running.join(timeout)

    def ready(self, started_ns: int | None, stopped: Callable[[], bool]) -> Freshness:
        """How the newest snapshot stands to the tree, once that is known.

        `started_ns` is when the run that made the snapshot began; None when there is no index. Raises what stands in
        the way of having one, and `StoppedError` when `stopped` says so.
        """
        until = time.monotonic() + (PATIENCE if started_ns is not None else FIRST_PATIENCE)
        asked_ns = time.time_ns()
        while True:
            with self._lock:
                known = self._known(started_ns, asked_ns)
                if known is not None:
                    return known
                running = self._begin()
            while running.is_alive():
                if stopped():
                    raise StoppedError("The question was withdrawn before it was answered.")
                if time.monotonic() > until:
                    return self._impatient(started_ns)
                running.join(_SLICE)
            # A look that began after the question did is as good as one can be.
            if self._looked_ns >= asked_ns:
                return _or_raised(self._state)
            if started_ns is None and isinstance(self._state, Freshness):
                return self._state

    def _known(self, started_ns: int | None, now: int) -> Freshness | None:
        """What the last look found, if that still counts."""
        state, since = self._state, now - self._looked_ns
        if isinstance(state, MastermindError):
            if 0 <= since <= RETRY_NS:
                raise state
            return None
        if state is None or started_ns is None:
            return None
        if 0 <= now - started_ns <= self._trusted_ns and started_ns > self._looked_ns:
            return Freshness(fresh=True)
        if not 0 <= since <= self._trusted_ns:
            return None
        if since > self._trusted_ns * 0.7:
            # Under steady load the next look is taken while answers still go by this one: nobody waits.
            self._begin()
        return state

    def _impatient(self, started_ns: int | None) -> Freshness:
        if started_ns is not None:
            return Freshness(fresh=False, notices=("The tree is still being compared with the index.",))
        done = f": {self.progress[0]:,} of {self.progress[1]:,} files are read" if self.progress else ""
        raise NoIndexError(f"The index of `{self._places.root}` is being made{done}.", "Ask again in a few seconds.")

    def _begin(self) -> threading.Thread:
        if self._running is None or not self._running.is_alive():
            self._running = threading.Thread(target=self._look, name="mastermind-upkeep", daemon=True)
            self._running.start()
        return self._running

    def _look(self) -> None:
        begun_ns = time.time_ns()
        state: Freshness | MastermindError
        try:
            state = self._judged()
        except MastermindError as error:
            state = error
        except Exception as error:
            state = InternalError(f"Something went wrong inside mastermind: `{type(error).__name__}: {error}`.")
        with self._lock:
            if self._scout is not None:
                files = self._scout.meta.counts["files"]
                self._trusted_ns = min(files * TRUSTED_NS, LONGEST_NS) if files > SMALL else 0
                if isinstance(state, Freshness) and state.refreshed:
                    begun_ns = max(begun_ns, self._scout.meta.started_ns)
            self._state, self._looked_ns, self.progress = state, begun_ns, None

    def _judged(self) -> Freshness:
        root = self._places.root
        if not root.is_dir():
            raise NoIndexError(f"`{root}` does not exist any more.", "Move it back, or start a server where it is now.")
        if self._watcher is not None:
            self._watcher(PATIENCE)
        try:
            scout = self._opened()
        except (NoIndexError, BadIndexError):
            if not self._builds:
                raise
            done = indexing.index(root, progress=self._tell)
            scout = self._opened()
            return Freshness(fresh=True, refreshed=True, notices=tuple(done.summary["notices"]))
        return indexing.refresh(scout, self._budget)

    def _opened(self) -> Index:
        """The newest snapshot, for looks alone."""
        try:
            if self._scout is None:
                self._scout = open_index(self._places.root)
            else:
                self._scout.reopen_if_changed()
        except BaseException:
            if self._scout is not None:
                self._scout.close()
                self._scout = None
            raise
        return self._scout

    def _tell(self, done: int, total: int) -> None:
        self.progress = (done, total)


def _or_raised(state: Freshness | MastermindError | None) -> Freshness:
    if isinstance(state, MastermindError):
        raise state
    return state or Freshness(fresh=False)
