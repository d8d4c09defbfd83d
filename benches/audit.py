"""What an audit costs, against an incremental index of the same change.

    python benches/audit.py REPOSITORY [--files 1 200] [--runs 3]

REPOSITORY is a folder of Python code. A copy of it is committed and indexed, and a spec approved that touches so many
files. Each of them gets a function that is called from the file's last line, and a true report says so. Timed as whole
processes, in one run: `mastermind index` of the change, `mastermind audit run` of it where the index is still the old
one, and the same audit again, where the index says what the tree says.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TASK = "001-bench"

IDENTITY = ("-c", "user.name=bench", "-c", "user.email=bench@localhost", "-c", "gc.auto=0")


def git(root: Path, *words: str) -> str:
    """What a git command prints."""
    done = subprocess.run(["git", *IDENTITY, *words], cwd=root, capture_output=True, check=True, text=True)
    return done.stdout.strip()


def mastermind(root: Path, *words: str) -> tuple[float, subprocess.CompletedProcess[str]]:
    """Seconds that a command took, and what it printed."""
    begun = time.monotonic()
    command = [sys.executable, "-P", "-m", "mmcg", *words]
    done = subprocess.run(command, cwd=root, capture_output=True, check=False, text=True)
    return time.monotonic() - begun, done


def prepared(source: Path, folder: Path) -> Path:
    """A committed copy of a repository."""
    root = folder / "tree"
    shutil.copytree(source, root, ignore=shutil.ignore_patterns(".git", ".mastermind", "__pycache__"), symlinks=True)
    (root / ".gitignore").write_text(".mastermind/\n")
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "base")
    git(root, "gc", "-q")
    return root


def planned(root: Path, count: int) -> list[str]:
    """Approve a spec that touches so many files, and give their paths."""
    files = sorted(path for path in root.rglob("*.py") if "test" not in str(path.relative_to(root)).lower())
    files = [path for path in files if path.stat().st_size > 1000]
    paths = [path.relative_to(root).as_posix() for path in files[:: max(1, len(files) // count)][:count]]
    task = root / ".mastermind" / "tasks" / TASK
    task.mkdir(parents=True)
    spec = {"id": TASK, "title": "Bench", "mode": "lite", "touches": [{"file": path} for path in paths]}
    (task / "spec.md").write_text(f"---\n{json.dumps(spec)}\n---\n# Bench\n\n## Goals\n\nMore functions.\n")
    done = mastermind(root, "spec", "approve", TASK)[1]
    if done.returncode:
        raise SystemExit(f"the spec was not approved: {done.stdout}{done.stderr}")
    return paths


def change(root: Path, paths: list[str]) -> None:
    """Give files a function and a call of it; write the report that says so."""
    for path in paths:
        with (root / path).open("a", encoding="utf-8") as file:
            file.write("\n\ndef bench_added(value, times=2):\n    return value * times\n\n\nbench_added(1)\n")
    report = {
        "schema_version": 1,
        "spec": TASK,
        "status": "complete",
        "phases": [{"id": "all", "status": "done"}],
        "files_modified": paths,
        "claims": [{"kind": "symbol_added", "symbol": f"{path}::bench_added"} for path in paths],
    }
    begin, end = "<!-- mastermind:report-begin -->", "<!-- mastermind:report-end -->"
    block = f"# Report\n\n{begin}\n\n```yaml\n{json.dumps(report)}\n```\n\n{end}\n"
    (root / ".mastermind" / "tasks" / TASK / "executor-report.md").write_text(block)


def measure(source: Path, count: int, runs: int) -> None:
    """One line: medians, and the audits as multiples of the incremental index."""
    index, first, again = [], [], []
    for _ in range(runs):
        with tempfile.TemporaryDirectory() as folder:
            root = prepared(source, Path(folder))
            paths = planned(root, count)
            other = Path(folder) / "other"
            shutil.copytree(root, other, symlinks=True)
            mastermind(other, "index")
            change(root, paths)
            change(other, paths)
            index.append(mastermind(other, "index")[0])
            for seconds in (first, again):
                took, done = mastermind(root, "audit", "run", TASK, "--json")
                answer = json.loads(done.stdout)
                if done.returncode:
                    raise SystemExit(f"the audit of a true report failed: {answer}")
                seconds.append(took)
    base, one, two = (statistics.median(each) for each in (index, first, again))
    print(f"{count:>5} files: index {base:.2f} s, audit {one:.2f} s ({one / base:.2f} x), again {two:.2f} s")


def main() -> None:
    """One line for each number of files."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("repository", type=Path)
    parser.add_argument("--files", type=int, nargs="+", default=[1, 200])
    parser.add_argument("--runs", type=int, default=3)
    given = parser.parse_args()
    for count in given.files:
        measure(given.repository.resolve(), count, given.runs)


if __name__ == "__main__":
    main()
