"""Which questions there are, what each is about, and where it is answered."""

from __future__ import annotations

import importlib
from dataclasses import dataclass, field
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


_ALL = (
    Question("search", "Symbols by name: exact, prefix, part of a word, or nearly.", "search", ("TEXT",),
             columns=("symbol", "kind", "signature")),
    Question("symbols", "What a file or folder defines.", "symbols", ("PATH",),
             columns=("symbol", "kind", "signature")),
    Question("outline", "What a file or folder defines, as a tree.", "symbols", ("PATH",),
             columns=("symbol", "kind", "signature")),
    Question("source", "The text of a definition, read from disk.", "source", columns=("symbol", "text")),
    Question("callers", "Who calls it, and where.", "callers", graph=True),
    Question("callees", "What it calls, and where.", "callees", graph=True),
    Question("references", "Every use: call, read, write, type, import, inherit.", "references"),
    Question("impact", "Callers of callers, nearest first.", "impact",
             columns=("symbol", "distance", "confidence", "test"), graph=True),
    Question("path", "The shortest chain of calls from one symbol to another.", "path", ("FROM", "TO"), graph=True),
    Question("imports", "What a file imports.", "imports", ("PATH",), columns=("file", "module", "name"), graph=True),
    Question("imported-by", "Which files import a file or a module.", "imports", ("PATH",),
             columns=("file", "module", "name"), graph=True),
    Question("hierarchy", "Bases, subclasses, overrides and implementations.", "hierarchy",
             columns=("relation", "symbol", "kind", "confidence"), graph=True),
    Question("tests", "Tests that reach it, nearest first.", "tests", columns=("symbol", "distance", "confidence")),
    Question("unreferenced", "Definitions that nothing here uses, with the reason.", "unreferenced", ("FOLDER",),
             optional=True, columns=("symbol", "kind", "reason")),
    Question("cycles", "Files that import each other in a circle.", "cycles", ("FOLDER",), optional=True,
             columns=("size", "cycle"), graph=True),
    Question("hotspots", "What is called the most.", "hotspots", ("FOLDER",), optional=True,
             columns=("symbol", "kind", "callers", "call_sites")),
    Question("api", "What of a folder is used from outside it.", "api", ("FOLDER",),
             columns=("symbol", "kind", "uses", "users")),
    Question("changed", "Symbols added, removed, moved or changed since a commit.", "changed", ("FOLDER",),
             optional=True, columns=("change", "symbol", "kind", "reaches")),
    Question("sql", "Read-only SQL on the documented schema.", "sql", ("SELECT",), columns=()),
)  # fmt: skip

QUESTIONS: dict[str, Question] = {question.name: question for question in _ALL}
"""Every question by its name."""


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
    answer: Answer = module.ask(context, name, list(targets), options or Options())
    answer.index = context.index.meta.to_json(context.freshness)
    answer.notices[:0] = [*context.freshness.notices, *context.remarks]
    return answer
