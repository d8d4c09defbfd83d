"""`mastermind status`, `next`, `resume` and `close`: the tasks of a repository."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mmcg.cli import console
from mmcg.cli.spec import root_option
from mmcg.errors import EXIT_NEGATIVE, EXIT_OK

if TYPE_CHECKING:
    from mmcg.audit.progress import Standing


@click.command()
@click.argument("task", required=False)
@root_option
@console.json_option
def status(task: str | None, root: str | None, as_json: bool) -> None:
    """Show where all tasks stand, or one."""
    from mmcg.audit.progress import all_standings, standing_of
    from mmcg.cli.opening_tasks import root_of, task_of

    standings = all_standings(root_of(root)) if task is None else [standing_of(task_of(root, task))]
    if as_json:
        console.answer_json({"status": "ok", "tasks": [each.to_json() for each in standings], "notices": []})
        return
    from mmcg.cli.render.text import aligned

    if not standings:
        console.answer("There are no tasks; `mastermind spec new TITLE` makes one.")
        return
    rows = [
        [each.task.id, _status(each), each.state.risk, each.step or "-", each.state.blocking_reason or ""]
        for each in standings
    ]
    for line in aligned([["task", "status", "risk", "next step", "blocked by"], *rows], ["symbol"] * 5):
        console.answer(line.rstrip())


@click.command("next")
@root_option
@console.json_option
def next_(root: str | None, as_json: bool) -> int:
    """Say which task comes next: one to be audited, then to be worked on, then held, then ready."""
    from mmcg.audit.progress import next_standing
    from mmcg.cli.opening_tasks import root_of

    return _answer(next_standing(root_of(root)), as_json, full=False)


@click.command()
@click.argument("task", required=False)
@root_option
@console.json_option
def resume(task: str | None, root: str | None, as_json: bool) -> int:
    """Say all that one needs to go on with a task: by default the one that comes next."""
    from mmcg.audit.progress import next_standing, standing_of
    from mmcg.cli.opening_tasks import root_of, task_of

    standing = next_standing(root_of(root)) if task is None else standing_of(task_of(root, task))
    return _answer(standing, as_json, full=True)


@click.command()
@click.argument("task")
@click.option("--force", is_flag=True, help="Even if its last audit did not hold.")
@root_option
@console.json_option
def close(task: str, force: bool, root: str | None, as_json: bool) -> int:
    """Close a task whose audit held."""
    from mmcg.audit.progress import close as close_task
    from mmcg.cli.opening_tasks import task_of

    standing = close_task(task_of(root, task), force=force)
    if as_json:
        console.answer_json({"status": "ok", "task": standing.to_json(), "notices": []})
    else:
        console.answer(f"Closed `{standing.task.id}`.")
    return EXIT_OK


def _answer(standing: Standing | None, as_json: bool, *, full: bool) -> int:
    if as_json:
        console.answer_json({"status": "ok", "task": standing and standing.to_json(), "notices": []})
    elif standing is None:
        console.answer("No task waits for anything.")
    else:
        _print(standing, full=full)
    return EXIT_NEGATIVE if standing is None else EXIT_OK


def _print(standing: Standing, *, full: bool) -> None:
    from mmcg.cli.render.safe import safe

    state, task = standing.state, standing.task
    console.answer(f"{safe(task.id)}: {_status(standing)}, next: {standing.step or 'nothing'}")
    if full:
        for name, value in (
            ("folder", task.place(task.folder)),
            ("risk", state.risk),
            ("baseline", state.baseline),
            ("audits", str(state.iteration)),
            ("last artifact", state.last_artifact),
            ("blocked by", state.blocking_reason),
        ):
            if value:
                console.answer(f"  {name}: {safe(value)}")
    console.answer(f"  {safe(standing.advice)}")
    if standing.command:
        console.answer(f"  $ {safe(standing.command)}")


def _status(standing: Standing) -> str:
    from mmcg.cli.render.safe import safe

    return safe(standing.state.status) + (" (spec changed)" if standing.revoked else "")
