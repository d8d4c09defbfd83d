"""The table of tools as the page about the server shows it."""

from __future__ import annotations

import re
from pathlib import Path

from mmcg.mcp.tools import TOOLS, Argument

PAGE = Path(__file__).parents[2] / "docs" / "mcp.md"


def table() -> str:
    """A row a tool."""
    rows = [
        f"| `{tool.name}` | {tool.doc} | {', '.join(map(_argument, tool.arguments()))} |" for tool in TOOLS.values()
    ]
    return "\n".join(["| tool | | takes |", "|---|---|---|", *rows]) + "\n"


def written(text: str) -> str:
    """The page with the table as it is now."""
    return re.sub(r"\| tool \|.*?\n(?=\n)", lambda _: table(), text, flags=re.DOTALL)


def _argument(argument: Argument) -> str:
    return f"`{argument.name}`" if argument.required else f"[`{argument.name}`]"
