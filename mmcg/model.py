"""The small values that several layers speak about: confidences, kinds of notice, and how fresh an index is."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

CONFIDENCES = ("exact", "inferred", "possible", "external", "unresolved")
"""How sure an edge is, surest first."""

ANSWERED = ("exact", "inferred")
"""The confidences that answers contain unless more is asked for."""

SKIP_REASONS = ("binary", "too_large", "minified", "unreadable", "undecodable", "generated")
"""Why a file was left out of the index."""


@dataclass(frozen=True, slots=True)
class Freshness:
    """How an index stands to the tree it describes."""

    fresh: bool
    changed: int = 0
    """Files that were added, removed or edited since the index was made."""
    refreshed: bool = False
    """Whether the index was brought up to date just now."""
    notices: tuple[str, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class Meta:
    """What an index says about itself: the table `meta`."""

    schema_version: int
    mmcg_version: str
    core: dict[str, Any]
    """What `_core.version()` said, and which build of it that was."""
    root: str
    """The folder's absolute path when the index was made; it may have moved since."""
    built_at: str
    """UTC, ISO 8601."""
    started_ns: int
    """When the run began to look at the tree, in nanoseconds since 1970."""
    finished_ns: int
    """When it had read the last file."""
    fingerprint: str
    """Of the tree: paths, sizes and times."""
    seconds: float
    """What the run took."""
    refresh_seconds: float
    """What another one is expected to take when little has changed."""
    summary: dict[str, Any]
    """What the run counted: `files`, `symbols`, `call_sites`, `edges`, `languages`, `notices`."""
    counts: dict[str, int] = field(default_factory=dict)
    """Rows of each table, by its name."""

    def same_rows(self, other: Meta) -> bool:
        """Whether two indexes surely have the same rows in all tables but for files' times (the core's `content`)."""
        mine, theirs = (
            (each.schema_version, each.mmcg_version, each.core, each.counts, each.summary.get("content"))
            for each in (self, other)
        )
        return bool(mine[-1]) and mine == theirs

    def to_json(self, freshness: Freshness) -> dict[str, object]:
        """The `index` key of an answer."""
        return {"fresh": freshness.fresh, "at": self.built_at, "schema": self.schema_version}
