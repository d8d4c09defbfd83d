"""Claims in sentences: "`a` now calls the existing `b`", "wired X to use Y", "added tests for Y".

Only sentences of a few forms are read, and only names that can be names of symbols: in back-quotes first, else words
that are written as only code is. A sentence that denies, plans or asks is no claim, and code blocks hold none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from mmcg.audit.documents.markdown import Fence, Markdown, Prose

if TYPE_CHECKING:
    from collections.abc import Iterator

INTEGRATION = "integration"
USES_EXISTING = "uses_existing"
ROUTED_THROUGH = "routed_through"
TESTS_ADDED = "tests_added"


@dataclass(frozen=True, slots=True)
class ProseClaim:
    """A sentence that says something was done."""

    text: str
    """The sentence."""
    kind: str
    """`integration`, `uses_existing`, `routed_through` or `tests_added`."""
    names: tuple[str, ...]
    """The names in it, without back-quotes: of an integration who calls (where it is named) and what is called."""
    line: int
    source: str | None = None
    """Of an integration: who calls, where it is named."""
    target: str = ""
    """What is called, used, or tested."""
    existing: bool = False
    """Whether the sentence says that the target was there before."""


_LONGEST = 1_000
"""Characters of a sentence."""

# A code span is one character while sentences are looked at: what is in it is no grammar.
_SPAN = "\ufffc"
# Nothing is tried twice, nor begun inside of a name; repeats are bounded: a document may be one word, or the same ones.
_NAME = (
    rf"(?P<{{0}}>{_SPAN}|(?<![\w$])(?<![\w$][.#])(?<!::)(?<!->)"
    r"[A-Za-z_$][\w$]*+(?:(?:\.|::|\#|->)[\w$]++)*+(?:\(\))?+)"
)
_FILLER = (
    r"(?:(?:the|a|an|our|its|project's|already|all|every|each|of|code|function|method|class|helper|module)\s++){0,6}?"
)
_EXISTING = r"(?P<existing>(?:the\s+)?(?:already\s+|pre-)?existing\s+)"
_NOUN = r"(?:(?:function|method|class|helper|module|service|hook|api|type|trait|interface)\s+)?"

_WIRE = r"\b(?:re-?)?(?:wire[sd]?|wiring|integrat(?:e[sd]?|ing)|hook(?:s|ed|ing)?|connect(?:s|ed|ing)?)\b"
_TO = r"(?:\s+(?:up|in))?\s+(?:to|with)\s+(?P<purpose>(?:now\s+)?(?:call|use|invoke)\s+)?"

_PATTERNS = (
    # wired `a` to call the existing `b`; `a` is wired to `b`
    (
        INTEGRATION,
        re.compile(
            rf"(?:{_NAME.format('before')}\s++(?:(?:is|was|are|were|has|have|been|now)\s++){{1,6}})?{_WIRE}"
            rf"(?:\s+{_FILLER}{_NAME.format('source')})?{_TO}{_FILLER}{_EXISTING}?{_FILLER}{_NOUN}{_NAME.format('target')}",
            re.IGNORECASE,
        ),
    ),
    # `a` now calls the existing `b`
    (
        INTEGRATION,
        re.compile(
            rf"{_NAME.format('source')}\s++(?:now\s+(?:also\s+)?(?:calls?|invokes?|uses?)|(?:calls?|invokes?)\s+now)\s+"
            rf"{_FILLER}{_EXISTING}?{_FILLER}{_NOUN}{_NAME.format('target')}",
            re.IGNORECASE,
        ),
    ),
    # hooked `a` into the existing `b`; integrated the existing `b` into `a`: who calls whom is not said
    (
        USES_EXISTING,
        re.compile(
            rf"{_WIRE}(?:\s+\S+){{0,4}}?(?:\s+(?:up|in))?\s+into\s+{_EXISTING}{_FILLER}{_NOUN}{_NAME.format('target')}",
            re.IGNORECASE,
        ),
    ),
    (
        USES_EXISTING,
        re.compile(rf"{_WIRE}\s+{_EXISTING}{_FILLER}{_NOUN}{_NAME.format('target')}\s+(?:in)?to\b", re.IGNORECASE),
    ),
    # uses the existing `b`
    (
        USES_EXISTING,
        re.compile(
            rf"(?:(?P<source>{_SPAN})\s+(?:now\s+)?)?"
            rf"\b(?:re-?)?(?:use[sd]?|using|call(?:s|ed|ing)?|invok(?:es|ed|ing))\s+{_EXISTING}{_FILLER}{_NOUN}{_NAME.format('target')}",
            re.IGNORECASE,
        ),
    ),
    # routed through `b`
    (
        ROUTED_THROUGH,
        re.compile(
            rf"\b(?:route[sd]?|routing)\s+(?:\S+\s+){{0,4}}?(?:through|via)\s+"
            rf"{_FILLER}{_EXISTING}?{_FILLER}{_NOUN}{_NAME.format('target')}",
            re.IGNORECASE,
        ),
    ),
    # added tests for `b`
    (
        TESTS_ADDED,
        re.compile(
            r"\b(?:add(?:s|ed|ing)?|wr(?:ote|ites|itten)|creat(?:es|ed))\s+(?:(?:\w|-)+\s+){0,3}?tests?\s+"
            rf"(?:case\s+|cases\s+)?(?:for|of|covering|(?:that|which)\s+covers?)\s+{_FILLER}{_NOUN}{_NAME.format('target')}",
            re.IGNORECASE,
        ),
    ),
)

_DENIED = re.compile(
    r"\b(?:not|never|no\s+longer|neither|nor|cannot|without|nothing|nowhere|un(?:wired|connected))\b|n['\u2019]t\b"
    r"|\b(?:should|would|could|might|may|will|must|shall|to\s+be|todo|if|unless|instead\s+of|rather\s+than|plan(?:s|ned)?|"
    r"used\s+to|fail(?:s|ed)?\s+to|no\s+need)\b"
    r"|\bno\s+(?:new\s+|further\s+|more\s+)?(?:unit\s+)?tests?\b",
    re.IGNORECASE,
)
_DONE = re.compile(r"\b(?:re-?)?(?:wired|integrated|hooked|connected)\b", re.IGNORECASE)
"""Without a purpose, only what is done is a claim: that a client connects to a server is how things are."""
_CLAUSE = re.compile(r"[,;:()\u2013\u2014]|\s-\s|\bbut\b|\balthough\b|\bbecause\b|\bwhile\b", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<=[.!?])[\"')\]*_]*\s+(?=[^a-z\s])|(?<=[;])\s+")
_MORE = re.compile(
    rf"\s*(?:,\s*(?:and\s+)?|and\s+|&\s*)(?:the\s+existing\s+)?{_SPAN}"
    r"(?=\s*(?:[,.;:!)]|$|(?:and|as|at|by|for|from|in|instead|on|so|to|too|under|via|which|with)\b))",
    re.IGNORECASE,
)
_SYMBOL = re.compile(
    r"(?:[\w./\\@+~-]+::)?[\w$~#@\\]+(?:<[^<>]*>)?(?:(?:\.|::|\#|->|\\)[\w$~#]+(?:<[^<>]*>)?)*(?:\(.*\))?", re.DOTALL
)
_CODE_WORD = re.compile(r"\w[.\w]*_\w|\w\.\w|::|->|\(\)|^_|^[a-z]+[A-Z]|^[A-Z][a-z0-9]+[A-Z]")
_FILE = re.compile(r"[\w./\\-]*[\w-]\.[A-Za-z]\w{0,4}$")


def prose_claims(document: Markdown) -> Iterator[ProseClaim]:
    """The claims of a document's prose, in order."""
    for block in document.blocks:
        if not isinstance(block, Fence):
            yield from _claims_of(block)


