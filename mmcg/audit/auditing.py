"""An audit: the work of a task, held against its spec and its report, by the graphs of both states of the repository.

What is judged is the difference between the baseline commit and the working tree, committed or not. The checks are the
modules of `mmcg.audit.checks` that have a function `audit`; each gets the same `Work`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mmcg import indexing
from mmcg.audit import checks, state
from mmcg.audit.checks import evidence_incomplete
from mmcg.audit.documents.report import ReportReading, read_report
from mmcg.audit.documents.spec import Spec, read_spec
from mmcg.audit.findings import WORST_FIRST, Finding, in_order
from mmcg.audit.lessons import add_lesson
from mmcg.audit.opening import fresh_index
from mmcg.audit.outputs.markdown import markdown
from mmcg.audit.snapshot import read as read_snapshot
from mmcg.audit.work import Work
from mmcg.errors import EXIT_NEGATIVE, EXIT_OK, EXIT_UNAVAILABLE
from mmcg.query import git
from mmcg.query.between import Between, between
from mmcg.query.context import Context

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from mmcg.audit.claims.judged import Judged
    from mmcg.audit.tasks import Task
    from mmcg.errors import MastermindError
    from mmcg.store.reader import Index

VERDICTS = {"broken": "broken", "drift": "partial"}
"""The verdict by the worst effect; none of these: `held`."""

_AS_EFFECT = {"error": "broken"}
"""What a finding in a spec or policy is among those of audits."""

THRESHOLDS = ("warning", "drift", "broken")
"""What `--fail-on` may say."""


def exit_code(findings: Iterable[Finding], fail_on: str = "drift") -> int:
    """3 where one of the findings leaves no verdict, 1 where one is at or above the threshold, else 0."""
    weights = {_AS_EFFECT.get(each.weight, each.weight) for each in findings}
    if "no_verdict" in weights:
        return EXIT_UNAVAILABLE
    least = WORST_FIRST.index(fail_on)
    return EXIT_NEGATIVE if any(WORST_FIRST.index(each) <= least for each in weights) else EXIT_OK


def verdict_of(findings: Iterable[Finding]) -> str | None:
    """The verdict that the worst of the findings leaves; None for none."""
    weights = {_AS_EFFECT.get(each.weight, each.weight) for each in findings}
    if "no_verdict" in weights:
        return None
    return next((VERDICTS[each] for each in VERDICTS if each in weights), "held")


def _nobody(index: Index) -> None:
    """For audits that no other thread stops."""


@dataclass(frozen=True, slots=True)
class Audit:
    """What an audit found."""

    task: Task
    verdict: str | None
    """`held`, `partial` or `broken`; None without a verdict."""
    baseline: str | None
    findings: tuple[Finding, ...]
    claims: tuple[Judged, ...]
    checked: dict[str, int]
    notices: tuple[str, ...]

    @property
    def status(self) -> str:
        """`ok`, or `incomplete` without a verdict."""
        return "incomplete" if self.verdict is None else "ok"

    @property
    def placed(self) -> tuple[Finding, ...]:
        """The findings as code hosts get them."""
        return self.findings

    def to_json(self) -> dict[str, Any]:
        """The audit as programs read it."""
        return {
            "status": self.status,
            "spec": self.task.id,
            "verdict": self.verdict,
            "baseline": self.baseline,
            "findings": [each.to_json() for each in self.findings],
            "claims": [each.to_json() for each in self.claims],
            "checked": self.checked,
            "notices": list(self.notices),
        }

    def exit_code(self, fail_on: str = "drift") -> int:
        """By the worst finding: 3 without a verdict, 1 at or above the threshold, else 0."""
        return exit_code(self.findings, fail_on)


def audit(
    task: Task,
    *,
    since: str | None = None,
    run: bool = False,
    graphs: tuple[Between, str] | None = None,
    told: Callable[[Index], None] = _nobody,
) -> Audit:
    """Audit a task; nothing of the repository is run unless `run`. Writes nothing but the receipts of what was run.

    `graphs` gives what `compared` gave, where several tasks are audited against one commit; `told` is as there.

    Raises `InputError` when a document cannot be read at all, or `since` names no commit.
    """
    reading = read_spec(task.spec, task.root)
    wrong = [each for each in reading.findings if each.severity == "error"]
    if wrong:
        return _none(task, None, [_no_spec(reading.spec, each) for each in wrong])
    report = read_report(task.report, task.root) if task.report.exists() or task.report.is_symlink() else None
    commit = None
    try:
        commit = graphs[1] if graphs else _baseline(task, since)
        work = Work(
            graphs[0] if graphs else compared(task.root, commit, told),
            commit,
            task,
            reading.spec,
            report.report if report else None,
        )
        work.report_findings = report.findings if report else ()
        work.notices += _notices(work, report)
        if run:
            from mmcg.audit.runs.running import run_all

            work.runs = run_all(work)
        return _judged(work)
    except git.GitError as error:
        # Contents may turn out to be missing only when a check asks for them.
        return _none(task, commit, [missing(error)])


def compared(root: Path, commit: str, told: Callable[[Index], None] = _nobody) -> Between:
    """The tree as it is now beside a commit, with an index that says what is on disk.

    `told` gets each reader before it is asked, so that another thread may stop it: what asks it then ends with
    `StoppedError`. What `told` raises ends the comparison.
    """
    index, freshness = fresh_index(root)
    told(index)
    graphs = between(Context(index, freshness), commit)
    told(graphs.before.index)
    return _true(graphs)


def record(done: Audit) -> None:
    """Write what an audit found: `audit.md`, `audit.json`, and with a verdict the state and a lesson."""
    task = done.task
    state.replace_file(task.audit_markdown, markdown(done))
    state.replace_file(task.audit_json, json.dumps(done.to_json(), indent=2, ensure_ascii=False) + "\n")
    if done.verdict is None:
        return
    first = done.findings[0] if done.findings else None
    reason = f"{first.kind}: {first.message}" if first else None
    state.write_state(task, state.audited(state.read_state(task), verdict=done.verdict, first_finding=reason))
    if done.verdict != "held":
        add_lesson(task, done.verdict, reason or "")


def _judged(work: Work) -> Audit:
    found = in_order(finding for module in checks.having("audit") for finding in module.audit(work))
    graphs = work.graphs
    checked = {
        "files": len(work.changes),
        "symbols": len(graphs.pairing.pairs) + len(graphs.pairing.gone) + len(graphs.pairing.came),
        "named_symbols": len(work.named),
        "claims": len(work.claims),
        "commands": len(work.spec.verify) if work.runs is not None else 0,
        "checks": len(checks.having("audit")),
    }
    return Audit(work.task, verdict_of(found), work.commit, tuple(found), work.claims, checked, tuple(work.notices))


def _none(task: Task, commit: str | None, findings: list[Finding]) -> Audit:
    return Audit(task, None, commit, tuple(in_order(findings)), (), {}, ())


def _no_spec(spec: Spec, finding: Finding) -> Finding:
    return evidence_incomplete.KIND.in_audit(
        f"The spec cannot be audited against: {finding.message}",
        about=finding.about,
        file=spec.path,
        line=finding.line,
        hint=finding.hint or "Run `mastermind verify-spec` on the task.",
    )


def missing(error: MastermindError) -> Finding:
    """The finding that says what could not be seen."""
    return evidence_incomplete.KIND.in_audit(error.message, about=["baseline"], hint=error.advice)


def _baseline(task: Task, since: str | None) -> str:
    """The commit to compare with: the one asked for, or the one that was recorded when the spec was approved."""
    if since is not None:
        return git.commit_of(task.root, since)
    recorded = read_snapshot(task)
    commit = recorded.baseline if recorded else state.read_state(task).baseline
    if commit is None:
        raise git.MissingObjectError(
            f"Task `{task.id}` has no baseline: its spec was never approved.",
            f"Run `mastermind spec approve {task.id}` before the work begins, or name a commit with `--since REF`.",
        )
    return git.known_commit(task.root, commit)


def _true(graphs: Between) -> Between:
    """The same, with an index whose files are what is on disk, whatever their times say."""
    if not _differs(graphs):
        return graphs
    indexing.index(graphs.root, rebuild=True)
    graphs.after.reopen_if_changed()
    again = Between(graphs.before, graphs.after, graphs.files)
    if _differs(again):
        raise git.GitError(
            "The index does not say what the tree says, and could not be brought up to date.",
            "Wait until no other program changes the repository, and try again.",
        )
    return again


def _differs(graphs: Between) -> bool:
    """Whether an indexed file has another hash than its bytes: unchanged files have those of the baseline."""
    then: dict[str, str] = dict(graphs.before.rows("SELECT path, hash FROM files"))
    changed = {each.after for each in graphs.files.changes if each.after}
    for path, known in graphs.after.rows("SELECT path, hash FROM files"):
        if path in changed:
            if indexing.content_hash(graphs.text_now(path)) != known:
                return True
        elif path in then and then[path] != known:
            return True
    return False


def _notices(work: Work, report: ReportReading | None) -> list[str]:
    said = list(work.after.freshness.notices)
    if report is None:
        said.append(f"There is no `{work.task.report.name}`: nothing that was claimed could be checked.")
    current = state.read_state(work.task)
    if state.revoked(work.task, current):
        said.append("The spec was changed after its approval; the audit is against what it says now.")
    if work.graphs.files.foreign:
        foreign = ", ".join(f"`{each}`" for each in work.graphs.files.foreign)
        said.append(f"Other repositories inside this one are not part of the audit: {foreign}.")
    outside = git.changed_outside(work.root, work.commit)
    if outside:
        some = ", ".join(f"`{each}`" for each in outside[:5])
        more = f" and {len(outside) - 5} more" if len(outside) > 5 else ""
        said.append(f"Changes outside of the folder that holds `.mastermind` are not part of the audit: {some}{more}.")
    skipped: dict[str, str] = dict(work.after.rows("SELECT path, reason FROM skipped"))
    left_out = sorted(path for path in work.changed if path in skipped)
    if left_out:
        some = ", ".join(f"`{each}` ({skipped[each]})" for each in left_out[:5])
        said.append(f"Of these changed files only the bytes are compared: {some}.")
    return said
