"""What is printed when a name means nothing here, or several things."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmcg.cli.render.safe import safe
from mmcg.cli.render.text import aligned, place

if TYPE_CHECKING:
    from mmcg.query.answer import Answer


def refusal(answer: Answer) -> str:
    """What happened, and the names to choose from."""
    name = f"`{safe(answer.target)}`"
    if answer.status == "ambiguous":
        head = f"{name} is ambiguous; these have that name:"
    elif answer.candidates:
        head = f"{name} is not in the index. Names like it:"
    else:
        head = f"{name} is not in the index, and no name is like it."
    rows = [[each.get("symbol") or each["file"], each.get("kind", ""), place(each)] for each in answer.candidates]
    return "\n".join([head, *(f"  {line}" for line in aligned(rows, ["symbol", "kind", "place"]))])
