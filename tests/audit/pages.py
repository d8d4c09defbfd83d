"""Pages of documentation whose examples belong together: files they show are written, commands they show are run."""

from __future__ import annotations

import re
import shlex
import shutil
from typing import TYPE_CHECKING

from tests.audit.repository import git
from tests.docs_console import steady
from tests.trees import PROJECT

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PLAYED = [PROJECT / "docs" / "specs.md", PROJECT / "docs" / "audit.md", PROJECT / "docs" / "ci.md"]
"""These pages."""

_PART = re.compile(
    r"^`(?P<path>[^`\n]+)`:\n\n(?P<fence>`{3,})\w*\n(?P<text>.*?)^(?P=fence)$|^```console\n(?P<console>.*?)^```$",
    re.DOTALL | re.MULTILINE,
)


def make_tour(folder: Path) -> Path:
    """A copy of the tour as a repository of one commit."""
    tour = folder / "tour"
    shutil.copytree(PROJECT / "docs" / "tour", tour, ignore=shutil.ignore_patterns(".mastermind", "__pycache__"))
    git(tour, "init", "-q", "-b", "main")
    git(tour, "add", "-A")
    git(tour, "commit", "-q", "-m", "base")
    return tour


def played(page: Path, tour: Path, run: Callable[[list[str], Path], str]) -> str:
    """The page's text with what each command prints now, after the files and commands before it."""

    def part(match: re.Match[str]) -> str:
        if match["path"]:
            path = tour / match["path"]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(match["text"], encoding="utf-8")
            return match.group()
        lines = [line for line in match["console"].splitlines() if line.startswith("$ ")]
        return "```console\n" + "".join(f"{line}\n{steady(run(shlex.split(line[2:]), tour))}" for line in lines) + "```"

    return _PART.sub(part, page.read_text(encoding="utf-8"))
