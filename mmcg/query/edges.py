"""Call edges at one end of a symbol, gathered into one row for the symbol at the other end."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from mmcg.query.answer import RANK, Row
from mmcg.query.context import TYPE_KINDS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mmcg.query.context import Context, Symbol

# What is said about a caller stands beside the call: looking it up would double the time.
_INTO = """
SELECT source, target, file, line, "column", confidence, rule, caller, caller_kind, caller_line FROM calls
WHERE {end} = {id:d}::UINTEGER"""
_OUT_OF = """
SELECT target, source, file, line, "column", confidence, rule, name, external FROM calls
WHERE source = {id:d}::UINTEGER"""


@dataclass(slots=True)
class Gathered:
    """The edges between the asked symbol and one other."""

    confidence: str
    rule: str
    symbol: Row = field(default_factory=dict)
    """The columns that speak of the other symbol, where they were read with the edges."""
    sites: set[tuple[int, int, int]] = field(default_factory=set)
    via: set[int] = field(default_factory=set)

    def add(self, confidence: str, rule: str, site: tuple[int, int, int]) -> None:
        """One more site; the surest edge speaks for all."""
        self.sites.add(site)
        if RANK[confidence] < RANK[self.confidence]:
            self.confidence, self.rule = confidence, rule

    def row(self, context: Context) -> Row:
        """The columns that speak of the edges."""
        sites = [
            {"file": context.path_of(file), "line": line, "column": column} for file, line, column in sorted(self.sites)
        ]
        return {"confidence": self.confidence, "rule": self.rule, "sites": sites}


def targets_of(context: Context, symbol: Symbol) -> list[Symbol]:
    """What a call of a symbol may target: itself, and a type's own constructors."""
    return [symbol, *context.constructors(symbol)]


def edges_into(context: Context, symbols: Iterable[Symbol]) -> dict[int, Gathered]:
    """By calling symbol, all edges into these, and all constructions of these through constructors they inherit."""
    gathered: dict[int, Gathered] = {}
    for symbol in symbols:
        rows = context.rows(_INTO.format(end="target", id=symbol.id))
        if symbol.kind in TYPE_KINDS:
            rows += context.rows(_INTO.format(end="constructs", id=symbol.id))
        for source, target, file, line, column, confidence, rule, caller, kind, caller_line in rows:
            entry = gathered.get(source)
            if entry is None:
                path = context.path_of(file)
                row = {"symbol": f"{path}::{caller}", "kind": kind, "file": path, "line": caller_line}
                entry = gathered[source] = Gathered(confidence, rule, row)
            entry.add(confidence, rule, (file, line, column))
            entry.via.add(target)
    return gathered


def edges_out_of(
    context: Context, symbols: Iterable[Symbol]
) -> tuple[dict[int, Gathered], dict[tuple[str, str], Gathered]]:
    """By called symbol, all edges out of these; and those that leave the project or are lost, by name."""
    inside: dict[int, Gathered] = {}
    outside: dict[tuple[str, str], Gathered] = {}
    for symbol in symbols:
        rows = context.rows(_OUT_OF.format(id=symbol.id))
        for target, _, file, line, column, confidence, rule, name, external in rows:
            if target is None:
                entry = outside.setdefault((external or name, confidence), Gathered(confidence, rule))
            else:
                entry = inside.setdefault(target, Gathered(confidence, rule))
            entry.add(confidence, rule, (file, line, column))
    return inside, outside
