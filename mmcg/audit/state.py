"""`state.json`: where a task stands, written by the program only.

The file is replaced as a whole, so a reader never sees half of one; fields that this version does not know are kept.
"""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from mmcg.audit.files import read_bytes
from mmcg.errors import InputError
from mmcg.files import replaced

if TYPE_CHECKING:
    from pathlib import Path

    from mmcg.audit.tasks import Task

LARGEST = 1_000_000
MOST_ITERATIONS = 3
"""Audits after which a spec is approved again only by force."""

DRAFT = "draft"
"""The status of a task whose spec was never approved: it has no state yet."""


@dataclass(frozen=True, slots=True)
class State:
    """Where a task stands."""

    status: str = DRAFT
    """`draft`, `approved`, `audit_required`, `held`, `learned`, `drift`, `broken` or `closed`."""
    risk: str = "low"
    next_step: str | None = "approve_spec"
    """`approve_spec`, `run_executor`, `run_auditor`, `planner_review`, `close`, or None."""
    blocking_reason: str | None = None
    last_artifact: str | None = None
    baseline: str | None = None
    """The commit that the work is compared with."""
    spec_hash: str | None = None
    """SHA-256 of the spec that was approved."""
    iteration: int = 0
    """Audits so far."""
    updated_at: str | None = None
    others: dict[str, Any] = field(default_factory=dict)
    """Fields of the file that this version does not know."""

    def to_json(self) -> dict[str, Any]:
        """The file's contents."""
        known = {name: getattr(self, name) for name in _FIELDS}
        return {**self.others, **known}


_FIELDS = (
    "status", "risk", "next_step", "blocking_reason", "last_artifact", "baseline", "spec_hash", "iteration",
    "updated_at",
)  # fmt: skip


def read_state(task: Task) -> State:
    """The state of a task; the one of a draft if there is none. Raises `InputError` for a file that is no state."""
    if not os.path.lexists(task.state):
        return State(last_artifact=task.spec.name if task.spec.exists() else None)
    try:
        found = json.loads(read_bytes(task.state, LARGEST))
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise InputError(
            f"`{task.place(task.state)}` is no state of a task.",
            "The program writes it. Delete it and approve the spec again.",
        )
    state = State(others={key: value for key, value in found.items() if key not in _FIELDS})
    known: dict[str, Any] = {}
    for name in _FIELDS:
        value = found.get(name)
        if name == "iteration":
            if isinstance(value, int) and not isinstance(value, bool):
                known[name] = value
        elif isinstance(value, str) or (name in found and value is None and name not in ("status", "risk")):
            known[name] = value
    return replace(state, **known)


def write_state(task: Task, state: State) -> State:
    """Put a state in place of the old one, with the time."""
    state = replace(state, updated_at=now())
    replace_file(task.state, json.dumps(state.to_json(), indent=2, ensure_ascii=False) + "\n")
    return state


def approved(state: State, *, risk: str, baseline: str | None, spec_hash: str) -> State:
    """The state after a spec was approved."""
    return replace(
        state,
        status="approved",
        risk=risk,
        next_step="run_executor",
        blocking_reason=None,
        last_artifact="spec.md",
        baseline=baseline,
        spec_hash=spec_hash,
    )


def reported(state: State, *, status: str, first_defect: str | None) -> State:
    """The state after a report that is consistent in itself."""
    done = status == "complete"
    return replace(
        state,
        status="audit_required" if done else "held",
        risk="low" if done else "medium",
        next_step="run_auditor" if done else "planner_review",
        blocking_reason=None if done else first_defect,
        last_artifact="executor-report.md",
    )


_AFTER_AUDIT = {
    "held": ("learned", "low", "close"),
    "partial": ("drift", "medium", "planner_review"),
    "broken": ("broken", "high", "planner_review"),
}


def audited(state: State, *, verdict: str, first_finding: str | None) -> State:
    """The state after an audit that came to a verdict (`held`, `partial` or `broken`)."""
    status, risk, next_step = _AFTER_AUDIT[verdict]
    return replace(
        state,
        status=status,
        risk=risk,
        next_step=next_step,
        blocking_reason=None if verdict == "held" else first_finding,
        last_artifact="audit.md",
        iteration=state.iteration + 1,
    )


def closed(state: State) -> State:
    """The state of a task that is done with."""
    return replace(state, status="closed", next_step=None, blocking_reason=None)


def revoked(task: Task, state: State) -> bool:
    """Whether the spec is no longer the one that was approved."""
    if state.spec_hash is None or state.status == "closed":
        return False
    try:
        return hashlib.sha256(task.spec.read_bytes()).hexdigest() != state.spec_hash
    except OSError:
        return True


def now() -> str:
    """The time as states and lessons have it: UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def replace_file(path: Path, text: str) -> None:
    """Put a whole file in the place of the old one; a link there is replaced, not followed."""
    with replaced(path, follow=False) as new:
        new.write_text(text, encoding="utf-8", newline="\n")
