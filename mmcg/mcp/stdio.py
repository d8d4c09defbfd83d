"""The wire: JSON-RPC messages, one a line, on the standard streams.

The SDK has a transport of its own. This one differs where users of a server notice: it takes the streams before
anything that could print is imported, answers lines that are no messages instead of dropping them, answers what was
asked before the client closed its end, and never waits for a client that does not read.

Threads read and write, because standard streams may be pipes, sockets, terminals or files, and only blocking calls work
on all of them.
"""

from __future__ import annotations

import asyncio
import json
import os
import queue
import select
import sys
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mmcg.errors import InputError
from mmcg.mcp.lifetime import Client, client_on

if TYPE_CHECKING:
    from collections.abc import Callable

LONGEST = 16_000_000
"""Bytes of a message; longer ones are refused."""
AHEAD = 256
"""Requests that are taken before the first of them is answered; a client that sends more waits."""
GRACE = 4.0
"""Seconds in which questions that were asked before the client closed its end are still answered."""
_CHUNK = 1 << 16

PARSE_ERROR = -32700
INVALID_REQUEST = -32600


@dataclass(frozen=True, slots=True)
class Streams:
    """Where messages come from and go to: descriptors that nothing else in the process knows, and who is there."""

    source: int
    sink: int
    client: Client


def take_streams() -> Streams:
    """Make the standard streams the protocol's own.

    From here on standard output leads to standard error, for Python and native code and child processes alike, and
    standard input is empty.
    """
    try:
        # A closed descriptor's number may have been given to another file since; Python knows how it began.
        if sys.__stdin__ is None or sys.__stdout__ is None:
            raise OSError
        source, sink = _copy(0), _copy(1)
    except OSError:
        raise InputError(
            "`serve` speaks with its client over standard input and output, and one of them is closed.",
            "Let an MCP client start it.",
        ) from None
    if sys.stdout is not None:
        sys.stdout.flush()
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)
    try:
        os.dup2(2, 1)
    except OSError:
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
    if nowhere > 2:
        os.close(nowhere)
    return Streams(source, sink, client_on(source))


def _copy(descriptor: int) -> int:
    """A copy above the standard ones, which children do not inherit."""
    copy = os.dup(descriptor)
    if copy > 2:
        return copy
    try:
        return _copy(descriptor)
    finally:
        os.close(copy)


class Wire:
    """Lines in and out, and which requests still wait for an answer.

    `on_line` is called in the event loop with each line; `on_end` when the client has closed its end and got its
    answers, or does not read them any more.
    """

    def __init__(self, streams: Streams, on_line: Callable[[bytes], object], on_end: Callable[[], object]) -> None:
        self._streams = streams
        self._on_line, self._on_end = on_line, on_end
        self._loop = asyncio.get_running_loop()
        self._outgoing: queue.SimpleQueue[tuple[bytes, object] | None] = queue.SimpleQueue()
        self._waiting: set[object] = set()
        self._changed = threading.Condition()
        self._reader = threading.Thread(target=self._read, name="mastermind-reader", daemon=True)
        self._writer = threading.Thread(target=self._write, name="mastermind-writer", daemon=True)

    def start(self) -> None:
        """Begin to read and write."""
        self._reader.start()
        self._writer.start()

    def expect(self, request: object) -> None:
        """A request with this id waits for its answer."""
        with self._changed:
            self._waiting.add(request)

    def settle(self, request: object) -> None:
        """The request with this id gets no answer: it was cancelled."""
        with self._changed:
            self._waiting.discard(request)
            self._changed.notify_all()

    def send(self, line: bytes, request: object = None) -> None:
        """Write a line some time soon; `request` is the id of the one it answers."""
        self._outgoing.put((line, request))

    def finish(self, timeout: float) -> None:
        """Write what is left, but spend no more than `timeout` seconds on it."""
        self._outgoing.put(None)
        self._writer.join(timeout)

    def _read(self) -> None:
        rest = b""
        while True:
            try:
                chunk = _read_some(self._streams.source)
            except OSError:
                chunk = b""
            if not chunk:
                break
            *lines, rest = (rest + chunk).split(b"\n") if b"\n" in chunk else (rest + chunk,)
            for line in lines:
                self._deliver(line)
            if len(rest) > LONGEST:
                self._skip_line()
                rest = b""
        if rest.strip():
            self._deliver(rest)
        with self._changed:
            # The loop has to take the last lines before anything can wait for them.
            self._soon(self._ended)

    def _deliver(self, line: bytes) -> None:
        if line.strip():
            with self._changed:
                self._changed.wait_for(lambda: len(self._waiting) < AHEAD)
            self._soon(self._on_line, line)

    def _skip_line(self) -> None:
        self.send(refused(PARSE_ERROR, f"A message has more than {LONGEST} bytes."))
        while chunk := _read_some(self._streams.source):
            if b"\n" in chunk:
                self._deliver(chunk.split(b"\n", 1)[1])
                return

    def _ended(self) -> None:
        threading.Thread(target=self._end, name="mastermind-end", daemon=True).start()

    def _end(self) -> None:
        with self._changed:
            self._changed.wait_for(lambda: not self._waiting, GRACE)
        self._soon(self._on_end)

    def _write(self) -> None:
        while (item := self._outgoing.get()) is not None:
            line, request = item
            try:
                _write_all(self._streams.sink, line)
            except OSError:
                self._soon(self._on_end)
                return
            if request is not None:
                self.settle(request)

    def _soon(self, call: Callable[..., object], *arguments: object) -> None:
        # Once the loop is closed there is nobody to tell.
        try:
            self._loop.call_soon_threadsafe(call, *arguments)
        except RuntimeError:
            return


def refused(code: int, message: str, request: object = None) -> bytes:
    """The answer to a line that is no message."""
    error = {"code": code, "message": message}
    return json.dumps({"jsonrpc": "2.0", "id": request, "error": error}).encode() + b"\n"


def why_refused(line: bytes) -> bytes:
    """The answer to a line that the SDK could not read: what is wrong with it, and whose it is where that shows."""
    try:
        message: Any = json.loads(line)
    except (ValueError, RecursionError):
        return refused(PARSE_ERROR, "A line is not JSON.")
    if isinstance(message, list):
        return refused(INVALID_REQUEST, "Batches are not part of the protocol: send one message a line.")
    request = message.get("id") if isinstance(message, dict) else None
    known = request if isinstance(request, (int, str)) and not isinstance(request, bool) else None
    return refused(INVALID_REQUEST, "A line is no JSON-RPC 2.0 message.", known)


def _read_some(source: int) -> bytes:
    while True:
        try:
            return os.read(source, _CHUNK)
        except BlockingIOError:
            # Whoever gave us the stream has made it non-blocking.
            select.select([source], [], [])


def _write_all(sink: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        try:
            rest = rest[os.write(sink, rest) :]
        except BlockingIOError:
            select.select([], [sink], [])
