"""The tools `audit` and `tasks`: what `mastermind audit-spec`, `verify-spec`, `status` and `next` say, as answers.

They only read: neither an audit's files nor a task's state are written, and no command of the repository is run. The
commands do that, for a person or an agent who means it.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from mmcg.errors import InputError
from mmcg.query.answer import Answer, Row

if TYPE_CHECKING:
    from mmcg.audit.tasks import Task
    from mmcg.mcp.desk import Desk, Job


def audit(desk: Desk, arguments: dict[str, Any], job: Job) -> Answer:
    """The findings of an audit, or with `show` the claims it judged; `verdict` and the rest beside them.

    Raises `InputError` where there is no such task, its documents cannot be read, or nothing may be written here: an
    audit needs an index of the tree as it is. Raises `StoppedError` when it is withdrawn.
    """
    from mmcg.audit import auditing, verification

    task = _task(desk, arguments["task"])
    if not desk.upkeep.writes:
        raise InputError(
            "This server writes no index, and an audit needs one of the tree as it is.",
            f"Run `mastermind audit-spec {task.id} --json`.",
        )
    if arguments["stage"] == "spec":
        done: Any = verification.verify(task.root, task.spec)[0]
    else:
        done = auditing.audit(task, since=arguments.get("since"), told=job.asks)
    found = done.to_json()
    answer = _page("audit", task.id, found[arguments["show"]], arguments)
    answer.notices += found["notices"]
    results: dict[str, int] = {}
    for each in found["claims"]:
        results[each["result"]] = results.get(each["result"], 0) + 1
    answer.about = {
        "verdict": found["verdict"],
        "baseline": found["baseline"],
        "findings": len(found["findings"]),
        "claims": results,
        "checked": found["checked"],
    }
    return answer


def tasks(desk: Desk, arguments: dict[str, Any], job: Job) -> Answer:  # noqa: ARG001 - reading them is quick
    """Where the tasks stand, or one; which comes next; or what past audits taught."""
    from mmcg.audit.lessons import lessons
    from mmcg.audit.progress import all_standings, next_standing, standing_of

    root, named, show = desk.places.root, arguments.get("task"), arguments["show"]
    if show == "lessons":
        task = named and _task(desk, named).id
        rows = [each for each in lessons(root) if task in (None, each["task"])]
        return _page("tasks", named or "lessons", rows, arguments)
    if named:
        standings = [standing_of(_task(desk, named))]
    elif show == "next":
        coming = next_standing(root)
        standings = [coming] if coming else []
    else:
        standings = all_standings(root)
    answer = _page("tasks", named or show, [each.to_json() for each in standings], arguments)
    if not standings:
        none = "No task waits for anything." if show == "next" else "There are no tasks."
        answer.notices.append(f"{none} `mastermind spec new TITLE` makes one.")
    return answer


def _task(desk: Desk, text: str) -> Task:
    """The task that was named. Raises `InputError` for none, several, and one of another repository."""
    from mmcg.audit.tasks import find_task

    root = desk.places.root
    task = find_task(root, text)
    if Path(task.root).resolve() != root:
        raise InputError(f"`{text}` is a task of another repository.", f"This server answers about `{root}`.")
    return task


def _page(query: str, target: str, rows: list[Row], arguments: dict[str, Any]) -> Answer:
    offset = min(arguments["offset"], len(rows))
    page = rows[offset : offset + arguments["limit"]]
    return Answer(query, target, page, len(rows), offset=offset)
