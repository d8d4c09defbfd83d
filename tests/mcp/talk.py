"""A plain client: one process, one line a message, and everything that the server ever wrote."""

from __future__ import annotations

import json
import queue
import subprocess
import threading
from typing import TYPE_CHECKING, Any, Self

from tests.trees import command, environment

if TYPE_CHECKING:
    from pathlib import Path

HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
SECONDS = 60.0


class Talk:
    """A running server and what was said."""

    def __init__(self, *arguments: str, cwd: Path | None = None, hello: bool = True, **extra: str) -> None:
        self.process = subprocess.Popen(
            command("serve", *arguments),
            cwd=cwd,
            env=environment(**extra),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self.lines: list[bytes] = []
        self.errors = b""
        self._new: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._kept: dict[object, dict[str, Any]] = {}
        self._number = 0
        self._threads = [threading.Thread(target=self._hear), threading.Thread(target=self._hear_errors)]
        for each in self._threads:
            each.start()
        if hello:
            self.hello = self.request("initialize", HELLO)
            self.notify("notifications/initialized")

    def send(self, line: str | bytes) -> None:
        self.process.stdin.write((line.encode() if isinstance(line, str) else line) + b"\n")
        self.process.stdin.flush()

    def notify(self, method: str, **parameters: Any) -> None:
        self.send(json.dumps({"jsonrpc": "2.0", "method": method, "params": parameters}))

    def ask(self, method: str, parameters: dict[str, Any] | None = None) -> int:
        """Send a request and do not wait."""
        self._number += 1
        self.send(json.dumps({"jsonrpc": "2.0", "id": self._number, "method": method, "params": parameters or {}}))
        return self._number

    def heard(self, number: object, seconds: float = SECONDS) -> dict[str, Any]:
        """The answer to a request, in whatever order answers come."""
        while number not in self._kept:
            message = json.loads(self._new.get(timeout=seconds))
            self._kept[message.get("id")] = message
        return self._kept.pop(number)

    def request(self, method: str, parameters: dict[str, Any] | None = None) -> dict[str, Any]:
        return self.heard(self.ask(method, parameters))

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """A tool's structured answer."""
        result = self.request("tools/call", {"name": tool, "arguments": arguments})["result"]
        assert result["content"][0]["text"]
        return result["structuredContent"]

    def symbols(self, tool: str, **arguments: Any) -> set[str]:
        """The symbols of an answer that is whole, current and no error."""
        found = self.call(tool, **arguments)
        assert found["status"] == "ok", found
        assert found["index"]["fresh"], found
        assert not found["truncated"]
        return {row["symbol"] for row in found["results"]}

    def end(self, seconds: float = 15.0) -> int:
        """Go away, and the server's exit code."""
        self.process.stdin.close()
        return self.ended(seconds)

    def ended(self, seconds: float = 15.0) -> int:
        """The exit code of a server that has a reason to end."""
        try:
            code = self.process.wait(seconds)
        finally:
            self.process.kill()
            for each in self._threads:
                each.join()
            for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
                stream.close()
        return code

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        if not self.process.stdout.closed:
            self.ended()

    def _hear(self) -> None:
        for line in self.process.stdout:
            self.lines.append(line)
            self._new.put(line)

    def _hear_errors(self) -> None:
        for line in self.process.stderr:
            self.errors += line


def only_messages(lines: list[bytes]) -> list[dict[str, Any]]:
    """The messages, after a check that every line is one."""
    messages = [json.loads(line) for line in lines]
    for message in messages:
        assert message["jsonrpc"] == "2.0"
        assert ("method" in message) or (("result" in message) != ("error" in message) and "id" in message)
    return messages
