"""What a question is asked of: one snapshot of an index, and the handful of lookups that all questions share.

A symbol's id is its row's position (the schema promises it), and DuckDB finds rows by position without reading a whole
column: measured on 300,000 symbols, 20 of them cost 1.9 ms by `rowid` and 8 ms by `id IN (…)`. Ids in SQL are cast to
the column's own type, because a comparison of mixed types is not pushed down to the table (2.1 ms against 0.6 ms).

Nothing is prepared: DuckDB plans an `EXECUTE` anew, so it takes as long as the statement itself. Few rows are sorted in
Python: `ORDER BY` costs 0.3 ms.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from mmcg.model import Freshness

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mmcg.query.answer import Row
    from mmcg.store.reader import Index
    from mmcg.store.reader import Row as SqlRow

TYPE_KINDS = frozenset({"class", "struct", "union", "interface", "trait", "enum", "type"})
"""Kinds that have members and instances."""

CALLABLE_KINDS = frozenset({"function", "method", "constructor", "macro", "prototype", "property"})
"""Kinds that a call can run."""

# Few columns, and few of them texts: each costs unpacking a block for every symbol that is looked up.
_FIELDS = "s.id, s.address, s.kind, s.file, s.line, s.test, s.container"
_CACHED = 200_000


def values(ids: Iterable[int]) -> str:
    """Ids as a table in SQL.

    Written out because the planner must see how few they are: with a list as a parameter it reads the whole other
    table (20 symbols: 1.9 ms against 10 ms).
    """
    return f"(VALUES {', '.join(f'({each:d})' for each in ids)})"


def among(column: str, ids: Iterable[int]) -> str:
    """The SQL condition that a sorted column is one of these ids.

    It is a range where they have no gaps, as the files of a folder have none: a range is looked up, not searched for.
    """
    wanted = sorted(set(ids))
    if not wanted:
        return "FALSE"
    first, last = wanted[0], wanted[-1]
    within = f"{column} BETWEEN {first:d} AND {last:d}"
    if last - first == len(wanted) - 1:
        return within
    return f"{within} AND {column} IN ({listed(wanted)})"


def literal(value: int | str) -> str:
    """A value as SQL. Cheaper than a parameter: for each of those, DuckDB looks whether numpy could be imported."""
    if isinstance(value, int):
        return str(value)
    # A text with a NUL can be in no index, and cannot be written in SQL.
    return "'" + value.replace("\0", "\ufffd").replace("'", "''") + "'"


def listed(given: Iterable[int | str]) -> str:
    """Values as SQL, parted by commas."""
    return ", ".join(map(literal, given))


class Symbol(NamedTuple):
    """What most answers say about a symbol."""

    id: int
    address: str
    kind: str
    path: str
    line: int
    test: bool
    container: int | None
    language: str

    @property
    def qualified(self) -> str:
        """The name inside its file, without the line that tells it from others."""
        return self.address[len(self.path) + 2 :].removesuffix(f"@{self.line}")

    @property
    def name(self) -> str:
        """The last part of the qualified name. A name that holds dots itself is cut; none of ours depends on it."""
        return self.qualified.rpartition(".")[2]

    def row(self) -> Row:
        """The columns that every row about a symbol begins with."""
        return {"symbol": self.address, "kind": self.kind, "file": self.path, "line": self.line}


class Context:
    """One snapshot, how fresh it is, and lookups with a memory that lives as long as the snapshot."""

    def __init__(self, index: Index, freshness: Freshness | None = None) -> None:
        self.index = index
        self.freshness = freshness or Freshness(fresh=True)
        self.remarks: list[str] = []
        """What is to be said with the answer at hand about how its target was understood."""
        self._symbols: dict[int, Symbol] = {}
        self._files: dict[str, int] | None = None
        self._paths: list[str] = []
        self._languages: list[str] = []

    def sibling(self) -> Context:
        """A context of the same snapshot for another thread, which need not read again what the files are."""
        other = Context(self.index.sibling(), self.freshness)
        self.files()
        other._files, other._paths, other._languages = self._files, self._paths, self._languages
        return other

    @property
    def root(self) -> Path:
        """The repository's root."""
        return self.index.places.root

    def remark(self, text: str) -> None:
        """Say something once with the answer at hand."""
        if text not in self.remarks:
            self.remarks.append(text)

    def rows(self, sql: str, *parameters: object) -> list[SqlRow]:
        """The rows that a query gives."""
        return self.index.rows(sql, parameters)

    def named(self, file: int, qualified: str) -> list[Symbol]:
        """The symbols of a file with this whole name, in order of id."""
        where = f"s.file = {file:d}::UINTEGER AND s.qualified = {literal(qualified)}"
        return sorted(map(self._symbol, self.rows(f"SELECT {_FIELDS} FROM symbols AS s WHERE {where}")))

    def reopen_if_changed(self) -> bool:
        """Move to the newest snapshot, forgetting what was remembered of the old one."""
        if not self.index.reopen_if_changed():
            return False
        self._symbols.clear()
        self._files = None
        return True

    def symbols(self, ids: Iterable[int]) -> dict[int, Symbol]:
        """The symbols of these ids."""
        wanted = set(ids)
        missing = [each for each in wanted if each not in self._symbols]
        if missing:
            if len(self._symbols) > _CACHED:
                self._symbols.clear()
                missing = list(wanted)
            sql = f"SELECT {_FIELDS} FROM {values(missing)} AS w(id) JOIN symbols AS s ON s.rowid = w.id"
            for row in self.rows(sql):
                self._symbols[row[0]] = self._symbol(row)
        return {each: self._symbols[each] for each in wanted}

    def symbols_where(self, condition: str, *parameters: object) -> list[Symbol]:
        """The symbols (`s`) for which an SQL condition holds, in order of id."""
        return [
            self._symbol(row)
            for row in self.rows(f"SELECT {_FIELDS} FROM symbols AS s WHERE {condition} ORDER BY s.id", *parameters)
        ]

    def symbols_called(self, names: Iterable[str]) -> list[Symbol]:
        """The symbols with one of these names, in order of id."""
        found = self.rows(f"SELECT symbol FROM names WHERE name IN ({listed(sorted(set(names)))})")
        return sorted(self.symbols(row[0] for row in found).values())

    def files(self) -> dict[str, int]:
        """Every file's id by its path: read once a snapshot."""
        if self._files is None:
            # In the order in which they are stored, which is that of their ids.
            found = self.rows("SELECT path, language FROM files")
            self._paths, self._languages = [row[0] for row in found], [row[1] for row in found]
            self._files = {path: number for number, path in enumerate(self._paths)}
        return self._files

    def language_at(self, path: str) -> str:
        """The language of a path's file."""
        return self._languages[self.files()[path]]

    def path_of(self, file: int) -> str:
        """The path of a file's id."""
        if self._files is None:
            self.files()
        return self._paths[file]

    def _symbol(self, row: SqlRow) -> Symbol:
        id_, address, kind, file, line, test, container = row
        if self._files is None:
            self.files()
        return Symbol(id_, address, kind, self._paths[file], line, test, container, self._languages[file])

    def members(self, symbol: Symbol) -> list[Symbol]:
        """What is declared directly inside a symbol."""
        return self.symbols_where(f"s.container = {symbol.id:d}::UINTEGER")

    def constructors(self, symbol: Symbol) -> list[Symbol]:
        """The constructors of a type; none for anything else."""
        if symbol.kind not in TYPE_KINDS:
            return []
        return self.symbols_where(f"s.container = {symbol.id:d}::UINTEGER AND s.kind = 'constructor'")

    def inside_root(self, path: str) -> Path | None:
        """The file of a stored path, or None when it leads out of the root."""
        real = os.path.realpath(self.root)
        file = os.path.realpath(f"{real}/{path}")
        return Path(file) if file.startswith(real.rstrip(os.sep) + os.sep) else None
