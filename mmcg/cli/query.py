"""`mastermind query`: one question, answered as text, JSON or a drawing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mmcg.cli import console
from mmcg.errors import EXIT_NEGATIVE, EXIT_OK
from mmcg.query.answer import Options
from mmcg.query.registry import OPTIONS, QUESTIONS

if TYPE_CHECKING:
    from mmcg.query import Answer, Context

TEXT_LIMIT = 100
JSON_LIMIT = 200
FORMATS = ("text", "json", "mermaid", "dot")


class KindCommand(click.Command):
    """A command whose help lists the kinds of question; the list is the registry's own."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """The kinds, each with what it takes and what it is about."""
        with formatter.section("Kinds"):
            formatter.write_dl(
                [(f"{each.name} {_taken(each.targets, each.optional)}", each.doc) for each in QUESTIONS.values()]
            )


def _taken(targets: tuple[str, ...], optional: bool) -> str:
    words = list(targets)
    if optional:
        words[-1] = f"[{words[-1]}]"
    return " ".join(words)


@click.command(cls=KindCommand)
@click.argument("kind", metavar="KIND", type=click.Choice(list(QUESTIONS)))
@click.argument("target", nargs=-1)
@click.option("--root", type=click.Path(), help="The repository; by default the nearest folder upwards with an index.")
@console.json_option
@click.option("--limit", type=click.IntRange(min=0), metavar="N", help="Show at most N rows (100; 200 in JSON).")
@click.option("--all", "everything", is_flag=True, help="Show all rows.")
@click.option("--language", metavar="L", help=OPTIONS["language"].doc)
@click.option(
    "--confidence",
    type=click.Choice(OPTIONS["confidence"].choices),
    default=Options().confidence,
    show_default=True,
    help=OPTIONS["confidence"].doc,
)
@click.option(
    "--depth",
    type=click.IntRange(OPTIONS["depth"].least, OPTIONS["depth"].most),
    metavar="N",
    help=OPTIONS["depth"].doc,
)
@click.option("--since", metavar="REF", help=OPTIONS["since"].doc)
@click.option("--format", "format_", type=click.Choice(FORMATS), help="How to print the answer (text).")
@click.pass_context
def query(
    ctx: click.Context,
    kind: str,
    target: tuple[str, ...],
    root: str | None,
    as_json: bool,
    limit: int | None,
    everything: bool,
    language: str | None,
    confidence: str,
    depth: int | None,
    since: str | None,
    format_: str | None,
) -> int:
    """Ask the graph one question.

    A symbol is named by its address, `path::Outer.member`, or by any end of it that only one symbol has.
    """
    from mmcg.query import ask

    shape = _shape(kind, as_json, format_)
    if everything and limit is not None:
        raise click.UsageError("`--all` and `--limit` exclude each other.", ctx)
    default = JSON_LIMIT if shape == "json" else TEXT_LIMIT
    rows = None if everything else default if limit is None else limit
    context = _context(root)
    answer = ask(context, kind, target, Options(rows, language, confidence, depth, since))
    if shape == "json":
        console.answer_json(answer.to_json())
    else:
        console.answer(_drawn(answer, shape))
        console.notes(answer.notices)
    return EXIT_OK if answer.found else EXIT_NEGATIVE


def _shape(kind: str, as_json: bool, format_: str | None) -> str:
    if as_json and format_ not in (None, "json"):
        raise click.UsageError(f"`--json` and `--format {format_}` exclude each other.")
    shape = "json" if as_json else format_ or "text"
    if shape in ("mermaid", "dot") and not QUESTIONS[kind].graph:
        able = ", ".join(f"`{each.name}`" for each in QUESTIONS.values() if each.graph)
        raise click.UsageError(f"`{kind}` is no graph, so it has no `--format {shape}`. These have: {able}.")
    return shape


def _context(root: str | None) -> Context:
    """The index to ask, brought up to date first where that is quick."""
    from mmcg.cli.opening import open_context

    return open_context(root)


def _drawn(answer: Answer, shape: str) -> str:
    if answer.status != "ok":
        from mmcg.cli.render.refusal import refusal

        return refusal(answer)
    if shape == "text":
        from mmcg.cli.render.text import text

        return text(answer)
    from mmcg.cli.render.drawing import dot, mermaid

    return mermaid(answer) if shape == "mermaid" else dot(answer)
