"""Which tools there are. A new one is one entry in `TOOLS`.

Most ask a question of the registry, and what they take is made from its definition. Descriptions are short on purpose:
all of them are in an agent's context all the time.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from mmcg.query.answer import Options
from mmcg.query.registry import OPTIONS, QUESTIONS, Question

LIMIT = 50
"""Rows of a page unless told otherwise."""
MOST = 200
"""Rows of a page at most."""

_TARGETS = {
    "symbol": "`path::Outer.member`, or any unambiguous end of it.",
    "from": "Symbol.",
    "to": "Symbol.",
    "path": "File or folder, from the root.",
    "folder": "Only this file or folder.",
    "text": "Name, part of a name, or words.",
}


_TOLD = ("depth", "since")
"""Options that are described with each tool; the server's instructions and the names say what the others are."""
_DEFAULTS = {"confidence": Options().confidence}


@dataclass(frozen=True, slots=True)
class Argument:
    """What a tool takes, in the terms of JSON Schema."""

    name: str
    doc: str = ""
    type: str = "string"
    """`string`, `integer` or `boolean`."""
    required: bool = False
    choices: tuple[str, ...] = ()
    least: int | None = None
    most: int | None = None
    default: str | int | bool | None = None

    def schema(self) -> dict[str, Any]:
        """The schema of its values."""
        found: dict[str, Any] = {"type": self.type}
        if self.choices:
            found["enum"] = list(self.choices)
        if self.doc:
            found["description"] = self.doc
        bounds = {"minimum": self.least, "maximum": self.most, "default": self.default}
        return found | {key: value for key, value in bounds.items() if value is not None}


_PAGES = (
    Argument("limit", type="integer", least=1, most=MOST, default=LIMIT),
    Argument("offset", type="integer", least=OPTIONS["offset"].least, default=0),
)


@dataclass(frozen=True, slots=True)
class Tool:
    """Something that an agent can call."""

    name: str
    doc: str
    question: str = ""
    """The question of the registry that it asks."""
    answer: str = ""
    """Instead of a question, `module:function`: gets the desk, the arguments and the job, gives an `Answer`."""
    own: tuple[Argument, ...] = ()
    """What it takes besides what its question does."""
    turned: tuple[str, str] = ("", "")
    """An argument that turns it round, and the question that it asks then."""
    defaults: tuple[tuple[str, str], ...] = ()
    """Values of options that the question needs."""

    def arguments(self) -> tuple[Argument, ...]:
        """Everything that it takes."""
        found = _of_question(QUESTIONS[self.question], dict(self.defaults)) if self.question else ()
        return (*found, *self.own)

    def schema(self) -> dict[str, Any]:
        """Its `inputSchema`."""
        arguments = self.arguments()
        found: dict[str, Any] = {"type": "object", "properties": {each.name: each.schema() for each in arguments}}
        required = [each.name for each in arguments if each.required]
        return found | ({"required": required} if required else {})

    def listed(self) -> dict[str, Any]:
        """Its entry in `tools/list`."""
        return {
            "name": self.name,
            "description": self.doc,
            "inputSchema": self.schema(),
            "annotations": {"readOnlyHint": True},
        }


def targets_of(question: Question) -> list[str]:
    """The names of the arguments that say what a question is about, in order."""
    return [each.lower() for each in question.targets]


def _of_question(question: Question, defaults: dict[str, str]) -> tuple[Argument, ...]:
    names = targets_of(question)
    found = [Argument(name, _TARGETS[name], required=not question.optional or name != names[-1]) for name in names]
    for name in question.options:
        if name == "limit":
            found += _PAGES
            continue
        option = OPTIONS[name]
        kind = "string" if option.least is None else "integer"
        doc = option.doc if name in _TOLD else ""
        default = defaults.get(name, _DEFAULTS.get(name))
        found.append(Argument(name, doc, kind, False, option.choices, option.least, option.most, default))
    return tuple(found)


_TASK = "A task's name or number."

_ALL = (
    Tool("search", "Find symbols by name. Start here when you do not know an address.", "search"),
    Tool("symbol", "A symbol's source text, from disk.", "source"),
    Tool("callers", "Who calls a symbol, resolved to definitions, with every call site.", "callers"),
    Tool("callees", "What a symbol calls, and where those are defined.", "callees"),
    Tool("references", "Every use of a symbol: calls, reads, writes, types, imports, bases.", "references"),
    Tool("impact", "What a change of a symbol may affect: callers of callers, nearest first.", "impact"),
    Tool("path", "The shortest chain of calls from one symbol to another.", "path"),
    Tool("outline", "What a file or folder defines.", "outline"),
    Tool("imports", "What a file imports; with `reverse`, which files import it.", "imports",
         own=(Argument("reverse", type="boolean"),), turned=("reverse", "imported-by")),
    Tool("hierarchy", "Bases, subclasses, overrides and implementations.", "hierarchy"),
    Tool("tests", "Tests that reach a symbol, nearest first.", "tests"),
    Tool("changed", "Symbols added, removed, moved or changed since a commit, and what they reach.", "changed",
         defaults=(("since", "HEAD"),)),
    Tool("audit", "Whether a task's work, or its spec before the work, holds: verdict and findings. Runs nothing.",
         answer="mmcg.mcp.tasks:audit", own=(
             Argument("task", _TASK, required=True),
             Argument("stage", choices=("work", "spec"), default="work"),
             Argument("show", choices=("findings", "claims"), default="findings"),
             Argument("since", "The commit to compare with."),
             *_PAGES)),
    Tool("tasks", "Where tasks stand and what to do next; lessons of past audits.", answer="mmcg.mcp.tasks:tasks", own=(
             Argument("task", _TASK),
             Argument("show", choices=("all", "next", "lessons"), default="all"),
             *_PAGES)),
    Tool("index_status", "Whether the index is there and current, and what it holds.",
         answer="mmcg.mcp.status:answer"),
)  # fmt: skip

TOOLS: dict[str, Tool] = {tool.name: tool for tool in _ALL}
"""Every tool by its name."""
