"""Real clients: the SDK's own, and the inspector of the protocol's authors."""

from __future__ import annotations

import asyncio
import json
import shutil
import subprocess

import pytest
from mcp import Client, StdioServerParameters
from mcp.shared.exceptions import MCPError

from mmcg.mcp.run import repository
from mmcg.mcp.tools import TOOLS
from tests.material import tour, write
from tests.trees import command, environment

SECONDS = 60


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    """The guide's repository, not indexed yet."""
    root = tmp_path_factory.mktemp("shop")
    write(root, tour())
    return root


def parameters(*arguments: str) -> StdioServerParameters:
    first, *rest = command("serve", *arguments)
    return StdioServerParameters(command=first, args=rest, env=environment())


def with_client(root, talk, mode="auto"):
    async def main():
        async with Client(parameters(str(root)), mode=mode, read_timeout_seconds=SECONDS) as client:
            return await talk(client)

    return asyncio.run(asyncio.wait_for(main(), SECONDS))


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_the_sdk_client_lists_and_calls(shop, mode):
    async def talk(client):
        assert "path/from/root.py::Outer.member" in client.instructions
        listed = (await client.list_tools()).tools
        assert [each.name for each in listed] == list(TOOLS)
        assert all(each.annotations.read_only_hint for each in listed)
        return await client.call_tool("callers", {"symbol": "Rate.gross"})

    result = with_client(shop, talk, mode)
    assert result.is_error is False
    found = result.structured_content
    assert list(found) == [
        "status", "query", "target", "results", "total", "truncated", "possible", "index", "notices",
    ]  # fmt: skip
    assert [row["symbol"] for row in found["results"]] == ["shop/cart.py::Cart.total"]
    assert result.content[0].text == (
        "callers shop/tax.py::Rate.gross: 1 found.\n"
        "shop/cart.py:13:30  shop/cart.py::Cart.total  method  exact  receiver_type"
    )


CALLS = {
    "search": ({"text": "total"}, 3),
    "symbol": ({"symbol": "rate_for"}, 1),
    "callers": ({"symbol": "Cart.total"}, 1),
    "callees": ({"symbol": "Cart.total"}, 2),
    "references": ({"symbol": "Rate"}, 4),
    "impact": ({"symbol": "rate_for"}, 2),
    "path": ({"from": "test_checkout", "to": "Rate.gross"}, 4),
    "outline": ({"path": "shop/cart.py"}, 7),
    "imports": ({"path": "shop/tax.py", "reverse": True}, 2),
    "hierarchy": ({"symbol": "Cart"}, 1),
    "tests": ({"symbol": "rate_for"}, 1),
    "index_status": ({}, 1),
}
"""What each tool is asked of the guide's repository, and how many rows it answers with."""


def test_every_tool_answers(shop):
    async def talk(client):
        found = {}
        for name, (arguments, _) in CALLS.items():
            found[name] = (await client.call_tool(name, arguments)).structured_content
        return found

    found = with_client(shop, talk)
    assert {name: (each["status"], each["total"]) for name, each in found.items()} == {
        name: ("ok", total) for name, (_, total) in CALLS.items()
    }
    assert "return Rate(19" in found["symbol"]["results"][0]["text"]


def test_changed_answers_in_a_repository_of_git(tmp_path):
    write(tmp_path, tour())
    git = ["git", "-C", str(tmp_path), "-c", "user.name=t", "-c", "user.email=t@localhost"]
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "start"]):
        subprocess.run([*git, *words], check=True)
    with (tmp_path / "shop" / "tax.py").open("a") as file:
        file.write("\n\ndef free() -> int:\n    return 0\n")

    async def talk(client):
        return (await client.call_tool("changed")).structured_content

    found = with_client(tmp_path, talk)
    assert [(row["change"], row["symbol"]) for row in found["results"]] == [("added", "shop/tax.py::free")]


def test_no_tool_is_untested():
    assert {*CALLS, "changed", "audit", "tasks"} == set(TOOLS)


