"""An exact edit of the spec may mean several places: its FIND text is in the file more than once.

What to do: take more lines into the FIND text, until it is there once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmcg.audit.checks.find_not_found import text_of
from mmcg.audit.checks.path_invalid import usable
from mmcg.audit.documents.fields import shown
from mmcg.audit.findings import Kind
from mmcg.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mmcg.audit.findings import Finding
    from mmcg.audit.verification import Subject

KIND = Kind("find_ambiguous", severity="error")
_SHOWN = 5


def verify(subject: Subject) -> Iterator[Finding]:
    """Edits whose text is there more than once."""
    for edit in subject.spec.edits:
        if not edit.file or not usable(subject, edit.file):
            continue
        try:
            text = text_of(subject, edit)
        except (InputError, UnicodeDecodeError):
            continue
        first = text.find(edit.find)
        if first >= 0 and (not edit.find or text.find(edit.find, first + 1) >= 0):
            lines = _lines(text, edit.find) if edit.find else []
            where = (
                f" in `{edit.file}`, in lines {', '.join(map(str, lines))}"
                if lines
                else f" everywhere in `{edit.file}`"
            )
            yield KIND.in_spec(
                f"The FIND text `{shown(edit.find)}` is more than once{where}.",
                about=[edit.file],
                file=subject.spec.path,
                line=edit.line,
                expected="one place",
                found=", ".join(f"{edit.file}:{line}" for line in lines) or None,
                hint="Take more lines into the FIND text, until it is there once.",
            )


def _lines(text: str, find: str) -> list[int]:
    found: list[int] = []
    at = text.find(find)
    while at >= 0 and len(found) < _SHOWN:
        found.append(text.count("\n", 0, at) + 1)
        at = text.find(find, at + 1)
    return found
