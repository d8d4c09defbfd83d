"""`mastermind watch`, as people and programs run it."""

import json
import queue
import signal
import subprocess
import threading
from contextlib import contextmanager

import pytest

from mmcg.errors import EXIT_OK, EXIT_USAGE
from tests.trees import answer, command, environment, mastermind, write_tree

PATIENCE = 60


@pytest.fixture
def tree(tmp_path):
    write_tree(tmp_path, {"a.py": "def one():\n    pass\n"})
    return tmp_path


def _hearing():
    """Whoever runs the tests may ignore signals, which children inherit."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@contextmanager
def watching(*arguments, stream="stdout"):
    """The running command and the lines that it prints to a stream."""
    process = subprocess.Popen(
        command("watch", *arguments),
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=_hearing,
    )
    lines = queue.Queue()
    threading.Thread(target=lambda: [lines.put(line) for line in getattr(process, stream)], daemon=True).start()
    try:
        yield process, lines
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
        process.stderr.close()


def event(lines):
    return json.loads(lines.get(timeout=PATIENCE))


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
def test_events_are_lines_of_json(tree, ending):
    with watching(str(tree), "--json") as (process, lines):
        assert event(lines) == {"event": "start", "root": str(tree)}
        ready = event(lines)
        assert (ready["event"], ready["published"], ready["files"]) == ("ready", True, 1)
        write_tree(tree, {"b.py": "def two():\n    pass\n"})
        update = event(lines)
        assert update.keys() == ready.keys()
        assert (update["event"], update["files"], update["parsed"]) == ("update", 2, 1)
        assert answer("query", "search", "two", "--root", str(tree))["total"] == 1
        process.send_signal(ending)
        assert process.wait(PATIENCE) == EXIT_OK
        assert event(lines) == {"event": "end"}
        assert process.stderr.read() == ""
    assert not list((tree / ".mastermind").glob("*.tmp*"))


def test_people_get_a_line_an_update_on_stderr(tree):
    with watching(str(tree), stream="stderr") as (process, lines):
        assert lines.get(timeout=PATIENCE).startswith("Watching 1 files (1 parsed, ")
        write_tree(tree, {"b.py": "def two():\n    pass\n"})
        assert lines.get(timeout=PATIENCE).startswith("Updated 2 files (1 parsed, ")
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == EXIT_OK
        assert process.stdout.read() == ""


def test_once(tree):
    done = mastermind("watch", str(tree), "--once")
    assert (done.returncode, done.stdout) == (EXIT_OK, "")
    assert "1 parsed" in done.stderr
    again = [json.loads(line) for line in mastermind("watch", str(tree), "--once", "--json").stdout.splitlines()]
    assert [each["event"] for each in again] == ["start", "ready", "end"]
    assert again[1]["parsed"] == 0


def test_it_ends_when_nobody_reads_its_events_any_more(tree):
    with watching(str(tree), "--json", stream="stderr") as (process, _):
        assert json.loads(process.stdout.readline())["event"] == "start"
        assert json.loads(process.stdout.readline())["event"] == "ready"
        process.stdout.close()
        write_tree(tree, {"b.py": "def two():\n    pass\n"})
        assert process.wait(PATIENCE) == EXIT_OK


def test_two_watchers_of_one_tree(tree):
    with watching(str(tree), "--json") as (_, one), watching(str(tree), "--json") as (_, other):
        assert {event(one)["event"], event(other)["event"]} == {"start"}
        assert {event(one)["event"], event(other)["event"]} == {"ready"}
        write_tree(tree, {"b.py": "def two():\n    pass\n"})
        # At least one of them publishes it.
        both = queue.Queue()
        for lines in (one, other):
            threading.Thread(target=lambda lines=lines: both.put(event(lines)), daemon=True).start()
        assert both.get(timeout=PATIENCE)["files"] == 2
        assert answer("query", "search", "two", "--root", str(tree))["total"] == 1


def test_a_path_that_is_no_folder(tree):
    done = mastermind("watch", str(tree / "nowhere"))
    assert done.returncode == EXIT_USAGE
    assert "`" in done.stderr
