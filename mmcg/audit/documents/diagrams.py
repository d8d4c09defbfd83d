"""Arrows of Mermaid diagrams: who points at whom, by the labels of both ends.

Read are `flowchart` (or `graph`) and `sequenceDiagram`; every other diagram, and what is not understood, has no arrows.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mmcg.audit.documents.markdown import Fence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mmcg.audit.documents.markdown import Markdown

_FLOW = re.compile(r"^\s*(?:flowchart|graph)\b[^\n;]*")
_SEQUENCE = re.compile(r"^\s*sequenceDiagram\b")
_NO_ARROWS = re.compile(r"^(?:subgraph|end|style|class|classDef|click|linkStyle|direction|accTitle|accDescr)\b")

_ID = re.compile(r"[\w.$#/:\\]+(?:-[\w.$#/:\\]+)*")
_SHAPES = (
    ("([", "])"), ("[[", "]]"), ("[(", ")]"), ("(((", ")))"), ("((", "))"), ("{{", "}}"), ("[/", "/]"), ("[\\", "\\]"),
    ("[", "]"), ("(", ")"), ("{", "}"), (">", "]"),
)  # fmt: skip
_LINK = re.compile(
    r"""
    \s*(?:
        [<ox]?--+(?P<solid>[>ox])?
      | [<ox]?==+(?P<thick>[>ox])?
      | [<ox]?-\.+-(?P<dotted>[>ox])?
      | ~~~+
    )(?:\s*\|[^|\n]*\|)?\s*
    """,
    re.VERBOSE,
)
_WORDED = re.compile(r"\s*[<ox]?(?:--\s+[^\n]*?\s--+|==\s+[^\n]*?\s==+|-\.\s+[^\n]*?\s\.+-)(?P<head>[>ox])?\s*")
_PARTICIPANT = re.compile(r"^(?:create\s+)?(?:participant|actor)\s+(?P<id>\S+)(?:\s+as\s+(?P<label>.+))?$")
_MESSAGE = re.compile(
    r"^(?P<source>[^\s:+>-][^:>]*?)\s*(?P<arrow>--?(?:>>|>|x|\)))\s*[+-]?\s*(?P<target>[^:+-][^:]*?)\s*:"
)
_LONGEST = 2_000
"""Characters of a line; a longer one is no diagram that somebody wrote."""
_BACK = "--"
"""A dashed arrow of a sequence diagram is an answer, not a call."""


@dataclass(frozen=True, slots=True)
class Arrow:
    """One arrow."""

    source: str
    """The label of the end that it comes from."""
    target: str
    line: int


def arrows(document: Markdown) -> Iterator[Arrow]:
    """The arrows of all diagrams of a document."""
    for block in document.blocks:
        if isinstance(block, Fence) and block.info.split(" ")[0].lower() == "mermaid":
            lines = [(block.line + at, line.strip()) for at, line in enumerate(block.text.split("\n"), 1)]
            lines = [(at, line) for at, line in lines if 0 < len(line) <= _LONGEST and not line.startswith("%%")]
            if lines and _FLOW.match(lines[0][1]):
                first, rest = lines[0][1], _FLOW.sub("", lines[0][1], count=1).lstrip("; ")
                yield from _flow([(lines[0][0], rest), *lines[1:]] if rest != first else lines[1:])
            elif lines and _SEQUENCE.match(lines[0][1]):
                yield from _sequence(lines[1:])


def _flow(lines: list[tuple[int, str]]) -> Iterator[Arrow]:
    labels: dict[str, str] = {}
    found: list[tuple[str, str, int]] = []
    for line, text in lines:
        for statement in _statements(text):
            if not _NO_ARROWS.match(statement):
                found += [(source, target, line) for source, target in _chain(statement, labels)]
    for source, target, line in found:
        yield Arrow(labels.get(source, source), labels.get(target, target), line)


def _statements(text: str) -> Iterator[str]:
    """The parts of a line between semicolons that are not in quotes."""
    yield from (part.strip() for part in re.split(r";(?=(?:[^\"]*\"[^\"]*\")*[^\"]*$)", text) if part.strip())


def _chain(statement: str, labels: dict[str, str]) -> Iterator[tuple[str, str]]:
    """The arrows of `A --> B & C --> D`, by ids; labels are noted."""
    at, before = _group(statement, 0, labels)
    while before:
        link = _WORDED.match(statement, at) or _LINK.match(statement, at)
        if link is None or link.end() == at:
            return
        at, after = _group(statement, link.end(), labels)
        if not after:
            return
        if ">" in [each for each in link.groupdict().values() if each]:
            yield from ((source, target) for source in before for target in after)
        before = after


def _group(statement: str, at: int, labels: dict[str, str]) -> tuple[int, list[str]]:
    """The nodes joined by `&` at a place, and the place after them."""
    found: list[str] = []
    while (node := _ID.match(statement, at)) is not None:
        # A link may follow without a blank: `a-->b`.
        name = re.split(r"--|==|-\.|:::", node.group())[0].rstrip("-")
        if not name:
            break
        at = node.start() + len(name)
        found.append(name)
        for begin, end in _SHAPES:
            if statement.startswith(begin, at):
                close = _closing(statement, at + len(begin), end)
                if close >= 0:
                    labels[name] = _label(statement[at + len(begin) : close])
                    at = close + len(end)
                break
        style = re.compile(r":::[\w-]+").match(statement, at)
        at = style.end() if style else at
        more = re.compile(r"\s*&\s*").match(statement, at)
        if more is None:
            break
        at = more.end()
    return at, found


def _closing(statement: str, at: int, end: str) -> int:
    """Where a shape ends; what is in quotes does not end it."""
    if statement.startswith('"', at):
        quote = statement.find('"', at + 1)
        return statement.find(end, quote) if quote >= 0 else -1
    depth = 0
    while at < len(statement):
        if depth == 0 and statement.startswith(end, at):
            return at
        depth += (statement[at] in "([{") - (statement[at] in ")]}" and depth > 0)
        at += 1
    return -1


def _label(text: str) -> str:
    """What a label shows: without quotes, back-quotes and markup; of several lines, the first."""
    first = re.split(r"<br\s*/?>|\\n", text.strip().strip('"'))[0]
    return html.unescape(re.sub(r"<[^<>]+>|[*`]", "", first)).strip()


def _sequence(lines: list[tuple[int, str]]) -> Iterator[Arrow]:
    labels: dict[str, str] = {}
    for line, text in lines:
        participant = _PARTICIPANT.match(text)
        if participant is not None:
            labels[participant["id"]] = _label(participant["label"] or participant["id"])
            continue
        message = _MESSAGE.match(text)
        if message is not None and not message["arrow"].startswith(_BACK):
            source, target = message["source"].strip(), message["target"].strip()
            if source != target:
                yield Arrow(labels.get(source, source), labels.get(target, target), line)
