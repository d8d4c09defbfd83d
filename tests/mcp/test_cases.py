"""Faults that users of other servers met: what is on stdout, when a server ends, and which index it answers from."""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.mcp.talk import HELLO, Talk, only_messages
from tests.trees import command, environment, mastermind, write_tree

SLOW = pytest.mark.slow
CHAIN = {"a.py": "def f():\n    return g()\n\n\ndef g():\n    return 1\n"}
BROKEN = {"a.py": "def f(:\n    return\n\n\ndef g():\n    return 1\n"}
SOON = 15.0
"""Seconds: on an idle machine it takes less than one."""


def gone(pid: int, seconds: float = SOON) -> bool:
    """Whether a process ends in time; one that nobody waits for counts as ended."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        try:
            state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
        except OSError:
            return True
        if state == "Z":
            return True
        time.sleep(0.02)
    return False


def can_be_written(root: Path) -> bool:
    """Whether another process can publish at once."""
    return mastermind("index", str(root), "--rebuild", MASTERMIND_LOCK_WAIT="0.2").returncode == 0


# Only JSON-RPC on stdout.


def test_every_line_is_a_message_whatever_is_asked(tmp_path):
    write_tree(tmp_path, BROKEN)
    (tmp_path / "b.js").write_bytes("function x( {".encode("utf-16"))
    with Talk(str(tmp_path)) as talk:
        talk.request("tools/list")
        assert talk.call("callers", symbol="a.py::g")["status"] == "ok"
        assert talk.call("callers", symbl="g")["code"] == "bad_input"
        assert talk.request("tools/call", {"name": "nope"})["error"]["code"] == -32602
        assert talk.request("tools/call", {})["error"]["code"] == -32602
        assert talk.request("no/such/method")["error"]["code"] == -32601
        for line in ("", "garbage", "[]", '"text"', "{}", '{"jsonrpc": "1.0", "id": 77}', "\xff\x00", "[" * 100_000):
            talk.send(line)
        assert talk.heard(77)["error"]["code"] == -32600
        assert talk.symbols("callers", symbol="a.py::g") == set()
        assert talk.end() == 0
        only_messages(talk.lines)
        # Each line that was no message got an answer; the empty one is none.
        assert len([line for line in talk.lines if json.loads(line)["id"] is None]) == 6


@pytest.mark.parametrize("arguments", [["no/such/folder"], ["a.py"], ["--no-such-option"], [""], ["one", "two"]])
def test_a_start_that_fails_says_nothing_on_stdout(tmp_path, arguments):
    write_tree(tmp_path, CHAIN)
    done = subprocess.run(
        command("serve", *arguments), cwd=tmp_path, env=environment(), input=b"", capture_output=True, timeout=60
    )
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr


def test_a_folder_that_cannot_be_indexed_is_told_in_answers(tmp_path):
    write_tree(tmp_path, CHAIN)
    # A file where the index's folder would be, since a read-only folder stops not every user.
    (tmp_path / ".mastermind").write_text("mine")
    with Talk(str(tmp_path)) as talk:
        found = talk.call("callers", symbol="g")
        assert (found["status"], found["code"]) == ("error", "store_not_writable")
        assert talk.call("callers", symbol="g")["code"] == "store_not_writable"
        assert talk.end() == 0
        only_messages(talk.lines)
    assert (tmp_path / ".mastermind").read_text() == "mine"


PRINTING = """
import builtins, os, subprocess, sys, warnings
from mmcg.mcp import desk
real = desk.Desk.answer
def answer(self, *given):
    print("python prints")
    builtins.print("to the first stdout", file=sys.__stdout__)
    os.write(1, b"native code prints\\n")
    subprocess.run(["echo", "a child prints"], check=True)
    warnings.warn("a warning")
    sys.stdout.write("no newline")
    sys.stdout.flush()
    assert sys.stdin.read() == ""
    return real(self, *given)
