"""`mastermind demo`: a walk that ends in a real verdict."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mmcg.cli import console

if TYPE_CHECKING:
    from mmcg.demo.play import Played


@click.command()
@click.argument("scenario", required=False)
@click.option("--list", "listed", is_flag=True, help="Say which scenarios there are.")
@click.option("--keep", type=click.Path(path_type=Path), help="An empty or new folder for the repositories, to stay.")
@console.json_option
def demo(scenario: str | None, listed: bool, keep: Path | None, as_json: bool) -> None:
    """Play a walk in a repository made for it, or all of them: what is planned, done and claimed, and the verdict."""
    from mmcg.cli.main import unknown
    from mmcg.demo import story

    known = story.names()
    if listed:
        if as_json:
            rows = [{"scenario": name, "title": story.read(name).title} for name in known]
            console.answer_json({"status": "ok", "scenarios": rows, "notices": []})
            return
        for name in known:
            console.answer(f"{name}: {story.read(name).title}")
        return
    if scenario is not None and scenario not in known:
        raise click.UsageError(unknown("scenario", scenario, known))
    if keep is not None and keep.exists() and (not keep.is_dir() or any(keep.iterdir())):
        raise click.UsageError(f"`{keep}` is not an empty folder.")
    with tempfile.TemporaryDirectory(prefix="mastermind-demo-") as scratch:
        home = keep or Path(scratch)
        played = [_played(name, home / name, as_json) for name in ([scenario] if scenario else known)]
    if as_json:
        console.answer_json({"status": "ok", "played": [_row(each, kept=keep is not None) for each in played],
                             "notices": []})  # fmt: skip
    elif keep is not None:
        console.note(f"The repositories are in `{keep}`.")


def _played(name: str, folder: Path, quiet: bool) -> Played:
    from mmcg.demo import story
    from mmcg.demo.play import play

    folder.mkdir(parents=True)
    return play(story.read(name), folder, (lambda _: None) if quiet else console.answer)


def _row(played: Played, kept: bool) -> dict[str, object]:
    findings = [{"kind": each["kind"], "message": each["message"]} for each in played.answer["findings"]]
    folder = str(played.folder) if kept else None
    return {"scenario": played.story.name, "verdict": played.verdict, "findings": findings, "folder": folder}
