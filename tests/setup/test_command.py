"""`mastermind setup`, as people run it: in a project, and in a home folder of its own."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from mmcg.cli import main
from mmcg.setup import change, clients
from mmcg.setup.clients import CLIENTS

PLACES = {
    ("claude", "project"): ".mcp.json",
    ("claude", "user"): "home/.claude.json",
    ("cursor", "project"): ".cursor/mcp.json",
    ("cursor", "user"): "home/.cursor/mcp.json",
    ("codex", "project"): ".codex/config.toml",
    ("codex", "user"): "home/.codex/config.toml",
    ("vscode", "project"): ".vscode/mcp.json",
    ("vscode", "user"): "home/.config/Code/User/mcp.json",
}
EVERYWHERE = pytest.mark.parametrize(("client", "scope"), PLACES, ids=" ".join)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".git").mkdir()
    (tmp_path / "src").mkdir()
    (tmp_path / "home").mkdir()
    monkeypatch.chdir(tmp_path / "src")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for name in ("XDG_CONFIG_HOME", "CODEX_HOME", "CLAUDE_CONFIG_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    return tmp_path


@pytest.fixture
def run(project, capfd):
    def call(*arguments):
        code = main.run(["setup", *arguments])
        said = capfd.readouterr()
        return code, said.out, said.err

    return call


def tree(root: Path) -> dict[str, bytes | None]:
    """Every file and folder below a folder."""
    return {str(each.relative_to(root)): each.read_bytes() if each.is_file() else None for each in root.rglob("*")}


def server(client: str, file: Path) -> dict:
    text = file.read_text()
    whole = tomllib.loads(text) if file.suffix == ".toml" else json.loads(text)
    return whole[CLIENTS[client].key]["mastermind"]


@EVERYWHERE
def test_shown_and_not_written(run, project, client, scope):
    before = tree(project)
    code, out, err = run(client, "--scope", scope)
    assert code == 0
    assert Path(PLACES[client, scope]).name in out
    assert "serve" in out
    assert "--write" in err
    assert tree(project) == before


@EVERYWHERE
@pytest.mark.parametrize("flag", ["--write", "--write-mcp"])
def test_written_and_taken_out(run, project, client, scope, flag):
    before = tree(project)
    file = project / PLACES[client, scope]
    assert run(client, "--scope", scope, flag)[0] == 0
    entry = server(client, file)
    assert entry["args"][-2 if CLIENTS[client].folder else -1] == "serve"
    assert (entry["command"] == "mastermind") == (scope == "project")
    assert Path(entry["command"]).is_absolute() == (scope == "user")
    again = tree(project)
    code, out, _ = run(client, "--scope", scope, flag)
    assert (code, "Nothing to do" in out, tree(project)) == (0, True, again)
    assert run(client, "--scope", scope, "--remove")[0] == 0
    left = tree(project)
    assert {name for name, data in left.items() if data is not None} == {
        name for name, data in before.items() if data is not None
    }
    if scope == "project":
        assert left == before
    assert run(client, "--scope", scope, "--remove")[0] == 0
    assert tree(project) == left


@EVERYWHERE
def test_what_is_there_stays(run, project, client, scope):
    file = project / PLACES[client, scope]
    file.parent.mkdir(parents=True, exist_ok=True)
    key = CLIENTS[client].key
    text = f'# mine\n[{key}.x]\ncommand = "x"\n' if file.suffix == ".toml" else f'{{\n  "{key}": {{"x": {{}}}}\n}}'
    file.write_text(text)
    file.chmod(0o600)
    assert run(client, "--scope", scope, "--write")[0] == 0
    assert server(client, file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert run(client, "--scope", scope, "--remove")[0] == 0
    assert file.read_text() == text


@EVERYWHERE
@pytest.mark.parametrize("flag", ["--write", "--remove"])
def test_another_server_of_that_name_is_left_alone(run, project, client, scope, flag):
    file = project / PLACES[client, scope]
    file.parent.mkdir(parents=True, exist_ok=True)
    key = CLIENTS[client].key
    text = (
        f'[{key}.mastermind]\ncommand = "node"\n'
        if file.suffix == ".toml"
        else json.dumps({key: {"mastermind": {"command": "npx", "args": ["serve"]}}})
    )
    file.write_text(text)
    code, out, err = run(client, "--scope", scope, flag)
    assert (code, out) == (2, "")
    assert "another one" in err
    assert file.read_text() == text


@EVERYWHERE
@pytest.mark.parametrize("data", [b"{ nothing", b"\xff\xfe{}", b"3", b'{"mcpServers": 3, "servers": 3}'], ids=repr)
def test_a_broken_file_is_said_and_left_alone(run, project, client, scope, data):
    file = project / PLACES[client, scope]
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)
    code, out, err = run(client, "--scope", scope, "--write")
    assert (code, out) == (2, "")
    assert file.name in err
    assert "Nothing was written" in err
    assert file.read_bytes() == data


def test_an_older_entry_of_ours_is_brought_up_to_date(run, project):
    file = project / ".mcp.json"
    old = {"command": "/old/bin/mastermind", "args": ["serve", "--watch"], "env": {"A": "b"}}
    file.write_text(json.dumps({"mcpServers": {"mastermind": old}}))
    code, out, _ = run("claude")
    assert (code, "To be changed" in out) == (0, True)
    assert run("claude", "--write")[0] == 0
    assert server("claude", file) == {
        "command": "mastermind", "args": ["serve", "--watch"], "env": {"A": "b"}, "type": "stdio",
    }  # fmt: skip


def test_links_of_the_home_folder_are_followed(run, project):
    (project / "home/dotfiles").mkdir()
    (project / "home/dotfiles/claude.json").write_text("{}")
    (project / "home/.claude.json").symlink_to("dotfiles/claude.json")
    assert run("claude", "--scope", "user", "--write")[0] == 0
    assert (project / "home/.claude.json").is_symlink()
    assert server("claude", project / "home/dotfiles/claude.json")
    assert run("claude", "--scope", "user", "--remove")[0] == 0
    assert (project / "home/dotfiles/claude.json").read_text() == "{}"


def test_a_link_to_a_file_that_is_not_there_yet_stays_one(run, project):
    link = project / "home/.claude.json"
    link.symlink_to("real.json")
    for flag, there in (("--write", True), ("--remove", False)):
        assert run("claude", "--scope", "user", flag)[0] == 0
        assert (link.is_symlink(), link.exists()) == (True, there)


@pytest.mark.parametrize("what", ["file", "folder"])
def test_links_that_lead_out_of_the_project_are_not(run, project, tmp_path_factory, what):
    outside = tmp_path_factory.mktemp("outside")
    (outside / "mcp.json").write_text("{}")
    if what == "folder":
        (project / ".cursor").symlink_to(outside)
    else:
        (project / ".cursor").mkdir()
        (project / ".cursor/mcp.json").symlink_to(outside / "mcp.json")
    code, _, err = run("cursor", "--write")
    assert (code, "leads out" in err) == (2, True)
    assert (outside / "mcp.json").read_text() == "{}"


def test_a_pipe_is_not_read(run, project):
    os.mkfifo(project / ".mcp.json")
    assert run("claude", "--write")[0] == 2


def test_a_file_that_changes_meanwhile_is_not_overwritten(project, monkeypatch):
    file = project / ".mcp.json"
    planned = change.planned(CLIENTS["claude"], "project", project, remove=False)
    file.write_text('{"a": 1}')
    with pytest.raises(change.InputError, match="changed just now"):
        change.make(planned)
    assert file.read_text() == '{"a": 1}'
    assert sorted(each.name for each in project.iterdir()) == [".git", ".mcp.json", "home", "src"]


def test_a_folder_that_cannot_be_written_is_said(run, project, monkeypatch):
    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "mkdir", refuse)
    code, out, err = run("cursor", "--write")
    assert (code, out) == (3, "")
    assert "Permission denied" in err


def test_clients_without_a_file_get_it_printed(run, project):
    code, out, _ = run("generic")
    assert code == 0
    assert json.loads(out)["mcpServers"]["mastermind"]["args"][-1] == "serve"
    for flag in ("--write", "--remove"):
        code, out, err = run("generic", flag)
        assert (code, out) == (2, "")
        assert "no file" in err


def test_json_says_what_was_done(run, project):
    said = json.loads(run("claude", "--json")[1])
    assert (said["status"], said["action"], said["written"]) == ("ok", "add", False)
    assert said["file"] == str(project / ".mcp.json")
    assert json.loads(said["text"])["mcpServers"]["mastermind"]["command"] == "mastermind"
    assert json.loads(run("claude", "--write", "--json")[1])["written"] is True
    assert json.loads(run("claude", "--remove", "--json")[1])["action"] == "remove"


def test_settings_of_the_environment_are_followed(run, project, monkeypatch):
    monkeypatch.setenv("CODEX_HOME", str(project / "codex"))
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(project / "claude"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(project / "xdg"))
    for client, place in (("codex", "codex/config.toml"), ("claude", "claude/.claude.json"),
                          ("vscode", "xdg/Code/User/mcp.json")):  # fmt: skip
        assert run(client, "--scope", "user", "--write")[0] == 0
        assert server(client, project / place)


def test_what_is_written_for_all_projects_can_be_started(project):
    command = CLIENTS["claude"].entry(clients.starter("user"))
    assert Path(command["command"]).is_absolute()
    done = subprocess.run(
        [command["command"], *command["args"][:-1], "--version"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(Path(__file__).parents[2]), *sys.path])},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "mastermind" in done.stdout, done.stderr


@pytest.mark.parametrize(
    ("entry", "is_ours"),
    [
        ({"command": "mastermind", "args": ["serve"]}, True),
        ({"command": "/opt/x/mastermind", "args": ["serve", "--watch"]}, True),
        ({"command": "C:\\Tools\\mastermind.exe", "args": ["serve"]}, True),
        ({"command": "/usr/bin/python3", "args": ["-m", "mmcg", "serve"]}, True),
        ({"command": "mastermind", "args": ["dance"]}, False),
        ({"command": "mastermind"}, False),
        ({"command": "node", "args": ["mastermind", "serve"]}, False),
        ({"url": "https://example.org/mcp"}, False),
        ("mastermind serve", False),
    ],
    ids=repr,
)
def test_whose_an_entry_is(entry, is_ours):
    assert clients.ours(entry) is is_ours
