"""The one definition of the database: tables, columns, types and what they mean.

The ingest, `docs/schema.md`, `mastermind doctor` and the tests are all derived from it. Raise `SCHEMA_VERSION` with any
change: an index of another version is rebuilt, never migrated.
"""

from __future__ import annotations

from dataclasses import dataclass

SCHEMA_VERSION = 3

WORDS: dict[str, tuple[str, ...]] = {
    "CONFIDENCE": ("exact", "inferred", "possible", "external", "unresolved"),
    "RULE": (
        "lexical",
        "import",
        "module",
        "package",
        "linkage",
        "self",
        "inherited",
        "super",
        "receiver_type",
        "static",
        "constructor",
        "constructed",
        "overload",
        "extension",
        "property",
        "operator",
        "macro",
        "flow",
        "flow_type",
        "override",
        "test_override",
        "ambiguous",
        "name_only",
        "builtin",
        "external",
        "unresolved",
    ),
    "KIND": (
        "module",
        "namespace",
        "function",
        "method",
        "constructor",
        "class",
        "struct",
        "union",
        "interface",
        "trait",
        "enum",
        "variant",
        "type",
        "macro",
        "prototype",
        "constant",
        "variable",
        "field",
        "property",
    ),
}
"""Types of words of a small set: a byte instead of a text in every row. The core's own words; a test compares them."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its SQL type and what it holds."""

    name: str
    type: str
    doc: str
    nullable: bool = False
    plain: bool = False
    """Stored as it is: packing saves little on texts that differ, and unpacking them makes every lookup slower."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table: the order its rows are stored in decides which questions are quick."""

    name: str
    doc: str
    order: tuple[str, ...]
    columns: tuple[Column, ...]
    query: str = ""
    """For a table that is made from another: the query that gives its rows."""
    source: str = ""
    """The name of that other one."""

    def sql_name(self) -> str:
        """The name as SQL needs it."""
        return quoted(self.name)

    def create_sql(self) -> str:
        """The statement that creates the empty table."""
        return f"CREATE TABLE {self.sql_name()} ({', '.join(map(_definition, self.columns))})"

    def insert_sql(self, incoming: str) -> str:
        """The statement that fills the table; `incoming` names the core's rows."""
        if self.query:
            return f"INSERT INTO {self.sql_name()} {self.query}"
        columns = ", ".join(quoted(column.name) for column in self.columns)
        return f"INSERT INTO {self.sql_name()} SELECT {columns} FROM {incoming}"  # noqa: S608 - all of the schema


def quoted(name: str) -> str:
    """A name as an SQL identifier; `references` and `column` are reserved words and need the quotes."""
    return f'"{name}"'


def _definition(column: Column) -> str:
    null = "" if column.nullable else " NOT NULL"
    packing = " USING COMPRESSION uncompressed" if column.plain else ""
    return f"{quoted(column.name)} {column.type}{null}{packing}"


def _null(name: str, type_: str, doc: str, *, plain: bool = False) -> Column:
    return Column(name, type_, doc, nullable=True, plain=plain)


_LINE = Column("line", "UINTEGER", "Line, from 1.")
_COLUMN = Column("column", "UINTEGER", "Column, from 1, in characters.")
_CONFIDENCE = Column("confidence", "CONFIDENCE", "`exact`, `inferred`, `possible`, `external` or `unresolved`.")
_RULE = Column("rule", "RULE", "The rule that found the edge.")
_FILE = Column("file", "UINTEGER", "`files.id`.")

FILES = Table(
    "files",
    "Every indexed file.",
    ("id",),
    (
        Column("id", "UINTEGER", "Dense, in order of `path`; equals the row's position."),
        Column("path", "VARCHAR", "From the root, with `/`."),
        Column("language", "VARCHAR", "The language whose rules read it."),
        Column("size", "UBIGINT", "Bytes."),
        Column("lines", "UINTEGER", "Lines."),
        Column("hash", "VARCHAR", "BLAKE3 of the bytes, the first 32 hexadecimal digits."),
        Column("mtime_ns", "BIGINT", "When it was modified, as read: the one column not decided by the tree's bytes."),
    ),
)

SYMBOLS = Table(
    "symbols",
    "Every definition, and for each file a `<module>` that stands for its code outside definitions.",
    ("id",),
    (
        Column("id", "UINTEGER", "Dense, in order of path and position in the source; equals the row's position."),
        _FILE,
        Column("path", "VARCHAR", "The file's path."),
        Column("address", "VARCHAR", "`path::qualified`, with `@line` where that is not unique.", plain=True),
        Column("name", "VARCHAR", "The last part of the qualified name."),
        Column("qualified", "VARCHAR", "Names from the outermost container inwards, joined by dots.", plain=True),
        Column("kind", "KIND", "What it is: `function`, `method`, `class`, `module` and so on."),
        _null("container", "UINTEGER", "The symbol it is a member of, or is defined in."),
        Column("line", "UINTEGER", "Line of the name, from 1."),
        Column("column", "UINTEGER", "Column of the name, from 1, in characters."),
        Column("end_line", "UINTEGER", "Last line of the definition."),
        Column("start_byte", "UINTEGER", "First byte of the definition in the file."),
        Column("end_byte", "UINTEGER", "The byte after the definition."),
        Column("signature", "VARCHAR", "The declaration on one line, without the body."),
        Column("parameters", "VARCHAR", "JSON array of `{name, kind, required, type?, default?}`."),
        Column("required", "USMALLINT", "The least number of arguments."),
        _null("maximum", "USMALLINT", "The greatest number of arguments; null when there is none."),
        Column("decorators", "VARCHAR", "JSON array of the decorators' texts."),
        Column("visibility", "VARCHAR", "`public`, `internal`, `protected` or `private`."),
        _null("doc", "VARCHAR", "The documentation comment."),
        Column("body_hash", "UBIGINT", "Hash of the definition, whatever its layout and comments."),
        Column("test", "BOOLEAN", "Whether it is a test."),
        Column("static", "BOOLEAN", "Whether it needs no instance."),
        Column("async", "BOOLEAN", "Whether it is asynchronous."),
        Column("abstract", "BOOLEAN", "Whether it has no body of its own."),
        Column("exported", "BOOLEAN", "Whether other files can name it."),
        Column("language", "VARCHAR", "The file's language."),
    ),
)

