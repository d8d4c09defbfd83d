"""A whole change at once: the tasks that it touches, verified and audited, and the rules of the policy.

The change is what lies between the working tree and the commit where its history and that of a revision part: so a
branch that is behind is not charged with what others did meanwhile, nor is the merge commit that hosts make of a pull
request. Nothing is recorded: an audit of here is no audit of `mastermind audit-spec`, which moves a task's state on.

What happens to a task depends on what the change brings of it, not on what its state says, which the change may have
written itself:

- its spec or its report is new or another one: it is audited if there is a report, or if files that it declares
  changed; else its spec is verified;
- neither is: if it is approved and has no report, its spec is verified (what it builds on may be gone by the change),
  unless only what is touched is wanted; all others are left alone.

A spec whose work is audited is verified only as far as that does not depend on the tree.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from mmcg.audit import auditing
from mmcg.audit.files import exists
from mmcg.audit.findings import in_order
from mmcg.audit.policy.rules import NAME, with_origin
from mmcg.audit.progress import standing_of
from mmcg.audit.tasks import all_tasks
from mmcg.errors import InputError
from mmcg.query import git
from mmcg.query.worktree import is_in

if TYPE_CHECKING:
    from pathlib import Path

    from mmcg.audit.auditing import Audit
    from mmcg.audit.findings import Finding
    from mmcg.audit.tasks import Task
    from mmcg.query.between import Between

NOTHING = "nothing_to_check"
"""The status of a run in which there is neither a task nor a policy to hold a change against."""


@dataclass(frozen=True, slots=True)
class TaskResult:
    """What was found about one task."""

    task: Task
    done: str
    """`audited` or `verified`."""
    verdict: str | None
    """`held`, `partial` or `broken`; None without one."""
    findings: tuple[Finding, ...]
    audit: Audit | None = None

    def to_json(self) -> dict[str, Any]:
        """The task as programs read it."""
        return {
            "task": self.task.id,
            "done": self.done,
            "verdict": self.verdict,
            "findings": len(self.findings),
            "claims": [each.to_json() for each in self.audit.claims] if self.audit else [],
        }


@dataclass(frozen=True, slots=True)
class PolicyResult:
    """What was found by the rules."""

    path: str
    rules: int
    verdict: str | None
    findings: tuple[Finding, ...]

    def to_json(self) -> dict[str, Any]:
        """The policy as programs read it."""
        return {"path": self.path, "rules": self.rules, "verdict": self.verdict, "findings": len(self.findings)}


@dataclass(frozen=True, slots=True)
class Summary:
    """What a run found."""

    since: str
    baseline: str | None
    """The object id of the commit that the tree was compared with; None where it is missing."""
    tasks: tuple[TaskResult, ...] = ()
    policy: PolicyResult | None = None
    faults: tuple[Finding, ...] = ()
    """What kept the run from looking at all."""
    checked: dict[str, int] = field(default_factory=dict)
    notices: tuple[str, ...] = ()
    prefix: str = ""
    """The path of the root from that of its repository, with `/` at its end; empty where they are one."""

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All findings, each with the task or rule that it belongs to."""
        found = [*self.faults, *(self.policy.findings if self.policy else ())]
        found += [finding for each in self.tasks for finding in each.findings]
        return tuple(in_order(found))

    @property
    def placed(self) -> tuple[Finding, ...]:
        """The same, with paths from the root of the repository, as code hosts want them."""
        return tuple(replace(each, file=self.prefix + each.file) if each.file else each for each in self.findings)

    @property
    def status(self) -> str:
        """`ok`, `incomplete`, or that there was nothing to check."""
        if auditing.verdict_of(self.findings) is None:
            return "incomplete"
        return "ok" if self.tasks or self.policy else NOTHING

    @property
    def verdict(self) -> str | None:
        """`held`, `partial` or `broken`; None without one, and where there was nothing to check."""
        return auditing.verdict_of(self.findings) if self.status == "ok" else None

    def exit_code(self, fail_on: str = "drift") -> int:
        """By the worst finding: 3 where evidence is missing, 1 at or above the threshold, else 0."""
        return auditing.exit_code(self.findings, fail_on)

    def to_json(self) -> dict[str, Any]:
        """The run as programs read it."""
        return {
            "status": self.status,
            "verdict": self.verdict,
            "since": self.since,
            "baseline": self.baseline,
            "tasks": [each.to_json() for each in self.tasks],
            "policy": self.policy and self.policy.to_json(),
            "findings": [each.to_json() for each in self.findings],
            "checked": self.checked,
            "notices": list(self.notices),
        }


