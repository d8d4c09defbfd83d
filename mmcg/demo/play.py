"""Playing a walk: a repository is made in an empty folder, and the program's own commands are run in it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mmcg.errors import MastermindError
from mmcg.settings import FOLDER

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from mmcg.demo.story import Story

_IDENTITY = {
    "GIT_AUTHOR_NAME": "demo",
    "GIT_AUTHOR_EMAIL": "demo@example.org",
    "GIT_COMMITTER_NAME": "demo",
    "GIT_COMMITTER_EMAIL": "demo@example.org",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
}


class DemoError(MastermindError):
    """The walk could not be played here."""

    code = "demo"


@dataclass(frozen=True, slots=True)
class Played:
    """What a walk came to."""

    story: Story
    folder: Path
    answer: dict[str, Any]
    """The last command's JSON: an audit, or the verification of a spec."""

    @property
    def verdict(self) -> str:
        """The last command's verdict."""
        return str(self.answer["verdict"])


def play(story: Story, folder: Path, say: Callable[[str], object]) -> Played:
    """Play a walk in an empty folder, telling each step. Needs git; raises `DemoError` where it is missing."""
    task = _task(story)
    say(f"# {story.title}\n\n{story.about}\n")
    _write(folder, story.steps["Before"])
    _git(folder, "init", "-q", "-b", "main")
    _git(folder, "add", "-A")
    _git(folder, "commit", "-q", "-m", "Before")
    say(_mastermind(folder, "index", "."))
    home = folder / FOLDER / "tasks" / task
    _write(home, {"spec.md": story.document("Spec")})
    say(_mastermind(folder, "spec", "approve", task))
    for step, tells in (("Meanwhile", "Somebody else changes"), ("Work", "The executor changes")):
        if files := story.steps.get(step):
            _write(folder, files)
            say(f"{tells} {', '.join(f'`{path}`' for path in files)}:\n\n{_indented(_git(folder, 'diff', '-U1'))}\n")
    if "Report" in story.steps:
        report = story.document("Report")
        _write(home, {"executor-report.md": report})
        say(f"The report says:\n\n{_indented(report)}\n")
        say(_mastermind(folder, "audit-spec", task))
        text = (home / "audit.json").read_text(encoding="utf-8")
    else:
        say(_mastermind(folder, "verify-spec", task))
        text = _run(folder, [*_PROGRAM, "verify-spec", task, "--json"]).stdout
    return Played(story, folder, json.loads(text))


_PROGRAM = [sys.executable, "-m", "mmcg"]


def _task(story: Story) -> str:
    """The name of the task's folder is the spec's id."""
    from mmcg.audit.documents.spec import parse_spec

    return parse_spec(story.document("Spec")).spec.id


def _mastermind(folder: Path, *words: str) -> str:
    """A command as it is typed, and what it prints."""
    done = _run(folder, [*_PROGRAM, *words])
    if done.returncode > 1:
        raise DemoError(f"`mastermind {' '.join(words)}` failed: {(done.stderr or done.stdout).strip()}", "")
    return f"$ mastermind {' '.join(words)}\n{done.stdout.rstrip()}\n"


def _git(folder: Path, *words: str) -> str:
    done = _run(folder, ["git", "-c", "core.autocrlf=false", "-c", "commit.gpgsign=false", *words])
    if done.returncode:
        raise DemoError(f"`git {words[0]}` failed: {done.stderr.strip()}", "The demo needs a git that works.")
    return done.stdout


def _run(folder: Path, words: list[str]) -> subprocess.CompletedProcess[str]:
    environment = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")} | _IDENTITY
    try:
        return subprocess.run(  # noqa: S603 - the program's own commands, and git's
            words, cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
        )
    except FileNotFoundError:
        raise DemoError(f"`{words[0]}` is not installed.", "The demo makes a git repository: install git.") from None


def _write(folder: Path, files: dict[str, str]) -> None:
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")


def _indented(text: str) -> str:
    return "\n".join(f"    {line}".rstrip() for line in text.strip().splitlines())
