"""Readers of the newest snapshot, one for each thread that asks.

All readers of a snapshot are siblings on one open file. A newer snapshot is noticed before each answer, by the file's
identity; the old file is let go when its last answer is done, or kept where both have the same rows.
"""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

from mmcg.query.context import Context
from mmcg.store.reader import Index

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mmcg.model import Meta
    from mmcg.settings import Places


class _Snapshot:
    """One open file, and the readers of it that nobody uses just now."""

    def __init__(self, index: Index) -> None:
        self.index = index
        self.first = Context(index)
        self.free: list[Context] = []
        self.busy = 0
        self.retired = False

    def close(self) -> None:
        """Let go of the file; for when nobody reads it any more."""
        for context in self.free:
            context.index.close()
        self.free.clear()
        self.index.close()


class Readers:
    """The readers of one repository's index. Safe to use from any thread."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self._lock = threading.Lock()
        self._snapshot: _Snapshot | None = None

    def meta(self) -> Meta:
        """What the newest snapshot says about itself. Raises `NoIndexError` and `BadIndexError`."""
        with self._lock:
            return self._newest().index.meta

    @contextmanager
    def context(self) -> Iterator[Context]:
        """A context of the newest snapshot, for one answer. Raises `NoIndexError` and `BadIndexError`."""
        with self._lock:
            snapshot = self._newest()
            # The one used last knows most symbols already.
            context = snapshot.free.pop() if snapshot.free else snapshot.first.sibling()
            context.index.meta = snapshot.index.meta
            snapshot.busy += 1
        try:
            yield context
        finally:
            self._given_back(snapshot, context)

    def forget(self) -> None:
        """Let go of the file, so that the next answer opens it again."""
        with self._lock:
            self._retire()

    def _given_back(self, snapshot: _Snapshot, context: Context) -> None:
        with self._lock:
            snapshot.busy -= 1
            if context.index.stopped:
                context.index.close()
            else:
                snapshot.free.append(context)
            last = snapshot.retired and not snapshot.busy
        if last:
            # Where nobody waits for it: what the answer is made of was read.
            snapshot.close()

    def _newest(self) -> _Snapshot:
        if self._snapshot is None:
            self._snapshot = _Snapshot(Index(self._places))
            return self._snapshot
        index = self._snapshot.index
        try:
            if not index.outdated:
                return self._snapshot
            newer = index.successor()
        except BaseException:
            self._retire()
            raise
        if newer.meta.same_rows(index.meta):
            # Only times differ, as after a touch or a rebuild: all that was read and remembered is still true.
            index.stand_for(newer)
            return self._snapshot
        self._retire()
        self._snapshot = _Snapshot(newer)
        return self._snapshot

    def _retire(self) -> None:
        snapshot, self._snapshot = self._snapshot, None
        if snapshot is not None:
            snapshot.retired = True
            if not snapshot.busy:
                snapshot.close()
