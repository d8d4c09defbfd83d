"""Resolved code graphs of whole repositories, and audits of work against them.

The names a library user needs are re-exported here as they are asked for, so that `import mmcg` costs nothing.
"""

__version__ = "0.1.0"

# Nothing is imported here, not even `typing`: `python -m mmcg` in a repository would take its module of that name.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from mmcg.graph import Graph, open_graph

__all__ = ["Graph", "__version__", "open_graph"]


def __getattr__(name: str) -> object:
    if name in ("Graph", "open_graph"):
        from mmcg import graph

        return getattr(graph, name)
    raise AttributeError(f"module `mmcg` has no attribute `{name}`")
