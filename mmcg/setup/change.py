"""What is to be changed in a client's configuration, and changing it."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from mmcg.errors import InputError
from mmcg.files import replaced, written_to
from mmcg.setup.broken import BrokenError
from mmcg.setup.clients import NAME, Client, ours, starter

if TYPE_CHECKING:
    from types import ModuleType

Action = Literal["add", "update", "remove", "none"]

_UNTOUCHED = "Nothing was written."


@dataclass(frozen=True, slots=True)
class Change:
    """A change of one file, not made yet."""

    action: Action
    file: Path
    entry: dict[str, Any]
    """The server's entry: the one that is wanted, or the one that goes."""
    before: bytes | None
    """The file's bytes; None where it is not there."""
    after: str | None
    """What it is to hold; None where it is to go."""
    new_folders: bool = False
    """Whether an empty folder goes along with the file."""


def planned(client: Client, scope: str, root: Path, *, remove: bool) -> Change:
    """What is to be done. Raises `InputError` for a file that cannot be understood, or an entry that is not ours."""
    file = _file(client, scope, root)
    before = _read(file)
    text = None if before is None else _decoded(file, before)
    keys = (client.key, NAME)
    wanted = client.entry(starter(scope))
    try:
        holder = ({} if text is None else client.format.parsed(text)).get(client.key, {})
        known = holder.get(NAME) if isinstance(holder, dict) else None
        if known is not None and not ours(known):
            raise InputError(
                f"`{file}` has a server `{NAME}` that is another one. {_UNTOUCHED}",
                "Rename or remove that entry first.",
            )
        if remove:
            if known is None or text is None:
                return Change("none", file, wanted, before, text)
            after = client.format.without(text, keys)
            return Change("remove", file, known, before, after, new_folders=scope == "project")
        entry = wanted if known is None else _renewed(known, wanted)
        after = client.format.put(text, keys, entry)
    except BrokenError as error:
        raise InputError(
            f"`{file}` cannot be changed: line {error.line}: {error.message}. {_UNTOUCHED}",
            "Correct the file, or add the entry yourself: `mastermind setup generic` prints it.",
        ) from None
    action: Action = "add" if known is None else "none" if after == text else "update"
    return Change(action, file, entry, before, after)


def make(change: Change) -> None:
    """Write the file, or take it away. Raises `InputError` if it was changed meanwhile, and `WriteError`."""
    if change.action == "none":
        return
    if change.after is not None:
        with written_to(change.file):
            change.file.parent.mkdir(parents=True, exist_ok=True)
        with replaced(change.file) as new:
            new.write_bytes(change.after.encode())
            _check_unchanged(change)
        return
    _check_unchanged(change)
    with written_to(change.file):
        # A link stays, as it was before there was a file at its end.
        Path(os.path.realpath(change.file)).unlink()
    if change.new_folders:
        # Only an empty one goes.
        with suppress(OSError):
            change.file.parent.rmdir()


def snippet(format_: ModuleType, client: Client, entry: dict[str, Any]) -> str:
    """The configuration with this entry alone, as its file would be."""
    text: str = format_.put(None, (client.key, NAME), entry)
    return text


def _renewed(known: dict[str, Any], wanted: dict[str, Any]) -> dict[str, Any]:
    """The wanted entry, with the options that somebody added to ours."""
    served = known["args"][known["args"].index("serve") + 1 :]
    options = [each for each in served if isinstance(each, str) and each.startswith("-")]
    return {**wanted, "args": [*wanted["args"], *options]}


def _file(client: Client, scope: str, root: Path) -> Path:
    if client.project is None or client.user is None:
        raise InputError(
            "There is no file that all other clients read.", "Copy what `mastermind setup generic` prints."
        )
    if scope == "user":
        return client.user(Path.home(), os.environ)
    file = client.project(root)
    inside = Path(os.path.realpath(root))
    if not Path(os.path.realpath(file)).is_relative_to(inside):
        raise InputError(
            f"`{file}` leads out of the repository. {_UNTOUCHED}", "Replace the link by a file, or use `--scope user`."
        )
    return file


def _read(file: Path) -> bytes | None:
    try:
        mode = file.stat().st_mode
        if not stat.S_ISREG(mode):
            raise InputError(f"`{file}` is no ordinary file. {_UNTOUCHED}", "Make it one, or move it away.")
        return file.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise InputError(f"`{file}` cannot be read: {error.strerror}. {_UNTOUCHED}", "") from None


def _decoded(file: Path, data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise InputError(f"`{file}` is not UTF-8. {_UNTOUCHED}", "Save it as UTF-8 and try again.") from None


def _check_unchanged(change: Change) -> None:
    if _read(change.file) != change.before:
        raise InputError(f"`{change.file}` was changed just now. {_UNTOUCHED}", "Run it again.")
