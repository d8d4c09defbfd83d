"""`spec approve` and `spec snapshot`: from a verified spec to a recorded baseline."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from mmcg.audit import snapshot, state
from mmcg.audit.verification import Verification, verify
from mmcg.errors import InputError
from mmcg.query.baseline import open_baseline
from mmcg.query.git import commit_of
from mmcg.query.worktree import compare

if TYPE_CHECKING:
    from mmcg.audit.tasks import Task
    from mmcg.query.context import Context


@dataclass(frozen=True, slots=True)
class Approval:
    """What approving a spec gave."""

    verification: Verification
    approved: bool
    baseline: str | None = None
    notices: tuple[str, ...] = ()


def approve(task: Task, *, force: bool = False, baseline: str | None = None) -> Approval:
    """Verify a task's spec; if it has no errors, record the snapshot and the state.

    The first approval takes `HEAD` as the baseline, and later ones keep it, so that work done in between is compared
    too; `baseline` names another commit. Raises `InputError` after too many audits, unless `force`.
    """
    before = state.read_state(task)
    if before.iteration > state.MOST_ITERATIONS and not force:
        raise InputError(
            f"Task `{task.id}` was audited {before.iteration} times; "
            f"after {state.MOST_ITERATIONS} its spec is approved again only by force.",
            "Plan it anew, or add `--force`.",
        )
    verification, context = verify(task.root, task.spec)
    if verification.errors:
        return Approval(verification, approved=False)
    taken, notices = _take(task, verification, context, baseline)
    snapshot.write(task, taken)
    # Made now, when nobody waits for a verdict; an audit finds it in the cache.
    open_baseline(task.root, taken.baseline).index.close()
    state.write_state(
        task,
        state.approved(before, risk=verification.spec.risk, baseline=taken.baseline, spec_hash=verification.spec.hash),
    )
    return Approval(verification, True, taken.baseline, tuple(notices))


def take_snapshot(task: Task, baseline: str | None = None) -> Approval:
    """Record the snapshot of a task's spec without approving it; not if the spec has errors."""
    verification, context = verify(task.root, task.spec)
    if verification.errors:
        return Approval(verification, approved=False)
    taken, notices = _take(task, verification, context, baseline)
    snapshot.write(task, taken)
    return Approval(verification, False, taken.baseline, tuple(notices))


def _take(
    task: Task, verification: Verification, context: Context | None, baseline: str | None
) -> tuple[snapshot.Snapshot, list[str]]:
    spec = verification.spec
    old = snapshot.read(task)
    kept = old if old is not None and baseline is None and _known(task, old.baseline) else None
    commit = kept.baseline if kept else commit_of(task.root, baseline or "HEAD")
    notices = []
    if old is not None and kept is None and baseline is None:
        notices.append(f"The old baseline `{old.baseline[:12]}` is no commit here any more; it is `{commit[:12]}` now.")
    if context is None:
        return snapshot.Snapshot(spec.id, spec.hash, commit, state.now()), notices
    taken = snapshot.take(context, verification.named, spec.id, spec.hash, commit)
    if kept is not None:
        # What was recorded at the baseline stays: the tree may have the work in it by now.
        recorded = {each.name for each in kept.symbols}
        there = {each.plan.name for each in verification.named}
        fresh = [each for each in taken.symbols if each.name not in recorded]
        taken = replace(taken, symbols=tuple(each for each in kept.symbols if each.name in there) + tuple(fresh))
    elif changed := len(compare(task.root, commit).changes):
        files = "1 file differs" if changed == 1 else f"{changed} files differ"
        notices.append(f"{files} from the baseline `{commit[:12]}` already; that counts as part of the work.")
    return taken, notices


def _known(task: Task, commit: str) -> bool:
    try:
        return commit_of(task.root, commit) == commit
    except InputError:
        return False
