"""What a test reaches by calls.

Tests in function values are no symbols: what they call is told by the lines that they span.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmcg.query.answer import Options
from mmcg.query.tests import DEPTH
from mmcg.query.walk import callers_of_callers, starts

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mmcg.audit.compared import Compared
    from mmcg.audit.evidence import Unit
    from mmcg.audit.work import Work
    from mmcg.query.context import Symbol


def calling(work: Work, symbols: Iterable[Symbol], confidence: str = "inferred") -> set[int]:
    """The ids of these symbols, and of all from which calls lead to them, in the working tree."""
    begin = {part.id for each in symbols for part in starts(work.after, each)}
    return set(callers_of_callers(work.after, begin, Options(confidence=confidence), DEPTH).visits)


def reaches(work: Compared, file: str, unit: Unit, reached: set[int], confidence: str = "inferred") -> bool:
    """Whether a test calls one of a set of symbols."""
    number = work.after.files().get(file)
    if number is None:
        return False
    sure = ", ".join(f"'{each}'" for each in Options(confidence=confidence).confidences())
    sql = (
        f"SELECT DISTINCT target, constructs FROM calls WHERE file = {number:d}::UINTEGER "  # noqa: S608 - numbers
        f"AND line BETWEEN {unit.at.line:d} AND {unit.at.end_line:d} AND confidence IN ({sure})"
    )
    return any(each in reached for row in work.after.rows(sql) for each in row)


def mentions(unit: Unit, name: str) -> bool:
    """Whether the last word of a name stands in a test."""
    last = name.replace("::", ".").replace("->", ".").replace("#", ".").rpartition(".")[2].strip("`() ")
    return bool(last) and last in unit.text
