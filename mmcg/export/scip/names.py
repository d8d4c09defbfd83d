"""Symbol strings of SCIP.

``mastermind . . . shop/`cart.py`/Cart#total().``: the scheme, a package (manager, name, version; `.` where there is
none), and a descriptor for every folder, the file, and every container, whose ending says what it is. The grammar is
the comment on `Symbol` in `scip.proto`. Equal strings of a file are told apart by their order: `total(+1).`, `Cart+1#`.
"""

from __future__ import annotations

import re
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from mmcg.export.lines import batches

if TYPE_CHECKING:
    from collections.abc import Collection

    from mmcg.query.context import Context

SCHEME = "mastermind"

_SIMPLE = re.compile(r"[A-Za-z0-9_+\-$]+")
_ENDINGS = {
    "namespace": "/",
    "function": "().",
    "method": "().",
    "constructor": "().",
    "prototype": "().",
    "macro": "!",
    "constant": ".",
    "variable": ".",
    "variant": ".",
    "field": ".",
    "property": ".",
}
_TYPE = "#"

_SYMBOLS = "SELECT id, path, name, qualified, kind::VARCHAR, container FROM symbols ORDER BY id"


def identifier(name: str) -> str:
    """A name as the grammar takes it: quoted unless it is of plain characters."""
    if _SIMPLE.fullmatch(name):
        return name
    # An empty name cannot be written; nor can a NUL, which ends a text in many a reader.
    return f"`{name.replace('`', '``').replace(chr(0), chr(0xFFFD)) or '?'}`"


def external(name: str, packages: Collection[str]) -> str:
    """The symbol of a name outside the project, such as `requests.get`, with its package where that is known."""
    parts = re.split(r"[./]", name)
    package = "."
    for length in range(len(name), 0, -1):
        if name[:length] in packages and name[length : length + 1] in ("", ".", "/"):
            package = name[:length]
            parts = re.split(r"[./]", name[length + 1 :]) if name[length + 1 :] else []
            break
    if not parts:
        # The package itself.
        return f"{SCHEME} . {_word(package)} . {identifier(package)}/"
    *outer, last = [part or "?" for part in parts]
    return f"{SCHEME} . {_word(package)} . {''.join(identifier(part) + '/' for part in outer)}{identifier(last)}."


def _word(text: str) -> str:
    return text.replace(" ", "  ") or "."


def names_of(context: Context) -> list[str]:
    """The symbol string of every symbol, by id."""
    names: list[str] = []
    for path, rows in groupby(batches(context, _SYMBOLS), key=itemgetter(1)):
        known: dict[int, tuple[Any, ...]] = {row[0]: row for row in rows}
        file = _File(str(path), known)
        names += [file.name(each) for each in known]
    return names


class _File:
    """The names of a file's symbols; two of one name stand in one file, if at all."""

    def __init__(self, path: str, rows: dict[int, tuple[Any, ...]]) -> None:
        self.prefix = f"{SCHEME} . . . " + "".join(identifier(part) + "/" for part in path.split("/"))
        self.rows = rows
        self.names: dict[int, str] = {}
        self.taken: set[str] = set()

    def name(self, id_: int) -> str:
        if id_ not in self.names:
            self.names[id_] = self._new(*self.rows[id_][2:])
            self.taken.add(self.names[id_])
        return self.names[id_]

    def _new(self, name: str, qualified: str, kind: str, container: int | None) -> str:
        if kind == "module" and container is None and qualified == name:
            return self.prefix
        if container is not None and container in self.rows:
            outer = self.name(container)
        else:
            # The container is defined in another file, or nowhere here: its name is all that is known.
            before = qualified.removesuffix(name).rstrip(".")
            outer = self.prefix + "".join(identifier(part) + _TYPE for part in before.split(".") if part)
        ending = _ENDINGS.get(kind, _TYPE)
        symbol = outer + identifier(name) + ending
        number = 0
        while symbol in self.taken:
            number += 1
            if ending == "().":
                symbol = f"{outer}{identifier(name)}(+{number})."
            else:
                symbol = outer + identifier(f"{name}+{number}") + ending
        return symbol
