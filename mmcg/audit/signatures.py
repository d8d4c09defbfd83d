"""Signatures compared by their words: layout, comments, trailing commas and the kind of quotes do not matter.

A signature is the header of a definition without its body, with its decorators and attributes, except for those that
only silence warnings. The index keeps decorators beside the header in some languages and in it in others; here they are
taken out of the text in both. Nothing is parsed: a header is a sequence of words, strings and marks in any language.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace

SILENCING = frozenset(
    {
        "allow", "expect", "SuppressWarnings", "SuppressMessage", "UnconditionalSuppressMessage", "Suppress",
        "maybe_unused", "gnu.unused", "no_type_check", "phpstan.ignore",
    }
)  # fmt: skip
"""Decorators and attributes that change what is warned about and nothing else."""

_TOKEN = re.compile(
    r"""
    (?P<space>\s+)
  | (?P<comment>/\*.*?\*/ | (?<![:\w])//[^\n]* | \#(?=[\s!]|$)[^\n]*)
  | (?P<string>"(?:[^"\\\n]|\\.)*" | `(?:[^`\\]|\\.)*` | '(?:[^'\\\n]|\\.)*')
  | (?P<word>\w+)
  | (?P<mark>.)
    """,
    re.VERBOSE | re.DOTALL,
)
# A lifetime or a label, which no quote closes.
_TICK = re.compile(r"'[A-Za-z_]\w*(?!['\w])")
_TICKS = re.compile(r"[<&]\s*'[A-Za-z_]\w*(?!['\w])")
_CUT = "\u2026"
_CLOSING = {")", "]", "}", ">"}
_PAIRS = {"(": ")", "[": "]", "{": "}"}


def tokens(text: str) -> tuple[str, ...]:
    """The words, strings and marks of a text, without comments and trailing commas."""
    found: list[str] = []
    at = 0
    ticks = _TICKS.search(text) is not None
    while at < len(text):
        tick = _TICK.match(text, at) if ticks else None
        if tick is not None:
            found.append(tick.group())
            at = tick.end()
            continue
        fit = _TOKEN.match(text, at)
        if fit is None:  # Cannot be: `mark` is any character.
            break
        at = fit.end()
        kind, piece = fit.lastgroup, fit.group()
        if kind in ("space", "comment"):
            continue
        if kind == "string":
            piece = _quoted(piece)
        elif piece in _CLOSING and found and found[-1] == ",":
            found.pop()
        found.append(piece)
    return tuple(found)


def _quoted(text: str) -> str:
    """A string in double quotes where that says the same; the index keeps one blank for each run of them."""
    inner = re.sub(r"\s+", " ", text[1:-1])
    quote = '"' if text[0] == "'" and not re.search(r"[\"'\\]", inner) else text[0]
    return f"{quote}{inner}{quote}"


@dataclass(frozen=True, slots=True)
class Signature:
    """A signature in the form in which two are compared."""

    header: tuple[str, ...]
    attributes: tuple[tuple[str, ...], ...] = ()
    """The decorators and attributes in their order, without those that only silence warnings."""

    cut: bool = False
    """Whether the index keeps only the begin of it."""

    def agrees(self, other: Signature) -> bool:
        """Whether two signatures are one, as far as the index keeps them."""
        if self.attributes != other.attributes:
            return False
        if not (self.cut or other.cut):
            return self.header == other.header
        length = min(len(each.header) for each in (self, other) if each.cut)
        return self.header[:length] == other.header[:length]

    def means(self, live: Signature) -> bool:
        """Whether a stated signature is this live one; one that gives no decorators leaves them open."""
        return self.agrees(live) if self.attributes else replace(live, attributes=()).agrees(self)

    @property
    def text(self) -> str:
        """It in one line, for messages."""
        return " ".join([*("@" + _joined(each) for each in self.attributes), _joined(self.header)])


def stated(text: str) -> Signature:
    """A signature as written in a spec or report: decorators first, and perhaps a `:`, `{` or `;` at its end."""
    attributes, header = _split(tokens(text))
    header = _without_end(header, (":", ";", "{", ","))
    if header[-2:] == ("=", ">"):
        header = header[:-2]
    return Signature(header, attributes)


def stored(signature: str, decorators: str = "[]") -> Signature:
    """The signature of a row of `symbols`: its columns `signature` and `decorators`."""
    cut = signature.endswith(_CUT)
    attributes, header = _split(tokens(signature.removesuffix(_CUT)))
    if not attributes and decorators not in ("", "[]"):
        attributes = _heard(tokens(each) for each in json.loads(decorators))
    header = _without_end(header, (":", ";", "{"))
    # The last word may have lost its end.
    return Signature(header[:-1] if cut else header, attributes, cut)


def _without_end(header: tuple[str, ...], marks: tuple[str, ...]) -> tuple[str, ...]:
    """A header without marks at its end."""
    end = len(header)
    while end and header[end - 1] in marks:
        end -= 1
    return header[:end]


def states(text: str, live: Signature) -> bool:
    """Whether a text holds the header of a signature: an exact edit that does declares it."""
    return bool(live.header) and contains(tokens(text), live.header)


def contains(text: tuple[str, ...], part: tuple[str, ...]) -> bool:
    """Whether a sequence of tokens holds another one without a gap."""
    first, length = part[0], len(part)
    return any(
        each == first and text[at : at + length] == part for at, each in enumerate(text[: len(text) - length + 1])
    )


def _split(found: tuple[str, ...]) -> tuple[tuple[tuple[str, ...], ...], tuple[str, ...]]:
    """The attributes in front of a header, and the header."""
    attributes: list[tuple[str, ...]] = []
    at = 0
    while at < len(found):
        if found[at] == "@" and at + 1 < len(found) and found[at + 1] != "interface":
            end = _after_name(found, at + 1)
            attributes.append(found[at + 1 : end])
        elif (found[at] == "#" and found[at + 1 : at + 2] == ("[",)) or (found[at] == "[" and _is_list(found, at)):
            begin = at + (found[at] == "#")
            end = _closed(found, begin)
            inner = found[begin + 1 : end - 1]
            if inner[:1] == ("[",) and inner[-1:] == ("]",):
                inner = inner[1:-1]
            attributes += _listed(inner)
        else:
            break
        at = end
    return _heard(attributes), found[at:]


def _is_list(found: tuple[str, ...], at: int) -> bool:
    """Whether a bracket at the begin of a header is a list of attributes: something follows it."""
    end = _closed(found, at)
    return at + 1 < end < len(found) and found[end] not in ("(", "=", ":")


def _after_name(found: tuple[str, ...], at: int) -> int:
    """The place after a decorator's dotted name and its arguments."""
    at += 1
    while found[at : at + 1] == (".",):
        at += 2
    return _closed(found, at) if found[at : at + 1] == ("(",) else at


