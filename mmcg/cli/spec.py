"""`mastermind spec`: new, verify, approve, snapshot, show; and `verify-spec`, the name that other tools use."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from mmcg.cli import console
from mmcg.errors import EXIT_NEGATIVE, EXIT_OK

if TYPE_CHECKING:
    from mmcg.audit.approval import Approval
    from mmcg.audit.documents.spec import Spec
    from mmcg.audit.verification import Verification

root_option = click.option(
    "--root", type=click.Path(), help="The repository; by default the nearest folder upwards with `.mastermind`."
)
_MODES = ("lite", "verified", "strict")
_RISKS = ("low", "medium", "high")


@click.group()
def spec() -> None:
    """Write, verify and approve the specs of tasks."""


@spec.command()
@click.argument("title")
@click.option("--mode", type=click.Choice(_MODES), default="verified", show_default=True)
@click.option("--risk", type=click.Choice(_RISKS), default="low", show_default=True)
@root_option
@console.json_option
def new(title: str, mode: str, risk: str, root: str | None, as_json: bool) -> None:
    """Make the folder of a new task, with a spec to be filled in."""
    from mmcg.audit.documents.template import spec_template
    from mmcg.audit.state import replace_file
    from mmcg.audit.tasks import new_task
    from mmcg.cli.opening_tasks import root_for_new

    title = title.encode("utf-8", "replace").decode()
    task = new_task(root_for_new(root), title)
    replace_file(task.spec, spec_template(task.id, title, mode, risk))
    if as_json:
        console.answer_json({"status": "ok", "task": task.id, "path": task.place(task.spec), "notices": []})
        return
    console.answer(f"{task.place(task.spec)}: fill it in, then run `mastermind spec approve {task.id}`.")


def _verify(task: str, root: str | None, as_json: bool) -> int:
    from mmcg.audit.verification import verify as verify_spec
    from mmcg.cli.opening_tasks import document_of

    home, path = document_of(root, task, "spec.md")
    done, _ = verify_spec(home, path)
    if as_json:
        console.answer_json(done.to_json())
    else:
        _print(done, done.notices)
    return EXIT_NEGATIVE if done.errors else EXIT_OK


@spec.command()
@click.argument("task")
@root_option
@console.json_option
def verify(task: str, root: str | None, as_json: bool) -> int:
    """Check a spec against itself and the repository."""
    return _verify(task, root, as_json)


@click.command("verify-spec")
@click.argument("task")
@root_option
@console.json_option
def verify_spec(task: str, root: str | None, as_json: bool) -> int:
    """Check a spec against itself and the repository (`spec verify`).

    TASK is the task's folder, its name, its number, or a spec's file. Exit code 1 when a finding is an error.
    """
    return _verify(task, root, as_json)


@spec.command()
@click.argument("task")
@click.option("--force", is_flag=True, help="Even if the task was audited too often.")
@click.option("--baseline", metavar="REF", help="The commit to compare with; by default HEAD, or the recorded one.")
@root_option
@console.json_option
def approve(task: str, force: bool, baseline: str | None, root: str | None, as_json: bool) -> int:
    """Verify a spec, and record the baseline and the approval."""
    from mmcg.audit.approval import approve as approve_task
    from mmcg.cli.opening_tasks import task_of

    found = task_of(root, task)
    done = approve_task(found, force=force, baseline=baseline)
    return _approved(done, as_json, f"Approved `{found.id}`")


@spec.command()
@click.argument("task")
@click.option("--baseline", metavar="REF", help="The commit to compare with; by default HEAD, or the recorded one.")
@root_option
@console.json_option
def snapshot(task: str, baseline: str | None, root: str | None, as_json: bool) -> int:
    """Verify a spec and record the baseline, without approving it."""
    from mmcg.audit.approval import take_snapshot
    from mmcg.cli.opening_tasks import task_of

    found = task_of(root, task)
    done = take_snapshot(found, baseline)
    return _approved(done, as_json, f"Recorded the snapshot of `{found.id}`")


@spec.command()
@click.argument("task")
@root_option
@console.json_option
def show(task: str, root: str | None, as_json: bool) -> int:
    """Show what a spec declares, as the program reads it."""
    from mmcg.audit.documents.spec import read_spec
    from mmcg.cli.opening_tasks import document_of

    home, path = document_of(root, task, "spec.md")
    reading = read_spec(path, home)
    if as_json:
        rows = [each.to_json() for each in reading.findings]
        console.answer_json({"status": "ok", **_spec_json(reading.spec), "findings": rows, "notices": []})
    else:
        from mmcg.cli.render.findings import lines_of
        from mmcg.cli.render.spec import text

        console.answer(text(reading.spec))
        console.notes(lines_of(reading.findings))
    return EXIT_NEGATIVE if reading.findings else EXIT_OK


def _approved(done: Approval, as_json: bool, said: str) -> int:
    notices = [*done.verification.notices, *done.notices]
    if as_json:
        answer = done.verification.to_json() | {"baseline": done.baseline, "notices": notices}
        console.answer_json(answer | {"approved": done.approved})
    else:
        _print(done.verification, notices)
        if done.baseline is not None:
            console.answer(f"{said}; the baseline is `{done.baseline[:12]}`.")
    return EXIT_NEGATIVE if done.verification.errors else EXIT_OK


def _print(done: Verification, notices: list[str] | tuple[str, ...]) -> None:
    from mmcg.cli.render.findings import counted, lines_of

    console.notes(notices)
    for line in lines_of(done.findings):
        console.answer(line)
    if done.errors:
        said = f"{counted(done.errors, 'error')}: the spec cannot be worked by."
    elif done.findings:
        said = f"{counted(len(done.findings), 'warning')}, no error."
    else:
        said = "Nothing is wrong."
    console.answer(f"{done.spec.path}: {said}")


def _spec_json(spec: Spec) -> dict[str, Any]:
    from dataclasses import asdict

    return {
        "spec": spec.id,
        "title": spec.title,
        "mode": spec.mode,
        "risk": spec.risk,
        **{
            key: [asdict(each) for each in getattr(spec, key)]
            for key in ("touches", "creates", "deletes", "docs", "adds", "removes", "tests", "verify", "edits")
        },
        "sections": [{"title": each.title, "level": each.level, "line": each.line} for each in spec.sections],
        "hash": spec.hash,
        "path": spec.path,
    }