def _claims_of(block: Prose) -> Iterator[ProseClaim]:
    spans: list[str] = []
    text, places = "", []
    for kind, part, line in block.parts:
        if kind == "code":
            spans.append(part.strip() if len(part) <= _LONGEST else "")
        piece = _SPAN if kind == "code" else part.replace(_SPAN, " ")
        text += piece
        places += [line] * len(piece)
    for begin, end in _sentences(text):
        sentence = text[begin:end]
        if sentence.rstrip().endswith("?"):
            continue
        first = text.count(_SPAN, 0, begin)
        here = spans[first : first + sentence.count(_SPAN)]
        yield from _claims_in(sentence, here, places[begin:end])


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    begin = 0
    for cut in _SENTENCE.finditer(text):
        yield from _pieces(text, begin, cut.start())
        begin = cut.end()
    yield from _pieces(text, begin, len(text))


def _pieces(text: str, begin: int, end: int) -> Iterator[tuple[int, int]]:
    """A sentence; one that is too long for its grammar to be looked at as a whole in parts, cut between words."""
    while end - begin > _LONGEST:
        cut = max(text.rfind(" ", begin, begin + _LONGEST), text.rfind("\n", begin, begin + _LONGEST)) + 1
        cut = cut if cut > begin else begin + _LONGEST
        yield begin, cut
        begin = cut
    if begin < end:
        yield begin, end


