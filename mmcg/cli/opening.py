"""The index that a command answers from: found, refreshed where that is quick, and opened."""

from __future__ import annotations

from mmcg.indexing import open_refreshed
from mmcg.query.context import Context
from mmcg.settings import find_root


def open_context(root: str | None) -> Context:
    """What questions are asked of, for the repository at `root` or the nearest one upwards."""
    return Context(*open_refreshed(find_root(root)))
