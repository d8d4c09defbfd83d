"""The index that a command answers from: found, refreshed where that is quick, and opened."""

from __future__ import annotations

from mmcg.indexing import refresh_if_stale
from mmcg.query.context import Context
from mmcg.settings import find_root
from mmcg.store import open_index


def open_context(root: str | None) -> Context:
    """What questions are asked of, for the repository at `root` or the nearest one upwards."""
    folder = find_root(root)
    fresh = refresh_if_stale(folder)
    return Context(open_index(folder), fresh)