def _claims_in(sentence: str, spans: list[str], places: list[int]) -> Iterator[ProseClaim]:
    taken: list[tuple[int, int]] = []
    for kind, pattern in _PATTERNS:
        for fit in pattern.finditer(sentence):
            if any(fit.start() < end and begin < fit.end() for begin, end in taken):
                continue
            if _DENIED.search(sentence, _clause_begin(sentence, fit.start()), fit.end()):
                continue
            claim = _claim(kind, fit, sentence, spans, places)
            if claim is None:
                continue
            taken.append(fit.span())
            yield claim
            for at in _further(sentence, fit.end()):
                name = spans[sentence.count(_SPAN, 0, at)]
                if _SYMBOL.fullmatch(name):
                    names = (name,) if claim.source is None else (claim.source, name)
                    yield replace(claim, names=names, target=name, line=places[at])


def _claim(kind: str, fit: re.Match[str], sentence: str, spans: list[str], places: list[int]) -> ProseClaim | None:
    named = fit.groupdict()
    target = _name(fit, "target", sentence, spans)
    if target is None or (kind != TESTS_ADDED and is_file(target)):
        return None
    if "purpose" in named and not (named["purpose"] or named["existing"] or _DONE.search(fit.group())):
        return None
    source = None
    for key in ("source", "before"):
        if named.get(key):
            source = _name(fit, key, sentence, spans)
            if source is not None:
                break
    words = iter(spans)
    return ProseClaim(
        "".join(f"`{next(words)}`" if each == _SPAN else each for each in sentence).strip(),
        kind,
        (target,) if source is None else (source, target),
        places[fit.start("target")],
        source,
        target,
        kind == USES_EXISTING or bool(named.get("existing")) or _said_existing(sentence, fit.end()),
    )


def _further(sentence: str, at: int) -> Iterator[int]:
    """The places of more names for which the same is said: "the existing `a`, `b` and `c`"."""
    while more := _MORE.match(sentence, at):
        yield more.end() - 1
        at = more.end()


def _name(fit: re.Match[str], group: str, sentence: str, spans: list[str]) -> str | None:
    """The name in a group, if it can be one of a symbol or file."""
    text = fit[group]
    if text == _SPAN:
        name = spans[sentence.count(_SPAN, 0, fit.start(group))]
        return name if _SYMBOL.fullmatch(name) or is_file(name) else None
    return text if _CODE_WORD.search(text) else None


def _said_existing(sentence: str, at: int) -> bool:
    """Whether what follows the name says that it was there: "`Trail.record`, the existing log of the project"."""
    return re.match(r"\s*,?\s*(?:the|an|our)\s+(?:already\s+)?existing\b", sentence[at:], re.IGNORECASE) is not None


def _clause_begin(sentence: str, at: int) -> int:
    """Where the clause begins that goes on at `at`."""
    return max((cut.end() for cut in _CLAUSE.finditer(sentence, 0, at)), default=0)


def is_file(name: str) -> bool:
    """Whether a name in back-quotes is a path rather than a symbol: it has a `/`, and no `::` in it."""
    return "::" not in name and "/" in name and _FILE.fullmatch(name) is not None
