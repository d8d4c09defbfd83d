"""An answer as text for people: aligned columns, one row a line, and a last line that says how complete it is.

On a terminal rich sets the colours; otherwise nothing is imported and the same columns are plain.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmcg.cli import console
from mmcg.cli.render.safe import safe, safe_block, width
from mmcg.query.registry import QUESTIONS
from mmcg.query.spoken import cell, place, reservations

if TYPE_CHECKING:
    from collections.abc import Callable

    from mmcg.query.answer import Answer

_GAP = "  "
_WIDEST = 100
"""Columns of text are cut no shorter than they need, but padded no wider than this."""

_STYLES = {"symbol": "bold", "confidence": "green", "rule": "dim", "kind": "cyan", "reason": "yellow", "place": "blue"}


def text(answer: Answer) -> str:
    """The whole answer."""
    special: dict[str, Callable[[Answer], list[str]]] = {"source": _source, "sql": _sql, "outline": _outline}
    make = special.get(answer.query, _table)
    lines = make(answer)
    return "\n".join([*lines, summary(answer)])


def summary(answer: Answer) -> str:
    """The last line: how many there are, how many are shown, and what only the name would add."""
    shown, total = len(answer.results), answer.total
    parts = [f"{shown} of {total} shown (--all for the rest)" if answer.truncated else f"{total} found"]
    parts += reservations(answer, "--confidence possible")
    return f"{safe(answer.target)}: {'; '.join(parts)}."


def _table(answer: Answer) -> list[str]:
    columns = [each for each in QUESTIONS[answer.query].columns if any(cell(row, each) for row in answer.results)]
    rows = [[place(row), *(cell(row, each) for each in columns)] for row in answer.results]
    return aligned(rows, ["place", *columns])


def _sql(answer: Answer) -> list[str]:
    if not answer.results:
        return []
    names = list(answer.results[0])
    rows = [
        names,
        *([cell(row, name) if row[name] is not None else "NULL" for name in names] for row in answer.results),
    ]
    return aligned(rows, [""] * len(names))


def _source(answer: Answer) -> list[str]:
    lines = []
    for row in answer.results:
        lines += [styled(safe(f"{row['file']}:{row['line']}"), "place"), safe_block(row["text"]), ""]
    return lines


def _outline(answer: Answer) -> list[str]:
    from mmcg.cli.render.outline import tree

    return tree(answer.results)


def aligned(rows: list[list[str]], names: list[str]) -> list[str]:
    """Rows as lines whose columns begin at the same place; the last column is as long as it is."""
    clean = [[safe(value) for value in row] for row in rows]
    widths = [min(_WIDEST, max((width(row[at]) for row in clean), default=0)) for at in range(len(names))]
    lines = []
    for row in clean:
        cells = []
        for at, value in enumerate(row):
            pad = " " * max(0, widths[at] - width(value)) if at + 1 < len(row) else ""
            cells.append(styled(value, names[at]) + pad)
        lines.append(_GAP.join(cells).rstrip())
    return lines


def styled(value: str, column: str) -> str:
    """A value in its column's colour, on a terminal."""
    style = _STYLES.get(column)
    if style is None or not value or not console.wants_colour():
        return value
    from rich.color import ColorSystem
    from rich.style import Style

    return Style.parse(style).render(value, color_system=ColorSystem.STANDARD)
