"""The two states of a repository that checks look at: a commit and the working tree, with what lies between them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mmcg import indexing

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mmcg.query.between import Between
    from mmcg.query.compare import State
    from mmcg.query.context import Context, Symbol
    from mmcg.query.worktree import Change

_LEFT_BEHIND = re.compile(
    r"(^|/)((__pycache__|\.(pytest|mypy|ruff|phpunit)_cache|\.phpunit\.cache|\.hypothesis)/"
    r"|(\.coverage|\.DS_Store|\.phpunit\.result\.cache|[^/]+\.pyc)$)"
)
"""New files that tools write when code is run or checked, and that no one meant to add."""


@dataclass
class Compared:
    """A commit and the working tree, symbol by symbol."""

    graphs: Between
    """`graphs.before` is the commit's graph, `graphs.after` the tree's, `graphs.files` what differs in files."""
    commit: str
    """The object id of the commit."""
    kept: dict[tuple[str, str], Any] = field(default_factory=dict, repr=False, kw_only=True)
    """What was found in files, kept for other checks."""

    @property
    def root(self) -> Path:
        """The folder that holds `.mastermind`; all paths are seen from it."""
        return Path(self.graphs.root)

    @property
    def before(self) -> Context:
        """The graph of the commit."""
        return self.graphs.before

    @property
    def after(self) -> Context:
        """The graph of the working tree."""
        return self.graphs.after

    @cached_property
    def changes(self) -> tuple[Change, ...]:
        """The changed files, by path, without what interpreters and test runners leave behind."""
        return tuple(each for each in self.graphs.files.changes if each.before or not _LEFT_BEHIND.search(each.path))

    @cached_property
    def changed(self) -> dict[str, Change]:
        """The changed files by each of their paths, then and now."""
        return {path: each for each in self.changes for path in each.paths()}

    @cached_property
    def pairs(self) -> dict[int, tuple[State, State]]:
        """The symbols of changed files that are still there, by their ids then."""
        return {one.id: (one, other) for one, other in self.graphs.pairing.pairs}

    def state_then(self, id_: int) -> State:
        """A symbol of the commit with all its columns."""
        return self.graphs.state(self.before, id_)

    def state_now(self, id_: int) -> State:
        """A symbol of the tree with all its columns."""
        return self.graphs.state(self.after, id_)

    def in_tests(self, context: Context, symbol: Symbol) -> bool:
        """Whether a symbol is a test, or stands among tests: in a test file, or in a container that holds tests."""
        return symbol.test or self.is_test_path(symbol.path) or symbol.id in self._among_tests(context)

    def is_test_path(self, path: str) -> bool:
        """Whether a path is that of a test file by the rules of its language."""
        if path not in self._test_paths:
            self._test_paths[path] = indexing.are_tests([path])[0]
        return self._test_paths[path]

    def not_in_tests(self, context: Context, symbols: Iterable[Symbol]) -> list[Symbol]:
        """The symbols that are no test code."""
        return [each for each in symbols if not self.in_tests(context, each)]

    @cached_property
    def _test_paths(self) -> dict[str, bool]:
        return {}

    @cached_property
    def _containers(self) -> dict[int, set[int]]:
        return {}

    def _among_tests(self, context: Context) -> set[int]:
        """The symbols in containers that hold tests."""
        known = self._containers.get(id(context))
        if known is None:
            sql = """
            WITH RECURSIVE inside(id) AS (
                SELECT DISTINCT s.container FROM symbols AS s WHERE s.test AND s.container IS NOT NULL
                UNION SELECT s.id FROM symbols AS s JOIN inside ON s.container = inside.id
            ) SELECT i.id FROM inside AS i JOIN symbols AS s ON s.id = i.id WHERE s.kind <> 'module'"""
            known = self._containers[id(context)] = {row[0] for row in context.rows(sql)}
        return known
