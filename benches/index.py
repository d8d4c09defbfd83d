"""What an index costs: a whole cold `mastermind index` against the floor of walking, reading and parsing.

`python benches/index.py FOLDER… [--runs 5]`, each folder a repository; `python -m benches.corpora` fetches some.

Processor time (user and system) is compared, because wall time on a shared machine measures its other users.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

FLOOR = "import json, sys; from mmcg import _core; print(json.dumps(_core.parse_floor(sys.argv[1])))"


def main() -> None:
    """One line a repository."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--runs", type=int, default=5)
    given = parser.parse_args()
    print(
        f"{'':20} {'files':>6} {'floor':>7} {'cold':>7} {'ratio':>6} {'again':>7} {'wall':>7} {'peak':>7} {'size':>8}"
    )
    for folder in given.folders:
        measure(folder.resolve(), given.runs)


def measure(folder: Path, runs: int) -> None:
    """Cold runs, the floor, and one run over the unchanged tree."""
    index = folder / ".mastermind"
    command = [sys.executable, "-m", "mmcg", "index", str(folder), "--json"]
    cold, walls, floors, peak = [], [], [], 0
    summary: dict[str, object] = {}
    for _ in range(runs):
        shutil.rmtree(index, ignore_errors=True)
        floors.append(json.loads(subprocess.check_output([sys.executable, "-c", FLOOR, str(folder)]))["cpu_seconds"])
        processor, wall, memory, out = run(command)
        cold.append(processor)
        walls.append(wall)
        peak = max(peak, memory)
        summary = json.loads(out)
    again = run(command)[0]
    size = (index / "mmcg.db").stat().st_size
    floor, whole = statistics.median(floors), statistics.median(cold)
    print(
        f"{folder.name:20} {summary['files']:>6} {floor:6.2f}s {whole:6.2f}s {whole / floor:5.2f}x {again:6.2f}s"
        f" {statistics.median(walls):6.2f}s {peak / 1e6:4.0f} MB {size / 1e6:5.1f} MB"
    )


def run(command: list[str]) -> tuple[float, float, int, bytes]:
    """Processor and wall seconds, peak bytes of memory, and the output of one process."""
    begun = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=os.environ)
    assert process.stdout is not None
    out = process.stdout.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {process.returncode}")
    unit = 1 if sys.platform == "darwin" else 1024
    return used.ru_utime + used.ru_stime, time.perf_counter() - begun, used.ru_maxrss * unit, out


if __name__ == "__main__":
    main()
