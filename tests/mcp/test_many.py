"""Many questions at once, questions that are withdrawn, and several processes on one index."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from tests.mcp.talk import Talk, only_messages
from tests.trees import command, environment, mastermind, write_tree

SLOW = """
from mmcg.query import callers
real = callers.ask
def ask(context, query, targets, options):
    if targets[0] == "slow":
        context.rows("SELECT count(*) FROM range(1000000000000) AS r(n) WHERE n % 7 = 3")
    return real(context, query, targets, options)
callers.ask = ask
from mmcg.cli.main import main
main()
"""
CHAIN = {"a.py": "def f():\n    return g()\n\n\ndef g():\n    return 1\n\n\ndef slow():\n    pass\n"}


@pytest.fixture
def slow(tmp_path, monkeypatch):
    """A server in which questions about `slow` never end by themselves."""
    write_tree(tmp_path, CHAIN)
    monkeypatch.setattr("tests.mcp.talk.command", lambda *arguments: [sys.executable, "-c", SLOW, *arguments])
    with Talk(str(tmp_path)) as talk:
        yield talk


def callers(name):
    return {"name": "callers", "arguments": {"symbol": name}}


def test_a_slow_question_holds_up_no_other_and_can_be_withdrawn(slow):
    for _ in range(3):
        # More than there are threads: the last ones only wait, and are withdrawn unbegun.
        asked = [slow.ask("tools/call", callers("slow")) for _ in range(4)]
        assert slow.symbols("callers", symbol="g") == {"a.py::f"}
        for number in asked:
            slow.notify("notifications/cancelled", requestId=number)
    for _ in range(20):
        assert slow.symbols("callers", symbol="g") == {"a.py::f"}
    assert slow.end() == 0
    answered = [each["id"] for each in only_messages(slow.lines)]
    assert len(answered) == len(set(answered)) == 1 + 3 + 20


@pytest.mark.slow
def test_more_slow_questions_than_threads_wait_their_turn(slow):
    asked = [slow.ask("tools/call", callers("slow")) for _ in range(20)]
    quick = slow.ask("tools/call", callers("g"))
    time.sleep(0.3)
    for number in asked:
        slow.notify("notifications/cancelled", requestId=number)
    assert slow.heard(quick)["result"]["structuredContent"]["total"] == 1
    assert slow.end() == 0


def test_the_end_of_the_client_ends_what_is_being_answered(slow):
    for _ in range(8):
        slow.ask("tools/call", callers("slow"))
    time.sleep(0.3)
    assert slow.end() == 0
    only_messages(slow.lines)


def test_hundreds_of_questions_in_one_breath_are_all_answered(tmp_path):
    write_tree(tmp_path, CHAIN)
    with Talk(str(tmp_path)) as talk:
        asked = [talk.ask("tools/call", callers("g")) for _ in range(600)]
        for number in asked:
            assert talk.heard(number)["result"]["structuredContent"]["total"] == 1
        assert talk.end() == 0


@pytest.mark.slow
def test_a_client_that_does_not_read_stops_no_other_part(tmp_path):
    """Its answers fill the pipe; the server waits without spinning, and ends with the client."""
    write_tree(tmp_path, CHAIN)
    process = subprocess.Popen(
        command("serve", str(tmp_path)), env=environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    talk = Talk.__new__(Talk)
    talk.process, talk._number = process, 0
    try:
        talk.ask("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": _WHO})
        talk.notify("notifications/initialized")
        for _ in range(100):
            talk.ask("tools/list")
        time.sleep(3)
        before = _processor_ticks(process.pid)
        time.sleep(1)
        assert _processor_ticks(process.pid) - before < 10
        process.stdin.close()
        process.stdout.close()
        assert process.wait(15) == 0
    finally:
        process.kill()
        process.wait()


_WHO = {"name": "test", "version": "1"}


def _processor_ticks(pid):
    if not sys.platform.startswith("linux"):
        pytest.skip("needs /proc")
    user, system = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    return int(user) + int(system)


def test_an_idle_server_uses_no_processor(tmp_path):
    write_tree(tmp_path, CHAIN)
    with Talk(str(tmp_path)) as talk:
        talk.symbols("callers", symbol="g")
        time.sleep(0.5)
        before = _processor_ticks(talk.process.pid)
        time.sleep(2)
        assert _processor_ticks(talk.process.pid) - before <= 2


def test_two_servers_a_watcher_and_an_indexer_agree(tmp_path):
    """Everybody looks after one index at once; every answer is that of the tree as it is."""
    write_tree(tmp_path, CHAIN)
    done = threading.Event()
    failures: list[str] = []

    def indexer():
        while not done.is_set():
            ran = mastermind("index", str(tmp_path), "--rebuild")
            if ran.returncode:
                failures.append(ran.stderr)

    with Talk(str(tmp_path)) as one, Talk(str(tmp_path), "--watch") as other:
        thread = threading.Thread(target=indexer)
        thread.start()
        try:
            for number in range(5):
                write_tree(tmp_path, {"b.py": f"from a import g\n\n\ndef h{number}():\n    return g()\n"})
                for talk in (one, other):
                    assert talk.symbols("callers", symbol="a.py::g") == {"a.py::f", f"b.py::h{number}"}
        finally:
            done.set()
            thread.join()
        assert (one.end(), other.end()) == (0, 0)
    assert failures == []
    left = {file.name for file in (tmp_path / ".mastermind").iterdir()} - {"mmcg.lock.json"}
    assert left == {".gitignore", "cache", "mmcg.db", "mmcg.lock"}


@pytest.mark.slow
def test_three_servers_begin_without_an_index(tmp_path):
    write_tree(tmp_path, CHAIN)
    talks = [Talk(str(tmp_path), *words, hello=False) for words in ([], ["--watch"], [])]
    try:
        for talk in talks:
            talk.request("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": _WHO})
            talk.notify("notifications/initialized")
        assert [talk.symbols("callers", symbol="g") for talk in talks] == [{"a.py::f"}] * 3
        assert [talk.end() for talk in talks] == [0, 0, 0]
    finally:
        for talk in talks:
            talk.__exit__()


@pytest.mark.slow
def test_nothing_leaks_while_the_index_is_replaced(tmp_path):
    if not sys.platform.startswith("linux"):
        pytest.skip("needs /proc")
    write_tree(tmp_path, CHAIN)
    with Talk(str(tmp_path)) as talk:

        def round_():
            write_tree(tmp_path, {"b.py": f"def h():\n    return {time.time_ns()}\n"})
            for _ in range(5):
                talk.symbols("callers", symbol="g")
            return [len(list(Path(f"/proc/{talk.process.pid}/{each}").iterdir())) for each in ("fd", "task")]

        begin = [round_() for _ in range(3)][-1]
        end = [round_() for _ in range(10)][-1]
        assert end[0] <= begin[0]
        assert end[1] <= begin[1] + 1
        assert not Path(f"/proc/{talk.process.pid}/task/{talk.process.pid}/children").read_text().split()
