"""Where the tasks of a repository stand, and which is to be worked on next."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from mmcg.audit.state import State, closed, read_state, revoked, write_state
from mmcg.audit.tasks import Task, all_tasks
from mmcg.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

UNREADABLE = "unreadable"
"""The status of a task whose state cannot be read."""

_FIRST = ("run_auditor", "run_executor", "planner_review", "approve_spec", "close")
"""Which step is taken before which: audits, then work, then what is held, then what is ready to begin or end."""

_DO = {
    "approve_spec": "mastermind spec approve {id}",
    "run_executor": "mastermind report template {id}",
    "run_auditor": "mastermind audit-spec {id}",
    "planner_review": "mastermind spec approve {id}",
    "close": "mastermind close {id}",
}
_SAY = {
    "approve_spec": "Fill in `{spec}` and approve it.",
    "run_executor": "Do the work of `{spec}`, then write the report and check it with `mastermind report check {id}`.",
    "run_auditor": "Audit the work; add `--run` to run the declared commands.",
    "planner_review": "Read `{artifact}`, then correct the work and its report, or the spec, and approve that again.",
    "close": "The audit held: close the task.",
}


@dataclass(frozen=True, slots=True)
class Standing:
    """A task and where it stands."""

    task: Task
    state: State
    revoked: bool = False
    """Whether the spec was changed after its approval."""

    @property
    def step(self) -> str | None:
        """What is to be done next; a changed spec is to be approved first."""
        if self.revoked and self.state.status != "learned":
            return "approve_spec"
        return self.state.next_step

    @property
    def command(self) -> str | None:
        """The command for it."""
        return _DO[self.step].format(id=self.task.id) if self.step in _DO else None

    @property
    def advice(self) -> str:
        """What to do, in a sentence."""
        if self.state.status == UNREADABLE:
            return "Delete its `state.json`, and approve the spec again."
        if self.step not in _SAY:
            return "Nothing is left to do."
        artifact = self.task.place(self.task.folder / (self.state.last_artifact or "spec.md"))
        said = _SAY[self.step].format(id=self.task.id, spec=self.task.place(self.task.spec), artifact=artifact)
        return f"The spec was changed after its approval. {said}" if self.revoked else said

    def to_json(self) -> dict[str, Any]:
        """The task as programs read it."""
        return {
            "task": self.task.id,
            "path": self.task.place(self.task.folder),
            **self.state.to_json(),
            "next_step": self.step,
            "approval_revoked": self.revoked,
            "command": self.command,
            "advice": self.advice,
        }


def standing_of(task: Task) -> Standing:
    """Where one task stands."""
    try:
        state = read_state(task)
    except InputError as error:
        return Standing(task, State(status=UNREADABLE, next_step=None, blocking_reason=error.message))
    return Standing(task, state, revoked(task, state))


def all_standings(root: Path) -> list[Standing]:
    """Where all tasks stand, in order of their names."""
    return [standing_of(task) for task in all_tasks(root)]


def next_standing(root: Path) -> Standing | None:
    """The task to work on next: the first by name of those whose step comes first."""
    waiting = [each for each in all_standings(root) if each.step in _FIRST]
    return min(waiting, key=lambda each: _FIRST.index(str(each.step)), default=None)


def close(task: Task, *, force: bool = False) -> Standing:
    """Close a task whose audit held. Raises `InputError` for any other, unless `force`."""
    standing = standing_of(task)
    if standing.state.status != "learned" and not force:
        raise InputError(
            f"Task `{task.id}` is `{standing.state.status}`: only a task whose audit held is closed.",
            f"{standing.advice} Or add `--force`.",
        )
    return replace(standing, state=write_state(task, closed(standing.state)), revoked=False)
