"""Answers as graphs for Mermaid and Graphviz. What a name holds can never end its label."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmcg.cli.render.safe import safe

if TYPE_CHECKING:
    from mmcg.query.answer import Answer, Row

Edge = tuple[str, str, str]
"""From, to, and how sure."""


def edges(answer: Answer) -> list[Edge]:
    """The edges that an answer stands for, in the direction of the call, import or inheritance; no repeats."""
    found: list[Edge] = []
    for number, row in enumerate(answer.results):
        found += _of_row(answer, number, row)
    return list(dict.fromkeys(found))


def _of_row(answer: Answer, number: int, row: Row) -> list[Edge]:
    name = str(row.get("symbol") or row.get("external") or row.get("file"))
    sure = str(row.get("confidence") or "")
    match answer.query:
        case "callers":
            return [(name, answer.target, sure)]
        case "callees":
            return [(answer.target, name, sure)]
        case "impact":
            return [(one, other, "") for one, other in zip(row["path"], row["path"][1:], strict=False)]
        case "path":
            return [(answer.results[number - 1]["symbol"], name, sure)] if number else []
        case "imports":
            return [(row.get("importer") or answer.target, row["file"] or row["external"] or row["module"], "")]
        case "imported-by":
            return [(row["file"], answer.target, "")]
        case "hierarchy":
            up = row["relation"] in ("extends", "implements", "mixin", "embeds", "overrides")
            return [(answer.target, name, row["relation"]) if up else (name, answer.target, row["relation"])]
        case "cycles":
            return [(each["file"], each["target"], "") for each in row["imports"]]
    return []


def mermaid(answer: Answer) -> str:
    """A Mermaid flowchart."""
    drawn = edges(answer)
    ids = _ids(answer, drawn)
    lines = ["flowchart LR"]
    lines += [f'    {key}["{_mermaid_label(name)}"]' for name, key in ids.items()]
    for one, other, label in drawn:
        arrow = "-->" if label in ("", "exact") else f"-. {label} .->"
        lines.append(f"    {ids[one]} {arrow} {ids[other]}")
    return "\n".join(lines)


def dot(answer: Answer) -> str:
    """A Graphviz digraph."""
    drawn = edges(answer)
    ids = _ids(answer, drawn)
    lines = ["digraph mastermind {", "    rankdir=LR;", "    node [shape=box];"]
    lines += [f"    {key} [label={_dot_string(name)}];" for name, key in ids.items()]
    for one, other, label in drawn:
        style = "" if label in ("", "exact") else f" [label={_dot_string(label)}, style=dashed]"
        lines.append(f"    {ids[one]} -> {ids[other]}{style};")
    return "\n".join([*lines, "}"])


def _ids(answer: Answer, drawn: list[Edge]) -> dict[str, str]:
    """A plain identifier for each name, the asked one first."""
    names = [] if answer.query in ("path", "cycles") else [answer.target]
    names += [name for one, other, _ in drawn for name in (one, other)]
    return {name: f"n{number}" for number, name in enumerate(dict.fromkeys(names))}


def _mermaid_label(name: str) -> str:
    """Mermaid reads entities in quoted labels; `#` begins one there, and a backtick Markdown."""
    return "".join(f"#{ord(each)};" if each in "#&<>\"'`\\" else each for each in safe(name))


def _dot_string(name: str) -> str:
    return '"' + safe(name).replace("\\", "\\\\").replace('"', '\\"') + '"'
