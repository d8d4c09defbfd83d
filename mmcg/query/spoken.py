"""The words in which answers are told to readers, on a terminal and over MCP alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmcg.query.safe import safe

if TYPE_CHECKING:
    from mmcg.query.answer import Answer, Row


def place(row: Row) -> str:
    """`file:line`, as editors and terminals make it a link: of the first site where there are sites."""
    sites = row.get("sites")
    if sites:
        more = f" (+{len(sites) - 1})" if len(sites) > 1 else ""
        return f"{sites[0]['file']}:{sites[0]['line']}:{sites[0]['column']}{more}"
    if row.get("file") is None:
        return "-"
    return f"{row['file']}:{row['line']}" if row.get("line") else str(row["file"])


def cell(row: Row, column: str) -> str:
    """One value as text."""
    value = row.get(column)
    if column == "symbol" and value is None:
        return f"{row.get('external') or '?'} (external)"
    if column == "file" and value is None:
        return f"{row.get('external') or '?'} (external)"
    if value is None or value is False:
        return ""
    if value is True:
        return column
    if isinstance(value, list):
        return " -> ".join(map(str, value))
    return str(value)


def reservations(answer: Answer, how: str) -> list[str]:
    """What an answer leaves out besides other pages: what only the name would add (`how` asks for it), and the news."""
    said = [f"{answer.possible} more are possible ({how})"] if answer.possible else []
    return said if answer.index.get("fresh", True) else [*said, "the index is out of date"]


def refusal(answer: Answer) -> str:
    """What is said when a name means nothing here, or several things; the candidates follow it."""
    name = f"`{safe(answer.target)}`"
    if answer.status == "ambiguous":
        return f"{name} is ambiguous; these have that name:"
    if answer.candidates:
        return f"{name} is not in the index. Names like it:"
    return f"{name} is not in the index, and no name is like it."


def candidate(row: Row) -> list[str]:
    """A symbol or file to choose, as cells."""
    return [row.get("symbol") or row["file"], row.get("kind", ""), place(row)]
