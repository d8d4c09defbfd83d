"""The graph of a commit, made from its own blobs by the code that makes the index.

Nothing is checked out and the working tree is not looked at. The graph is kept as a database of its own in the cache,
by the tree's id and the versions that made it, so that it is made once; facts of single files come from the cache that
the index uses. Submodules are not part of a commit's graph.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from typing import TYPE_CHECKING

from mmcg import __version__, indexing
from mmcg.errors import BadIndexError, NoIndexError
from mmcg.model import Freshness
from mmcg.query import git
from mmcg.query.context import Context
from mmcg.settings import Places
from mmcg.store import open_index_at
from mmcg.store.schema import SCHEMA_VERSION

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from mmcg.indexing import Ignores
    from mmcg.query.git import Tree

KEPT = 6
"""So many graphs of commits stay in the cache, those used last."""

FOLDER = "cache/baseline"

_OWN, _GIT = ".mastermindignore", ".gitignore"


def open_baseline(root: Path, commit: str, tree: Tree | None = None) -> Context:
    """The graph of a commit, for the folder `root`, which may lie below the repository's own root.

    Raises `MissingObjectError` where git lacks the commit or its contents.
    """
    tree = git.tree_of(root, commit) if tree is None else tree
    ignores = _ignores(root, commit, tree)
    places = Places(root, f"{FOLDER}/{_key(tree, ignores)}.db")
    try:
        found = open_index_at(places)
        with contextlib.suppress(OSError):
            os.utime(places.database)
    except (NoIndexError, BadIndexError):
        # Whatever is wrong with a kept graph, it can be made again.
        _make(places, tree, ignores)
        found = open_index_at(places)
        _forget_old(places)
    return Context(found, Freshness(fresh=True))


def _make(places: Places, tree: Tree, ignores: Ignores) -> None:
    paths = [path for path in sorted(tree.files) if _regular(tree, path)]
    wanted = indexing.read_by_an_index(places.root, paths, ignores)
    indexing.index_given(places, lambda: _contents(places.root, tree, wanted), facts=places.cache)


def _contents(root: Path, tree: Tree, paths: list[str]) -> Iterator[list[tuple[str, bytes]]]:
    """The bytes of files, in parts."""
    part: list[tuple[str, bytes]] = []
    weight = 0
    entries = [tree.files[path] for path in paths]
    read = git.blobs(root, ((entry.blob, entry.size) for entry in entries))
    for path, (_, data) in zip(paths, read, strict=True):
        part.append((path, data))
        weight += len(data)
        if weight > git.PART:
            yield part
            part, weight = [], 0
    yield part


def _regular(tree: Tree, path: str) -> bool:
    entry = tree.files[path]
    return not entry.link and entry.size <= git.LARGEST and path.isprintable()


def _ignores(root: Path, commit: str, tree: Tree) -> Ignores:
    """The ignore files that count for the tree: its own, those above the root, and the repository's private one."""
    named = {_GIT: "git", _OWN: "own"}
    inside = [
        path
        for path, entry in sorted(tree.files.items())
        if path.rpartition("/")[2] in named and not entry.link and entry.size <= git.LARGEST
    ]
    read = git.blobs(root, ((tree.files[path].blob, tree.files[path].size) for path in inside))
    found = [
        (os.path.join(root, path.rpartition("/")[0]).rstrip("/"), named[path.rpartition("/")[2]], _text(data))  # noqa: PTH118
        for path, (_, data) in zip(inside, read, strict=True)
    ]
    top = git.top(root)
    above = root.resolve()
    while above != top and top in above.parents:
        above = above.parent
        for name, kind in named.items():
            data = git.contents_at(root, commit, (above / name).relative_to(top).as_posix())
            if data is not None:
                found.append((str(above), kind, _text(data)))
    with contextlib.suppress(OSError):
        found.append((str(top), "exclude", _text(git.own_path(root, "info/exclude").read_bytes())))
    return found


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _key(tree: Tree, ignores: Ignores) -> str:
    """What decides the graph: the tree, what is ignored of it, and the versions."""
    private = [each for each in ignores if each[1] == "exclude"]
    parts = [tree.id, private, SCHEMA_VERSION, __version__, indexing.core_version()]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:32]


def _forget_old(places: Places) -> None:
    """Remove the graphs that were not used for longest."""
    with contextlib.suppress(OSError):
        kept = sorted(places.database.parent.glob("*.db"), key=lambda each: each.stat().st_mtime, reverse=True)
        for each in kept[KEPT:]:
            each.unlink(missing_ok=True)
