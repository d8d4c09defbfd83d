"""`mastermind export`: the whole graph as lines for other programs."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mmcg.query import Row


@click.command()
@click.argument("what", type=click.Choice(["edges", "symbols"]))
@click.option("--root", type=click.Path(), help="The repository; by default the nearest folder upwards with an index.")
@click.option("--format", "format_", type=click.Choice(["jsonl"]), default="jsonl", show_default=True)
def export(what: str, root: str | None, format_: str) -> int:  # noqa: ARG001 (there is one format so far)
    """Print all call edges, or all symbols, one JSON object a line."""
    from mmcg.cli.opening import open_context
    from mmcg.query import export as whole

    context = open_context(root)
    rows: Iterator[Row] = whole.edges(context) if what == "edges" else whole.symbols(context)
    encoder = json.JSONEncoder(ensure_ascii=False)
    # Bytes, because programs are promised UTF-8 wherever this runs.
    out = sys.stdout.buffer
    for row in rows:
        out.write(encoder.encode(row).encode() + b"\n")
    out.flush()
    return 0
