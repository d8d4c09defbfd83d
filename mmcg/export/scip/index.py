"""A SCIP index of the graph: a document a file, with its definitions, its uses, and what is known of its symbols.

Messages are written one after another, as the format allows: the metadata, then an `Index` of one document each, then
one of the external symbols. So memory does not grow with the number of occurrences.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from mmcg import __version__
from mmcg.export.lines import file_ranges
from mmcg.export.scip import schema
from mmcg.export.scip.names import external, names_of
from mmcg.export.scip.places import Places
from mmcg.query.context import listed
from mmcg.query.source import Withheld, indexed_text

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import BinaryIO

    from google.protobuf.message import Message

    from mmcg.query.answer import Options
    from mmcg.query.context import Context

    Rows = dict[int, list[tuple[Any, ...]]]

_FILES = "SELECT id, path, language, size, hash FROM files WHERE id BETWEEN {first} AND {last} ORDER BY id"
_SYMBOLS = """
SELECT file, id, name, kind::VARCHAR, line, "column", start_byte, end_byte, signature, doc, test, static, abstract
FROM symbols WHERE file BETWEEN {first} AND {last} ORDER BY id"""
# A construction is a use of its type too, where it says the type's name.
_CALLS = """
SELECT c.file, c.line, c."column", c.name, c.form, c.target, c.external, s.test,
       CASE WHEN t.kind = 'constructor' AND o.name = c.name THEN coalesce(c.constructs, t.container)
            ELSE c.constructs END AS constructed
