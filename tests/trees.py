"""Small source trees and the real command on them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).parents[1]


def write_tree(root: Path, files: dict[str, str]) -> None:
    """Write the given files below `root`."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def write_chain(root: Path, count: int, marker: str = "first") -> None:
    """Write `count` modules, each with a function that calls the next one's; all are named after `marker`."""
    for n in range(count):
        text = f"from m{n + 1} import {marker}_{n + 1}\n\ndef {marker}_{n}():\n    {marker}_{n + 1}()\n"
        (root / f"m{n}.py").write_text(text, encoding="utf-8")
    (root / f"m{count}.py").write_text(f"def {marker}_{count}():\n    pass\n", encoding="utf-8")


def command(*arguments: str, **environment: str) -> list[str]:
    """The command line that runs `mastermind` from this checkout."""
    return [sys.executable, "-m", "mmcg", *arguments]


def environment(**extra: str) -> dict[str, str]:
    """The environment it needs."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(PROJECT), *sys.path]), "NO_COLOR": "1", **extra}


def mastermind(*arguments: str, cwd: Path | None = None, **extra: str) -> subprocess.CompletedProcess[str]:
    """Run `mastermind` to its end."""
    return subprocess.run(
        command(*arguments), cwd=cwd, env=environment(**extra), capture_output=True, text=True, timeout=120, check=False
    )


def answer(*arguments: str, cwd: Path | None = None, **extra: str) -> dict[str, Any]:
    """Run it with `--json` and give what it printed."""
    done = mastermind(*arguments, "--json", cwd=cwd, **extra)
    assert done.stdout, done.stderr
    result: dict[str, Any] = json.loads(done.stdout)
    return result
