"""What is printed when a name means nothing here, or several things."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmcg.cli.render.text import aligned
from mmcg.query import spoken

if TYPE_CHECKING:
    from mmcg.query.answer import Answer


def refusal(answer: Answer) -> str:
    """What happened, and the names to choose from."""
    rows = [spoken.candidate(each) for each in answer.candidates]
    return "\n".join([spoken.refusal(answer), *(f"  {line}" for line in aligned(rows, ["symbol", "kind", "place"]))])
