"""Adding a member to a JSON text, and taking it out, without touching anything else.

The text may have comments and trailing commas, as editors' configurations do. They are blanked out, which leaves JSON
of the same length for the standard parser, and every change is a cut or an insertion in the text as it was.

Taking out undoes putting in to the byte, without a memory of its own: an object that was made for the member begins
with a new line, and one that was there and empty does not, so that it is known which of the two becomes empty again.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from mmcg.setup.broken import BrokenError

Keys = tuple[str, str]
"""The key of the outer object in the root, and that of the member in the outer object."""

_STRING = r'"(?:[^"\\\n]|\\.)*"'
_COMMENT = r"//[^\r\n]*|/\*.*?\*/"
_COMMENTS = re.compile(rf"{_STRING}|({_COMMENT})", re.DOTALL)
_TRAILING = re.compile(rf"{_STRING}|(,)(?=\s*[}}\]])", re.DOTALL)
_REMARKS = re.compile(rf"(?:[ \t]*(?:{_COMMENT}))*", re.DOTALL)
_BREAK = re.compile(r"\r?\n[ \t]*\Z")
_INDENT = re.compile(r"\n([ \t]+)\S")


@dataclass(frozen=True, slots=True)
class Member:
    """Where a member of an object stands."""

    key: str
    start: int
    """Of the key's quote."""
    value: int
    end: int
    """After the value."""


@dataclass(frozen=True, slots=True)
class Object:
    """Where an object stands, from its opening to its closing brace."""

    start: int
    end: int
    members: list[Member]

    def get(self, key: str) -> Member | None:
        """The member of that key; the last one, as parsers have it."""
        return next((each for each in reversed(self.members) if each.key == key), None)


def parsed(text: str) -> dict[str, Any]:
    """The object that a text says; an empty text says an empty one. Raises `BrokenError`."""
    return _Text(text).root_value


def put(text: str | None, keys: Keys, value: dict[str, Any]) -> str:
    """The text with the member set to the value; None is a file that is not there. Raises `BrokenError`."""
    outer, name = keys
    made = json.dumps({outer: {name: value}}, indent=2, ensure_ascii=False)
    if text is None:
        # Only a file that was not there gets the line's end, by which it is known again.
        return made + "\n"
    if not text.strip("\ufeff \t\r\n"):
        return text + made
    whole = _Text(text)
    if not whole.plain.strip():
        return made + text
    holder = whole.root.get(outer)
    if holder is None:
        return whole.added(whole.root, outer, {name: value}, depth=1)
    inside = whole.object_at(holder, outer)
    member = inside.get(name)
    if member is None:
        return whole.added(inside, name, value, depth=2)
    for key, each in value.items():
        text = _with(text, keys, key, each)
    return text


def without(text: str, keys: Keys) -> str | None:
    """The text without the member, and without an outer object that was made for it; None for: no file at all."""
    outer, name = keys
    whole = _Text(text)
    holder = whole.root.get(outer)
    if holder is None:
        return text
    inside = whole.object_at(holder, outer)
    member = inside.get(name)
    if member is None:
        return text
    if not whole.made(inside):
        return whole.cut(inside, member)
    if not whole.made(whole.root):
        return whole.cut(whole.root, holder)
    before, after = text[: whole.root.start], text[whole.root.end + 1 :]
    if not before and after == "\n":
        return None
    return before + after


def _with(text: str, keys: Keys, key: str, value: object) -> str:
    """The text with one key of the member set; its other keys and all remarks stay."""
    outer, name = keys
    whole = _Text(text)
    if whole.root_value[outer][name].get(key) == value:
        return text
    at = whole.root
    for step in keys:
        holder = at.get(step)
        assert holder is not None  # noqa: S101 - it was looked up before
        at = whole.object_at(holder, step)
    known = at.get(key)
    if known is None:
        return whole.added(at, key, value, depth=3)
    return text[: known.value] + whole.written(value, depth=3) + text[known.end :]


