"""`mastermind export`: the whole graph for other programs."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mmcg.cli import console
from mmcg.query.answer import Options
from mmcg.query.registry import OPTIONS

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import BinaryIO

    from mmcg.query.context import Context

FORMATS = ("jsonl", "parquet", "graphml", "scip")


@click.command()
@click.argument("what", type=click.Choice(["edges", "symbols"]), required=False)
@click.option("--root", type=click.Path(), help="The repository; by default the nearest folder upwards with an index.")
@click.option("--format", "format_", type=click.Choice(FORMATS), default="jsonl", show_default=True)
@click.option("--output", type=click.Path(path_type=Path), metavar="PATH", help="Write there, not to stdout.")
@click.option("--overwrite", is_flag=True, help="Replace files that exist.")
@click.option(
    "--confidence",
    type=click.Choice(OPTIONS["confidence"].choices),
    default=Options().confidence,
    show_default=True,
    help="The least sureness of an edge in `graphml` and `scip`; the others say it in a column.",
)
def export(
    what: str | None, root: str | None, format_: str, output: Path | None, overwrite: bool, confidence: str
) -> int:
    """Print or write the whole graph.

    `edges` or `symbols` as JSON Lines or as one Parquet file; without either, `parquet` writes every table into a
    folder, and `graphml` and `scip` the graph.
    """
    from mmcg.cli.opening import open_context

    _check(what, format_, output)
    context = open_context(root)
    if format_ == "parquet":
        assert output is not None  # noqa: S101 - what `_check` is for
        from mmcg.export import parquet

        files = (
            parquet.write_all(context, output, overwrite=overwrite)
            if what is None
            else parquet.write_one(context, what, output, overwrite=overwrite)
        )
        console.note(f"Wrote {len(files)} {'file' if len(files) == 1 else 'files'} to `{output}`.")
        return 0
    _stream(_writer(context, what, format_, confidence), output, overwrite)
    return 0


def _check(what: str | None, format_: str, output: Path | None) -> None:
    if format_ == "jsonl" and what is None:
        raise click.UsageError("Say what to print: `mastermind export edges` or `mastermind export symbols`.")
    if format_ in ("graphml", "scip") and what is not None:
        raise click.UsageError(f"`{format_}` holds the whole graph: leave out `{what}`.")
    if output is None and (format_ == "parquet" or (format_ == "scip" and sys.stdout.isatty())):
        raise click.UsageError(f"`{format_}` is no text: say with `--output` where to write it.")


def _writer(context: Context, what: str | None, format_: str, confidence: str) -> Callable[[BinaryIO], None]:
    options = Options(confidence=confidence)
    if format_ == "graphml":
        from mmcg.export import graphml

        return lambda out: graphml.write(context, options, out)
    if format_ == "scip":
        from mmcg.export.scip import index

        return index.writer(context, options)
    from mmcg.export import lines

    return lambda out: lines.write(context, what or "", out)


def _stream(write: Callable[[BinaryIO], None], output: Path | None, overwrite: bool) -> None:
    if output is None:
        # Bytes, because programs are promised UTF-8 wherever this runs.
        write(sys.stdout.buffer)
        sys.stdout.buffer.flush()
        return
    from mmcg.files import refuse_unless_writable, replaced

    refuse_unless_writable(output, overwrite=overwrite)
    with replaced(output) as new, new.open("wb") as out:
        write(out)
    console.note(f"Wrote `{output}`.")
