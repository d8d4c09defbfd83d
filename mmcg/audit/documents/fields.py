"""Typed values out of YAML nodes; what is missing, unknown, repeated or of the wrong type is a finding with its line.

Plain scalars are read by the core schema of YAML 1.2: only `true` and `false` are booleans, only decimal numbers are
numbers, and `null`, `~` or nothing is no value.
"""

from __future__ import annotations

import difflib
import re
from typing import TYPE_CHECKING

from mmcg.audit.documents.nodes import Mapping, Node, Scalar, Sequence

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mmcg.audit.findings import Finding, Kind

_NULL = ("", "~", "null", "Null", "NULL")
_INTEGER = re.compile(r"[-+]?[0-9]{1,18}")
_NUMBER = re.compile(r"[-+]?([0-9]{1,18}(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]{1,3})?")
_SHOWN = 80

_LONGEST = 10_000
"""Characters of a value: it is a name, a signature, a command or a sentence."""
_HINTED = 100
"""So many errors get a hint at what may have been meant."""

Entries = dict[str, tuple[int, Node]]


class Fields:
    """Reads nodes of one document, collecting what is wrong with them."""

    def __init__(self, kind: Kind, file: str) -> None:
        self.kind = kind
        self.file = file
        self.findings: list[Finding] = []

    def wrong(self, message: str, line: int, about: Iterable[str] = (), hint: str = "", **more: str) -> None:
        """Note an error at a line."""
        self.findings.append(self.kind.in_spec(message, about=about, file=self.file, line=line, hint=hint, **more))  # type: ignore[arg-type]

    def entries(self, node: Node, what: str, known: Iterable[str]) -> Entries:
        """The known keys of a mapping; `what` names it in messages."""
        if not isinstance(node, Mapping):
            self._type(node, what, "a mapping of keys to values", node.line)
            return {}
        names = list(known)
        for key, line, first in node.repeated:
            self.wrong(f"`{key}` stands twice in {what}: in line {first} and here.", line, [key], "Keep one of them.")
        for key, (line, _) in node.entries.items():
            if key not in names:
                near = difflib.get_close_matches(shown(key), names, n=1, cutoff=0.5) if self._hinting else []
                hint = f"Did you mean `{near[0]}`?" if near else f"Known keys: {_listed(names)}."
                self.wrong(f"{_upper(what)} has an unknown key `{shown(key)}`.", line, [shown(key)], hint)
        return {key: node.entries[key] for key in names if key in node.entries}

    def text(self, entries: Entries, key: str, default: str = "", *, required: bool = False, line: int = 1) -> str:
        """A text; numbers and booleans are taken as they are spelt."""
        if key not in entries:
            if required:
                self.wrong(f"`{key}` is missing.", line, [key], f"Add `{key}: …`.")
            return default
        place, node = entries[key]
        found = self.scalar(node, key, place)
        if isinstance(node, Scalar) and not (found or "").strip():
            if required:
                self.wrong(f"`{key}` is empty.", place, [key], f"Give `{key}` a text.")
            return default
        return default if found is None else found

    def scalar(self, node: Node, key: str, line: int) -> str | None:
        """The text of a scalar; None for no value, and for a list or mapping, which is an error."""
        if not isinstance(node, Scalar):
            self._type(node, f"`{key}`", "a text", line)
            return None
        if len(node.text) > _LONGEST:
            self.wrong(f"`{key}` has {len(node.text):,} characters.", line, [key], f"Write at most {_LONGEST:,}.")
        return None if is_null(node) else node.text[:_LONGEST]

    def choice(self, entries: Entries, key: str, choices: tuple[str, ...], default: str) -> str:
        """One of some words."""
        if key not in entries:
            return default
        line, node = entries[key]
        found = self.text(entries, key, default)
        if isinstance(node, Scalar) and found not in choices:
            near = difflib.get_close_matches(shown(found), choices, n=1, cutoff=0.5) if self._hinting else []
            hint = f"Did you mean `{near[0]}`?" if near else f"Use one of {_listed(choices)}."
            self.wrong(f"`{key}` is `{shown(found)}`, which is none of {_listed(choices)}.", line, [key], hint)
            return default
        return found

    def boolean(self, entries: Entries, key: str, *, default: bool = False) -> bool:
        """`true` or `false`."""
        if key not in entries:
            return default
        line, node = entries[key]
        if isinstance(node, Scalar) and node.plain and node.text.lower() in ("true", "false"):
            return node.text.lower() == "true"
        self._type(node, f"`{key}`", "`true` or `false`", line)
        return default

    def integer(self, entries: Entries, key: str, *, least: int = 0) -> int | None:
        """A whole number of at least `least`."""
        if key not in entries:
            return None
        line, node = entries[key]
        if isinstance(node, Scalar) and node.plain and _INTEGER.fullmatch(node.text) and int(node.text) >= least:
            return int(node.text)
        self._type(node, f"`{key}`", f"a whole number, {least} or more", line)
        return None

    def number(self, entries: Entries, key: str) -> float | None:
        """A number above zero."""
        if key not in entries:
            return None
        line, node = entries[key]
        if isinstance(node, Scalar) and node.plain and _NUMBER.fullmatch(node.text) and 0 < float(node.text) < 1e9:
            return float(node.text)
        self._type(node, f"`{key}`", "a number above 0", line)
        return None

    def items(self, entries: Entries, key: str, *, of: str) -> list[Node]:
        """The items of a list; `of` says in messages what is listed. An empty value is an empty list."""
        if key not in entries:
            return []
        line, node = entries[key]
        if isinstance(node, Sequence):
            return node.items
        if not (isinstance(node, Scalar) and is_null(node)):
            self._type(node, f"`{key}`", f"a list of {of}", line)
        return []

    def texts(self, entries: Entries, key: str, *, of: str) -> list[tuple[str, int]]:
        """The texts of a list, each with its line."""
        found = []
        for item in self.items(entries, key, of=of):
            text = self.scalar(item, key, item.line)
            if text is not None:
                found.append((text, item.line))
            elif isinstance(item, Scalar):
                self.wrong(f"`{key}` has an empty item.", item.line, [key], "Remove it, or write what it is.")
        return found

    @property
    def _hinting(self) -> bool:
        """Whether so little is wrong that somebody may have misspelt it: what is near is looked for with great care."""
        return len(self.findings) < _HINTED

    def _type(self, node: Node, what: str, wanted: str, line: int) -> None:
        key = what.strip("`")
        self.wrong(f"{_upper(what)} is {described(node)}, not {wanted}.", line, [key], f"Write {wanted}.")


def is_null(node: Scalar) -> bool:
    """Whether a scalar stands for no value."""
    return node.plain and node.text in _NULL


def described(node: Node) -> str:
    """What a node is, in words."""
    if isinstance(node, Sequence):
        return "a list"
    if isinstance(node, Mapping):
        return "a mapping"
    return "empty" if is_null(node) else f"`{shown(node.text)}`"


def shown(text: str) -> str:
    """A text of a document as a message shows it: one line, not too long."""
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else line[: _SHOWN - 1] + "…"


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{each}`" for each in names)


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]
