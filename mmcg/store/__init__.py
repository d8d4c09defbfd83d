"""The index on disk: its schema, how it is read, and how it is replaced without a reader ever noticing.

Nothing here imports the database library before it is used, so that help and completion stay quick.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from mmcg.store.reader import Index

__all__ = ["open_index"]


def open_index(root: Path) -> Index:
    """The index of the repository at `root`, for reading.

    Raises `NoIndexError` when there is none and `BadIndexError` when it cannot be used.
    """
    from mmcg.settings import Places
    from mmcg.store.reader import Index

    return Index(Places(root))
