"""One command, run with limits.

In a session of its own, so that the whole group can be ended; stdin is closed, the environment is passed on. Output is
read to its end but kept only as far as there is room: its beginning and its end.
"""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import threading
import time
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

SECONDS = 900.0
"""How long a command may take that sets no `timeout`."""

KEPT = 4_000_000
"""Bytes of each stream that are kept: a quarter of its beginning, the rest of its end."""

GRACE = 2.0
"""Seconds between asking a group to end and ending it."""

_ESCAPE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])")
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=.*", re.DOTALL)
_SHELL_WORDS = frozenset({"&&", "||", "|", ";", ">", ">>", "<", "2>&1", "&"})


@dataclass(frozen=True, slots=True)
class Ended:
    """A command that has ended, or could not begin."""

    exit_code: int | None
    """None when it could not be started or ran out of time; -n when signal n ended it."""
    seconds: float
    output: str
    """Both streams, one after the other, without escapes."""
    timed_out: bool = False
    truncated: bool = False
    problem: str = ""
    """Why it could not be started."""


def run(argv: Sequence[str], folder: Path, *, shell: str | None = None, timeout: float | None = None) -> Ended:
    """Run a command in a folder; with `shell`, that text is given to `/bin/sh` instead of the words.

    Words before the program that set variables (`A=1 prog`) set them for it.
    """
    limit = SECONDS if timeout is None else timeout
    environment = dict(os.environ)
    words = ["/bin/sh", "-c", shell] if shell is not None else list(argv)
    while shell is None and len(words) > 1 and _ASSIGNMENT.fullmatch(words[0]):
        name, _, value = words.pop(0).partition("=")
        environment[name] = value
    begun = time.monotonic()
    try:
        child = subprocess.Popen(  # noqa: S603 (the user asked for it with `--run`)
            words,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        return Ended(None, 0.0, "", problem=_why(words[0], error))
    streams = [_Stream(pipe) for pipe in (child.stdout, child.stderr) if pipe is not None]
    timed_out = False
    try:
        child.wait(limit)
    except subprocess.TimeoutExpired:
        timed_out = True
        _end(child, GRACE)
    except BaseException:
        _end(child, 0)
        raise
    # What it left running in its group holds the streams open.
    deadline = time.monotonic() + GRACE
    for stream in streams:
        stream.thread.join(max(0.0, deadline - time.monotonic()))
    _kill(child.pid, signal.SIGKILL)
    for stream in streams:
        stream.thread.join(GRACE)
    seconds = time.monotonic() - begun
    output = "\n".join(text for stream in streams if (text := stream.text()))
    code = None if timed_out else child.returncode
    words_of_shell = shell is None and code not in (0, None) and next((w for w in words if w in _SHELL_WORDS), None)
    problem = f"`{words_of_shell}` is a word of a shell: set `shell: true`" if words_of_shell else ""
    return Ended(code, seconds, output, timed_out, any(each.dropped for each in streams), problem)


class _Stream:
    """Reads a pipe to its end, keeping its beginning and its end."""

    def __init__(self, pipe: IO[bytes]) -> None:
        self.head = bytearray()
        self.tail = bytearray()
        self.dropped = False
        self._pipe = pipe
        self.thread = threading.Thread(target=self._read, daemon=True)
        self.thread.start()

    def _read(self) -> None:
        with self._pipe as pipe:
            while True:
                try:
                    part = os.read(pipe.fileno(), 65536)
                except (OSError, ValueError):
                    return
                if not part:
                    return
                room = KEPT // 4 - len(self.head)
                self.head += part[: max(room, 0)]
                self.tail += part[max(room, 0) :]
                if len(self.tail) > KEPT:
                    del self.tail[: len(self.tail) - KEPT * 3 // 4]
                    self.dropped = True

    def text(self) -> str:
        between = b"\n[...]\n" if self.dropped else b""
        raw = (bytes(self.head) + between + bytes(self.tail)).decode("utf-8", "replace")
        return _ESCAPE.sub("", raw).replace("\r\n", "\n").replace("\r", "\n").strip("\n")


def _end(child: subprocess.Popen[bytes], grace: float) -> None:
    _kill(child.pid, signal.SIGTERM)
    with contextlib.suppress(subprocess.TimeoutExpired):
        child.wait(grace)
    _kill(child.pid, signal.SIGKILL)
    child.wait()


def _kill(group: int, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)


def _why(program: str, error: Exception) -> str:
    if isinstance(error, FileNotFoundError):
        return f"`{program}` was not found"
    if isinstance(error, PermissionError):
        return f"`{program}` may not be executed"
    return f"`{program}` could not be started: {error}"
