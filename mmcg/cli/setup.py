"""`mastermind setup`: the MCP server in the configuration of a client."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from mmcg.cli import console
from mmcg.setup.clients import CLIENTS, SCOPES, Client

if TYPE_CHECKING:
    from mmcg.setup.change import Change

_DONE = {"add": "Added to", "update": "Changed in", "remove": "Removed from"}
_TO_DO = {"add": "To be added to", "update": "To be changed in"}


@click.command()
@click.argument("client", type=click.Choice(list(CLIENTS)))
@click.option(
    "--scope", type=click.Choice(SCOPES), default="project", show_default=True, help="This project, or all of yours."
)
@click.option(
    "--root", type=click.Path(), help="The project; by default the nearest folder upwards that looks like one."
)
@click.option("--write", "--write-mcp", "write", is_flag=True, help="Write it; otherwise it is only shown.")
@click.option("--remove", is_flag=True, help="Take it out again.")
@console.json_option
def setup(client: str, scope: str, root: str | None, write: bool, remove: bool, as_json: bool) -> int:
    """Enter the MCP server into a client's configuration.

    Comments, other keys and other servers stay as they are.
    """
    from mmcg.settings import project_root
    from mmcg.setup import change as changes

    known = CLIENTS[client]
    if known.project is None and not (write or remove):
        return _shown(known, as_json)
    change = changes.planned(known, scope, project_root(root), remove=remove)
    if write or remove:
        changes.make(change)
    _told(client, known, change, write or remove, as_json)
    return 0


def _shown(client: Client, as_json: bool) -> int:
    """For clients without a file of their own."""
    from mmcg.setup.change import snippet
    from mmcg.setup.clients import starter

    text = snippet(client.format, client, client.entry(starter("user")))
    if as_json:
        console.answer_json({"status": "ok", "client": "generic", "action": "none", "written": False, "text": text})
    else:
        console.answer(text.rstrip("\n"))
    return 0


def _told(name: str, client: Client, change: Change, written: bool, as_json: bool) -> None:
    from mmcg.setup.change import snippet

    text = snippet(client.format, client, change.entry)
    file = str(change.file)
    if as_json:
        console.answer_json(
            {
                "status": "ok",
                "client": name,
                "file": file,
                "action": change.action,
                "written": written and change.action != "none",
                "text": text,
            }
        )
    elif change.action == "none":
        console.answer(f"Nothing to do in `{_short(change.file)}`.")
    elif written:
        console.answer(f"{_DONE[change.action]} `{_short(change.file)}`.")
    else:
        console.answer(f"{_TO_DO[change.action]} `{_short(change.file)}`:")
        console.answer(text.rstrip("\n"))
        console.note("Nothing was written; add `--write` to do it.")


def _short(file: Path) -> str:
    """The file as people name it."""
    for folder, sign in ((Path.cwd(), ""), (Path.home(), "~/")):
        if file.is_relative_to(folder):
            return sign + file.relative_to(folder).as_posix()
    return str(file)
