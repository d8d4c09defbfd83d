"""A file that the spec wants changed or deleted is not there, or a glob matches nothing.

Looked at are the files under `touches` and `deletes`. A file that `creates` lists too need not be there.

What to do: correct the path; for a file that is to be made, list it under `creates`.
"""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from mmcg.audit import files
from mmcg.audit.checks.path_invalid import usable
from mmcg.audit.findings import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mmcg.audit.findings import Finding
    from mmcg.audit.verification import Subject

KIND = Kind("file_missing", severity="error")


def verify(subject: Subject) -> Iterator[Finding]:
    """Touched and deleted paths without a file."""
    created = {each.path for each in subject.spec.creates}
    for key, path, line in subject.paths():
        if key not in ("touches", "deletes") or path in created or not usable(subject, path):
            continue
        if files.matches(subject.root, path) and (files.is_glob(path) or (subject.root / path).exists()):
            continue
        what = "The glob" if files.is_glob(path) else "The file"
        wrong = "matches no file" if files.is_glob(path) else "is not there"
        near = difflib.get_close_matches(path, files.siblings(subject.root, path), n=2)
        hint = "Did you mean " + " or ".join(f"`{each}`" for each in near) + "?" if near else ""
        yield KIND.in_spec(
            f"{what} `{path}` under `{key}` {wrong}.",
            about=[path],
            file=subject.spec.path,
            line=line,
            hint=hint or "Correct the path; list a file that is to be made under `creates`.",
        )
