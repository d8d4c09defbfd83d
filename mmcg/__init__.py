"""Resolved code graphs of whole repositories, and audits of work against them.

The names a library user needs are re-exported here as they are asked for, so that `import mmcg` costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

__version__ = "0.1.0"

if TYPE_CHECKING:
    from mmcg.graph import Graph, open_graph

__all__ = ["Graph", "__version__", "open_graph"]


def __getattr__(name: str) -> object:
    if name in ("Graph", "open_graph"):
        from mmcg import graph

        return getattr(graph, name)
    raise AttributeError(f"module `mmcg` has no attribute `{name}`")
