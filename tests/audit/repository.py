"""A small repository under git, its index, and specs for it."""

from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
from typing import TYPE_CHECKING, Any, NamedTuple

from mmcg import indexing
from mmcg.cli import main
from tests.trees import write_tree

if TYPE_CHECKING:
    from pathlib import Path

FILES = {
    "src/bank/__init__.py": "",
    "src/bank/account.py": """\
class Account:
    def __init__(self, owner, balance=0):
        self.owner = owner
        self.balance = balance

    def deposit(self, amount):
        self.balance += amount
        return self.balance

    def withdraw(self, amount):
        if amount > self.balance:
            raise ValueError("not enough")
        self.balance -= amount
        return self.balance

    @property
    def empty(self):
        return not self.balance


class Ledger:
    def deposit(self, account, amount):
        return account.deposit(amount)


def transfer(source: Account, target: Account, amount, *, note=""):
    source.withdraw(amount)
    target.deposit(amount)
    return note
""",
    "src/bank/fees.py": "def fee(amount):\n    return amount // 100\n\n\ndef label():\n    return 'fee'\n",
    "src/bank/words.py": "def label():\n    return 'words'\n",
    "tests/test_account.py": """\
from src.bank.account import Account


def test_deposit():
    assert Account("ann").deposit(5) == 5
""",
    "docs/guide.md": "# Guide\n",
    "scripts/check.sh": "#!/bin/sh\nexit 0\n",
}

HEAD = "id: 001-case\ntitle: Guard withdrawals\n"
BODY = """
# Guard withdrawals

## Goals

Accounts refuse to pay out more than they hold.

## Scope

The account module.

## Acceptance Criteria

- It raises.

## Tests Plan

One test.

## Final Verification

Run the tests.
"""

_ENVIRONMENT = {
    "GIT_AUTHOR_NAME": "a",
    "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_COMMITTER_NAME": "a",
    "GIT_COMMITTER_EMAIL": "a@example.org",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_SYSTEM": os.devnull,
}


def git(root: Path, *arguments: str) -> str:
    """Run git in a repository of the tests."""
    done = subprocess.run(
        ["git", *arguments], cwd=root, env={**os.environ, **_ENVIRONMENT}, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def make_repository(root: Path, files: dict[str, str] | None = None, *, indexed: bool = True) -> Path:
    """A repository of one commit with these files, and its index."""
    root.mkdir(parents=True, exist_ok=True)
    write_tree(root, FILES if files is None else files)
    git(root, "init", "-q", "-b", "main")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "base")
    if indexed:
        indexing.index(root)
    return root


def spec_text(keys: str = "", body: str = BODY, head: str = HEAD) -> str:
    """A spec with these further keys."""
    return f"---\n{head}{keys}---\n{body}"


def write_spec(root: Path, keys: str = "", body: str = BODY, task: str = "001-case") -> Path:
    """Put a spec into a task's folder; gives its path."""
    path = root / ".mastermind" / "tasks" / task / "spec.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(spec_text(keys, body, HEAD.replace("001-case", task)), encoding="utf-8")
    return path


def report_text(keys: str = "", **changed: str) -> str:
    """A report that is complete and claims nothing, with these further or other lines."""
    values = {"schema_version": "1", "spec": "001-case", "status": "complete", "files_modified": "[]", **changed}
    lines = "".join(f"{key}: {value}\n" for key, value in values.items() if value)
    return (
        "# Report\n\nDone.\n\n<!-- mastermind:report-begin -->\n\n```yaml\n"
        f"{lines}{keys}```\n\n<!-- mastermind:report-end -->\n"
    )


def kinds(findings: Any) -> list[str]:
    """The kinds of some findings, in order."""
    return sorted(each.kind for each in findings)


class Done(NamedTuple):
    """What a command gave."""

    returncode: int
    stdout: str
    stderr: str


def mastermind(*arguments: str, cwd: Path | None = None) -> Done:
    """Run a command as users do, but in this process: most of a process's time would go into starting it."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.chdir(cwd or "."), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main.run(arguments)
    return Done(code, out.getvalue(), err.getvalue())


def answer(*arguments: str, cwd: Path | None = None) -> dict[str, Any]:
    """Run a command with `--json` and give what it printed."""
    done = mastermind(*arguments, "--json", cwd=cwd)
    assert done.stdout, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def read_json(path: Path) -> dict[str, Any]:
    """A JSON file's contents."""
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found
