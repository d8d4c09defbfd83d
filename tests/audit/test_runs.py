"""Running declared commands: limits, groups of processes, receipts, and what an audit makes of them."""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

import pytest

from mmcg.audit import auditing
from mmcg.audit.runs import receipts
from mmcg.audit.runs.process import KEPT, run
from tests.audit.working import Working, kinds, one, told

PYTHON = sys.executable


def script(text):
    return [PYTHON, "-c", text]


def test_a_command_is_given_its_words_as_they_are(tmp_path):
    ended = run([*script("import sys; print(sys.argv[1:])"), "a b", "$HOME", "*", "&&"], tmp_path)
    assert (ended.exit_code, ended.output) == (0, "['a b', '$HOME', '*', '&&']")


def test_a_shell_is_used_only_where_it_is_asked_for(tmp_path):
    assert run(["x"], tmp_path, shell="echo a && echo b | tr b c").output == "a\nc"


def test_the_environment_is_passed_on_and_added_to(tmp_path, monkeypatch):
    monkeypatch.setenv("MINE", "1")
    show = script("import os; print(os.environ['MINE'], os.environ.get('YOURS'))")
    assert run(["YOURS=2", *show], tmp_path).output == "1 2"


def test_stdin_is_closed_and_the_folder_is_the_root(tmp_path):
    ended = run(script("import os, sys; print(repr(sys.stdin.read()), os.getcwd())"), tmp_path)
    assert ended.output == f"'' {tmp_path}"


def test_a_program_in_the_repository_is_found(tmp_path):
    file = tmp_path / "check"
    file.write_text("#!/bin/sh\nexit 7\n")
    assert run(["./check"], tmp_path).problem == "`./check` may not be executed"
    file.chmod(0o755)
    assert run(["./check"], tmp_path).exit_code == 7


def test_a_program_that_is_not_there_is_told(tmp_path):
    ended = run(["no-such-program"], tmp_path)
    assert (ended.exit_code, ended.problem) == (None, "`no-such-program` was not found")


def test_a_command_out_of_time_is_ended_with_all_that_it_started(tmp_path):
    child = "import os, time; open('pid', 'w').write(str(os.getpid())); time.sleep(60)"
    parent = f"import subprocess, sys, time; subprocess.Popen([sys.executable, '-c', {child!r}]); time.sleep(60)"
    begun = time.monotonic()
    ended = run(script(parent), tmp_path, timeout=2)
    assert ended.timed_out
    assert ended.exit_code is None
    assert time.monotonic() - begun < 20
    assert _gone(int((tmp_path / "pid").read_text()))


def test_a_command_that_does_not_want_to_end_is_ended(tmp_path):
    stubborn = (
        "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('on', flush=True); time.sleep(60)"
    )
    ended = run(script(stubborn), tmp_path, timeout=2)
    assert ended.timed_out
    assert ended.output == "on"


def test_what_a_command_leaves_running_is_ended(tmp_path):
    child = "import os, time; open('pid', 'w').write(str(os.getpid())); time.sleep(60)"
    parent = (
        f"import os, subprocess, sys, time; subprocess.Popen([sys.executable, '-c', {child!r}])\n"
        "while not os.path.exists('pid') or not open('pid').read(): time.sleep(0.01)\nprint('done')"
    )
    ended = run(script(parent), tmp_path, timeout=30)
    assert (ended.exit_code, ended.output) == (0, "done")
    assert _gone(int((tmp_path / "pid").read_text()))


def _gone(process: int) -> bool:
    for _ in range(200):
        try:
            os.kill(process, 0)
            with Path(f"/proc/{process}/stat").open() as file:
                if file.read().rpartition(")")[2].split()[0] == "Z":
                    return True
        except OSError:
            return True
        time.sleep(0.01)
    return False


def test_much_output_is_kept_at_its_beginning_and_end(tmp_path):
    ended = run(script(f"print('first'); print('x' * {KEPT * 2}); print('last')"), tmp_path)
    assert ended.truncated
    assert len(ended.output) <= KEPT * 1.3
    assert ended.output.startswith("first")
    assert ended.output.endswith("last")


def test_escapes_and_other_bytes_do_no_harm(tmp_path):
    ended = run(script(r"import sys; sys.stdout.buffer.write(b'\x1b[31mred\x1b[0m \x1b]0;t\x07\xff\r\nend')"), tmp_path)
    assert ended.output == "red \ufffd\nend"


def test_a_word_of_a_shell_is_named_where_there_is_none(tmp_path):
    assert "shell: true" in run([PYTHON, "-c", "raise SystemExit(1)", "&&", "b"], tmp_path).problem


