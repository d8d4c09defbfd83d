"""A place that masks something, and whether a declared check is hidden by it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mmcg.audit.findings import Effect


@dataclass(frozen=True, slots=True)
class Masked:
    """Something in the diff that masks."""

    file: str
    line: int
    message: str
    about: tuple[str, ...] = ()
    hides: str = ""
    """The declared check that it hides: a command's id, or a planned test; empty when it hides none."""
    doubtful: bool = False
    """Whether it may be something else."""
    expected: str | None = None
    found: str | None = None
    hint: str = ""

    @property
    def effect(self) -> Effect:
        """What it does to the verdict."""
        if self.doubtful:
            return "warning"
        return "broken" if self.hides else "drift"


def short(text: str, most: int = 80) -> str:
    """A text that fits into a message."""
    return text if len(text) <= most else text[: most - 1] + "\N{HORIZONTAL ELLIPSIS}"
