"""Knowing for a while that a tree has not changed, without looking through it again."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

from mmcg import indexing
from mmcg.errors import NotWatchableError
from mmcg.mcp.mounts import only_ours

if TYPE_CHECKING:
    from pathlib import Path

    from mmcg.model import Meta

SMALL = 300
"""Files up to which every answer looks: that takes a few milliseconds."""
TRUSTED_NS = 5_000_000_000
"""So long a look is trusted where the system tells of changes; some file systems do not, and nobody says so."""
SURE_NS = 60_000_000_000
"""So long where they are known to. A look at 3,000 files costs 50 ms of a processor."""
BLIND_NS = 150_000
"""So long a file a look is trusted where it does not: ten times what one costs, such as half a second for 3,000."""
_ARMINGS = 3


class Sentry:
    """Looks through a tree, and has the system tell of changes after that where looks are dear."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._watch: indexing.Watch | None = None
        self._able = True
        self._sure = only_ours(root)
        self.changed_ns = 0
        """When the last change was heard of."""

    @property
    def armed(self) -> bool:
        """Whether every change is heard of."""
        return self._watch is not None

    def trusted_ns(self, snapshot: Meta) -> int:
        """How long a look counts if no change was heard of; 0 is for: it counts for one answer."""
        files = snapshot.counts["files"]
        if files <= SMALL:
            return 0
        if self.armed:
            return SURE_NS if self._sure else TRUSTED_NS
        return min(files * BLIND_NS, TRUSTED_NS)

    def look(self, *, arm: bool) -> tuple[int, indexing.Look]:
        """What the tree is like now, and when that was. For one thread."""
        begun = time.time_ns()
        found = indexing.look(self._root)
        for _ in range(_ARMINGS):
            if not arm or self.armed or not self._able:
                break
            try:
                watch = indexing.watch(found)
            except NotWatchableError:
                self._able = False
                break
            begun, before = time.time_ns(), found
            # Whatever came between the look and the watch is seen by another look.
            found = indexing.look(self._root)
            if found.folders == before.folders:
                self._watch = watch
                threading.Thread(target=self._listen, args=(watch,), name="mastermind-sentry", daemon=True).start()
        return begun, found

    def _listen(self, watch: indexing.Watch) -> None:
        folders = False
        while not folders:
            files, folders = watch.wait(None, 0.0, 0.0)
            if files or folders:
                if folders:
                    # There may be a folder that is not watched.
                    self._watch = None
                self.changed_ns = time.time_ns()
