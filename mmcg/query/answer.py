"""What a question gives back: the one envelope that JSON, text and the library share."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from mmcg.model import CONFIDENCES

if TYPE_CHECKING:
    from collections.abc import Sequence

Row = dict[str, Any]
"""One row of an answer; its keys are documented with the question."""

RANK = {confidence: rank for rank, confidence in enumerate(CONFIDENCES)}
"""Surest first."""


@dataclass(frozen=True, slots=True)
class Options:
    """What may be said besides the target. `limit` None means: everything."""

    limit: int | None = 200
    language: str | None = None
    confidence: str = "inferred"
    """The least sureness of an edge that is answered with."""
    depth: int | None = None
    since: str | None = None
    offset: int = 0
    """Rows to pass over: those of the pages before."""

    def sure_enough(self, confidence: str) -> bool:
        """Whether an edge of this confidence is part of the answer."""
        return RANK[confidence] <= RANK[self.confidence]

    def confidences(self) -> tuple[str, ...]:
        """All confidences that are part of the answer."""
        return CONFIDENCES[: RANK[self.confidence] + 1]


@dataclass(slots=True)
class Answer:
    """Rows, and how complete they are."""

    query: str
    target: str
    results: list[Row] = field(default_factory=list)
    total: int = 0
    possible: int = 0
    """Rows left out because only the name matches."""
    status: str = "ok"
    candidates: list[Row] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)
    index: Row = field(default_factory=dict)
    offset: int = 0
    """Rows that were passed over."""
    about: Row = field(default_factory=dict)
    """What is to be said of the whole beside its rows."""

    @property
    def truncated(self) -> bool:
        """Whether rows were left out because of the limit."""
        return self.total > self.offset + len(self.results)

    def pass_over(self, count: int) -> None:
        """Leave out the rows of the pages before."""
        self.offset = min(count, len(self.results)) if count else 0
        del self.results[: self.offset]

    @property
    def found(self) -> bool:
        """Whether the answer is positive: the target exists, and a search or path gave something."""
        return self.status == "ok" and (bool(self.results) or self.query not in ("search", "path"))

    def to_json(self) -> Row:
        """The documented envelope."""
        envelope: Row = {
            "status": self.status,
            "query": self.query,
            "target": self.target,
            "results": self.results,
            "total": self.total,
            "truncated": self.truncated,
            "possible": self.possible,
            "index": self.index,
            "notices": self.notices,
        }
        if self.status != "ok":
            envelope["candidates"] = self.candidates
        return envelope | self.about


def answer(
    query: str,
    target: str,
    rows: Sequence[Row],
    options: Options,
    *,
    possible: int = 0,
    total: int | None = None,
    notices: Sequence[str] = (),
) -> Answer:
    """An answer of the first rows that the limit admits."""
    kept = list(rows if options.limit is None else rows[: options.limit])
    return Answer(query, target, kept, len(rows) if total is None else total, possible, notices=list(notices))


def by_sureness(row: Row) -> tuple[int, str, int, str]:
    """The stable order of rows: by confidence, then path, then line."""
    return (
        RANK[row["confidence"]],
        row.get("file") or "",
        row.get("line") or 0,
        row.get("symbol") or row.get("external") or "",
    )
