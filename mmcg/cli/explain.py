"""`mastermind explain`: what a kind of finding means."""

from __future__ import annotations

import click

from mmcg.cli import console


@click.command()
@click.argument("kind", required=False)
@console.json_option
def explain(kind: str | None, as_json: bool) -> None:
    """Explain a kind of finding, or list all kinds."""
    from mmcg.audit import explaining
    from mmcg.cli.main import unknown

    known = explaining.all_names()
    if kind is None:
        if as_json:
            rows = [explaining.explanation(each).to_json() for each in known]
            console.answer_json({"status": "ok", "kinds": rows, "notices": []})
            return
        for each in known:
            console.answer(f"{each}: {explaining.explanation(each).summary}")
        return
    if kind not in known:
        raise click.UsageError(unknown("kind of finding", kind, known))
    found = explaining.explanation(kind)
    if as_json:
        console.answer_json({"status": "ok", **found.to_json(), "notices": []})
        return
    console.answer(f"{found.name} ({found.weights})\n\n{found.text}")
