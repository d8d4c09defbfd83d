"""The small values that several layers speak about: confidences, kinds of notice, and how fresh an index is."""

from __future__ import annotations

from dataclasses import dataclass, field

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
    core_version: str
    facts_version: int
    root: str
    built_at: str
    """UTC, ISO 8601."""
    seconds: float
    """What the last indexing run took."""
    counts: dict[str, int]
    """Rows of each table, by its name."""

    def to_json(self, freshness: Freshness) -> dict[str, object]:
        """The `index` key of an answer."""
        return {"fresh": freshness.fresh, "at": self.built_at, "schema": self.schema_version}
