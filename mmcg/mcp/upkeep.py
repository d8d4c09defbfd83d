"""Whether the index says what the tree says, found out before answers and mended where that is quick.

In a small repository every answer looks first. In a large one a look counts until the system tells of a change. A
snapshot that somebody publishes counts as a look: it was made from the tree as it was when its run began.
"""

from __future__ import annotations

import threading
import time
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from mmcg import indexing
from mmcg.errors import BadIndexError, InternalError, MastermindError, NoIndexError, StoppedError
from mmcg.mcp.sentry import SMALL, Sentry
from mmcg.model import Freshness
from mmcg.settings import refresh_seconds
from mmcg.store import open_index

if TYPE_CHECKING:
    from collections.abc import Callable

    from mmcg.mcp.readers import Readers
    from mmcg.model import Meta
    from mmcg.settings import Places
    from mmcg.watch.keeper import Keeper

PATIENCE = 10.0
"""Seconds that an answer waits for a look and a refresh."""
FIRST_PATIENCE = 20.0
"""Seconds that an answer waits for the first index."""
RETRY_NS = 1_000_000_000
"""After a look that failed, the next one is not taken sooner."""
_SLICE = 0.05
_EARLY = 0.7


class Upkeep:
    """Looks, refreshes and first builds of one index: one at a time, on a thread of their own."""

    def __init__(
        self,
        places: Places,
        readers: Readers,
        *,
        builds: bool = False,
        watcher: Keeper | None = None,
    ) -> None:
        """`builds`: whether to make an index where there is none. `watcher`: who does that besides."""
        self._places = places
        self._readers = readers
        self._budget = refresh_seconds()
        self._builds = builds and self._budget > 0
        self._keeper = watcher
        self._lock = threading.Lock()
        self._running: threading.Thread | None = None
        self._catching: threading.Thread | None = None
        self._sentry = Sentry(places.root)
        self._state: Freshness | MastermindError | None = None
        self._look: indexing.Look | None = None
        self._looked_ns = 0
        self._large = False
        self._held: tuple[Meta | None, indexing.Look | None, bool] = (None, None, False)
        self.progress: tuple[int, int] | None = None
        """Files read and files in all, while the first index is made."""

    @property
    def _watcher(self) -> Keeper | None:
        """The watcher, as long as it lives."""
        return self._keeper if self._keeper is not None and self._keeper.alive else None

    @property
    def writes(self) -> bool:
        """Whether an index may be made or brought up to date."""
        return self._builds

    def begin(self) -> threading.Thread:
        """Take a look now, if none is under way."""
        with self._lock:
            return self._begin()

    def close(self, timeout: float) -> None:
        """Wait for what is under way, so that no half-written file is left behind."""
        until = time.monotonic() + timeout
        with self._lock:
            threads = self._running, self._catching
        for each in threads:
            if each is not None:
                each.join(max(0.0, until - time.monotonic()))

    def ready(self, snapshot: Meta | None, stopped: Callable[[], bool]) -> Freshness:
        """How the newest snapshot stands to the tree, once that is known; None is for no snapshot.

        Raises what stands in the way of having one, and `StoppedError` when `stopped` says so.
        """
        until = time.monotonic() + (FIRST_PATIENCE if snapshot is None else PATIENCE)
        asked_ns = time.time_ns()
        while True:
            with self._lock:
                known = self._known(snapshot, asked_ns)
                if known is not None:
                    return known
                running = self._begin()
            while running.is_alive():
                if stopped():
                    raise StoppedError("The question was withdrawn before it was answered.")
                if time.monotonic() > until:
                    return self._impatient(snapshot)
                running.join(_SLICE)
            # A look that began after the question did is as good as one can be.
            if self._looked_ns >= asked_ns or (snapshot is None and isinstance(self._state, Freshness)):
                return _or_raised(self._state)

    def changed_since(self, moment_ns: int) -> bool:
        """Whether a change of the tree was heard of since then."""
        return self._sentry.changed_ns >= moment_ns

    def _known(self, snapshot: Meta | None, now: int) -> Freshness | None:
        """What the last look found, if that still counts."""
        state = self._state
        if isinstance(state, MastermindError):
            if 0 <= now - self._looked_ns <= RETRY_NS:
                raise state
            return None
        if state is None or snapshot is None:
            return None
        trusted = self._sentry.trusted_ns(snapshot)
        since = now - self._looked_ns
        if 0 <= since < trusted and self._looked_ns > self._sentry.changed_ns:
            if since > trusted * _EARLY:
                # Under steady load the next look is taken while answers still go by this one: nobody waits.
                self._begin()
            if self._holds(snapshot):
                return Freshness(fresh=True)
            if not state.fresh:
                return state
        if (
            self._sentry.armed
            and self._sentry.changed_ns < snapshot.started_ns
            and 0 <= now - snapshot.started_ns < trusted
        ):
            return Freshness(fresh=True)
        return None

    def _holds(self, snapshot: Meta) -> bool:
        """Whether the last look found what a snapshot says; told once for each pair of them."""
        look, (asked, of, found) = self._look, self._held
        if look is None:
            return False
        if asked is not snapshot or of is not look:
            found = indexing.holds(snapshot, look)
            self._held = (snapshot, look, found)
        return found

    def _impatient(self, snapshot: Meta | None) -> Freshness:
        if snapshot is not None:
            return Freshness(fresh=False, notices=("The tree is still being compared with the index.",))
        done = f": {self.progress[0]:,} of {self.progress[1]:,} files are read" if self.progress else ""
        raise NoIndexError(f"The index of `{self._places.root}` is being made{done}.", "Ask again in a few seconds.")

    def _begin(self) -> threading.Thread:
        if self._running is None or not self._running.is_alive():
            self._running = threading.Thread(target=self._run, name="mastermind-upkeep", daemon=True)
            self._running.start()
        return self._running

    def _run(self) -> None:
        looked_ns, look = time.time_ns(), None
        state: Freshness | MastermindError
        try:
            self._prepare()
            looked_ns, look = self._sentry.look(arm=self._large)
            state = self._judged(look)
            if not state.fresh and self._builds:
                state = self._catch_up(state)
        except MastermindError as error:
            state = error
        except Exception as error:
            state = InternalError(f"Something went wrong inside mastermind: `{type(error).__name__}: {error}`.")
        with self._lock:
            self._state, self._looked_ns, self._look, self.progress = state, looked_ns, look, None

    def _prepare(self) -> None:
        root = self._places.root
        if not root.is_dir():
            raise NoIndexError(f"`{root}` does not exist any more.", "Move it back, or start a server where it is now.")
        if not self._builds:
            # Where there is none and none is made, nothing needs to be looked through: it may be a whole disk.
            self._readers.meta()
        if (watcher := self._watcher) is not None:
            try:
                self._readers.meta()
            except (NoIndexError, BadIndexError):
                watcher.wait_until_current(PATIENCE)

    def _judged(self, look: indexing.Look) -> Freshness:
        try:
            meta = self._readers.meta()
            self._large = meta.counts["files"] > SMALL
            if indexing.holds(meta, look):
                return Freshness(fresh=True)
            # A small tree's run is quick, however long the last one took on a busy machine.
            budget = max(self._budget, PATIENCE) if self._budget > 0 and not self._large else self._budget
            if self._watcher is not None:
                if meta.refresh_seconds > budget:
                    budget = 0.0
                elif self._watched(look, meta):
                    return Freshness(fresh=True, refreshed=True)
            with open_index(self._places.root) as index:
                return indexing.refresh(index, budget)
        except (NoIndexError, BadIndexError):
            if not self._builds:
                raise
        done = indexing.index(self._places.root, progress=self._tell)
        self._large = done.meta.counts["files"] > SMALL
        return Freshness(fresh=True, refreshed=True, notices=tuple(done.summary["notices"]))

    def _watched(self, look: indexing.Look, meta: Meta) -> bool:
        """Whether the watcher brought the index up to what the tree is like while an answer can wait for it."""
        until = time.monotonic() + PATIENCE
        while (watcher := self._watcher) is not None and time.monotonic() < until:
            # It may not have noticed yet what a look has found.
            watcher.wait_until_current(PATIENCE)
            newest = self._readers.meta()
            if newest is not meta and not indexing.holds(newest, look):
                # It began before that change, or there was another.
                look = indexing.look(self._places.root)
            if indexing.holds(newest, look):
                return True
            meta = newest
            time.sleep(_SLICE)
        return False

    def _catch_up(self, state: Freshness) -> Freshness:
        """Bring the index up to date while answers go by the old one, since it takes longer than they can wait.

        A watcher does that by itself.
        """
        if self._watcher is None and (self._catching is None or not self._catching.is_alive()):
            self._catching = threading.Thread(target=self._index, name="mastermind-catch-up", daemon=True)
            self._catching.start()
        told = [each.replace(indexing.ADVICE, "It is being brought up to date.") for each in state.notices]
        return replace(state, notices=tuple(told))

    def _index(self) -> None:
        # What stands in the way is met again, and told, by the next look.
        with suppress(Exception):
            indexing.index(self._places.root)
        with self._lock:
            self._look, self._looked_ns = None, 0

    def _tell(self, done: int, total: int) -> None:
        self.progress = (done, total)


def _or_raised(state: Freshness | MastermindError | None) -> Freshness:
    if isinstance(state, MastermindError):
        raise state
    return state or Freshness(fresh=False)
