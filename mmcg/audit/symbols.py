"""From the names in specs and reports to the symbols of a graph.

Names are looked for in the file that goes with them, or everywhere. A whole qualified name wins over one that only ends
so; an overload set (several definitions of one name in one file) is one symbol. Names may be spelt as in any language
(`A::b`, `A#b`, `A->b`, `pkg.mod.f`, `f()`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from mmcg.audit.files import fits, is_glob
from mmcg.audit.signatures import Signature, stated, stored
from mmcg.query.address import without_prototypes
from mmcg.query.context import Symbol, among
from mmcg.query.nearest import nearest_symbols

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from mmcg.query.answer import Row
    from mmcg.query.context import Context

_CALL = re.compile(r"\(.*\)\s*$", re.DOTALL)
_TYPE_ARGUMENTS = re.compile(r"<[^<>]*>")
_RECEIVER = re.compile(r"^\(\s*[*&]?\s*(\w+)[^()]*\)\.")
"""A pointer's method: `(*T).m`."""
_AT_LINE = re.compile(r"@\d{1,9}$")
_HERE = ("crate", "self", "super", "this")


@dataclass(frozen=True, slots=True)
class Lookup:
    """What a name means: one symbol (with all its overloads), several, or none."""

    name: str
    symbols: tuple[Symbol, ...] = ()
    """The definitions of the one symbol; empty unless there is exactly one."""
    candidates: tuple[Symbol, ...] = ()
    """The symbols among which the name does not choose."""
    nearest: tuple[Row, ...] = field(default=(), compare=False)
    """Of a name that nothing has: symbols with a name like it."""

    @property
    def found(self) -> bool:
        """Whether there is exactly one."""
        return bool(self.symbols)

    @property
    def ambiguous(self) -> bool:
        """Whether there are several."""
        return bool(self.candidates)

    @property
    def symbol(self) -> Symbol:
        """The first definition."""
        return self.symbols[0]

    @property
    def ids(self) -> set[int]:
        """The definitions' ids."""
        return {each.id for each in self.symbols}


def look_up(
    context: Context, name: str, file: str | None = None, signature: str | None = None, *, near: bool = True
) -> Lookup:
    """What `name` means in the files of `file` (a path or glob), or anywhere.

    A `signature` picks one of several overloads. `near` says whether nearest names are looked for.
    """
    paths = None if file is None else [path for path in context.files() if fits(file, path)]
    for several in _tiers(context, name, paths):
        groups = _groups(context, several)
        if len(groups) > 1 and signature is not None:
            groups = _with_signature(context, groups, signature) or groups
        if len(groups) == 1:
            return Lookup(name, _picked(context, groups[0], signature))
        if groups:
            return Lookup(name, candidates=tuple(each for group in groups for each in group))
    rows = tuple(nearest_symbols(context, name if file is None or is_glob(file) else f"{file}::{name}")) if near else ()
    return Lookup(name, nearest=rows)


def signature_of(context: Context, symbol: Symbol) -> Signature:
    """The signature that the index has of a symbol."""
    return signatures_of(context, [symbol])[symbol.id][1]


def signatures_of(context: Context, symbols: Iterable[Symbol]) -> dict[int, tuple[str, Signature]]:
    """By symbol: the signature as text, and as it is compared."""
    wanted = among("id", (each.id for each in symbols))
    rows = context.rows(f"SELECT id, signature, decorators FROM symbols WHERE {wanted}")  # noqa: S608 - numbers
    return {each: (signature, stored(signature, decorators)) for each, signature, decorators in rows}


def _tiers(context: Context, name: str, paths: list[str] | None) -> Iterator[list[Symbol]]:
    """Symbols that fit, strongest fit first."""
    for spelling in spellings(name):
        path, _, qualified = spelling.rpartition("::")
        if path:
            inside = [each for each in (context.files() if paths is None else paths) if _names_path(path, each)]
            yield from _in(context, qualified, inside)
        else:
            yield from _in(context, qualified, paths)
    for spelling in spellings(name):
        yield _after_modules(context, spelling.rpartition("::")[2], paths)


def _names_path(written: str, path: str) -> bool:
    written = written.replace("\\", "/").removeprefix("./")
    return path == written or path.endswith("/" + written)


def spellings(name: str) -> list[str]:
    """A name as written, and as addresses spell it."""
    plain = name.strip().strip("`")
    found = [plain]
    path, separator, rest = plain.partition("::")
    if not (separator and ("/" in path or "." in path)):
        path, separator, rest = "", "", plain
    rest = _TYPE_ARGUMENTS.sub("", _CALL.sub("", _RECEIVER.sub(r"\1.", rest)))
    found.append(f"{path}{separator}{rest}")
    dotted = re.sub(r"::|->|#|\\|/", ".", rest).strip(".")
    parts = dotted.split(".")
    while len(parts) > 1 and parts[0] in _HERE:
        parts = parts[1:]
    found.append(f"{path}{separator}{'.'.join(parts)}")
    return [each for each in dict.fromkeys(found) if each]