@pytest.fixture
def work(tmp_path):
    """The shop with a change, whose tests run."""
    working = Working(tmp_path / "shop")
    return working.replace("shop/cart.py", "limit = 10", "limit = 11")


def audited(work, *commands, run=True, report=None, **keys):
    """An audit with these commands, run."""
    verify = [
        {"id": f"c{at}", **(each if isinstance(each, dict) else {"run": each})} for at, each in enumerate(commands)
    ]
    work.audit("shop/cart.py", verify=verify, report=report or {}, **keys)
    return auditing.audit(work.task, since=work.base, run=run)


def test_commands_that_pass_leave_a_receipt(work):
    done = audited(work, script("print('3 passed in 0.01s')"))
    assert kinds(done) == set()
    receipt = json.loads(work.task.receipts.read_text())["receipts"][0]
    assert (receipt["exit_code"], receipt["tests_run"], receipt["runners"]) == (0, 3, ["pytest"])


def test_commands_that_do_not_pass_are_told(work):
    done = audited(
        work,
        script("print('why'); raise SystemExit(3)"),
        {"run": script("import time; time.sleep(60)"), "timeout": 1},
        "no-such-program --x",
        {"run": "exit 4", "shell": True},
        report={"verifications": [{"id": "c3", "result": "pass"}]},
    )
    found = {each.about[0]: each for each in done.findings if each.kind == "verify_failed"}
    assert set(found) == {"c0", "c1", "c2", "c3"}
    assert {each.effect for each in found.values()} == {"broken"}
    assert found["c0"].found == "why"
    assert "exit code 3" in found["c0"].message
    assert "ran out of time after 1 s" in found["c1"].message
    assert "not found" in found["c2"].message
    assert "although the report says that it passed" in found["c3"].message


@pytest.mark.parametrize(
    ("output", "expect", "broken"),
    [
        ("Ran 0 tests in 0.000s\n\nOK", None, True),
        ("2 skipped in 0.01s", None, True),
        ("Ran 2 tests in 0.000s\n\nOK", None, False),
        ("Ran 2 tests in 0.000s\n\nOK", 3, True),
        ("Ran 3 tests in 0.000s\n\nOK", 3, False),
        ("all fine", None, False),
    ],
)
def test_a_command_that_ran_no_test_is_vacuous(work, output, expect, broken):
    command = {"run": script(f"print({output!r})")} | ({"expect_tests": expect} if expect else {})
    assert bool(told(audited(work, command), "vacuous_test_pass")) == broken


def test_a_command_that_changes_files_is_told_and_is_no_creep(work):
    done = audited(work, script("open('README.md', 'a').write('x'); open('new.txt', 'w').write('x')"))
    assert kinds(done) == set()
    assert any("changed files: `README.md`, `new.txt`" in each for each in done.notices)


def test_a_receipt_counts_as_long_as_the_tree_is_what_it_was(work):
    command = script("raise SystemExit(0)")
    audited(work, command)
    assert kinds(audited(work, command, run=False)) == set()
    work.replace("shop/cart.py", "limit = 11", "limit = 12")
    assert told(audited(work, command, run=False)) == [("c0", "broken")]


def test_a_receipt_of_another_command_does_not_count(work):
    audited(work, script("raise SystemExit(0)"))
    assert told(audited(work, script("raise SystemExit(1)"), run=False)) == [("c0", "broken")]


def test_a_broken_receipt_is_none(work):
    audited(work, script("raise SystemExit(0)"))
    for text in ("", "[]", "{", '{"version": 1, "receipts": [{"id": 3}]}', '{"version": 9, "receipts": []}'):
        work.task.receipts.write_text(text)
        assert receipts.read(work.task) == []


@pytest.mark.parametrize(
    ("verifications", "expected"),
    [
        ([{"id": "c0", "result": "pass"}], []),
        ([{"id": "c0", "result": "pass", "tests_run": 0}], [("vacuous_test_pass", "broken")]),
        ([{"id": "c0", "result": "fail"}], [("verify_failed", "broken")]),
        ([], [("verify_failed", "broken")]),
    ],
)
def test_without_a_run_the_word_of_the_report_counts(work, verifications, expected):
    done = audited(work, script("x"), run=False, report={"verifications": verifications})
    found = [(each.kind, each.weight) for each in done.findings]
    assert [each for each in found if each[0] in ("vacuous_test_pass", "verify_failed")] == expected


def test_without_a_report_a_missing_result_is_a_warning(work):
    work.audit("shop/cart.py", verify=[{"id": "c", "run": "true"}])
    assert one(auditing.audit(work.task, since=work.base), "verify_failed").effect == "warning"
