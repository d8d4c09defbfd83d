"""`mastermind audit-spec`, also as `audit run`: whether work is what its spec and its report say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from mmcg.cli import console
from mmcg.cli.spec import root_option

if TYPE_CHECKING:
    from collections.abc import Callable

    from mmcg.audit.auditing import Audit

FORMATS = ("text", "json", "markdown", "sarif", "github")
_THRESHOLDS = ("warning", "drift", "broken")


def _options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The arguments of an audit, the same under both names."""
    for decorate in reversed(
        (
            click.argument("task"),
            click.option("--since", metavar="REF", help="The commit to compare with; by default the approved one."),
            click.option(
                "--run", "run_commands", is_flag=True, help="Run the declared commands: the repository's code."
            ),
            click.option(
                "--fail-on",
                type=click.Choice(_THRESHOLDS),
                default="drift",
                show_default=True,
                help="The least effect of a finding that makes the exit code 1.",
            ),
            click.option("--format", "format_", type=click.Choice(FORMATS), help="How to print the audit (text)."),
            root_option,
            console.json_option,
        )
    ):
        command = decorate(command)
    return command


@click.command("audit-spec")
@_options
def audit_spec(
    task: str,
    since: str | None,
    run_commands: bool,
    fail_on: str,
    format_: str | None,
    root: str | None,
    as_json: bool,
) -> int:
    """Audit the work of a task against its spec and its report (`audit run`).

    TASK is the task's folder, its name or its number. Writes `audit.md`, `audit.json` and the task's state. Exit code 1
    when a finding is at or above the threshold, 3 when evidence is missing.
    """
    return _audited(task, since, run_commands, fail_on, format_, root, as_json)


@click.group()
def audit() -> None:
    """Audit work against its spec and its report."""


@audit.command("run")
@_options
def run(
    task: str,
    since: str | None,
    run_commands: bool,
    fail_on: str,
    format_: str | None,
    root: str | None,
    as_json: bool,
) -> int:
    """Audit the work of a task (`audit-spec`)."""
    return _audited(task, since, run_commands, fail_on, format_, root, as_json)


def _audited(
    task: str,
    since: str | None,
    run_commands: bool,
    fail_on: str,
    format_: str | None,
    root: str | None,
    as_json: bool,
) -> int:
    from mmcg.audit import auditing
    from mmcg.cli.opening_tasks import task_of

    if as_json and format_ not in (None, "json"):
        raise click.UsageError(f"`--json` and `--format {format_}` exclude each other.")
    done = auditing.audit(task_of(root, task), since=since, run=run_commands)
    auditing.record(done)
    _print(done, "json" if as_json else format_ or "text")
    return done.exit_code(fail_on)


def _print(done: Audit, shape: str) -> None:
    if shape == "json":
        console.answer_json(done.to_json())
    elif shape == "sarif":
        from mmcg.audit.outputs.sarif import sarif

        console.answer_json(sarif(done.findings, complete=done.verdict is not None))
    elif shape == "markdown":
        from mmcg.audit.outputs.markdown import markdown

        console.answer(markdown(done))
    elif shape == "github":
        from mmcg.audit.outputs.github import workflow_commands

        for line in workflow_commands(done.findings):
            console.answer(line)
    else:
        from mmcg.cli.render.audit import text

        console.notes(done.notices)
        console.answer(text(done))
