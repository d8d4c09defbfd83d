"""Running the declared commands of a task, one after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmcg.audit.runs import receipts
from mmcg.audit.runs.counts import count
from mmcg.audit.runs.process import Ended, run
from mmcg.audit.runs.receipts import EXCERPT, Receipt

if TYPE_CHECKING:
    from mmcg.audit.documents.spec import VerifyCommand
    from mmcg.audit.work import Work

SHOWN = 5
"""So many changed files are named in a notice."""


def run_all(work: Work) -> list[Receipt]:
    """Run every declared command in the root, and keep the receipts in the task's folder.

    Call it after the work was compared with its baseline: what commands leave behind is no part of the work.
    """
    before = receipts.digests(work.root, work.graphs.files)
    done = []
    for command in work.spec.verify:
        tree = receipts.tree_of(work.commit, before)
        ended = run(command.argv, work.root, shell=command.text if command.shell else None, timeout=command.timeout)
        after = receipts.current(work.root, work.commit)
        changed = sorted(path for path in {*before, *after} if before.get(path) != after.get(path))
        done.append(_receipt(command, tree, ended, tuple(changed)))
        if changed:
            some = ", ".join(f"`{each}`" for each in changed[:SHOWN])
            more = f" and {len(changed) - SHOWN} more" if len(changed) > SHOWN else ""
            work.notices.append(f"The command `{command.id}` changed files: {some}{more}.")
        before = after
    receipts.write(work.task, done)
    return done


def _receipt(command: VerifyCommand, tree: str, ended: Ended, changed: tuple[str, ...]) -> Receipt:
    tests = count(ended.output)
    return Receipt(
        command.id,
        command.text,
        command.shell,
        tree,
        ended.exit_code,
        ended.timed_out,
        ended.problem,
        round(ended.seconds, 3),
        tests.run if tests else None,
        tests.failed if tests else 0,
        tests.skipped if tests else 0,
        tests.runners if tests else (),
        ended.output[-EXCERPT:],
        ended.truncated,
        changed,
    )