def _closed(found: tuple[str, ...], at: int) -> int:
    """The place after the bracket that closes the one at `at`."""
    depth = 0
    for place in range(at, len(found)):
        if found[place] in _PAIRS:
            depth += 1
        elif found[place] in _PAIRS.values():
            depth -= 1
            if depth == 0:
                return place + 1
    return len(found)


def _listed(inner: tuple[str, ...]) -> list[tuple[str, ...]]:
    """The attributes of one bracket, which commas part."""
    found, begin, depth = [], 0, 0
    for at, each in enumerate([*inner, ","]):
        depth += (each in _PAIRS) - (each in _PAIRS.values())
        if each == "," and depth == 0:
            found.append(inner[begin:at])
            begin = at + 1
    return [each for each in found if each]


def _heard(attributes: object) -> tuple[tuple[str, ...], ...]:
    """Attributes without those that only silence warnings."""
    kept = []
    for each in attributes:  # type: ignore[attr-defined]
        name = "".join(each).partition("(")[0].partition("=")[0].replace("::", ".")
        if name not in SILENCING and name.rpartition(".")[2] not in SILENCING:
            kept.append(tuple(each))
    return tuple(kept)


def _joined(found: tuple[str, ...]) -> str:
    """Tokens as a line that can be read."""
    out = ""
    for each in found:
        tight = not out or out[-1] in "([{.@#<&*!:" or each in ")]}.,;:(<>[?" or (out[-1] == ":" and each == ":")
        out += each if tight and not (out.endswith(":") and each not in ":") else " " + each
    return out
