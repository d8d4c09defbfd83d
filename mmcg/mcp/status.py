"""The tool `index_status`: whether there is an index, whether it is current, and what it holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mmcg import __version__
from mmcg.errors import BadIndexError, NoIndexError
from mmcg.query.answer import Answer, Row
from mmcg.query.status import counted, status

if TYPE_CHECKING:
    from mmcg.mcp.desk import Desk, Job

_SHOWN = 20


def answer(desk: Desk, arguments: dict[str, Any], job: Job) -> Answer:  # noqa: ARG001 - it takes none
    """One row. Without an index its `state` is `missing` or `building`, and a notice says what to do."""
    row: Row = {"state": "ready", "root": str(desk.places.root), "version": __version__}
    try:
        with desk.context(job) as context:
            found = status(context.index, context.freshness)
            skipped, problems = found.pop("skipped"), found.pop("problems")
            row |= found
            row["skipped"], row["problems"] = counted(skipped, "reason"), counted(problems, "code")
            row["skipped_files"], row["problem_places"] = skipped[:_SHOWN], problems[:_SHOWN]
            index = context.index.meta.to_json(context.freshness)
            return Answer("index_status", ".", [row], 1, index=index, notices=list(context.freshness.notices))
    except (NoIndexError, BadIndexError) as error:
        progress = desk.upkeep.progress
        row["state"] = "building" if progress else "missing" if isinstance(error, NoIndexError) else "unusable"
        if progress:
            row["files_read"], row["files"] = progress
        notices = [f"{error.message} {error.advice}"]
        return Answer("index_status", ".", [row], 1, index={"fresh": False, "at": None}, notices=notices)
