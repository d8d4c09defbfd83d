"""`mastermind ci`: a whole change, held against the tasks that it touches and the policy."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mmcg.cli import console
from mmcg.cli.audit import FORMATS, emit, fail_on_option, shape_of, value_of

if TYPE_CHECKING:
    from mmcg.audit.ci import Summary

_FILE = click.Path(dir_okay=False)


@click.command()
@click.option("--since", metavar="REF", required=True, help="What the change is compared with, from where both part.")
@click.option("--changed-only", is_flag=True, help="Leave alone the tasks of which the change brings nothing.")
@click.option(
    "--policy", type=_FILE, help="The policy; by default `mastermind-policy.yml` in the root, if it is there."
)
@click.option("--run", "run_commands", is_flag=True, help="Run the commands that audited tasks declare.")
@click.option("--sarif", type=_FILE, help="Write the findings there as SARIF 2.1.0.")
@click.option("--markdown", type=_FILE, help="Write the summary there as Markdown.")
@click.option("--report", type=_FILE, help="Write the summary there as JSON.")
@fail_on_option
@click.option("--format", "format_", type=click.Choice(FORMATS), help="How to print the summary (text).")
@click.option(
    "--root", type=click.Path(), help="The repository; by default the nearest folder upwards that is one or is indexed."
)
@console.json_option
def ci(
    since: str,
    changed_only: bool,
    policy: str | None,
    run_commands: bool,
    sarif: str | None,
    markdown: str | None,
    report: str | None,
    fail_on: str,
    format_: str | None,
    root: str | None,
    as_json: bool,
) -> int:
    """Check a change: the tasks that it touches are verified and audited, and the policy's rules are held.

    Indexes first. Records nothing but the index. Exit code 1 when a finding is at or above the threshold, 2 when the
    input cannot be used, 3 when evidence is missing.
    """
    from mmcg.audit.ci import check
    from mmcg.files import refuse_unless_writable
    from mmcg.settings import project_root

    shape = shape_of(format_, as_json)
    files = {"sarif": sarif, "markdown": markdown, "json": report}
    for name in files.values():
        if name is not None:
            refuse_unless_writable(Path(name), overwrite=True)
    home = project_root(root)
    found = check(
        home,
        since=since,
        changed_only=changed_only,
        policy=None if policy is None else Path(policy).absolute(),
        run=run_commands,
    )
    for kind, name in files.items():
        if name is not None:
            _write(Path(name), found, kind)
    emit(found, shape)
    return found.exit_code(fail_on)


def _write(path: Path, found: Summary, kind: str) -> None:
    from mmcg.audit.outputs.markdown import summary
    from mmcg.files import replaced

    if kind == "markdown":
        text = summary(found)
    else:
        text = json.dumps(value_of(found, kind), indent=2, ensure_ascii=False) + "\n"
    with replaced(path) as new:
        new.write_text(text, encoding="utf-8", newline="\n")
