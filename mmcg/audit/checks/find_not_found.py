"""An exact edit of the spec cannot be made: its FIND text is not in the file.

The text must be there as it stands in the code block, blanks included; only how lines end does not matter.
Also found when the file is not there or is no UTF-8 text, when no `**File:**` line says which file it is, and when a
FIND has no CHANGE TO.

What to do: copy the text from the file as it is now.
"""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from mmcg.audit import files
from mmcg.audit.checks.path_invalid import usable
from mmcg.audit.documents.fields import shown
from mmcg.audit.findings import Kind
from mmcg.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mmcg.audit.documents.edits import Edit
    from mmcg.audit.findings import Finding
    from mmcg.audit.verification import Subject

KIND = Kind("find_not_found", severity="error")


def verify(subject: Subject) -> Iterator[Finding]:
    """Edits whose text is not there."""
    created = {each.path for each in subject.spec.creates}
    for edit in subject.spec.edits:
        if edit.change_to is None:
            yield _finding(subject, edit, "has no CHANGE TO.", "Add `CHANGE TO:` and a code block.")
        if not edit.file:
            yield _finding(subject, edit, "names no file.", "Put a line **File:** `path` before it.")
        elif usable(subject, edit.file) and not (edit.file in created and not edit.find.strip()):
            try:
                text = text_of(subject, edit)
            except (InputError, UnicodeDecodeError) as error:
                reason = error.message if isinstance(error, InputError) else f"`{edit.file}` is not UTF-8."
                yield _finding(subject, edit, f"cannot be looked for: {reason}", "Correct the path or the text.")
                continue
            if edit.find not in text:
                yield _finding(subject, edit, f"is not in `{edit.file}`.", _nearest(edit, text))


def text_of(subject: Subject, edit: Edit) -> str:
    """The text of an edit's file, with lines ended by line feeds only."""
    data = files.read_bytes(subject.root / edit.file, files.LARGEST_SOURCE)
    return data.decode("utf-8").replace("\r\n", "\n")


def _finding(subject: Subject, edit: Edit, wrong: str, hint: str) -> Finding:
    return KIND.in_spec(
        f"The FIND text `{shown(edit.find)}` {wrong}",
        about=[edit.file] if edit.file else [],
        file=subject.spec.path,
        line=edit.line,
        expected=shown(edit.find),
        hint=hint,
    )


def _nearest(edit: Edit, text: str) -> str:
    """Where the first line of the text, or one like it, stands."""
    lines = [line.strip() for line in text.split("\n")[:20_000]]
    first = next((line.strip() for line in edit.find.split("\n") if line.strip()), "")[:200]
    if first in lines:
        return f"Its first line is line {lines.index(first) + 1}; blanks or later lines differ."
    near = difflib.get_close_matches(first, [line[:200] for line in lines[:2_000] if line], n=1, cutoff=0.7)
    return (
        f"Line {lines.index(near[0]) + 1} is like it: `{near[0]}`."
        if near and near[0] in lines
        else ("Copy the text from the file as it is now.")
    )
