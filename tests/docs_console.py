"""Console blocks of documentation: `$ command` lines and what each prints."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_BLOCK = re.compile(r"```console\n(.*?)```", re.DOTALL)
_VARYING = [
    (re.compile(r"in \d+\.\d s\."), "in 0.1 s."),
    (re.compile(r"in [\d,]+ ms\."), "in 120 ms."),
    (re.compile(r"[\d,]+ rows"), "69 rows"),
    (re.compile(r'"rows": \d+'), '"rows": 69'),
    (re.compile(r'"milliseconds": \d+'), '"milliseconds": 40'),
    (re.compile(r'"root": "/[^"]*/tour"'), '"root": "…/tour"'),
    (re.compile(r'"at": "[^"]*"'), '"at": "…"'),
    (re.compile(r"`/[^`]*/tour`"), "`…/tour`"),
    (re.compile(r"(baseline\S*) `?[0-9a-f]{12,64}`?"), r"\1 `…`"),
    (re.compile(r"baseline is `[0-9a-f]{12}`"), "baseline is `…`"),
]


@dataclass(frozen=True)
class Shown:
    """A command and the lines shown under it."""

    words: list[str]
    output: str


def commands(page: Path) -> list[Shown]:
    """All `$ mastermind …` commands of a page, in order."""
    found = []
    for block in _BLOCK.findall(page.read_text(encoding="utf-8")):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            line, _, output = part.partition("\n")
            found.append(Shown(shlex.split(line), output))
    return found


def steady(text: str) -> str:
    """The text with what differs from run to run made equal."""
    for pattern, put in _VARYING:
        text = pattern.sub(put, text)
    return text


def rewritten(page: Path, answer: Callable[[list[str]], str]) -> str:
    """The page's text with what each command prints now."""

    def block(match: re.Match[str]) -> str:
        lines = [line for line in match.group(1).splitlines() if line.startswith("$ ")]
        return "```console\n" + "".join(f"{line}\n{steady(answer(shlex.split(line[2:])))}" for line in lines) + "```"

    return _BLOCK.sub(block, page.read_text(encoding="utf-8"))
