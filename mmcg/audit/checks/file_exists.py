"""A file that the spec wants created is already there.

What to do: list it under `touches` if it is to be changed, or choose another name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmcg.audit import files
from mmcg.audit.checks.path_invalid import usable
from mmcg.audit.findings import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mmcg.audit.findings import Finding
    from mmcg.audit.verification import Subject

KIND = Kind("file_exists", severity="error")


def verify(subject: Subject) -> Iterator[Finding]:
    """Paths to be created that exist."""
    for each in subject.spec.creates:
        if usable(subject, each.path) and files.exists(subject.root, each.path):
            yield KIND.in_spec(
                f"The file `{each.path}` under `creates` is already there.",
                about=[each.path],
                file=subject.spec.path,
                line=each.line,
                hint="List it under `touches` if it is to be changed, or choose another name.",
            )
