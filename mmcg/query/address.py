"""From what somebody typed to the one symbol it means, or to the candidates.

A complete address wins over an exact qualified name, and that over a suffix. Several of one strength are ambiguous:
they are all named, and none of them is answered for. A prototype never competes with its definition.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from mmcg.query.answer import Answer, Row
from mmcg.query.context import Context, Symbol, among
from mmcg.query.nearest import nearest_symbols
from mmcg.query.paths import file_elsewhere, file_named, files_ending

if TYPE_CHECKING:
    from collections.abc import Iterator

_LINE = re.compile(r"^(?P<name>.+)@(?P<line>\d{1,9})$", re.DOTALL)


@dataclass(slots=True)
class Found:
    """One symbol, or the candidates for it."""

    symbol: Symbol | None = None
    candidates: list[Row] = field(default_factory=list)
    ambiguous: bool = False

    def refusal(self, query: str, target: str) -> Answer:
        """The answer when there is no one symbol."""
        return Answer(query, target, status="ambiguous" if self.ambiguous else "not_found", candidates=self.candidates)


def resolve(context: Context, text: str) -> Found:
    """The symbol that `text` means."""
    for several in _tiers(context, text):
        kept = without_prototypes(several)
        if len(kept) == 1:
            return Found(kept[0])
        if kept:
            return Found(candidates=[each.row() for each in kept], ambiguous=True)
    return Found(candidates=nearest_symbols(context, text))


def without_prototypes(symbols: list[Symbol]) -> list[Symbol]:
    """The definitions; of a name that has only prototypes, the first of them."""
    defined = {each.qualified for each in symbols if each.kind != "prototype"}
    kept: list[Symbol] = []
    for each in symbols:
        if each.kind == "prototype":
            if each.qualified in defined:
                continue
            defined.add(each.qualified)
        kept.append(each)
    return kept


def _tiers(context: Context, text: str) -> Iterator[list[Symbol]]:
    """Symbols that fit, strongest fit first."""
    splits = [(text[:at], text[at + 2 :]) for at in _places(text, "::")]
    exact = [(path, name) for written, name in splits if (path := file_named(context, written))]
    for path, name in exact:
        yield from _in_file(context, path, name)
    ending = [(files_ending(context, written), name) for written, name in splits]
    for paths, name in ending:
        yield from _in_files(context, paths, name)
    for path, name in exact:
        yield from _suffix_in_files(context, [path], name)
    for paths, name in ending:
        yield from _suffix_in_files(context, paths, name)
    if not exact and not any(paths for paths, _ in ending):
        elsewhere = [(path, name) for written, name in splits if (path := file_elsewhere(context, written))]
        for path, name in elsewhere:
            yield from _in_file(context, path, name)
            yield from _suffix_in_files(context, [path], name)
    yield from _by_name(context, text)
    if splits:
        yield from _by_name(context, text.replace("::", "."))
    yield _module_of(context, text)


def _places(text: str, part: str) -> Iterator[int]:
    at = text.find(part)
    while at >= 0:
        yield at
        at = text.find(part, at + 1)


def _in_file(context: Context, path: str, name: str) -> Iterator[list[Symbol]]:
    """Symbols of one file by their whole name: the one with that address, then all of that qualified name."""
    file = context.files()[path]
    address = f"{path}::{name}"
    plain, line = _at_line(name)
    if line:
        same = context.named(file, plain)
        yield [each for each in same if each.address == address or each.line == line]
    same = context.named(file, name)
    yield [each for each in same if each.address == address]
    yield same


def _in_files(context: Context, paths: list[str], name: str) -> Iterator[list[Symbol]]:
    """Symbols of several files by their whole name."""
    if paths:
        known = context.files()
        wanted, line = _at_line(name)
        here = among("s.file", (known[path] for path in paths))
        several = context.symbols_where(f"{here} AND s.qualified = ?", name)
        yield several
        if line:
            several = context.symbols_where(f"{here} AND s.qualified = ?", wanted)
            yield [each for each in several if each.line == line]


def _suffix_in_files(context: Context, paths: list[str], name: str) -> Iterator[list[Symbol]]:
    """Symbols of some files by the end of their qualified name."""
    if paths:
        known = context.files()
        plain, line = _at_line(name)
        for wanted, at in ((name, None), (plain, line)) if line else ((name, None),):
            here = among("s.file", (known[path] for path in paths))
            several = context.symbols_where(f"{here} AND ends_with(s.qualified, ?)", "." + wanted)
            yield [each for each in several if at in (None, each.line)]


def _by_name(context: Context, text: str) -> Iterator[list[Symbol]]:
    """Symbols of any file by their whole qualified name, then by its end."""
    plain, line = _at_line(text)
    for wanted, at in ((text, None), (plain, line)) if line else ((text, None),):
        if not wanted:
            continue
        # A name may hold dots itself, so the last part of what was typed is not surely a whole name.
        tails = [wanted, *(wanted[dot + 1 :] for dot in _places(wanted, "."))]
        several = [each for each in context.symbols_called(tails) if each.kind != "module" and at in (None, each.line)]
        yield [each for each in several if each.qualified == wanted]
        yield [each for each in several if each.qualified.endswith("." + wanted)]


def _module_of(context: Context, text: str) -> list[Symbol]:
    """The code outside definitions of the file that `text` names."""
    exact = file_named(context, text)
    known = context.files()
    ids = [known[path] for path in ([exact] if exact else files_ending(context, text))]
    return context.symbols_where(f"{among('s.file', ids)} AND s.kind = 'module'")


def _at_line(name: str) -> tuple[str, int | None]:
    fits = _LINE.match(name)
    return (fits["name"], int(fits["line"])) if fits else (name, None)
