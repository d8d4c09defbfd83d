"""Markdown by its grammar: what is a heading, a code block, a comment or prose, and in which line it stands."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from markdown_it.token import Token

_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_NUMBER = re.compile(r"^\d+(\.\d+)*[.)]?\s+")


@dataclass(frozen=True, slots=True)
class Fence:
    """A code block."""

    info: str
    """The words after the opening fence, such as `python`."""
    text: str
    line: int
    """Of its opening fence, or of its first line if it is indented."""


@dataclass(frozen=True, slots=True)
class Prose:
    """A paragraph, list item, table cell or heading, without its markup; code spans are kept in back-quotes."""

    parts: tuple[tuple[str, str, int], ...]
    """In order: `text` or `code`, the characters, and the line."""
    heading: int = 0
    """The level of the heading, 0 for other prose."""
    line: int = 1

    @property
    def text(self) -> str:
        """All of it on one line."""
        return "".join(f"`{text}`" if kind == "code" else text for kind, text, _ in self.parts)


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and what follows it up to the next one of its level or a higher one."""

    title: str
    level: int
    line: int
    lines: tuple[str, ...] = field(repr=False)
    """The lines between, as written."""

    def empty(self, placeholders: frozenset[str] = frozenset()) -> bool:
        """Whether there is nothing but blank lines, comments, and lines that are placeholders of a template."""
        rest = without_comments("\n".join(line for line in self.lines if line.strip() not in placeholders))
        return not any(line.strip() and line.strip() not in placeholders for line in rest.split("\n"))


@dataclass(frozen=True, slots=True)
class Markdown:
    """A parsed text: its blocks in order."""

    blocks: tuple[Fence | Prose, ...]
    sections: tuple[Section, ...]
    comments: tuple[tuple[str, int], ...]
    """HTML comments that are blocks of their own: the text between the marks, and the line."""


def parse(text: str, first_line: int = 1) -> Markdown:
    """The blocks of a Markdown text whose first line is `first_line` of its file."""
    from markdown_it import MarkdownIt

    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    blocks: list[Fence | Prose] = []
    comments: list[tuple[str, int]] = []
    line = level = 0
    for token in tokens:
        if token.map is not None:
            line = token.map[0] + first_line
        if token.type in ("fence", "code_block"):
            blocks.append(Fence(token.info.strip(), token.content, line))
        elif token.type == "heading_open":
            level = int(token.tag[1:])
        elif token.type == "inline":
            blocks.append(Prose(tuple(_parts(token, line)), level, line))
            level = 0
        elif token.type == "html_block":
            comments += [
                (each.group()[4:].removesuffix("-->").strip(), line + token.content.count("\n", 0, each.start()))
                for each in _COMMENT.finditer(token.content)
            ]
    return Markdown(tuple(blocks), tuple(_sections(tokens, text.split("\n"), first_line)), tuple(comments))


def _parts(token: Token, line: int) -> Iterator[tuple[str, str, int]]:
    for each in token.children or ():
        if each.type in ("softbreak", "hardbreak"):
            line += 1
            yield "text", " ", line
        elif each.type == "code_inline":
            yield "code", each.content, line
        elif each.type in ("text", "text_special", "image"):
            yield "text", each.content, line


def _sections(tokens: list[Token], lines: list[str], first_line: int) -> Iterator[Section]:
    found: list[tuple[int, str, int, int]] = []
    for at, token in enumerate(tokens):
        if token.type == "heading_open" and token.level == 0 and token.map:
            title = "".join(text for _, text, _ in _parts(tokens[at + 1], 0))
            found.append((int(token.tag[1:]), title.strip(), token.map[0], token.map[1]))
    for at, (level, title, begin, after) in enumerate(found):
        end = next((begin for other, _, begin, _ in found[at + 1 :] if other <= level), len(lines))
        yield Section(title, level, begin + first_line, tuple(lines[after:end]))


def without_comments(text: str) -> str:
    """A text without HTML comments; one that is never closed reaches to the end."""
    return _COMMENT.sub("", text)


def same_title(one: str, other: str) -> bool:
    """Whether two headings are one: case, numbering and a colon at the end do not matter."""
    return _plain_title(one) == _plain_title(other)


def _plain_title(title: str) -> str:
    return " ".join(_NUMBER.sub("", title).rstrip(": ").casefold().split())
