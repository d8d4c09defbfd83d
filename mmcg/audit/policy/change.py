"""The change that rules are held against, and what several of their checks ask of it.

A symbol is *changed* when `query changed` names it: added, removed, moved, or with another signature or body. Only
calls that are sure (`exact` and `inferred`) count.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from mmcg.audit import evidence
from mmcg.audit.compared import Compared
from mmcg.query.answer import Options
from mmcg.query.compare import differences
from mmcg.query.context import CALLABLE_KINDS, TYPE_KINDS, Context, among
from mmcg.query.walk import BACKWARD, starts, step

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mmcg.query.compare import Difference, State

MOST = 200_000
"""Symbols from which calls are followed back at most."""


@dataclass
class Change(Compared):
    """What lies between a commit and the working tree, for rules."""

    remarks: list[str] = field(default_factory=list)
    """What is to be said of rules that could not be held as they are written."""

    @cached_property
    def differences(self) -> tuple[Difference, ...]:
        """The changed symbols in files that count, tests included."""
        return tuple(
            each
            for each in differences(self.graphs.pairing)
            if any(state.path in self.changed for state in (each.before, each.after) if state)
        )

    def in_test_code(self, difference: Difference) -> bool:
        """Whether a changed symbol belongs to tests, by the graph or by what its file holds."""
        context, state, held = (
            (self.after, difference.after, evidence.now)
            if difference.after is not None
            else (self.before, difference.before, evidence.then)
        )
        if state is None or self.in_tests(context, context.symbols([state.id])[state.id]):
            return state is not None
        tests = {each.symbol for each in held(self, state.path).tests}
        return state.qualified in tests or any(state.qualified.startswith(f"{each}.") for each in tests)

    def public(self, context: Context, ids: Iterable[int]) -> set[int]:
        """Those of some symbols that code elsewhere may use: public, exported where the file exports, not local."""
        rows = _Rows(context)
        exporting = {row[0] for row in context.rows("SELECT DISTINCT file FROM symbols WHERE exported")}
        return {each for each in ids if _is_public(rows, each, exporting)}


class _Rows:
    """What decides whether symbols are public, looked up as it is asked for."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.known: dict[int, tuple[int | None, str, str, bool, bool, int]] = {}

    def __getitem__(self, id_: int) -> tuple[int | None, str, str, bool, bool, int]:
        if id_ not in self.known:
            sql = (
                "SELECT container, kind, visibility, exported, static, file FROM symbols "  # noqa: S608 - a number
                f"WHERE {among('id', [id_])}"
            )
            self.known[id_] = self.context.rows(sql)[0]
        return self.known[id_]

    def foreign(self, id_: int) -> bool | None:
        """Of a member that stands outside of its type, whether that is public; None for what is no such member."""
        symbol = self.context.symbols([id_])[id_]
        head = symbol.qualified.rpartition(".")[0]
        if not head:
            return None
        folder = symbol.path.rpartition("/")[0]
        types = [
            each.id
            for each in self.context.symbols_called([head.rpartition(".")[2]])
            if each.kind in TYPE_KINDS and each.qualified == head and each.path.rpartition("/")[0] == folder
        ]
        return any(self[each][2] == "public" for each in types) if types else None


def _is_public(rows: _Rows, id_: int, exporting: set[int]) -> bool:
    if rows[id_][1] in ("module", "namespace"):
        return False
    at: int | None = id_
    exported = False
    file = rows[id_][5]
    while at is not None:
        container, kind, visibility, says, static, _ = rows[at]
        if container is None and rows.foreign(at) is False:
            return False
        if kind not in ("module", "namespace"):
            if visibility != "public" or (at != id_ and kind in CALLABLE_KINDS):
                return False
            if static and container is None and kind in CALLABLE_KINDS:
                return False  # Outside of types, that keeps it in its file.
            exported = exported or says
        at = container
    return exported or file not in exporting


class Reach:
    """Calls, followed back from some symbols as far as they go."""

    def __init__(self, context: Context, states: Iterable[State]) -> None:
        self.context = context
        symbols = context.symbols(each.id for each in states)
        self.starts = {id_: [each.id for each in starts(context, symbol)] for id_, symbol in symbols.items()}
        self.complete = True
        self._into: dict[int, list[int]] = {}
        frontier = sorted({each for begin in self.starts.values() for each in begin})
        seen = set(frontier)
        while frontier:
            reached = []
            for near, far, _, _ in step(context, BACKWARD, frontier, Options()):
                self._into.setdefault(near, []).append(far)
                if far not in seen:
                    seen.add(far)
                    reached.append(far)
            if len(seen) > MOST:
                self.complete = False
                return
            frontier = reached

    def of(self, id_: int, depth: int) -> dict[int, int]:
        """By id, how many calls away each symbol is from which calls lead to this one; itself is 0 away."""
        found = dict.fromkeys(self.starts[id_], 0)
        frontier = list(found)
        for distance in range(1, depth + 1):
            reached = []
            for near in frontier:
                for far in self._into.get(near, ()):
                    if far not in found:
                        found[far] = distance
                        reached.append(far)
            if not reached:
                break
            frontier = reached
        return found
