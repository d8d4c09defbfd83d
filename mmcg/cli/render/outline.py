"""Definitions as a tree: each below what contains it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmcg.cli.render.safe import safe
from mmcg.cli.render.text import styled

if TYPE_CHECKING:
    from mmcg.query.answer import Row


def tree(rows: list[Row]) -> list[str]:
    """One line a symbol, a heading for each file."""
    children: dict[object, list[Row]] = {}
    shown = {row["symbol"] for row in rows}
    for row in rows:
        container = row["container"] if row["container"] in shown else ("file", row["file"])
        children.setdefault(container, []).append(row)
    lines: list[str] = []
    for file in dict.fromkeys(row["file"] for row in rows):
        lines.append(styled(safe(file), "place"))
        _branch(children, ("file", file), lines)
    return lines


def _branch(children: dict[object, list[Row]], top: object, lines: list[str]) -> None:
    """Depth first with a stack: names may nest deeper than Python likes to recurse."""
    stack = [(row, "", at == 0) for at, row in enumerate(reversed(children.get(top, [])))]
    while stack:
        row, indent, last = stack.pop()
        label = safe(row["signature"] or row["symbol"].rpartition("::")[2])
        lines.append(f"{indent}{'└─ ' if last else '├─ '}{styled(label, 'symbol')}  {row['kind']}  :{row['line']}")
        below = children.get(row["symbol"], [])
        deeper = indent + ("   " if last else "│  ")
        stack += [(each, deeper, at == 0) for at, each in enumerate(reversed(below))]
