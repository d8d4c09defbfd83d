"""Seeing that a tree may have changed: by native events, or by looking again and again where there are none."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

from mmcg import indexing
from mmcg.errors import NotWatchableError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_QUIET_SECONDS = 0.05
"""A change is acted on when nothing else happened for so long; after many changes, five times as long."""
_LONGEST_SECONDS = 5.0
"""At the latest it is acted on after so long."""

_POLL_SECONDS = 1.0
_POLL_SHARE = 0.02
"""Polling looks that often, and takes at most that share of a processor's time."""

_ARMINGS = 5
"""So often the folders to watch may change while they are being watched, before it is looked again later."""


class Eyes:
    """Watches one tree. One thread uses it; only `wake` may be called from others."""

    def __init__(self, root: Path, say: Callable[[str], object], *, polling: bool = False) -> None:
        self._root = root
        self._say = say
        self._polling = polling
        self._woken = threading.Event()
        self._watch: indexing.Watch | None = None
        self._fingerprint = ""
        self._pause = _POLL_SECONDS

    @property
    def open(self) -> bool:
        """Whether every folder that is known is being watched, so that no change goes unseen."""
        return self._polling or self._watch is not None

    def close(self) -> None:
        """Watch nothing any more."""
        self._watch = None
        self._fingerprint = ""

    def watch(self) -> None:
        """Watch the folders that are there now. What changed before is not told."""
        if self._polling:
            self._looked()
            return
        for _ in range(_ARMINGS):
            look = indexing.look(self._root)
            # Two watches at a time may be more than the system allows.
            self._watch = None
            try:
                self._watch = indexing.watch(look)
            except NotWatchableError as error:
                self._polling = True
                self._say(f"{error.message} {error.advice}".rstrip())
                self._looked()
                return
            # Whatever came between the look and the watch is seen by another look.
            if indexing.look(self._root).folders == look.folders:
                return
        self._watch = None

    def wait(self, seconds: float) -> bool:
        """Wait until something may have changed and things have calmed down, but no longer than `seconds`."""
        if self._woken.is_set():
            return False
        if self._watch is None:
            return self._wait_polling(seconds)
        files, folders = self._watch.wait(seconds, _QUIET_SECONDS, _LONGEST_SECONDS)
        if folders:
            self._watch = None
        return files or folders

    def wake(self) -> None:
        """End a wait and all later ones."""
        self._woken.set()
        watch = self._watch
        if watch is not None:
            watch.wake()

    def _wait_polling(self, seconds: float) -> bool:
        if self._woken.wait(min(seconds, self._pause)):
            return False
        before = self._fingerprint
        self._pause -= min(seconds, self._pause)
        if self._pause > 0:
            return False
        return self._looked() != before

    def _looked(self) -> str:
        begun = time.monotonic()
        self._fingerprint = indexing.look(self._root).fingerprint
        self._pause = max(_POLL_SECONDS, (time.monotonic() - begun) / _POLL_SHARE)
        return self._fingerprint
