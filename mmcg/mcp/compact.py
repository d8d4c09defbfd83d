"""An answer as text for an agent to read: a line that says how complete it is, then one line a row."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmcg.query.registry import QUESTIONS
from mmcg.query.safe import safe, safe_block
from mmcg.query.spoken import candidate, cell, place, refusal, reservations

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mmcg.query.answer import Answer, Row

_GAP = "  "
_OTHERS = {
    "audit": ("kind", "effect", "severity", "result", "message", "text", "evidence", "hint"),
    "tasks": ("task", "status", "risk", "next_step", "date", "verdict", "cause", "advice", "command"),
}
"""What is shown of rows that answer no question of the registry, after their place."""


def compact(answer: Answer) -> str:
    """The whole answer; names are made safe to show, which in the structured content they are not."""
    if answer.status != "ok":
        lines = [refusal(answer), *(_line(candidate(each)) for each in answer.candidates)]
    else:
        lines = [_head(answer), *_rows(answer)]
    return "\n".join([*lines, *(f"Note: {safe(each)}" for each in answer.notices)])


def _head(answer: Answer) -> str:
    """How many there are, which are shown, and what only the name would add."""
    parts = [*_about(answer), f"{answer.total} found"]
    if answer.truncated or answer.offset:
        last = answer.offset + len(answer.results)
        parts.append(f"{answer.offset + 1}-{last} shown" if answer.results else "none shown")
        if answer.truncated and answer.results:
            parts.append(f"more with offset {last}")
    parts += reservations(answer, "confidence possible")
    return f"{answer.query} {safe(answer.target)}: {'; '.join(parts)}."


def _about(answer: Answer) -> Iterator[str]:
    for key, value in answer.about.items():
        told = ", ".join(f"{each} {name}" for name, each in value.items()) if isinstance(value, dict) else value
        yield f"{key} {safe('none' if told in (None, '') else told)}"


def _rows(answer: Answer) -> list[str]:
    if answer.query == "source":
        return [f"{_line([place(row)])}\n{safe_block(row['text'])}" for row in answer.results]
    if answer.query == "outline":
        return _outline(answer.results)
    if answer.query in _OTHERS:
        columns = _OTHERS[answer.query]
        return [
            _line([place(row) if "file" in row else "", *(cell(row, each) for each in columns)])
            for row in answer.results
        ]
    if answer.query not in QUESTIONS:
        return [_line([f"{key}: {cell(row, key)}"]) for row in answer.results for key in row if cell(row, key)]
    columns = QUESTIONS[answer.query].columns
    return [_line([place(row), *(cell(row, each) for each in columns)]) for row in answer.results]


def _outline(rows: list[Row]) -> list[str]:
    """Each file's path, then its definitions, each below and further in than what contains it."""
    lines: list[str] = []
    depth: dict[str, int] = {}
    file = None
    for row in rows:
        if row["file"] != file:
            file = row["file"]
            lines.append(safe(file))
        depth[row["symbol"]] = inner = depth.get(row["container"], 0) + 1
        name = row["signature"] or row["symbol"].rpartition("::")[2]
        lines.append(f"{'  ' * inner}{safe(name)}{_GAP}:{row['line']}")
    return lines


def _line(cells: list[str]) -> str:
    return _GAP.join(safe(each) for each in cells if each)