CALLS = Table(
    "calls",
    "One row for a call site and each of its targets; a site without a definition here has one row and no target.",
    ("target", "source", "line", "column"),
    (
        _null("target", "UINTEGER", "`symbols.id` of what is called."),
        _null(
            "constructs",
            "UINTEGER",
            "`symbols.id` of the constructed type, where `target` is a constructor it inherits.",
        ),
        Column("source", "UINTEGER", "`symbols.id` of what calls."),
        _FILE,
        _LINE,
        _COLUMN,
        Column("name", "VARCHAR", "The called name, as written."),
        _CONFIDENCE,
        _RULE,
        _null("external", "VARCHAR", "The name outside the project, such as `requests.get`, where it is known."),
        _null("arguments", "USMALLINT", "Positional arguments."),
        _null("keywords", "VARCHAR", "JSON array of the names of keyword arguments."),
        Column("spread", "BOOLEAN", "Whether arguments are spread from a collection, so that their number is unknown."),
        Column(
            "form",
            "VARCHAR",
            "`call`, `new`, `element`, `operator`, `decorator`, `macro`, `read`, `write` or `delegate`.",
        ),
        _null(
            "caller", "VARCHAR", "What follows `path::` in the address of `source`; null if `target` is.", plain=True
        ),
        _null("caller_kind", "KIND", "`kind` of `source`, likewise."),
        _null("caller_line", "UINTEGER", "`line` of `source`, likewise."),
    ),
)

NAMES = Table(
    "names",
    "Symbols by name: `symbols` is too wide and too far from that order to look names up in.",
    ("name", "symbol"),
    (
        Column("name", "VARCHAR", "`symbols.name`."),
        Column("symbol", "UINTEGER", "`symbols.id`."),
    ),
    query="SELECT name, id FROM symbols ORDER BY name, id",
    source="symbols",
)

REFERENCES = Table(
    "references",
    "Uses of a symbol that are no calls.",
    ("target", "file", "line"),
    (
        Column("target", "UINTEGER", "`symbols.id` of what is used."),
        Column("source", "UINTEGER", "`symbols.id` of the user."),
        _FILE,
        _LINE,
        _COLUMN,
        Column("kind", "VARCHAR", "`read`, `write`, `type`, `import` or `inherit`."),
        _CONFIDENCE,
        _RULE,
    ),
)

IMPORTS = Table(
    "imports",
    "One row for an imported name and each file it comes from.",
    ("file", "line"),
    (
        _FILE,
        Column("module", "VARCHAR", "The module, package or file, as written."),
        _null("name", "VARCHAR", "The imported name; null for the module itself."),
        _null("alias", "VARCHAR", "The name it gets here, where that is another."),
        _LINE,
        _COLUMN,
        _null("target_file", "UINTEGER", "`files.id` of the file in the project."),
        _null("external", "VARCHAR", "The package outside the project."),
        Column("kind", "VARCHAR", "The form of the import."),
    ),
)

BASES = Table(
    "bases",
    "What a type extends, implements, mixes in or embeds.",
    ("symbol",),
    (
        Column("symbol", "UINTEGER", "`symbols.id` of the type."),
        _null("base", "UINTEGER", "`symbols.id` of the base, where it is defined here."),
        Column("name", "VARCHAR", "The base, as written."),
        Column("kind", "VARCHAR", "`extends`, `implements`, `mixin` or `embeds`."),
        _LINE,
        _CONFIDENCE,
        _RULE,
    ),
)

OVERRIDES = Table(
    "overrides",
    "Members that override or implement a member of a base.",
    ("symbol",),
    (
        Column("symbol", "UINTEGER", "`symbols.id` of the member."),
        Column("overridden", "UINTEGER", "`symbols.id` of the nearest member it replaces."),
    ),
)

SKIPPED = Table(
    "skipped",
    "Files that were left out.",
    ("path",),
    (
        Column("path", "VARCHAR", "From the root, with `/`."),
        Column("reason", "VARCHAR", "`binary`, `too_large`, `minified`, `unreadable`, `undecodable` or `generated`."),
    ),
)

PROBLEMS = Table(
    "problems",
    "What was wrong with a file that was indexed all the same.",
    ("path",),
    (
        Column("path", "VARCHAR", "From the root, with `/`."),
        Column("code", "VARCHAR", "A stable word, such as `syntax_error`."),
        Column("line", "UINTEGER", "Line, from 1."),
        Column("message", "VARCHAR", "What is wrong."),
    ),
)

META = Table(
    "meta",
    "What the index says about itself. Every version of the program can read this table.",
    ("key",),
    (
        Column("key", "VARCHAR", "The name of the fact."),
        Column("value", "VARCHAR", "Its value, as text."),
    ),
)

FROM_CORE = (FILES, SYMBOLS, CALLS, REFERENCES, IMPORTS, BASES, OVERRIDES, SKIPPED, PROBLEMS)
"""The tables that the native core hands over, in the order they are documented."""

TABLES = (FILES, SYMBOLS, NAMES, CALLS, REFERENCES, IMPORTS, BASES, OVERRIDES, SKIPPED, PROBLEMS, META)
"""All tables, in the order they are documented."""