FROM calls AS c JOIN symbols AS s ON s.rowid = c.source LEFT JOIN symbols AS t ON t.rowid = c.target
LEFT JOIN symbols AS o ON o.rowid = coalesce(c.constructs, t.container)
WHERE c.file BETWEEN {first} AND {last}
  AND (c.confidence IN ({sure}) OR (c.target IS NULL AND c.external IS NOT NULL))"""
_USES = """
SELECT r.file, r.line, r."column", CASE WHEN t.kind <> 'module' THEN t.name END, r.kind, r.target, t.path, s.test
FROM "references" AS r JOIN symbols AS s ON s.rowid = r.source JOIN symbols AS t ON t.rowid = r.target
WHERE r.file BETWEEN {first} AND {last} AND r.confidence IN ({sure})"""
_IMPORTS = """
SELECT file, line, "column", name, alias, external FROM imports
WHERE file BETWEEN {first} AND {last} AND external IS NOT NULL"""
_RELATED = """
SELECT symbol, base, FALSE FROM bases WHERE base IS NOT NULL AND confidence IN ({sure})
UNION SELECT symbol, overridden, TRUE FROM overrides ORDER BY ALL"""

_USE_ROLES = {"read": schema.READ, "write": schema.WRITE, "import": schema.IMPORT}
_CALL_ROLES = {"read": schema.READ, "write": schema.WRITE}


def writer(context: Context, options: Options) -> Callable[[BinaryIO], None]:
    """What writes the index, with all edges that are sure enough. Raises `MissingPackageError`."""
    exporter = _Exporter(context, options)
    return exporter.write


class _Exporter:
    def __init__(self, context: Context, options: Options) -> None:
        self.messages = schema.messages()
        self.context = context
        self.sure = listed(options.confidences())
        self.names = names_of(context)
        self.packages = {row[0] for row in context.rows("SELECT DISTINCT external FROM imports WHERE external <> ''")}
        self.related: dict[int, list[tuple[int, bool]]] = defaultdict(list)
        for symbol, other, member in context.rows(_RELATED.format(sure=self.sure)):
            self.related[symbol].append((other, member))
        self.outside: dict[str, str] = {}
        """Symbols of other packages that were used, and the names they are shown under."""

    def write(self, out: BinaryIO) -> None:
        index = self.messages["Index"]
        out.write(index(metadata=self._metadata()).SerializeToString())
        for first, last in file_ranges(self.context):
            tables = [self._rows(sql, first, last) for sql in (_SYMBOLS, _CALLS, _USES, _IMPORTS)]
            for id_, path, language, size, hash_ in self.context.rows(_FILES.format(first=first, last=last)):
                try:
                    places = Places(indexed_text(self.context, path, size, hash_))
                except Withheld:
                    places = Places(None)
                document = _Document(self, path, language, places)
                document.fill(*(table.get(id_, []) for table in tables))
                out.write(index(documents=[document.message()]).SerializeToString())
        information = self.messages["SymbolInformation"]
        known = [information(symbol=symbol, display_name=name) for symbol, name in sorted(self.outside.items())]
        out.write(index(external_symbols=known).SerializeToString())

    def _metadata(self) -> Message:
        return self.messages["Metadata"](
            tool_info=self.messages["ToolInfo"](name="mastermind", version=__version__),
            project_root=self.context.root.absolute().as_uri(),
            text_document_encoding=schema.UTF8,
        )

    def _rows(self, sql: str, first: int, last: int) -> Rows:
        """Rows of some files, by file."""
        found: Rows = defaultdict(list)
        for file, *row in self.context.rows(sql.format(first=first, last=last, sure=self.sure)):
            found[file].append(tuple(row))
        return found

    def external(self, name: str) -> str:
        """The symbol of a name outside the project."""
        symbol = external(name, self.packages)
        self.outside.setdefault(symbol, name)
        return symbol


class _Document:
    """One file on its way to being a message."""

    def __init__(self, exporter: _Exporter, path: str, language: str, places: Places) -> None:
        self.exporter = exporter
        self.path = path
        self.language = schema.language_name(language)
        self.places = places
        self.roles: dict[tuple[tuple[int, ...], str], int] = {}
        self.extents: dict[str, list[int]] = {}
        self.symbols: list[Message] = []

    def fill(
        self,
        symbols: list[tuple[Any, ...]],
        calls: list[tuple[Any, ...]],
        uses: list[tuple[Any, ...]],
        imports: list[tuple[Any, ...]],
    ) -> None:
        """Take in a file's rows of `_SYMBOLS`, `_CALLS`, `_USES` and `_IMPORTS`."""
        names, token = self.exporter.names, self.places.token
        for symbol in symbols:
            self._define(*symbol)
        for line, column, name, form, target, outer, test, constructed in calls:
            place, roles = token(line, column, name), _CALL_ROLES.get(form, 0) | _test(test)
            if target is None:
                self._occur(place, self.exporter.external(outer), roles)
                continue
            self._occur(place, names[target], roles)
            if constructed is not None:
                self._occur(place, names[constructed], roles)
        for line, column, name, kind, target, path, test in uses:
            place = token(line, column, name or PurePosixPath(path).stem)
            self._occur(place, names[target], _USE_ROLES.get(kind, 0) | _test(test))
        for line, column, name, alias, package in imports:
            place = token(line, column, name or alias or package)
            whole = f"{package}.{name}" if name else package
            self._occur(place, self.exporter.external(whole), schema.IMPORT)

    def message(self) -> Message:
        """The `Document`, its occurrences in order of place."""
        occurrence = self.exporter.messages["Occurrence"]
        return self.exporter.messages["Document"](
            relative_path=self.path,
            language=self.language,
            position_encoding=schema.UTF32_OFFSETS,
            symbols=self.symbols,
            occurrences=[
                occurrence(
                    range=place,
                    symbol=symbol,
                    symbol_roles=roles,
                    enclosing_range=self.extents.get(symbol) if roles & schema.DEFINITION else None,
                )
                for (place, symbol), roles in sorted(self.roles.items())
            ],
        )

    def _occur(self, place: list[int], symbol: str, roles: int) -> None:
        key = (tuple(place), symbol)
        self.roles[key] = self.roles.get(key, 0) | roles

    def _define(
        self,
        id_: int,
        name: str,
        kind: str,
        line: int,
        column: int,
        start: int,
        end: int,
        signature: str,
        doc: str | None,
        test: bool,
        static: bool,
        abstract: bool,
    ) -> None:
        symbol = self.exporter.names[id_]
        place = [0, 0, 0] if kind == "module" else self.places.token(line, column, name)
        self._occur(place, symbol, schema.DEFINITION | _test(test))
        self.extents[symbol] = self.places.extent(start, end)
        messages = self.exporter.messages
        shown = messages["Document"](language=self.language, text=signature) if signature else None
        self.symbols.append(
            messages["SymbolInformation"](
                symbol=symbol,
                kind=_kind(kind, static, abstract),
                display_name=PurePosixPath(self.path).name if kind == "module" else name,
                documentation=[doc] if doc else None,
                signature_documentation=shown,
                relationships=[
                    messages["Relationship"](
                        symbol=self.exporter.names[other], is_implementation=True, is_reference=member
                    )
                    for other, member in self.exporter.related.get(id_, ())
                ],
            )
        )


def _test(test: bool) -> int:
    return schema.TEST if test else 0


def _kind(kind: str, static: bool, abstract: bool) -> int:
    if static and kind in schema.STATIC_KINDS:
        return schema.STATIC_KINDS[kind]
    if abstract and kind in schema.ABSTRACT_KINDS:
        return schema.ABSTRACT_KINDS[kind]
    return schema.KINDS[kind]
