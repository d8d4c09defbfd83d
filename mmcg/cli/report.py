"""`mastermind report`: template and check."""

from __future__ import annotations

import click

from mmcg.cli import console
from mmcg.cli.spec import root_option
from mmcg.errors import EXIT_NEGATIVE, EXIT_OK, InputError

_ROLES = ("executor", "intake", "investigator", "researcher")


@click.group()
def report() -> None:
    """Write and check the reports of tasks."""


@report.command()
@click.argument("task")
@click.option("--force", is_flag=True, help="Replace a report that is there.")
@root_option
@console.json_option
def template(task: str, force: bool, root: str | None, as_json: bool) -> None:
    """Write a report to be filled in, with every key in its place."""
    from mmcg.audit.documents.spec import read_spec
    from mmcg.audit.documents.template import report_template
    from mmcg.audit.state import replace_file
    from mmcg.cli.opening_tasks import task_of

    found = task_of(root, task)
    if found.report.exists() and not force:
        place = found.place(found.report)
        raise InputError(f"`{place}` is already there.", "Fill it in, or replace it with `--force`.")
    reading = read_spec(found.spec, found.root)
    replace_file(found.report, report_template(reading.spec, found.id))
    if as_json:
        console.answer_json({"status": "ok", "task": found.id, "path": found.place(found.report), "notices": []})
        return
    console.answer(f"{found.place(found.report)}: fill it in, then run `mastermind report check {found.id}`.")


@report.command()
@click.argument("task")
@click.option("--role", type=click.Choice(_ROLES), help="Whose document it is; by default seen from its marks.")
@root_option
@console.json_option
def check(task: str, role: str | None, root: str | None, as_json: bool) -> int:
    """Check a report's form, and whether it contradicts itself.

    TASK is the task's folder, its name, its number, or a file: the report itself, or a document of another role (an
    intake block, a Hypothesis Ledger, a researcher's report). A task's report without faults moves the task on.
    """
    from mmcg.audit.report_check import check_document, check_report
    from mmcg.audit.tasks import task_of_file
    from mmcg.cli.opening_tasks import document_of

    home, path = document_of(root, task, "executor-report.md")
    holder = task_of_file(path)
    if holder is not None and path == holder.report and role in (None, "executor"):
        done = check_report(holder)
    else:
        done = check_document(home, path, role)
    if as_json:
        console.answer_json(done.to_json())
    else:
        from mmcg.cli.render.findings import counted, lines_of
        from mmcg.cli.render.safe import safe

        for line in lines_of(done.findings):
            console.answer(line)
        said = counted(len(done.findings), "error") if done.findings else "nothing is wrong with its form"
        console.answer(f"{safe(done.path)} ({', '.join(done.roles)}): {said}.")
    return EXIT_NEGATIVE if done.findings else EXIT_OK
