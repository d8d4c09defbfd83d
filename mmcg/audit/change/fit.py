"""Which calls no longer fit the parameters of what they call.

A call is judged by what is surely known of it: how many arguments it gives and which names it uses. Calls that spread a
collection, decorators, operators and the like are passed over. A call only counts as one that no longer fits where it
fitted what was there before, so that what a language lets pass without saying is not held against anyone.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mmcg.query.between import SURE
from mmcg.query.context import among

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mmcg.query.context import Context

_FORMS = ("call", "new")


@dataclass(frozen=True, slots=True)
class Shape:
    """The parameters of a definition."""

    symbol: int
    positional: tuple[str, ...]
    """Names of parameters that can be given by place, in order; the receiver is left out."""
    required: frozenset[str]
    names: frozenset[str]
    """Names that can be used in a call."""
    open_places: bool
    """Whether it takes any number of arguments."""
    open_names: bool
    """Whether it takes any names."""
    receiver: bool

    def misfit(self, arguments: int, keywords: tuple[str, ...]) -> str:
        """What is wrong with a call of this shape; empty when it fits. `arguments` counts the named ones too."""
        places = arguments - len(keywords)
        unknown = [each for each in keywords if each not in self.names]
        if unknown and not self.open_names:
            return f"it passes `{unknown[0]}`, which is no parameter"
        if places > len(self.positional) and not self.open_places:
            return f"it passes {places} arguments where at most {len(self.positional)} are taken"
        missing = self.required - set(self.positional[:places]) - set(keywords)
        if missing:
            ordered = [each for each in self.positional if each in missing] or sorted(missing)
            return f"it does not pass `{ordered[0]}`"
        return ""

    def fits(self, arguments: int, keywords: tuple[str, ...]) -> bool:
        """Whether a call may be right; with a receiver that may be given as the first argument."""
        return not self.misfit(arguments, keywords) or (
            self.receiver and arguments > 0 and not self.misfit(arguments - 1, keywords)
        )


@dataclass(frozen=True, slots=True)
class Misfit:
    """A call that no longer fits."""

    caller: int
    file: str
    line: int
    why: str


def shapes(context: Context, ids: Iterable[int]) -> list[Shape]:
    """The parameters of definitions, and after them those of their prototypes, which may have the defaults."""
    rows = context.rows(f"SELECT id, parameters, name, qualified FROM symbols WHERE {among('id', ids)} ORDER BY id")  # noqa: S608
    names = {(name, qualified) for _, _, name, qualified in rows}
    apart = [
        each.id
        for each in context.symbols_called({name for name, _ in names})
        if each.kind == "prototype" and (each.name, each.qualified) in names
    ]
    rows += context.rows(f"SELECT id, parameters, name, qualified FROM symbols WHERE {among('id', apart)} ORDER BY id")  # noqa: S608
    return [_shape(id_, json.loads(parameters)) for id_, parameters, _, _ in rows]


def _shape(id_: int, parameters: list[dict[str, Any]]) -> Shape:
    positional, required, names = [], set(), set()
    open_places = open_names = receiver = False
    for each in parameters:
        kind, name = each["kind"], str(each["name"]).lstrip("$&*")
        if kind == "receiver":
            receiver = True
        elif kind == "variadic":
            open_places = True
        elif kind == "keyword_variadic":
            open_names = True
        else:
            if kind != "keyword":
                positional.append(name)
            if kind != "positional":
                names.add(name)
            if each["required"]:
                required.add(name)
    return Shape(id_, tuple(positional), frozenset(required), frozenset(names), open_places, open_names, receiver)


def misfits(before: list[Shape], context: Context, now: list[Shape]) -> list[Misfit]:
    """The calls in a graph of the symbol with the definitions `now` that fit none of them and fitted those `before`."""
    if not now or not before:
        return []
    sure = ", ".join(f"'{each}'" for each in SURE)
    forms = ", ".join(f"'{each}'" for each in _FORMS)
    condition = among("target", (each.symbol for each in now))
    rows = context.rows(
        f"SELECT DISTINCT source, file, line, arguments, keywords FROM calls WHERE {condition} "  # noqa: S608
        f"AND confidence IN ({sure}) AND form IN ({forms}) AND NOT spread AND arguments IS NOT NULL ORDER BY file, line"
    )
    found = []
    for source, file, line, arguments, keywords in rows:
        names = tuple(str(each).lstrip("$") for each in json.loads(keywords)) if keywords else ()
        if any(each.fits(arguments, names) for each in now):
            continue
        if any(each.fits(arguments, names) for each in before):
            found.append(Misfit(source, context.path_of(file), line, now[0].misfit(arguments, names)))
    return found
