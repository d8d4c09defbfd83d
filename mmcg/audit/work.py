"""What an audit looks at: the spec, the report, and the two states of the repository with what lies between them.

Every check of an audit is a function `audit(work: Work)` that gives findings; it looks and changes nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from mmcg import indexing
from mmcg.audit.files import exists, fits, is_glob
from mmcg.audit.symbols import Lookup, look_up

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from mmcg.audit.claims.judged import Judged
    from mmcg.audit.documents.report import Report
    from mmcg.audit.documents.spec import Spec, SymbolPlan
    from mmcg.audit.findings import Finding, Kind
    from mmcg.audit.tasks import Task
    from mmcg.query.between import Between
    from mmcg.query.compare import State
    from mmcg.query.context import Context, Symbol
    from mmcg.query.worktree import Change


_LEFT_BEHIND = re.compile(
    r"(^|/)((__pycache__|\.(pytest|mypy|ruff|phpunit)_cache|\.phpunit\.cache|\.hypothesis)/"
    r"|(\.coverage|\.DS_Store|\.phpunit\.result\.cache|[^/]+\.pyc)$)"
)
"""New files that tools write when code is run or checked, and that no one meant to add."""


@dataclass(frozen=True, slots=True)
class Named:
    """A symbol that the spec names under `touches`, in both states."""

    plan: SymbolPlan
    file: str
    """The file, or glob, that it stands under."""
    then: Lookup
    """What the name means in the commit."""
    now: tuple[int, ...]
    """The ids that its definitions have now; those that are gone are missing."""


@dataclass
class Work:
    """One task's work, between the baseline commit and the working tree."""

    task: Task
    spec: Spec
    report: Report | None
    graphs: Between
    """`graphs.before` is the commit's graph, `graphs.after` the tree's, `graphs.files` what differs in files."""
    commit: str
    """The object id of the baseline."""
    runs: Any = None
    """What the declared commands gave; None when they were not run."""
    notices: list[str] = field(default_factory=list)
    report_findings: tuple[Finding, ...] = ()
    kept: dict[tuple[str, str], Any] = field(default_factory=dict, repr=False)
    """What was found in files, kept for other checks."""
    """What is wrong with the form of the report."""

    @property
    def root(self) -> Path:
        """The folder that holds `.mastermind`; all paths are seen from it."""
        return self.task.root

    @property
    def before(self) -> Context:
        """The graph of the baseline."""
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
    def named(self) -> tuple[Named, ...]:
        """The symbols under `touches`."""
        found = []
        for file, plan in self.spec.symbols():
            then = look_up(self.before, plan.name, file, plan.signature)
            if not then.found:
                then = look_up(self.before, plan.name, self._earlier(file), plan.signature)
            now = tuple(each for one in then.symbols if (each := self.graphs.now(one.id)) is not None)
            found.append(Named(plan, file, then, now))
        return tuple(found)

    def definitions_now(self, named: Named) -> tuple[int, ...]:
        """The ids of what a named symbol is now: its definitions, and those that joined them under its name."""
        if named.plan.signature is not None or not named.now:
            return named.now
        places = {(each.path, each.qualified) for each in self.after.symbols(named.now).values()}
        joined = [each.id for each in self.graphs.pairing.came if (each.path, each.qualified) in places]
        return (*named.now, *joined)

    def exists(self, path: str) -> str | None:
        """A declared path that is there now (of a glob, the first file of the graph that fits); else None."""
        if is_glob(path) and not exists(self.root, path):
            return next((each for each in self.after.files() if fits(path, each)), None)
        return path if exists(self.root, path) else None

    def renamed_away(self, symbols: Iterable[Symbol]) -> bool:
        """Whether all these symbols of the baseline have another name now."""
        renamed = {one.id for one, _ in self.graphs.pairing.renamed}
        return all(each.id in renamed for each in symbols)

    @cached_property
    def claims(self) -> tuple[Judged, ...]:
        """What the report claims, judged."""
        from mmcg.audit.claims import judged

        return tuple(judged(self))

    def found_in_claims(self, kind: Kind) -> Iterator[Finding]:
        """The findings of one kind that claims lead to."""
        return (finding for each in self.claims for finding in each.findings if finding.kind == kind.name)

    @cached_property
    def pairs(self) -> dict[int, tuple[State, State]]:
        """The symbols of changed files that are still there, by their ids then."""
        return {one.id: (one, other) for one, other in self.graphs.pairing.pairs}

    def state_then(self, id_: int) -> State:
        """A symbol of the baseline with all its columns."""
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

    def _earlier(self, file: str) -> str:
        """The path in the commit of a file that is elsewhere now."""
        return next((before for before, after in self.graphs.moved_files.items() if before and after == file), file)
