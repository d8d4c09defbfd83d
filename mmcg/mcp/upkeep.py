"""Whether the index says what the tree says, found out before answers and mended where that is quick.

In a small repository every answer looks first. In a large one a look serves the answers of the next moments too: of
about ten times as long as it takes, half a second where there are three thousand files. Looks are shared: a server that
found the index true leaves a note for the others, and a snapshot that somebody publishes counts as a look, since it was
made from the tree as it was when its run began.
"""

from __future__ import annotations

import os
import random
import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from mmcg import __version__, indexing
from mmcg.errors import BadIndexError, InternalError, MastermindError, NoIndexError, StoppedError
from mmcg.model import Freshness
from mmcg.settings import refresh_seconds

if TYPE_CHECKING:
    from collections.abc import Callable

    from mmcg.mcp.readers import Readers
    from mmcg.model import Meta
    from mmcg.settings import Places

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

    def __init__(
        self,
        places: Places,
        readers: Readers,
        *,
        builds: bool = False,
        watcher: Callable[[float], bool] | None = None,
    ) -> None:
        """`builds`: whether to make an index where there is none. `watcher`: waits for one to have done its work."""
        self._places = places
        self._readers = readers
        self._budget = refresh_seconds()
        self._builds = builds and self._budget > 0
        self._watcher = watcher
        self._lock = threading.Lock()
        self._running: threading.Thread | None = None
        self._state: Freshness | MastermindError | None = None
        self._looked_ns = 0
        self._early = 0.7
        self._note_at = ""
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

    def _known(self, snapshot: Meta | None, now: int) -> Freshness | None:
        """What the last look found, if that still counts."""
        state = self._state
        if isinstance(state, MastermindError):
            if 0 <= now - self._looked_ns <= RETRY_NS:
                raise state
            return None
        if state is None or snapshot is None:
            return None
        trusted = _trusted_ns(snapshot)
        others = max(snapshot.started_ns, self._noted_ns()) if trusted else 0
        since = now - max(self._looked_ns, others)
        if not 0 <= since < trusted:
            return None
        if since > trusted * self._early:
            # Under steady load the next look is taken while answers still go by this one: nobody waits.
            self._begin()
        return Freshness(fresh=True) if others > self._looked_ns else state

    def _impatient(self, snapshot: Meta | None) -> Freshness:
        if snapshot is not None:
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
            state, meta = self._judged()
            if state.refreshed:
                begun_ns = max(begun_ns, meta.started_ns)
            elif state.fresh and _trusted_ns(meta):
                self._note(begun_ns)
        except MastermindError as error:
            state = error
        except Exception as error:
            state = InternalError(f"Something went wrong inside mastermind: `{type(error).__name__}: {error}`.")
        with self._lock:
            self._state, self._looked_ns, self.progress = state, begun_ns, None
            # Servers that share notes should not all look at the same moment.
            self._early = random.uniform(0.5, 0.9)  # noqa: S311

    def _judged(self) -> tuple[Freshness, Meta]:
        root = self._places.root
        if not root.is_dir():
            raise NoIndexError(f"`{root}` does not exist any more.", "Move it back, or start a server where it is now.")
        if self._watcher is not None:
            self._watcher(PATIENCE)
        try:
            with self._readers.index() as index:
                return indexing.refresh(index, self._budget), index.meta
        except (NoIndexError, BadIndexError):
            if not self._builds:
                raise
        done = indexing.index(root, progress=self._tell)
        return Freshness(fresh=True, refreshed=True, notices=tuple(done.summary["notices"])), done.meta

    def _tell(self, done: int, total: int) -> None:
        self.progress = (done, total)

    def _note_path(self) -> str:
        if not self._note_at:
            # A build of the program with another core has another opinion of what is true.
            build = indexing.core_version().get("build", "")
            self._note_at = f"{self._places.cache}/looked-{__version__}-{build}"
        return self._note_at

    def _note(self, begun_ns: int) -> None:
        """Tell other servers that the index was true of the tree at that time."""
        with suppress(OSError):
            path = self._note_path()
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o644))
            os.utime(path, ns=(begun_ns, begun_ns))

    def _noted_ns(self) -> int:
        """When a server last found the published snapshot true; 0 if none has."""
        try:
            noted = os.stat(self._note_path()).st_mtime_ns  # noqa: PTH116 - for every answer
            database = os.stat(self._places.database)  # noqa: PTH116
        except OSError:
            return 0
        return noted if noted > max(database.st_mtime_ns, database.st_ctime_ns) else 0


def _trusted_ns(snapshot: Meta) -> int:
    files = snapshot.counts["files"]
    return min(files * TRUSTED_NS, LONGEST_NS) if files > SMALL else 0


def _or_raised(state: Freshness | MastermindError | None) -> Freshness:
    if isinstance(state, MastermindError):
        raise state
    return state or Freshness(fresh=False)
