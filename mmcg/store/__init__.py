"""The index on disk: its schema, how it is read, and how it is replaced without a reader ever noticing.

Nothing here imports the database library before it is used, so that help and completion stay quick.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from mmcg.settings import Places
    from mmcg.store.reader import Index

__all__ = ["open_index", "open_index_at"]


def open_index(root: Path) -> Index:
    """The index of the repository at `root`, for reading.

    Raises `NoIndexError` when there is none and `BadIndexError` when it cannot be used.
    """
    from mmcg.settings import Places

    return open_index_at(Places(root))


def open_index_at(places: Places) -> Index:
    """An index that may lie elsewhere; raises as `open_index` does."""
    from mmcg.store.reader import Index

    return Index(places)
