"""The clients that are known: where each keeps its configuration, in which format, and what an entry looks like.

Sources: the clients' own documentation of MCP (Claude Code, Cursor, Codex, Visual Studio Code).
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mmcg.setup import jsonc, toml

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from types import ModuleType

NAME = "mastermind"
"""What the server is called in every configuration."""

SCOPES = ("project", "user")


@dataclass(frozen=True, slots=True)
class Client:
    """A client: `project` and `user` give the file, from the project's root and the home folder."""

    title: str
    key: str
    """Of the object that holds the servers."""
    format: ModuleType
    """`jsonc` or `toml`."""
    project: Callable[[Path], Path] | None
    user: Callable[[Path, Mapping[str, str]], Path] | None
    typed: bool = True
    """Whether an entry says that it is spoken to over stdio."""
    folder: str | None = None
    """How the client names the folder that is open; needed where it starts servers elsewhere."""

    def entry(self, command: list[str]) -> dict[str, Any]:
        """The server's entry, given what starts `mastermind`."""
        arguments = [*command[1:], "serve", *([self.folder] if self.folder else [])]
        typed = {"type": "stdio"} if self.typed else {}
        return {**typed, "command": command[0], "args": arguments}


def _claude_home(home: Path, environment: Mapping[str, str]) -> Path:
    return Path(environment.get("CLAUDE_CONFIG_DIR") or home) / ".claude.json"


def _codex_home(home: Path, environment: Mapping[str, str]) -> Path:
    return Path(environment.get("CODEX_HOME") or home / ".codex") / "config.toml"


def _vscode_home(home: Path, environment: Mapping[str, str]) -> Path:
    if sys.platform == "darwin":
        folder = home / "Library" / "Application Support"
    elif os.name == "nt":
        folder = Path(environment.get("APPDATA") or home / "AppData" / "Roaming")
    else:
        folder = Path(environment.get("XDG_CONFIG_HOME") or home / ".config")
    return folder / "Code" / "User" / "mcp.json"


CLIENTS = {
    "claude": Client("Claude Code", "mcpServers", jsonc, lambda root: root / ".mcp.json", _claude_home),
    "cursor": Client(
        "Cursor",
        "mcpServers",
        jsonc,
        lambda root: root / ".cursor" / "mcp.json",
        lambda home, _: home / ".cursor" / "mcp.json",
        folder="${workspaceFolder}",
    ),
    "codex": Client(
        "Codex", "mcp_servers", toml, lambda root: root / ".codex" / "config.toml", _codex_home, typed=False
    ),
    "vscode": Client(
        "Visual Studio Code",
        "servers",
        jsonc,
        lambda root: root / ".vscode" / "mcp.json",
        _vscode_home,
        folder="${workspaceFolder}",
    ),
    "generic": Client("other clients", "mcpServers", jsonc, None, None),
}
"""Every client by the name it has on the command line."""


def starter(scope: str) -> list[str]:
    """What starts this program: its name in files that others share, else the whole path: nobody knows the `PATH`."""
    if scope == "project":
        return [NAME]
    called = Path(sys.argv[0])
    beside = Path(sys.executable).with_name(NAME + (".exe" if os.name == "nt" else ""))
    for program in (called, beside):
        if program.stem == NAME and program.is_file() and os.access(program, os.X_OK):
            return [os.path.abspath(program)]  # noqa: PTH100 - a link stays: it is what outlives an update
    return [sys.executable, "-m", "mmcg"]


def ours(entry: object) -> bool:
    """Whether a server of our name is this one, whichever way it is started."""
    if not isinstance(entry, dict):
        return False
    command, arguments = entry.get("command"), entry.get("args")
    if not isinstance(command, str) or not isinstance(arguments, list):
        return False
    # Windows' paths too, wherever this runs.
    named = command.replace("\\", "/").rpartition("/")[2].removesuffix(".exe") == NAME
    return arguments[:1] == ["serve"] if named else arguments[:3] == ["-m", "mmcg", "serve"]
