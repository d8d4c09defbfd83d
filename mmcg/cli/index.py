"""`mastermind index`."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from mmcg import indexing
from mmcg.cli import console
from mmcg.settings import folder_given

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mmcg.indexing import Progress


@click.command()
@click.argument("path", default=".")
@click.option("--rebuild", is_flag=True, help="Forget everything kept from earlier runs.")
@click.option("--jobs", type=click.IntRange(min=1), metavar="N", help="Threads to use; by default all.")
@console.json_option
def index(path: str, rebuild: bool, jobs: int | None, as_json: bool) -> None:
    """Index the repository at PATH, or bring its index up to date."""
    root = folder_given(path)
    with _progress(shown=console.on_terminal()) as progress:
        done = indexing.index(root, rebuild=rebuild, jobs=jobs, progress=progress)
    if as_json:
        console.answer_json({"status": "ok", **done.summary, "root": path})
        return
    console.notes(done.summary["notices"])
    console.answer(_line(done.summary))


def _line(summary: dict[str, Any]) -> str:
    """One line that says what was done."""
    edges = summary["edges"]
    resolved = edges.get("exact", 0) + edges.get("inferred", 0)
    parts = [
        f"{summary['files']:,} files ({summary['parsed']:,} parsed, {summary['reused']:,} unchanged)",
        f"{summary['symbols']:,} symbols",
        f"{summary['call_sites']:,} call sites",
        f"{resolved:,} resolved edges",
    ]
    if summary["skipped"]:
        parts.append(f"{len(summary['skipped']):,} skipped")
    if summary["problems"]:
        parts.append(f"{len(summary['problems']):,} problems")
    return f"Indexed {', '.join(parts)} in {summary['seconds']:.1f} s."


@contextmanager
def _progress(*, shown: bool) -> Iterator[Progress | None]:
    """A bar on stderr while the index is made, or nothing."""
    if not shown:
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("Indexing"), BarColumn(), MofNCompleteColumn(), TextColumn("files"), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("index", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total or None)
