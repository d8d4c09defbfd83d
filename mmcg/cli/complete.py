"""`mastermind completion`: the script that a shell needs to complete commands and options."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from mmcg.cli import console
from mmcg.errors import InputError

SHELLS = ("bash", "zsh", "fish")


@click.command()
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print the completion script of SHELL; for bash, `eval "$(mastermind completion bash)"` in `~/.bashrc`."""
    kind = get_completion_class(shell)
    if kind is None:
        raise InputError(f"There is no completion for `{shell}`.")
    console.answer(kind(ctx.find_root().command, {}, "mastermind", "_MASTERMIND_COMPLETE").source())
