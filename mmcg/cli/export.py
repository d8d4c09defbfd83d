"""`mastermind export`: the whole graph as lines for other programs."""

from __future__ import annotations

import json
import sys

import click


@click.command()
@click.argument("what", type=click.Choice(["edges", "symbols"]))
@click.option("--root", type=click.Path(), help="The repository; by default the nearest folder upwards with an index.")
@click.option("--format", "format_", type=click.Choice(["jsonl"]), default="jsonl", show_default=True)
def export(what: str, root: str | None, format_: str) -> int:  # noqa: ARG001 (there is one format so far)
    """Print all call edges, or all symbols, one JSON object a line."""
    from mmcg.cli.opening import open_context
    from mmcg.query import export as whole

    context = open_context(root)
    encoder = json.JSONEncoder(ensure_ascii=False)
    lines = whole.edge_lines(context) if what == "edges" else map(encoder.encode, whole.symbols(context))
    # Bytes, because programs are promised UTF-8 wherever this runs.
    out = sys.stdout.buffer
    for line in lines:
        out.write(line.encode() + b"\n")
    out.flush()
    return 0
