"""What lies between a commit and the working tree: two graphs, and which symbol of one is which of the other.

Files that did not change hold the same symbols in the same order, so only the symbols of changed files are paired.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from mmcg import indexing
from mmcg.query import git
from mmcg.query.baseline import open_baseline
from mmcg.query.compare import Pairing, State, paired, states
from mmcg.query.context import TYPE_KINDS, Context, Symbol, among
from mmcg.query.worktree import Comparison, compare

if TYPE_CHECKING:
    from collections.abc import Iterable

AT_ONCE = 200
"""So many earlier contents are asked of git together."""

SURE = ("exact", "inferred")
"""The confidences of edges that count; those by name alone never do."""


@dataclass(frozen=True, slots=True)
class Caller:
    """A symbol that calls another one, in one of the two states."""

    symbol: Symbol
    lines: tuple[int, ...]
    """Of the call sites, in the symbol's file."""
    rule: str


@dataclass(frozen=True, slots=True)
class Callers:
    """What became of a symbol's callers. Those that moved or were renamed are kept ones."""

    gained: tuple[Caller, ...] = ()
    """As they are now."""
    lost: tuple[Caller, ...] = ()
    """As they were."""
    kept: tuple[Caller, ...] = ()
    """As they are now."""


class Between:
    """A commit's graph, the tree's, and how they correspond."""

    def __init__(self, before: Context, after: Context, files: Comparison) -> None:
        self.before = before
        self.after = after
        self.files = files
        self.root = after.root
        self.renamed = {each.before: each.after for each in files.changes if each.before and each.after}
        """The path now of each changed file that is still there, by its path then."""
        self.moved_files = {each.before: each.after for each in files.changes if each.renamed}
        """The same, only those that are elsewhere now."""
        self._blobs = {each.before: each.blob for each in files.changes if each.before}
        self._then: dict[str, bytes] = {}
        self._now: dict[str, bytes] = {}

    @cached_property
    def pairing(self) -> Pairing:
        """The symbols of all changed files, paired."""
        return paired(
            self.states_then(each.before for each in self.files.changes if each.before),
            self.states_now(each.after for each in self.files.changes if each.after),
            {one: other for one, other in self.renamed.items() if one and other},
            (self.source_then, self.source_now),
        )

    def states_then(self, paths: Iterable[str]) -> list[State]:
        """The symbols that files had in the commit."""
        return _states(self.before, paths)

    def states_now(self, paths: Iterable[str]) -> list[State]:
        """The symbols that files have."""
        return _states(self.after, paths)

    def state(self, context: Context, id_: int) -> State:
        """A symbol of either graph with all its columns."""
        return states(context, f"id = {id_:d}::UINTEGER")[0]

    def now(self, id_: int) -> int | None:
        """The id now of a symbol of the commit; None when it is gone. A renamed symbol is the same one."""
        return self._translated(id_, self.before, self._paired_now, self._offsets_now)

    def then(self, id_: int) -> int | None:
        """The id in the commit of a symbol; None when it is new."""
        return self._translated(id_, self.after, self._paired_then, self._offsets_then)

    def callers(self, then: Iterable[int], now: Iterable[int]) -> Callers:
        """Who calls a symbol, given by its definitions' ids in both states.

        A caller that says the same as before is only gained or lost if its calls surely go elsewhere on the other
        side: where they are not resolved there, nothing is known.
        """
        old, new = self.calls_into(self.before, then), self.calls_into(self.after, now)
        old_ids = {self.now(each): each for each in old}
        gained, lost, kept = [], [], []
        possible_then = self._possible(self.before, then)
        possible_now = self._possible(self.after, now)
        for id_, caller in new.items():
            earlier = self.then(id_)
            if id_ in old_ids:
                kept.append(caller)
            elif (
                earlier is None
                or earlier not in possible_then
                or self._body(self.before, earlier) != self._body(self.after, id_)
            ):
                gained.append(caller)
        for id_, caller in old.items():
            later = self.now(id_)
            if later in new:
                continue
            if (
                later is None
                or later not in possible_now
                or self._body(self.before, id_) != self._body(self.after, later)
            ):
                lost.append(caller)
        return Callers(tuple(gained), tuple(lost), tuple(kept))

    def calls_into(self, context: Context, ids: Iterable[int]) -> dict[int, Caller]:
        """Who surely calls one of these symbols, by id. Constructions of a type are calls of it."""
        wanted = self._called(context, ids)
        if not wanted:
            return {}
        sure = ", ".join(f"'{each}'" for each in SURE)
        targets = sorted(wanted)
        parts = (
            f"SELECT source, line, rule FROM calls WHERE {among(end, targets)} AND confidence IN ({sure})"
            for end in ("target", "constructs")
        )
        rows = context.rows(" UNION ".join(parts) + " ORDER BY source, line, rule")
        lines: dict[int, set[int]] = defaultdict(set)
        rules: dict[int, str] = {}
        for source, line, rule in rows:
            lines[source].add(line)
            rules.setdefault(source, rule)
        known = context.symbols(lines)
        return {
            each: Caller(known[each], tuple(sorted(lines[each])), rules[each])
            for each in lines
            # Recursion is no caller.
            if each not in wanted
        }

    def _called(self, context: Context, ids: Iterable[int]) -> set[int]:
        """The symbols and, for types, their constructors."""
        wanted = set(ids)
        types = [each.id for each in context.symbols(wanted).values() if each.kind in TYPE_KINDS]
        if types:
            sql = f"SELECT id FROM symbols WHERE {among('container', types)} AND kind = 'constructor'"
            wanted |= {row[0] for row in context.rows(sql)}
        return wanted

    def _possible(self, context: Context, ids: Iterable[int]) -> set[int]:
        """Who calls something by the name of these symbols that may be one of them."""
        wanted = sorted(self._called(context, ids))
        sql = f"SELECT DISTINCT source FROM calls WHERE {among('target', wanted)} AND confidence = 'possible'"
        return {row[0] for row in context.rows(sql)}

    def _body(self, context: Context, id_: int) -> int:
        found: int = context.rows(f"SELECT body_hash FROM symbols WHERE id = {id_:d}::UINTEGER")[0][0]
        return found

    def text_then(self, path: str) -> bytes:
        """The contents of a changed file as they were; nothing for one that was not there."""
        if path not in self._then:
            if not self._blobs.get(path):
                return b""
            # One git process gives many files as fast as one.
            others = (each for each, blob in self._blobs.items() if blob and each != path and each not in self._then)
            paths = [path, *islice(others, AT_ONCE)]
            sizes = self.files.tree.files
            wanted = [(self._blobs[each], sizes[each].size if each in sizes else 0) for each in paths]
            for each, (_, data) in zip(paths, git.blobs(self.root, wanted), strict=True):
                self._then[each] = data
        return self._then[path]

    def text_now(self, path: str) -> bytes:
        """The contents of a file; nothing for one that is not there, or leads out of the root."""
        if path not in self._now:
            data = b""
            if self.after.inside_root(path) is not None:
                file = Path(self.root) / path
                if file.is_file() and file.stat().st_size <= git.LARGEST:
                    data = file.read_bytes()
            self._now[path] = data
        return self._now[path]

    def source_then(self, state: State) -> str:
        """The source of a definition as it was."""
        data = self.text_then(state.path)[state.start_byte : state.end_byte]
        return indexing.decoded(data)

    def source_now(self, state: State) -> str:
        """The source of a definition."""
        return indexing.decoded(self.text_now(state.path)[state.start_byte : state.end_byte])

    @cached_property
    def _paired_now(self) -> dict[int, int]:
        pairing = self.pairing
        return {one.id: other.id for one, other in [*pairing.renamed, *pairing.pairs]} | dict(self._modules())

    @cached_property
    def _paired_then(self) -> dict[int, int]:
        return {other: one for one, other in self._paired_now.items()}

    def _modules(self) -> list[tuple[int, int]]:
        """The modules of changed files, which stand for the code outside of definitions."""
        then, now = self._firsts(self.before), self._firsts(self.after)
        return [
            (then[one][0], now[other][0])
            for one, other in self.renamed.items()
            if one in then and other in now and other is not None
        ]

    @cached_property
    def _offsets_now(self) -> dict[str, int]:
        return self._offsets(self.before, self.after, {each.before for each in self.files.changes})

    @cached_property
    def _offsets_then(self) -> dict[str, int]:
        return self._offsets(self.after, self.before, {each.after for each in self.files.changes})

    def _offsets(self, one: Context, other: Context, changed: set[str | None]) -> dict[str, int]:
        """For each file that did not change, what to add to its symbols' ids."""
        here, there = self._firsts(one), self._firsts(other)
        return {
            path: there[path][0] - first
            for path, (first, count) in here.items()
            if path not in changed and path in there and there[path][1] == count
        }

    def _firsts(self, context: Context) -> dict[str, tuple[int, int]]:
        """The first symbol's id and the number of symbols, by file."""
        rows = context.rows("SELECT file, min(id), count(*) FROM symbols GROUP BY file")
        return {context.path_of(file): (first, count) for file, first, count in rows}

    def _translated(self, id_: int, here: Context, paired: dict[int, int], offsets: dict[str, int]) -> int | None:
        if id_ in paired:
            return paired[id_]
        offset = offsets.get(here.symbols([id_])[id_].path)
        return None if offset is None else id_ + offset


def between(after: Context, commit: str) -> Between:
    """Compare the tree of an index with a commit, given by its object id."""
    files = compare(after.root, commit)
    return Between(open_baseline(after.root, commit, files.tree), after, files)


def _states(context: Context, paths: Iterable[str]) -> list[State]:
    known = context.files()
    return states(context, among("file", (known[path] for path in paths if path in known)))