def _in(context: Context, qualified: str, paths: list[str] | None) -> Iterator[list[Symbol]]:
    """Symbols whose whole qualified name this is, then those whose name ends so."""
    line = _AT_LINE.search(qualified)
    plain = qualified[: line.start()] if line else qualified
    if not plain:
        return
    if plain == "<module>":
        known = context.files()
        yield context.symbols_where(f"{among('s.file', (known[each] for each in paths or ()))} AND s.kind = 'module'")
        return
    # A name may hold dots itself, so the last part of what was written is not surely a whole name.
    tails = [plain, *(plain[at + 1 :] for at, each in enumerate(plain) if each == "." and plain[at + 1 :])]
    inside = None if paths is None else set(paths)
    several = [
        each
        for each in context.symbols_called(tails)
        if each.kind != "module"
        and (inside is None or each.path in inside)
        and (line is None or each.line == int(line.group()[1:]))
    ]
    yield [each for each in several if each.qualified == plain]
    yield _outermost([each for each in several if each.qualified.endswith("." + plain)])


def _outermost(symbols: list[Symbol]) -> list[Symbol]:
    """Without those inside of others: of a class and its constructor, which may have one name, the class."""
    names = {each.qualified for each in symbols}

    def inner(symbol: Symbol) -> bool:
        parts = symbol.qualified.split(".")
        return any(".".join(parts[:count]) in names for count in range(1, len(parts)))

    return [each for each in symbols if not inner(each)]


def _after_modules(context: Context, dotted: str, paths: list[str] | None) -> list[Symbol]:
    """Symbols whose qualified name follows the names of modules or packages: `shop.tax.rate_for`."""
    parts = dotted.split(".")
    for cut in range(1, len(parts)):
        rest = ".".join(parts[cut:])
        fitting = [
            each
            for each in next(iter(_in(context, rest, paths)), [])
            if _is_module(each.path, parts[:cut])
            or _is_package(context, ".".join(parts[:cut]))
            # A package's name that nothing of ours imports; what is left names a member of a type.
            or (cut < len(parts) - 1 and not context.symbols_called([parts[cut - 1]]))
        ]
        if fitting:
            return fitting
    return []


def _is_module(path: str, names: list[str]) -> bool:
    """Whether some names are those of folders and the file of a path, the file's left out or not."""
    stem = path.rpartition(".")[0] or path
    parts = stem.split("/")
    count = len(names)
    return parts[-count:] == names or parts[-1 - count : -1] == names


def _is_package(context: Context, name: str) -> bool:
    """Whether a file of the project imports a package of that name which is not outside of it."""
    sql = "SELECT count(*) FROM imports WHERE external IS NULL AND regexp_replace(module, '::|\\\\|/', '.', 'g') = $1"
    return bool(context.rows(sql, name)[0][0])


def _groups(context: Context, symbols: list[Symbol]) -> list[list[Symbol]]:
    """Definitions by symbol: those of one name in one file are one; a prototype stands for its definition."""
    defined = _definitions(context, symbols)
    groups: dict[tuple[str, str], list[Symbol]] = {}
    for each in defined:
        groups.setdefault((each.path, each.qualified), []).append(each)
    return list(groups.values())


def _definitions(context: Context, symbols: list[Symbol]) -> list[Symbol]:
    if not any(each.kind == "prototype" for each in symbols):
        return symbols
    found: list[Symbol] = []
    for each in without_prototypes(symbols):
        if each.kind == "prototype":
            others = [
                other
                for other in context.symbols_called([each.name])
                if other.qualified == each.qualified and other.kind != "prototype"
            ]
            if len({other.path for other in others}) == 1:
                found += [other for other in others if other not in found]
                continue
        found.append(each)
    return found


def _with_signature(context: Context, groups: list[list[Symbol]], signature: str) -> list[list[Symbol]]:
    wanted = stated(signature)
    known = signatures_of(context, [each for group in groups for each in group])
    kept = [[each for each in group if wanted.means(known[each.id][1])] for group in groups]
    return [group for group in kept if group]


def _picked(context: Context, group: list[Symbol], signature: str | None) -> tuple[Symbol, ...]:
    """The overload that has the signature, else all."""
    if signature is not None and len(group) > 1:
        fitting = _with_signature(context, [group], signature)
        if fitting:
            return tuple(fitting[0])
    return tuple(group)
