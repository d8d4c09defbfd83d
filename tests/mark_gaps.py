"""Records in the suites what the engine gets wrong: `python -m tests.mark_gaps [SUITE.md …]`.

A claim that is lost gets its `missing`, an edge that nobody claimed is written down as `wrong`, and healed marks go.
Which of them are gaps and which are mistakes of the suite is for people to tell: look at the difference before you keep
it. What cannot be marked (an ambiguous name, another rule than claimed) is left as it is and printed.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.suites import Suite, suites

if TYPE_CHECKING:
    from collections.abc import Callable

OPENERS = ("#", "//", "/*", "<!--", "--")
KINDS = ("calls", "callers", "possible", "external", "kind", "imports", "bases", "overrides")
HASH = {".py", ".pyi", ".rb", ".sh", ".bash", ".ex", ".exs", ".yml"}
MARKUP = {".jsx": "{/* %s */}", ".tsx": "{/* %s */}", ".vue": "<!-- %s -->", ".svelte": "<!-- %s -->"}
"""How to comment on a line of markup within another language."""

_CLOSER = re.compile(r"\s*(\*/|-->)")
_NAME = re.compile(r"^(?:missing |wrong )?(.*?)(?: \[\w+\])?$")


@dataclass
class Line:
    """A line with its claims taken apart, so that they can be changed and put back."""

    head: str
    claims: list[tuple[str, list[str]]]
    tail: str

    @classmethod
    def read(cls, text: str) -> Line:
        """The claims of a line, if there are any."""
        for at in range(len(text)):
            for opener in OPENERS:
                rest = text[at + len(opener) :]
                inside = rest.lstrip(" \t")
                if text.startswith(opener, at) and len(inside) < len(rest) and inside.split(":")[0] in KINDS:
                    start = len(text) - len(inside)
                    end = _CLOSER.search(text, start)
                    body, tail = (text[start:], "") if end is None else (text[start : end.start()], text[end.start() :])
                    return cls(text[:start], [cls._claim(part) for part in body.split(";")], tail)
        return cls(text, [], "")

    @staticmethod
    def _claim(part: str) -> tuple[str, list[str]]:
        kind, _, items = part.strip().partition(":")
        return kind, [] if items.strip() == "-" else [item.strip() for item in items.split(",")]

    def write(self) -> str:
        """The line as text."""
        return self.head + "; ".join(f"{kind}: {', '.join(items) or '-'}" for kind, items in self.claims) + self.tail

    def items(self, kind: str) -> list[str] | None:
        """The list of a claim, to be changed in place."""
        return next((items for name, items in self.claims if name == kind), None)

    def change(self, kind: str | None, name: str, change: Callable[[str], str]) -> bool:
        """Change the items of a name, in one claim or in all; an empty text takes an item away."""
        done = False
        for claim, items in self.claims:
            for at, item in enumerate(items):
                if kind in (None, claim) and name == named(item):
                    items[at] = change(item)
                    done = done or items[at] != item
            items[:] = filter(None, items)
        return done


def named(item: str) -> str:
    """An item's name without its mark and rule."""
    found = _NAME.match(item)
    return found[1] if found else item


def missing(item: str) -> str:
    """Mark an item as lost. One that was thought wrong is simply gone."""
    return "" if item.startswith("wrong ") else item if item.startswith("missing ") else f"missing {item}"


def comment(text: str, suffix: str, markup: bool, claim: str) -> str:
    """A line with a comment that did not have one."""
    if text.endswith("\\"):
        return f"{text[:-1].rstrip()}  /* {claim} */ \\"
    if markup and suffix in MARKUP:
        return f"{text}  {MARKUP[suffix] % claim}"
    return f"{text}  {'#' if suffix in HASH else '//'} {claim}"


