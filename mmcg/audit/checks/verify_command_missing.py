"""A command under `verify` names a program that is not here.

Looked for is the program of each part of the command: after assignments (`A=1 prog`), after `cd x &&`, and from the
folder it would run in (`./x`). Programs that a script starts are not looked for.

What to do: correct the command; or leave it, where the program is only there in another place, such as CI.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from mmcg.audit.commands import programs
from mmcg.audit.documents.fields import shown
from mmcg.audit.findings import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mmcg.audit.findings import Finding
    from mmcg.audit.verification import Subject

KIND = Kind("verify_command_missing", severity="warning")


def verify(subject: Subject) -> Iterator[Finding]:
    """Programs that cannot be found."""
    for command in subject.spec.verify:
        for program, folder in programs(command):
            if not _found(subject.root, program, folder):
                yield KIND.in_spec(
                    f"The program `{shown(program)}` of command `{shown(command.id)}` is not here.",
                    about=[program, command.id],
                    file=subject.spec.path,
                    line=command.line,
                    expected=f"`{shown(program)}` on PATH" if "/" not in program else f"an executable `{program}`",
                    hint="Install it, or correct the command.",
                )


def _found(root: Path, program: str, folder: str) -> bool:
    if "/" not in program and os.sep not in program:
        return shutil.which(program) is not None
    path = root / folder / Path(program).expanduser()
    return path.is_file() and os.access(path, os.X_OK)