class _Text:
    """A text, and what the parser finds in it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.uncommented = _COMMENTS.sub(lambda found: _blank(found, 1), text)
        self.plain = _TRAILING.sub(lambda found: _blank(found, 1), self.uncommented)
        self.mark = text.startswith("\ufeff")
        if self.mark:
            self.plain = " " + self.plain[1:]
        self.newline = "\r\n" if "\r\n" in text else "\n"
        indent = _INDENT.search(text)
        self.indent = indent.group(1) if indent else "  "
        if not self.plain.strip():
            self.root_value: dict[str, Any] = {}
            self.root = Object(len(text), len(text), [])
            return
        try:
            value = json.loads(self.plain)
        except (ValueError, RecursionError) as error:
            line = getattr(error, "lineno", 1)
            raise BrokenError(line, getattr(error, "msg", "nested too deeply")) from None
        if not isinstance(value, dict):
            raise BrokenError(1, "it holds no object")
        self.root_value = value
        self.root = self._object(len(self.plain) - len(self.plain.lstrip()))

    def object_at(self, member: Member, key: str) -> Object:
        """The object that is a member's value."""
        if self.plain[member.value] != "{":
            line = self.text.count("\n", 0, member.value) + 1
            raise BrokenError(line, f"`{key}` is no object")
        return self._object(member.value)

    def _object(self, start: int) -> Object:
        decode = json.JSONDecoder().raw_decode
        members: list[Member] = []
        at = self._next(start + 1)
        while self.plain[at] != "}":
            if self.plain[at] == ",":
                at = self._next(at + 1)
            key, end = decode(self.plain, at)
            value = self._next(self._next(end) + 1)
            _, after = decode(self.plain, value)
            members.append(Member(key, at, value, after))
            at = self._next(after)
        return Object(start, at, members)

    def _next(self, at: int) -> int:
        """The next place that is not blank."""
        while self.plain[at].isspace():
            at += 1
        return at

    def written(self, value: object, depth: int) -> str:
        """A value as JSON text, indented as the text is."""
        text = json.dumps(value, indent=self.indent, ensure_ascii=False)
        return text.replace("\n", self.newline + self.indent * depth)

    def added(self, owner: Object, key: str, value: object, depth: int) -> str:
        """The text with a new last member."""
        text = self.text
        member = f"{json.dumps(key, ensure_ascii=False)}: {self.written(value, depth)}"
        if not owner.members:
            return text[: owner.start + 1] + member + text[owner.start + 1 :]
        last = owner.members[-1]
        comma = self._comma(last)
        base = last.end if comma is None else comma + 1
        # Remarks on the last member stay in its line.
        remarks = _REMARKS.match(text, base)
        place = remarks.end() if remarks else base
        line = _BREAK.search(text, 0, last.start)
        own_line = line.group() if line else self.newline + self.indent * depth
        gap = own_line if line or place > base else " "
        if comma is None:
            return text[: last.end] + "," + text[last.end : place] + gap + member + text[place:]
        return text[:place] + gap + member + "," + text[place:]

    def cut(self, owner: Object, member: Member) -> str:
        """The text without a member, and without the comma that parted it from others."""
        text = self.text
        gap = _BREAK.search(text, 0, member.start)
        start = member.start
        if gap is not None:
            start = gap.start()
        elif text[start - 1] == " ":
            start -= 1
        comma = self._comma(member)
        if comma is not None:
            between = text[member.end : comma]
            return text[:start] + between + text[comma + 1 :]
        number = owner.members.index(member)
        if number == 0:
            return text[: member.start] + text[member.end :]
        before = self._comma(owner.members[number - 1])
        assert before is not None  # noqa: S101 - or it would be no JSON
        return text[:before] + text[before + 1 : start] + text[member.end :]

    def made(self, owner: Object) -> bool:
        """Whether an object with one member looks as if it was made for it."""
        if len(owner.members) != 1:
            return False
        only = owner.members[0]
        opening, closing = self.text[owner.start + 1 : only.start], self.text[only.end : owner.end]
        return opening.startswith(("\n", "\r\n")) and not opening.strip() and not closing.strip()

    def _comma(self, member: Member) -> int | None:
        """Where the comma after a member is."""
        found = re.compile(r"\s*,").match(self.uncommented, member.end)
        return None if found is None else found.end() - 1


def _blank(found: re.Match[str], group: int) -> str:
    """The match, with spaces for all of a group's characters that are no line's end."""
    text = found.group()
    return text if found.group(group) is None else re.sub(r"[^\r\n]", " ", text)
