"""`docs/resolution.md`: a specimen of every rule, run as a suite, and what is made from the core."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from mmcg import _core
from tests.suites import PROJECT, Suite

PAGE = PROJECT / "docs" / "resolution.md"

_SECTION = re.compile(r"^## `(?P<rule>\w+)`\n(?P<body>.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
_TABLE = re.compile(r"\| rule \|.*?\n(?=\n)", re.DOTALL)
_ABOUT = re.compile(r"\A\n(?:\*\w+\* · [^\n]*\n\n)?")


def rules() -> dict[str, dict[str, str]]:
    """The closed set, in its order."""
    return {rule["rule"]: dict(rule) for rule in _core.rules()}


def prose(text: str) -> dict[str, str]:
    """The sections on rules by their rules."""
    return {found["rule"]: found["body"] for found in _SECTION.finditer(text)}


def specimens(text: str) -> Suite:
    """The sections on rules as a suite, in the lines where they are."""
    kept = _SECTION.finditer(text)
    lines = text.split("\n")
    inside = {
        line for each in kept for line in range(text.count("\n", 0, each.start()), text.count("\n", 0, each.end()) + 1)
    }
    bare = [line if at in inside else "" for at, line in enumerate(lines)]
    return Suite(PAGE, "\n".join(["# Rules", *bare[1:]]))


def written(text: str) -> str:
    """The page with its generated parts: the table, and the line below the heading of each rule."""
    known = rules()
    rows = "".join(f"| `{name}` | {rule['confidence']} | {rule['doc']} |\n" for name, rule in known.items())
    text = _TABLE.sub(lambda _: "| rule | confidence | |\n|---|---|---|\n" + rows, text)
    languages = {section["title"].strip("`"): _languages(section) for section in specimens(text).sections}

    def section(found: re.Match[str]) -> str:
        name = found["rule"]
        about = f"*{known[name]['confidence']}* · {', '.join(languages[name])} · {known[name]['doc']}"
        return f"## `{name}`\n" + _ABOUT.sub(lambda _: f"\n{about}\n\n", found["body"], count=1)

    return _SECTION.sub(section, text)


def _languages(section: dict[str, Any]) -> list[str]:
    """The languages of a section's files."""
    by_suffix = {suffix.lstrip("."): each["name"] for each in _core.languages() for suffix in each["extensions"]}
    suffixes = [Path(file["path"]).suffix.lstrip(".") for file in section["files"]]
    return sorted({by_suffix[suffix] for suffix in suffixes if suffix in by_suffix})
