"""What goes to which stream: answers to stdout, everything else to stderr.

Programs get JSON, one object a run, never coloured. People get text, coloured on a terminal unless `NO_COLOR` is set.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])


def json_option(command: Command) -> Command:
    """The option `--json`, the same for every command; the command gets it as `as_json`."""
    return click.option("--json", "as_json", is_flag=True, help="Answer with one JSON object.")(command)


def answer(text: str) -> None:
    """Print an answer for people."""
    click.echo(text)


def answer_json(value: object) -> None:
    """Print an answer for programs."""
    click.echo(json.dumps(value, ensure_ascii=False))


def note(text: str) -> None:
    """Say something that is no answer, such as a notice or a warning."""
    click.echo(text, err=True)


def notes(texts: Iterable[str]) -> None:
    """Say several things that are no answers."""
    for text in texts:
        note(text)


def wants_colour() -> bool:
    """Whether text on stdout may be coloured."""
    return not os.environ.get("NO_COLOR") and sys.stdout.isatty()


def on_terminal() -> bool:
    """Whether somebody is watching stderr, so that progress is worth drawing."""
    return sys.stderr.isatty()
