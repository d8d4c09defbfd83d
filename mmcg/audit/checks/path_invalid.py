r"""A path of the spec cannot be one of a file in the repository.

Found for a path that is absolute (also `C:x` and `C:\x`), leads upwards with `..`, lies in `.git` or `.mastermind`,
leads out of the repository through a link, or is a directory, a pipe or a device. Paths are given from the folder that
holds `.mastermind`; `src\a.py`, `./src/a.py` and `src/a.py` are one path.

What to do: give the path of a file from the root of the repository; for all files of a folder, a glob: `src/**/*.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmcg.audit import files
from mmcg.audit.documents.fields import shown
from mmcg.audit.findings import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mmcg.audit.findings import Finding
    from mmcg.audit.verification import Subject

KIND = Kind("path_invalid", severity="error")
FORM = True
"""It can be looked for whether the work is done or not."""


def verify(subject: Subject) -> Iterator[Finding]:
    """Paths with a fault in their text or on the disk."""
    for key, path, line in subject.paths():
        wrong = files.fault(path) or files.fault_on_disk(subject.root, path)
        if wrong:
            hint = f"Use a glob, such as `{path}/**`, for all of its files." if "directory" in wrong else ""
            yield KIND.in_spec(
                f"The path `{shown(path)}` under `{key}` {wrong}.",
                about=[path],
                file=subject.spec.path,
                line=line,
                hint=hint or "Give the path of a file from the root of the repository.",
            )


def usable(subject: Subject, path: str) -> bool:
    """Whether a path has no fault, so that other checks may look at it."""
    return not files.fault(path) and not files.fault_on_disk(subject.root, path)
