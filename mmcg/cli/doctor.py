"""`mastermind doctor`: whether the program is whole and the index good."""

from __future__ import annotations

import platform
from typing import TYPE_CHECKING, Any

import click

from mmcg import __version__, indexing
from mmcg.cli import console
from mmcg.errors import EXIT_NEGATIVE, EXIT_OK, MastermindError
from mmcg.query.status import counted, status
from mmcg.settings import find_root
from mmcg.store.schema import SCHEMA_VERSION

if TYPE_CHECKING:
    from pathlib import Path


@click.command()
@click.option("--root", help="The repository; by default the nearest folder upwards that has an index.")
@console.json_option
@click.pass_context
def doctor(ctx: click.Context, root: str | None, as_json: bool) -> None:
    """Say which versions are at work, what the index holds, and what is wrong."""
    wrong: list[str] = []
    report: dict[str, Any] = {"status": "ok", "versions": _versions(wrong)}
    report["index"] = _index(find_root(root), wrong)
    report["wrong"] = wrong
    report["status"] = "wrong" if wrong else "ok"
    if as_json:
        console.answer_json(report)
    else:
        _print(report)
    ctx.exit(EXIT_NEGATIVE if wrong else EXIT_OK)


def _versions(wrong: list[str]) -> dict[str, Any]:
    import duckdb

    versions: dict[str, Any] = {
        "mastermind": __version__,
        "python": platform.python_version(),
        "duckdb": duckdb.__version__,
        "schema": SCHEMA_VERSION,
    }
    try:
        core = indexing.core_version()
        versions["core"], versions["facts"] = core["core"], core["facts"]
        versions["grammars"] = core["grammars"]
        if core["core"] != __version__:
            wrong.append(f"The native core is of version {core['core']}, this package of {__version__}: install again.")
    except MastermindError as error:
        versions["core"] = None
        wrong.append(str(error))
    return versions


def _index(root: Path, wrong: list[str]) -> dict[str, Any]:
    """What is to be said about the index; a missing or unusable one is an error of its own."""
    from mmcg.store import open_index
    from mmcg.store.verify import verify

    with open_index(root) as index:
        verify(index)
        state = indexing.freshness(index)
        wrong.extend(f"{notice} Run `mastermind index`." for notice in state.notices)
        return status(index, state)


def _print(report: dict[str, Any]) -> None:
    versions, index = report["versions"], report["index"]
    grammars = versions.pop("grammars", {})
    console.answer("  ".join(f"{name} {version}" for name, version in versions.items()))
    if grammars:
        console.answer("grammars  " + ", ".join(grammars))
    console.answer(f"index     {index['path']}  {index['bytes'] / 1e6:.1f} MB, schema {index['schema']}")
    console.answer(f"made      {index['at']} in {index['seconds']:.1f} s, {'fresh' if index['fresh'] else 'stale'}")
    console.answer("files     " + _listed(index["languages"]))
    console.answer("edges     " + _listed(index["edges"]))
    if index["skipped"]:
        console.answer("skipped   " + _listed(counted(index["skipped"], "reason")))
    if index["problems"]:
        console.answer("problems  " + _listed(counted(index["problems"], "code")))
    for each in report["wrong"]:
        console.answer(f"wrong     {each}")


def _listed(counts: dict[str, int]) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in counts.items()) or "none"