def check(
    root: Path, *, since: str, changed_only: bool = False, policy: Path | None = None, run: bool = False
) -> Summary:
    """Check a change. Nothing of the repository is run unless `run`; nothing but the index and receipts is written.

    Raises `InputError` when `since` names no commit, or the policy cannot be read at all.
    """
    if policy is None and exists(root, NAME):
        policy = root / NAME
    if policy is not None:
        from mmcg.audit.policy.rules import read_policy

        read = read_policy(root, policy)
    else:
        read = None
    tasks = all_tasks(root)
    commit = None
    try:
        commit = git.merge_base(root, since)
        prefix = git.prefix(root)
        if read is None and not tasks:
            return Summary(since, commit, notices=(_nothing(root),), prefix=prefix)
        graphs = auditing.compared(root, commit)
        notices = list(graphs.after.freshness.notices)
        results = [found for task in tasks if (found := _task(task, graphs, commit, changed_only, run)) is not None]
        held = None
        if read is not None:
            from mmcg.audit.policy.change import Change
            from mmcg.audit.policy.holding import hold

            change = Change(graphs, commit)
            findings = hold(change, read)
            notices += change.remarks
            held = PolicyResult(read.path, len(read.rules), auditing.verdict_of(findings), findings)
    except git.GitError as error:
        return Summary(since, commit, faults=(auditing.missing(error),))
    for each in results:
        notices += [f"{each.task.id}: {notice}" for notice in (each.audit.notices if each.audit else ())]
    skipped = len(tasks) - len(results)
    if skipped:
        notices.append(f"{skipped} of {len(tasks)} tasks are not touched by the change, and were left alone.")
    if not results and held is None:
        notices.append(f"Nothing was checked: the change touches no task, and there is no `{NAME}`.")
    checked = {"files": len(graphs.files.changes), "tasks": len(results), "rules": held.rules if held else 0}
    return Summary(since, commit, tuple(results), held, (), checked, tuple(dict.fromkeys(notices)), prefix)


def _nothing(root: Path) -> str:
    from mmcg.audit.policy.rules import actions

    rules = ", ".join(f"`{each}`" for each in actions())
    return (
        f"Nothing was checked: `{root}` has neither tasks in `.mastermind/tasks` nor a `{NAME}`. "
        f"`mastermind spec new TITLE` makes a task; a policy has rules with {rules}."
    )


def _task(task: Task, graphs: Between, commit: str, changed_only: bool, run: bool) -> TaskResult | None:
    """What is to be said of a task; None where it is left alone."""
    try:
        touched = any(
            exists(task.root, name) and not is_in(task.root, graphs.files.tree, name)
            for name in map(task.place, (task.spec, task.report))
        )
        reported = exists(task.root, task.place(task.report))
        if touched and (reported or _begun(task, graphs)):
            return _audited(task, graphs, commit, run)
        waits = not reported and standing_of(task).state.status == "approved"
        return _verified(task) if touched or (waits and not changed_only) else None
    except InputError as error:
        return TaskResult(task, "audited", None, with_origin([auditing.missing(error)], task.id))


def _begun(task: Task, graphs: Between) -> bool:
    """Whether files that the task declares changed."""
    from mmcg.audit.documents.spec import read_spec

    spec = read_spec(task.spec, task.root).spec
    return any(spec.declares(path) for each in graphs.files.changes for path in each.paths())


def _audited(task: Task, graphs: Between, commit: str, run: bool) -> TaskResult:
    from mmcg.audit.verification import verify_form

    found = auditing.audit(task, run=run, graphs=(graphs, commit))
    findings = with_origin(in_order([*found.findings, *verify_form(task.root, task.spec).findings]), task.id)
    return TaskResult(task, "audited", auditing.verdict_of(findings), findings, found)


def _verified(task: Task) -> TaskResult:
    from mmcg.audit.verification import verify

    done, _ = verify(task.root, task.spec)
    findings = with_origin(done.findings, task.id)
    return TaskResult(task, "verified", auditing.verdict_of(findings), findings)