def test_names_without_an_answer_are_no_errors(shop):
    async def talk(client):
        unknown = await client.call_tool("callers", {"symbol": "Rate.grosss"})
        several = await client.call_tool("callers", {"symbol": "total"})
        return unknown, several

    unknown, several = with_client(shop, talk)
    assert (unknown.is_error, unknown.structured_content["status"]) == (False, "not_found")
    assert unknown.structured_content["candidates"][0]["symbol"] == "shop/tax.py::Rate.gross"
    assert (several.is_error, several.structured_content["status"]) == (False, "ambiguous")
    assert len(several.structured_content["candidates"]) == 3
    assert "shop/cart.py::Cart.total" in several.content[0].text


def test_faults_of_the_caller_are_errors(shop):
    async def talk(client):
        bad = await client.call_tool("callers", {"symbol": "f", "confidence": "sure"})
        assert bad.is_error is True
        assert bad.structured_content["code"] == "bad_input"
        assert "`inferred`" in bad.content[0].text
        with pytest.raises(MCPError, match="There is no tool `cancers`"):
            await client.call_tool("cancers", {})

    with_client(shop, talk)


def test_a_folder_that_is_no_repository_is_not_indexed_unasked(tmp_path):
    """Clients start servers in the home folder too."""
    (tmp_path / "a.py").write_text("def f():\n    pass\n")
    first, *rest = command("serve")
    here = StdioServerParameters(command=first, args=rest, env=environment(), cwd=tmp_path)

    async def main():
        async with Client(here, read_timeout_seconds=SECONDS) as client:
            return await client.call_tool("callers", {"symbol": "f"}), await client.call_tool("index_status")

    called, status = asyncio.run(asyncio.wait_for(main(), SECONDS))
    assert (called.is_error, called.structured_content["code"]) == (True, "no_index")
    assert f"mastermind index {tmp_path}" in called.content[0].text
    assert status.is_error is False
    assert status.structured_content["results"][0]["state"] == "missing"
    assert not (tmp_path / ".mastermind").exists()


@pytest.mark.parametrize(
    ("there", "given", "root", "builds"),
    [
        ("a/b/", None, "a/b", False),
        (".git/ a/b/", None, ".", True),
        (".git/ a/.mastermind/ a/b/", None, "a", True),
        (".git/ a/b/", "a/b", "a/b", True),
        (".mastermind/ a/b/", "a/b", ".", True),
    ],
)
def test_which_repository_is_meant(tmp_path, monkeypatch, there, given, root, builds):
    for folder in there.split():
        (tmp_path / folder).mkdir(parents=True, exist_ok=True)
    monkeypatch.chdir(tmp_path / "a" / "b")
    found = repository(None if given is None else str(tmp_path / given))
    assert found == ((tmp_path / root).resolve(), builds)


def test_the_home_folder_is_not_indexed_unasked(tmp_path, monkeypatch):
    (tmp_path / ".git").mkdir()
    (tmp_path / "b").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path / "b")
    assert repository(None) == (tmp_path.resolve(), False)
    assert repository(str(tmp_path)) == (tmp_path.resolve(), True)


@pytest.mark.slow
def test_the_inspector_lists_and_calls(shop):
    """`npx` fetches the inspector; without it this test fails, since one that passes unseen is worth nothing."""
    npx = shutil.which("npx")
    assert npx, "Node.js is needed for this test: leave slow tests out with `-m 'not slow'`."
    config = shop / "servers.json"
    first, *rest = command("serve", str(shop))
    server = {"command": first, "args": rest, "env": environment()}
    config.write_text(json.dumps({"mcpServers": {"mastermind": server}}))

    def inspect(*words):
        asked = [npx, "-y", "@modelcontextprotocol/inspector@2", "--cli", "--config", str(config)]
        done = subprocess.run(
            [*asked, "--server", "mastermind", *words], env=environment(), capture_output=True, text=True, timeout=300
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    assert [each["name"] for each in inspect("--method", "tools/list")["tools"]] == list(TOOLS)
    called = inspect("--method", "tools/call", "--tool-name", "callers", "--tool-arg", "symbol=Rate.gross")
    assert called["structuredContent"]["results"][0]["symbol"] == "shop/cart.py::Cart.total"
