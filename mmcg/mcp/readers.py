"""Readers of the newest snapshot, one for each thread that asks.

All readers of a snapshot are siblings on one open file. A newer snapshot is noticed before each answer, by the file's
identity; the old file is let go when its last answer is done.
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

    def __init__(self, places: Places) -> None:
        self.index = Index(places)
        self.free: list[Context] = []
        self.busy = 0
        self.retired = False

    def close_if_unused(self) -> None:
        for context in self.free:
            context.index.close()
        self.free.clear()
        if not self.busy:
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
            context = snapshot.free.pop() if snapshot.free else Context(snapshot.index.sibling())
            snapshot.busy += 1
        try:
            yield context
        finally:
            with self._lock:
                snapshot.busy -= 1
                if snapshot.retired or context.index.stopped:
                    context.index.close()
                else:
                    snapshot.free.append(context)
                if snapshot.retired:
                    snapshot.close_if_unused()

    @contextmanager
    def index(self) -> Iterator[Index]:
        """A reader of the newest snapshot that may be reopened. Raises `NoIndexError` and `BadIndexError`."""
        with self._lock:
            index = self._newest().index.sibling()
        try:
            yield index
        finally:
            index.close()

    def forget(self) -> None:
        """Let go of the file, so that the next answer opens it again."""
        with self._lock:
            self._retire()

    def _newest(self) -> _Snapshot:
        if self._snapshot is not None:
            try:
                if not self._snapshot.index.outdated:
                    return self._snapshot
            except BaseException:
                self._retire()
                raise
            self._retire()
        self._snapshot = _Snapshot(self._places)
        return self._snapshot

    def _retire(self) -> None:
        if self._snapshot is not None:
            self._snapshot.retired = True
            self._snapshot.close_if_unused()
            self._snapshot = None