desk.Desk.answer = answer
from mmcg.cli.main import main
main()
"""


def test_prints_of_any_kind_go_to_stderr(tmp_path, monkeypatch):
    write_tree(tmp_path, CHAIN)
    monkeypatch.setattr(
        "tests.mcp.talk.command", lambda *arguments: [sys.executable, "-W", "always", "-c", PRINTING, *arguments]
    )
    with Talk(str(tmp_path)) as talk:
        assert talk.symbols("callers", symbol="g") == {"a.py::f"}
        assert talk.end() == 0
        only_messages(talk.lines)
    for said in (b"python prints", b"to the first", b"native code", b"a child prints", b"a warning", b"no newline"):
        assert said in talk.errors


def test_what_was_asked_before_the_end_of_input_is_answered(tmp_path):
    write_tree(tmp_path, CHAIN)
    # The first index may take longer than a server waits for its end.
    assert mastermind("index", str(tmp_path)).returncode == 0
    lines = [
        {"jsonrpc": "2.0", "id": "one", "method": "initialize", "params": HELLO},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {
            "jsonrpc": "2.0",
            "id": 2,
            "method": "tools/call",
            "params": {"name": "callers", "arguments": {"symbol": "g"}},
        },
    ]
    file = tmp_path / "asked.jsonl"
    # The last line has no end, and the stream is a file.
    file.write_text("\n".join(map(json.dumps, lines)))
    with file.open("rb") as stream:
        done = subprocess.run(
            command("serve", str(tmp_path)), env=environment(), stdin=stream, capture_output=True, timeout=60
        )
    assert done.returncode == 0, done.stderr
    found = {each["id"]: each["result"] for each in only_messages(done.stdout.splitlines())}
    assert found[2]["structuredContent"]["results"][0]["symbol"] == "a.py::f"


# The end of the client is the end of the server.


@pytest.fixture
def indexed(tmp_path):
    root = tmp_path / "root"
    write_tree(root, CHAIN)
    assert mastermind("index", str(root)).returncode == 0
    return root


def test_it_ends_with_its_input(indexed):
    with Talk(str(indexed)) as talk:
        assert talk.end() == 0
    assert can_be_written(indexed)


def test_it_ends_before_it_was_greeted(indexed):
    with Talk(str(indexed), hello=False) as talk:
        # The start is waited for, too.
        assert talk.end(SOON * 4) == 0
        assert talk.lines == []


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_ends_when_told_to(indexed, number):
    with Talk(str(indexed)) as talk:
        talk.symbols("callers", symbol="g")
        talk.process.send_signal(number)
        assert talk.ended() == 0
        assert b"Traceback" not in talk.errors
    assert can_be_written(indexed)


def test_it_ends_when_nobody_reads(indexed):
    process = subprocess.Popen(
        command("serve", str(indexed)), env=environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )  # fmt: skip
    try:
        process.stdout.close()
        process.stdin.write(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HELLO}).encode())
        process.stdin.write(b"\n")
        process.stdin.flush()
        assert process.wait(SOON * 4) == 0
        assert b"Traceback" not in process.stderr.read()
    finally:
        process.kill()
        process.wait()
        process.stdin.close()
        process.stderr.close()


def test_it_ends_in_the_middle_of_questions(indexed):
    with Talk(str(indexed)) as talk:
        for _ in range(100):
            talk.ask("tools/call", {"name": "impact", "arguments": {"symbol": "g"}})
        assert talk.end() == 0
        only_messages(talk.lines)
    assert can_be_written(indexed)


CLIENT = """
import subprocess, sys, time
process = subprocess.Popen(sys.argv[2:], stdin=int(sys.argv[1]), stdout=subprocess.DEVNULL)
print(process.pid, flush=True)
time.sleep(600)
"""


def serving(pid: int) -> None:
    """Wait until a server knows its client: until it has a descriptor of a process."""
    until = time.monotonic() + 30
    while time.monotonic() < until:
        with contextlib.suppress(OSError):
            if any("pidfd" in str(each.readlink()) for each in Path(f"/proc/{pid}/fd").iterdir()):
                return
        time.sleep(0.02)
    raise AssertionError("the server does not watch")


def child_of(pid: int) -> int:
    """The one child of a process, once it has one."""
    until = time.monotonic() + 30
    while time.monotonic() < until:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="utf-8").split()
        if children:
            return int(children[0])
        time.sleep(0.02)
    raise AssertionError("no child")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems tell only of the parent")
@pytest.mark.parametrize("wrapped", [False, True])
def test_it_ends_with_its_parent_though_the_pipe_stays_open(indexed, wrapped):
    """The pipe's other end is held by this test; with a shell between, the one who dies is the shell's parent."""
    source, sink = os.pipe()
    words = command("serve", str(indexed))
    if wrapped:
        words = ["sh", "-c", f"{shlex.join(words)}; exit 3"]
    client = subprocess.Popen(
        [sys.executable, "-c", CLIENT, str(source), *words],
        env=environment(),
        stdout=subprocess.PIPE,
        pass_fds=[source],
    )
    server = 0
    try:
        server = int(client.stdout.readline())
        if wrapped:
            server = child_of(server)
        # It watches from the moment it serves on.
        hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HELLO}
        os.write(sink, json.dumps(hello).encode() + b"\n")
        serving(server)
        assert not gone(server, 0.5)
        client.kill()
        assert gone(server), "the server outlived its client"
    finally:
        client.kill()
        client.wait()
        client.stdout.close()
        os.close(source)
        os.close(sink)
        with contextlib.suppress(ProcessLookupError):
            if server:
                os.kill(server, signal.SIGKILL)
    assert can_be_written(indexed)


# The file under the path is the truth.


@pytest.mark.parametrize("watch", [[], ["--watch"]])
def test_a_rebuilt_index_is_the_one_that_answers(tmp_path, watch):
    write_tree(tmp_path, CHAIN)
    with Talk(str(tmp_path), *watch) as talk:
        assert talk.symbols("callers", symbol="a.py::g") == {"a.py::f"}
        assert mastermind("index", str(tmp_path), "--rebuild").returncode == 0
        assert talk.symbols("callers", symbol="a.py::g") == {"a.py::f"}
        write_tree(tmp_path, {"a.py": CHAIN["a.py"] + "\n\ndef h():\n    return g()\n"})
        if watch:
            time.sleep(1)
        assert talk.symbols("callers", symbol="a.py::g") == {"a.py::f", "a.py::h"}


def test_an_edit_is_answered_with_at_once(tmp_path):
    write_tree(tmp_path, CHAIN)
    with Talk(str(tmp_path)) as talk:
        for number in range(10):
            write_tree(tmp_path, {"b.py": f"from a import g\n\n\ndef h{number}():\n    return g()\n"})
            assert talk.symbols("callers", symbol="a.py::g") == {"a.py::f", f"b.py::h{number}"}


def test_an_index_that_was_deleted_is_made_again(tmp_path):
    write_tree(tmp_path, CHAIN)
    with Talk(str(tmp_path)) as talk:
        assert talk.symbols("callers", symbol="g") == {"a.py::f"}
        shutil.rmtree(tmp_path / ".mastermind")
        assert talk.symbols("callers", symbol="g") == {"a.py::f"}


@pytest.mark.parametrize("bytes_", [b"garbage", pytest.param(b"", marks=SLOW), pytest.param(b"x" * 99_999, marks=SLOW)])
def test_an_index_that_was_spoilt_is_set_aside(tmp_path, bytes_):
    write_tree(tmp_path, CHAIN)
    with Talk(str(tmp_path)) as talk:
        assert talk.symbols("callers", symbol="g") == {"a.py::f"}
        database = tmp_path / ".mastermind" / "mmcg.db"
        database.write_bytes(bytes_)
        found = talk.call("callers", symbol="g")
        assert [row["symbol"] for row in found["results"]] == ["a.py::f"]
        assert any("set aside" in notice for notice in found["notices"])


def test_a_root_that_moves_away_is_told_and_taken_when_it_is_back(tmp_path):
    root = tmp_path / "root"
    write_tree(root, CHAIN)
    with Talk(str(root)) as talk:
        assert talk.symbols("callers", symbol="g") == {"a.py::f"}
        root.rename(tmp_path / "away")
        found = talk.call("callers", symbol="g")
        assert (found["status"], found["code"]) == ("error", "no_index")
        assert "does not exist any more" in found["message"]
        assert not root.exists()
        (tmp_path / "away").rename(root)
        until = time.monotonic() + 10
        while talk.call("callers", symbol="g")["status"] == "error" and time.monotonic() < until:
            time.sleep(0.1)
        assert talk.symbols("callers", symbol="g") == {"a.py::f"}


# One index a repository, whatever its path is called.

DEEP = {
    "top.py": "def base():\n    return 1\n",
    "deep/inner/low.py": "from top import base\n\n\ndef low():\n    return base()\n",
}


@pytest.mark.parametrize(
    "start",
    [
        "folder",
        "slash",
        "link",
        *(pytest.param(each, marks=SLOW) for each in ("link below", "dots", "subfolder given")),
    ],
)
def test_every_spelling_of_the_path_is_the_same_index(tmp_path, start):
    root = tmp_path / "root"
    write_tree(root, DEEP)
    assert mastermind("index", str(root)).returncode == 0
    before = (root / ".mastermind" / "mmcg.db").stat().st_ino
    link, below = tmp_path / "link", tmp_path / "below"
    link.symlink_to(root, target_is_directory=True)
    below.symlink_to(root / "deep", target_is_directory=True)
    arguments, cwd = {
        "folder": ([], root / "deep" / "inner"),
        "slash": ([f"{root}/"], None),
        "link": ([str(link)], None),
        "link below": ([], below / "inner"),
        "dots": ([f"{root}/deep/../deep/.."], None),
        "subfolder given": ([f"{root}/deep/inner/"], None),
    }[start]
    with Talk(*arguments, cwd=cwd) as talk:
        assert talk.symbols("callers", symbol="top.py::base") == {"deep/inner/low.py::low"}
        assert talk.call("index_status")["results"][0]["root"] == str(root.resolve())
    assert [str(each) for each in root.rglob(".mastermind")] == [str(root / ".mastermind")]
    assert (root / ".mastermind" / "mmcg.db").stat().st_ino == before
