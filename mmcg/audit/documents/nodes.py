"""YAML as nodes with line numbers, read from the parser's events so that nothing in a hostile text is built or run.

Scalars stay text: what a field means by it, its reader decides (`fields.py`), so `id: 001`, `title: no` and
`version: 1.10` keep their spelling. Anchors, aliases and tags are refused: no document of ours needs them, and they are
how a small text becomes a large one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from yaml.events import Event, NodeEvent

DEEPEST = 16
"""Levels of nesting; the documents of ours have six."""

MOST_NODES = 200_000
"""A report may name ten thousands of files."""


class YamlError(Exception):
    """A text that is no YAML, or not the part of it that is read here: what is wrong, and in which line."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.message = message
        self.line = line


@dataclass(slots=True)
class Scalar:
    """A single value."""

    text: str
    line: int
    plain: bool = True
    """Whether it stands without quotes, so that `null`, `true` and `3` may be more than text."""


@dataclass(slots=True)
class Sequence:
    """A list."""

    line: int
    items: list[Node] = field(default_factory=list)


@dataclass(slots=True)
class Mapping:
    """Keys and values in their order; a key that comes twice is in `repeated`, with its first value kept."""

    line: int
    entries: dict[str, tuple[int, Node]] = field(default_factory=dict)
    """By key: the key's line, and the value."""
    repeated: list[tuple[str, int, int]] = field(default_factory=list)
    """The key, its second line, and its first."""


_HIDDEN_BREAK = re.compile("[\x85\u2028\u2029]")

Node = Scalar | Sequence | Mapping


def load(text: str, first_line: int = 1) -> Node | None:
    """The one document in a text whose first line is `first_line` of its file; None for an empty one."""
    import yaml

    for at, line in enumerate(text.split("\n")):
        if _HIDDEN_BREAK.search(line):
            raise YamlError("there is a line separator that not every reader sees; write `\\n` for it", first_line + at)
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        return _build(yaml.parse(text, Loader=loader), first_line)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        parts = [each for each in (error.context, error.problem) if each]
        raise YamlError(", ".join(parts) or "this is no YAML", first_line + (mark.line if mark else 0)) from None
    except yaml.reader.ReaderError as error:
        before = text.encode()[: error.position].count(b"\n") if isinstance(error.position, int) else 0
        raise YamlError(f"{error.reason} (U+{_code(error.character):04X})", first_line + before) from None
    except yaml.YAMLError as error:
        raise YamlError(str(error).splitlines()[0], first_line) from None


def _code(character: object) -> int:
    """The number of the character that cannot be read, which the parser's two versions give in two ways."""
    return character if isinstance(character, int) else ord(str(character)[:1] or "\ufffd")


def _build(events: Iterable[Event], first_line: int) -> Node | None:
    import yaml

    root: Node | None = None
    open_: list[Sequence | Mapping] = []
    keys: list[Scalar | None] = []
    documents = count = 0
    for event in events:
        line = first_line + (event.start_mark.line if event.start_mark else 0)
        if isinstance(event, yaml.DocumentStartEvent):
            documents += 1
            if documents > 1:
                raise YamlError("a second document begins here; only one is read", line)
        elif isinstance(event, yaml.AliasEvent):
            raise YamlError(f"`*{event.anchor}` is an alias; write the value out", line)
        elif isinstance(event, yaml.NodeEvent):
            _plain_node(event, line)
            count += 1
            if count > MOST_NODES:
                raise YamlError(f"there are more than {MOST_NODES:,} values", line)
            node = _node(event, line)
            if open_:
                _put(open_[-1], keys, node, line)
            else:
                root = node
            if not isinstance(node, Scalar):
                if len(open_) >= DEEPEST:
                    raise YamlError(f"values are nested more than {DEEPEST} deep", line)
                open_.append(node)
                keys.append(None)
        elif isinstance(event, yaml.CollectionEndEvent):
            open_.pop()
            keys.pop()
    if isinstance(root, Scalar) and root.plain and not root.text:
        return None
    return root


def _plain_node(event: NodeEvent, line: int) -> None:
    if event.anchor:
        raise YamlError(f"`&{event.anchor}` is an anchor; write the value out where it is needed", line)
    tag = getattr(event, "tag", None)
    if tag and tag != "!":
        raise YamlError(f"`{tag}` is a tag; values are read without", line)


def _node(event: NodeEvent, line: int) -> Node:
    import yaml

    if isinstance(event, yaml.ScalarEvent):
        return Scalar(event.value, line, plain=event.style in (None, ""))
    return Sequence(line) if isinstance(event, yaml.SequenceStartEvent) else Mapping(line)


def _put(parent: Sequence | Mapping, keys: list[Scalar | None], node: Node, line: int) -> None:
    if isinstance(parent, Sequence):
        parent.items.append(node)
        return
    key = keys[-1]
    if key is None:
        if not isinstance(node, Scalar):
            raise YamlError("a key must be a text", line)
        keys[-1] = node
        return
    keys[-1] = None
    if key.text in parent.entries:
        parent.repeated.append((key.text, key.line, parent.entries[key.text][0]))
    else:
        parent.entries[key.text] = (key.line, node)
