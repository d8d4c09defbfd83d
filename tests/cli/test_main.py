"""Exit codes, streams and messages of the command itself."""

import json
import os
import pty
import shutil
import signal
import subprocess
import sys
import time

import pytest

from mmcg.cli import main
from mmcg.errors import MastermindError
from tests.trees import answer, command, environment, mastermind, write_chain, write_tree


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    root = tmp_path_factory.mktemp("tree")
    write_chain(root, 3)
    assert mastermind("index", str(root)).returncode == 0
    return root


def test_help_lists_every_command():
    shown = mastermind("--help")
    assert shown.returncode == 0
    for name in main.COMMANDS:
        assert f"\n  {name} " in shown.stdout


@pytest.mark.parametrize("name", main.COMMANDS)
def test_every_command_has_help(name):
    shown = mastermind(name, "--help")
    assert (shown.returncode, shown.stderr) == (0, "")


def test_a_typo_gets_the_nearest_name():
    done = mastermind("idnex")
    assert done.returncode == 2
    assert done.stdout == ""
    assert "Did you mean `index`" in done.stderr


def test_usage_errors_in_json():
    done = mastermind("index", "--nonsense", "--json")
    assert done.returncode == 2
    assert json.loads(done.stdout)["code"] == "usage"


def test_no_index_in_text_and_json(tmp_path):
    done = mastermind("doctor", "--root", str(tmp_path))
    assert (done.returncode, done.stdout) == (3, "")
    assert "has no index" in done.stderr
    assert "mastermind index" in done.stderr
    assert answer("doctor", "--root", str(tmp_path))["code"] == "no_index"


def test_an_unexpected_fault_is_one_line_without_a_traceback(monkeypatch, capsys):
    def fault(**_):
        raise RuntimeError("the sky fell\nand more")

    monkeypatch.delenv("MASTERMIND_DEBUG", raising=False)
    monkeypatch.setattr(main.mastermind, "main", fault)
    assert main.run(["doctor"]) == 3
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "`RuntimeError: the sky fell`" in shown.err
    assert "MASTERMIND_DEBUG=1" in shown.err
    monkeypatch.setenv("MASTERMIND_DEBUG", "1")
    with pytest.raises(RuntimeError):
        main.run(["doctor"])


def test_every_error_has_an_exit_code_and_a_word_of_its_own():
    kinds = [MastermindError]
    for kind in kinds:
        kinds += kind.__subclasses__()
    assert len({kind.code for kind in kinds}) == len(kinds)
    assert {kind.exit_code for kind in kinds} == {2, 3}


def test_a_reader_that_goes_away_is_no_fault(tree):
    with subprocess.Popen(
        command("--help"), env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 0


def interrupted(root):
    shutil.rmtree(root / ".mastermind", ignore_errors=True)
    with subprocess.Popen(
        command("index", str(root)),
        env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        # Whoever runs the tests in the background has it ignored.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as process:  # fmt: skip
        lock = root / ".mastermind" / "mmcg.lock.json"
        until = time.monotonic() + 30
        while not lock.exists() and time.monotonic() < until:
            time.sleep(0.002)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    return process.returncode, out, err


def test_interrupted_cleanly(tmp_path):
    write_chain(tmp_path, 4000)
    for _ in range(20):
        code, out, err = interrupted(tmp_path)
        # A quick machine may be done before the signal arrives.
        if code != 0:
            break
    assert code == 130, err
    assert out == ""
    assert "Traceback" not in err
    assert not [file.name for file in (tmp_path / ".mastermind").iterdir() if ".tmp" in file.name]


def test_progress_is_for_terminals_only(tree):
    piped = mastermind("index", str(tree), "--rebuild")
    assert piped.stderr == ""
    assert piped.stdout.startswith("Indexed 4 files (4 parsed, 0 unchanged)")
    assert piped.stdout.count("\n") == 1
    own, other = pty.openpty()
    done = subprocess.run(
        command("index", str(tree), "--rebuild"),
        env=environment(TERM="xterm"), stdout=subprocess.PIPE, stderr=other, timeout=60, check=True,
    )  # fmt: skip
    os.close(other)
    shown = os.read(own, 100_000)
    os.close(own)
    assert done.stdout.count(b"\n") == 1
    assert b"Indexing" in shown


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion(shell):
    script = mastermind("completion", shell)
    assert script.returncode == 0
    assert "_MASTERMIND_COMPLETE" in script.stdout


def test_completion_completes():
    done = mastermind(_MASTERMIND_COMPLETE="bash_complete", COMP_WORDS="mastermind doc", COMP_CWORD="1")
    assert done.stdout == "plain,doctor\n"


HEAVY = {
    "asyncio", "concurrent.futures", "difflib", "duckdb", "email", "importlib.metadata", "logging", "mcp", "numpy",
    "pyarrow", "pydantic", "socket", "subprocess", "tree_sitter_language_pack", "yaml", "zipfile",
    "mmcg.audit", "mmcg.export", "mmcg.graph", "mmcg.mcp", "mmcg.query.baseline", "mmcg.query.git",
    "mmcg.store.publish", "mmcg.watch",
}  # fmt: skip
"""What a question about a current index has no use for; each takes milliseconds of every run."""


def test_a_question_loads_only_what_it_needs(tmp_path):
    write_tree(tmp_path, {"a.py": "def f():\n    pass\n\n\ndef g():\n    f()\n"})
    # A file that was written just before it is indexed is looked at again.
    time.sleep(0.1)
    assert mastermind("index", str(tmp_path)).returncode == 0
    code = (
        "import sys; from mmcg.cli.main import run\n"
        "code = run(['query', 'callers', 'f', '--root', sys.argv[1]])\n"
        "print(code, sorted(set(sys.argv[2:]) & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path), *HEAVY],
        env=environment(), capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.splitlines()[-1] == "0 []"
