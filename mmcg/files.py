"""Replacing a file of the user's: whole or not at all."""

from __future__ import annotations

import os
import shutil
import stat
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from mmcg.errors import InputError, MastermindError

if TYPE_CHECKING:
    from collections.abc import Iterator


class WriteError(MastermindError):
    """A file outside the index cannot be written: read-only folder, full disk, missing permission."""

    code = "not_writable"


def refuse_unless_writable(path: Path, *, overwrite: bool) -> None:
    """Say why a file may not be written there: no folder, something else than a file, or a file nobody offered.

    Raises `InputError`. Nothing is touched.
    """
    if not path.parent.is_dir():
        raise InputError(f"The folder `{path.parent}` does not exist.", "Make it first, or name another place.")
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return
    except OSError as error:
        raise InputError(f"`{path}` cannot be looked at: {error.strerror}.", "Name another file.") from None
    if not stat.S_ISREG(mode):
        raise InputError(f"`{path}` is no ordinary file, and is left alone.", "Name another file.")
    if not overwrite:
        raise InputError(f"`{path}` exists already.", "Add `--overwrite` to replace it, or name another file.")


@contextmanager
def replaced(path: Path, *, follow: bool = True) -> Iterator[Path]:
    """A new file to write, which takes the place of `path` when all of it was written.

    A link is followed, so that what it leads to is replaced and the link stays, and the old file's mode is kept; where
    that is not wanted (in a repository, which is untrusted), the link itself is replaced. Whatever goes wrong leaves
    the old file, or none, as it was. Raises `WriteError`.
    """
    place = Path(os.path.realpath(path)) if follow else path
    new = place.with_name(f".{place.name}.{os.getpid()}.tmp")
    try:
        with written_to(path):
            # Whatever lies there, a link perhaps, is not to be written to.
            new.unlink(missing_ok=True)
            yield new
            if follow:
                with suppress(FileNotFoundError):
                    shutil.copymode(place, new)
            with new.open("rb+") as file:
                os.fsync(file.fileno())
            new.replace(place)
    finally:
        with suppress(OSError):
            new.unlink(missing_ok=True)


@contextmanager
def written_to(path: Path) -> Iterator[None]:
    """Say of what goes wrong inside that `path` could not be written. Raises `WriteError`."""
    try:
        yield
    except OSError as error:
        raise WriteError(
            f"`{path}` cannot be written: {error.strerror or error}.",
            "What was there is as it was. Look for free space and the right to write there.",
        ) from None
