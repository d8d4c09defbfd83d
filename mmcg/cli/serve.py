"""`mastermind serve`: the MCP server, for coding agents."""

from __future__ import annotations

import sys

import click

from mmcg.errors import EXIT_OK


@click.command()
@click.argument("path", required=False)
@click.option("--watch", is_flag=True, help="Keep the index current while serving.")
def serve(path: str | None, watch: bool) -> int:
    """Answer an MCP client on stdin and stdout.

    PATH, or the current folder, is in the repository to answer about. Its index is made when there is none.
    """
    from mmcg.mcp.stdio import take_streams

    by_hand = sys.stdin is not None and sys.stdin.isatty()
    streams = take_streams()
    if by_hand:
        click.echo("Waiting for an MCP client on standard input; Ctrl-D ends. See `mastermind serve --help`.", err=True)
    # Only now: what is imported from here on may print.
    from mmcg.mcp.run import run

    run(path, streams, watch=watch)
    return EXIT_OK