@dataclass
class Marking:
    """The lines of a suite while they are changed; line numbers hold until `text` is asked for."""

    lines: list[str]
    suffixes: dict[int, str]
    """The suffix of the file that a line belongs to."""
    markup: bool
    before: dict[int, list[str]] = field(default_factory=dict)
    gone: set[int] = field(default_factory=set)

    def text(self) -> str:
        """All lines."""
        every = ([*self.before.get(at, ()), *([] if at in self.gone else [line])] for at, line in enumerate(self.lines))
        return "\n".join(line for lines in every for line in lines)

    def apply(self, failure: dict[str, Any]) -> bool:
        """Mark what a failure says, if that can be marked."""
        at = failure["line"] - 1
        for pattern, change in CHANGES:
            if found := re.fullmatch(pattern, failure["message"]):
                return change(self, at, *found.groups())
        return False

    def claim(self, at: int, kind: str | None, name: str, change: Callable[[str], str]) -> bool:
        """Change an item of a line's claims."""
        line = Line.read(self.lines[at])
        done = line.change(kind, name, change)
        self.lines[at] = line.write()
        return done

    def undefined(self, at: int, kind: str) -> bool:
        """Everything that is claimed about a definition is lost with it."""
        line = Line.read(self.lines[at])
        items = line.items(kind)
        if not items:
            return False
        items[:] = filter(None, map(missing, items))
        self.lines[at] = line.write()
        return True

    def surplus(self, at: int, kind: str, name: str) -> bool:
        """Write down an edge that nobody claimed."""
        line = Line.read(self.lines[at])
        items = line.items(kind)
        if items is not None:
            items.append(f"wrong {name}")
        elif line.claims:
            line.claims.append((kind, [f"wrong {name}"]))
        else:
            self.lines[at] = comment(self.lines[at], self.suffixes.get(at, ""), self.markup, f"{kind}: wrong {name}")
            return True
        self.lines[at] = line.write()
        return True

    def row(self, at: int, change: Callable[[str], str]) -> bool:
        """Change a row of a listing."""
        self.lines[at] = change(self.lines[at])
        return True

    def delete(self, at: int) -> bool:
        """Take a row of a listing away."""
        self.gone.add(at)
        return True

    def insert(self, at: int, row: str) -> bool:
        """Add a row to the listing whose fence is at a line."""
        self.before.setdefault(at + 1, []).append(row)
        return True


CHANGES: list[tuple[str, Callable[..., bool]]] = [
    (r"lost: symbol `.+`", lambda m, at: m.row(at, lambda row: f"missing {row}")),
    (r"healed: symbol `.+` is found.*", lambda m, at: m.row(at, lambda row: row.removeprefix("missing "))),
    (r"healed: symbol `.+` is not found.*", lambda m, at: m.delete(at)),
    (r"symbol `(.+)` is found, but not listed", lambda m, at, row: m.insert(at, f"wrong {row}")),
    (r"lost: `(\w+): (.+)`", lambda m, at, kind, name: m.claim(at, kind, name, missing)),
    (r"no symbol is named `(.+)`", lambda m, at, name: m.claim(at, None, name, missing)),
    (r"found instead: .+", lambda *_: True),
    (
        r"healed: `(\w+): missing (.+)` is found.*",
        lambda m, at, kind, name: m.claim(at, kind, name, lambda item: item.removeprefix("missing ")),
    ),
    (r"healed: `(\w+): wrong (.+)` is not found.*", lambda m, at, kind, name: m.claim(at, kind, name, lambda _: "")),
    (r"unclaimed: `(\w+): ([^`]+)`.*", lambda m, at, kind, name: m.surplus(at, kind, name)),
    (r"`(\w+):` is about a definition, but none is found here", lambda m, at, kind: m.undefined(at, kind)),
]
"""What each message of a verdict changes."""


def marked(suite: Suite, run: Callable[[Suite, int], dict[str, Any]] = Suite.run) -> tuple[Suite, list[str]]:
    """A suite with its gaps marked, and the failures that are left. `run` judges a section."""
    left: list[str] = []
    for section in range(len(suite.sections)):
        failures = run(suite, section)["failures"]
        # Marks may bring up others; and a comment in markup is written in another way.
        for markup in (False, True, False):
            if not failures:
                break
            changed = _changed(suite, failures, markup)
            remaining = run(changed, section)["failures"] if not changed.parsed["problems"] else failures
            if len(remaining) < len(failures):
                suite, failures = changed, remaining
        left += [f"{suite.name}:{failure['line']}: {failure['message']}" for failure in failures]
    return suite, left


def _changed(suite: Suite, failures: list[dict[str, Any]], markup: bool) -> Suite:
    suffixes = {
        line: Path(file["path"]).suffix
        for section in suite.sections
        for file in section["files"]
        for line in range(file["offset"], file["offset"] + file["text"].count("\n"))
    }
    marking = Marking(suite.text.split("\n"), suffixes, markup)
    for failure in failures:
        marking.apply(failure)
    return Suite(suite.path, marking.text())


def main(arguments: list[str]) -> int:
    """Mark the suites named, or all; 1 if something could not be marked."""
    chosen = [Suite.read(Path(name).absolute()) for name in arguments] or suites()
    unmarked = 0
    for suite in chosen:
        after, left = marked(suite)
        if after.text != suite.text:
            suite.path.write_text(after.text, encoding="utf-8")
            print(f"{suite.name}: changed")  # noqa: T201
        for failure in left:
            print(failure)  # noqa: T201
        unmarked += len(left)
    return 1 if unmarked else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
