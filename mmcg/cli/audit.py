"""`mastermind audit-spec`, also as `audit run`: whether work is what its spec and its report say."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import click

from mmcg.cli import console
from mmcg.cli.spec import root_option

if TYPE_CHECKING:
    from collections.abc import Callable

    from mmcg.audit.auditing import Audit
    from mmcg.audit.ci import Summary

FORMATS = ("text", "json", "markdown", "sarif", "github")

fail_on_option = click.option(
    "--fail-on",
    type=click.Choice(("warning", "drift", "broken")),
    default="drift",
    show_default=True,
    help="The least effect of a finding that makes the exit code 1.",
)


def _audits(command: Callable[..., Any]) -> Callable[..., int]:
    """Arguments and work of an audit, the same under both of its names; only the help is the command's own."""

    @click.argument("task")
    @click.option("--since", metavar="REF", help="The commit to compare with; by default the approved one.")
    @click.option("--run", "run_commands", is_flag=True, help="Run the declared commands: the repository's code.")
    @fail_on_option
    @click.option("--format", "format_", type=click.Choice(FORMATS), help="How to print the audit (text).")
    @root_option
    @console.json_option
    @functools.wraps(command)
    def audited(
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

        shape = shape_of(format_, as_json)
        done = auditing.audit(task_of(root, task), since=since, run=run_commands)
        auditing.record(done)
        emit(done, shape)
        return done.exit_code(fail_on)

    return audited


@click.command("audit-spec")
@_audits
def audit_spec() -> None:
    """Audit the work of a task against its spec and its report (`audit run`).

    TASK is the task's folder, its name or its number. Writes `audit.md`, `audit.json` and the task's state. Exit code 1
    when a finding is at or above the threshold, 3 when evidence is missing.
    """


@click.group()
def audit() -> None:
    """Audit work against its spec and its report."""


@audit.command("run")
@_audits
def run() -> None:
    """Audit the work of a task (`audit-spec`)."""


def shape_of(format_: str | None, as_json: bool) -> str:
    """The format that was asked for in either of two ways."""
    if as_json and format_ not in (None, "json"):
        raise click.UsageError(f"`--json` and `--format {format_}` exclude each other.")
    return "json" if as_json else format_ or "text"


def value_of(done: Audit | Summary, shape: str) -> dict[str, Any]:
    """What programs read, in JSON of our own or as SARIF."""
    if shape == "json":
        return done.to_json()
    from mmcg.audit.outputs.sarif import sarif

    return sarif(done.placed, complete=done.status != "incomplete")


def emit(done: Audit | Summary, shape: str) -> None:
    """Print an audit, or the summary of several and of a policy."""
    if shape in ("json", "sarif"):
        console.answer_json(value_of(done, shape))
    elif shape == "markdown":
        from mmcg.audit.outputs.markdown import page

        console.answer(page(done))
    elif shape == "github":
        from mmcg.audit.outputs.github import workflow_commands

        for line in workflow_commands(done.placed, done.notices):
            console.answer(line)
    else:
        from mmcg.cli.render.audit import text

        console.notes(done.notices)
        console.answer(text(done))
