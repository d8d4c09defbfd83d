"""Which questions there are, what each is about, and where it is answered."""

from __future__ import annotations

import importlib
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from mmcg.errors import InputError
from mmcg.query.answer import Answer, Options

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mmcg.query.context import Context


@dataclass(frozen=True, slots=True)
class Question:
    """A kind of question: the command line, MCP and the documentation are made from it."""

    name: str
    doc: str
    module: str
    """The module of `mmcg.query` whose function `ask` answers it."""
    targets: tuple[str, ...] = ("SYMBOL",)
    """What must be named, in order."""
    optional: bool = False
    """Whether the last target may be left out, meaning: everything."""
    columns: tuple[str, ...] = ("symbol", "kind", "confidence", "rule")
    """What text output shows of a row, after its place."""
    graph: bool = field(default=False)
    """Whether the answer can be drawn (`mermaid`, `dot`)."""
    options: tuple[str, ...] = ("limit", "language", "confidence")
    """The options (names of `OPTIONS`) that change the answer."""


@dataclass(frozen=True, slots=True)
class Option:
    """What may be said besides the targets: the command line and MCP are made from it."""

    doc: str
    choices: tuple[str, ...] = ()
    least: int | None = None
    """Of a number; an option without is a text."""
    most: int | None = None


OPTIONS: dict[str, Option] = {
    "limit": Option("The most rows.", least=0),
    "offset": Option("Rows to pass over.", least=0),
    "language": Option("Only symbols of this language."),
    "confidence": Option("The least sureness of an edge.", ("exact", "inferred", "possible")),
    "depth": Option("How many calls are followed.", least=1, most=100),
    "since": Option("The commit to compare with."),
}
"""Every option by its name, which is that of its field in `Options`."""

_NAMES, _WALK = ("limit", "language"), ("limit", "language", "confidence", "depth")

_ALL = (
    Question("search", "Symbols by name: exact, prefix, part of a word, or nearly.", "search", ("TEXT",),
             columns=("symbol", "kind", "signature"), options=_NAMES),
    Question("symbols", "What a file or folder defines.", "symbols", ("PATH",),
             columns=("symbol", "kind", "signature"), options=_NAMES),
    Question("outline", "What a file or folder defines, as a tree.", "symbols", ("PATH",),
             columns=("symbol", "kind", "signature"), options=_NAMES),
    Question("source", "The text of a definition, read from disk.", "source", columns=("symbol", "text"), options=()),
    Question("callers", "Who calls it, and where.", "callers", graph=True),
    Question("callees", "What it calls, and where.", "callees", graph=True),
    Question("references", "Every use: call, read, write, type, import, inherit.", "references"),
    Question("impact", "Callers of callers, nearest first.", "impact",
             columns=("symbol", "distance", "confidence", "test"), graph=True, options=_WALK),
    Question("path", "The shortest chain of calls from one symbol to another.", "path", ("FROM", "TO"), graph=True,
             options=("confidence",)),
    Question("imports", "What a file imports.", "imports", ("PATH",), columns=("file", "module", "name"), graph=True,
             options=_NAMES),
    Question("imported-by", "Which files import a file or a module.", "imports", ("PATH",),
             columns=("file", "module", "name"), graph=True, options=_NAMES),
    Question("hierarchy", "Bases, subclasses, overrides and implementations.", "hierarchy",
             columns=("relation", "symbol", "kind", "confidence"), graph=True),
    Question("tests", "Tests that reach it, nearest first.", "tests", columns=("symbol", "distance", "confidence"),
             options=_WALK),
    Question("unreferenced", "Definitions that nothing here uses, with the reason.", "unreferenced", ("FOLDER",),
             optional=True, columns=("symbol", "kind", "reason")),
    Question("cycles", "Files that import each other in a circle.", "cycles", ("FOLDER",), optional=True,
             columns=("size", "cycle"), graph=True, options=_NAMES),
    Question("hotspots", "What is called the most.", "hotspots", ("FOLDER",), optional=True,
             columns=("symbol", "kind", "callers", "call_sites")),
    Question("api", "What of a folder is used from outside it.", "api", ("FOLDER",),
             columns=("symbol", "kind", "uses", "users")),
    Question("changed", "Symbols added, removed, moved or changed since a commit.", "changed", ("FOLDER",),
             optional=True, columns=("change", "symbol", "kind", "reaches"), options=(*_WALK, "since")),
    Question("sql", "Read-only SQL on the documented schema.", "sql", ("SELECT",), columns=(), options=("limit",)),
)  # fmt: skip

QUESTIONS: dict[str, Question] = {question.name: question for question in _ALL}
"""Every question by its name."""


def _with_those_before(options: Options) -> Options:
    """The options with which the rows of a later page are found: those of the pages before it are found too."""
    if not options.offset or options.limit is None:
        return options
    return replace(options, limit=options.offset + options.limit)


def ask(context: Context, name: str, targets: Sequence[str], options: Options | None = None) -> Answer:
    """The answer to one question."""
    question = QUESTIONS[name]
    least = len(question.targets) - question.optional
    if not least <= len(targets) <= len(question.targets):
        wanted = " and ".join(question.targets)
        raise InputError(
            f"`{name}` takes {'at most ' if question.optional else ''}{wanted}; {len(targets)} given.",
            f"Write `mastermind query {name} {' '.join(question.targets)}`.",
        )
    context.remarks.clear()
    module = importlib.import_module(f"mmcg.query.{question.module}")
    options = options or Options()
    answer: Answer = module.ask(context, name, list(targets), _with_those_before(options))
    answer.pass_over(options.offset)
    answer.index = context.index.meta.to_json(context.freshness)
    answer.notices[:0] = [*context.freshness.notices, *context.remarks]
    return answer
