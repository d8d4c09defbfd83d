"""How quick questions are: in process on a graph of a million edges, and as whole processes.

`python benches/queries.py [--edges 1000000] [--symbols 200000] [--keep FOLDER] [--root REPOSITORY]`

Processor time is what is compared, because machines that run tests are shared; `p99` is the 99th of a hundred.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import synthetic

from mmcg.graph import Graph, open_graph

if TYPE_CHECKING:
    from collections.abc import Callable


def main() -> None:
    """Build the graph, ask, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--edges", type=int, default=1_000_000)
    parser.add_argument("--symbols", type=int, default=200_000)
    parser.add_argument("--keep", type=Path, help="make the graph here, or use the one that is here")
    parser.add_argument("--root", type=Path, help="an indexed repository to time whole processes on")
    parser.add_argument("--only", help="only the questions whose name holds this")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        root = given.keep or Path(scratch)
        if not (root / ".mastermind" / "mmcg.db").exists():
            begun = time.process_time()
            size = synthetic.write(root, resolved=given.edges, symbols=given.symbols)
            print(f"made {given.edges:,} edges, {size / 1e6:.0f} MB, {time.process_time() - begun:.1f} s")
        in_process(root, given.only or "")
        whole_processes(given.root or root, given.only or "")


def in_process(root: Path, only: str) -> None:
    """Questions through the library's door."""
    with open_graph(root) as graph:
        connection = graph.context.index
        names = [row[0] for row in connection.rows("SELECT address FROM symbols WHERE kind <> 'module'")]
        plain = [row[0] for row in connection.rows("SELECT DISTINCT name FROM symbols WHERE kind <> 'module'")]
    random.seed(1)
    some = random.sample(names, min(2000, len(names)))
    few = random.sample(names, 20)
    words = random.sample(plain, 20)
    report("callers", only, root, some, lambda graph, name: graph.callers(name))
    report("callees", only, root, some[:300], lambda graph, name: graph.callees(name))
    report("references", only, root, some[:300], lambda graph, name: graph.references(name))
    report("impact", only, root, few, lambda graph, name: graph.impact(name))
    report("tests", only, root, few, lambda graph, name: graph.tests(name))
    report("path", only, root, few, lambda graph, name: graph.path(name, few[0]))
    report("callers by bare name", only, root, words, lambda graph, name: graph.callers(name))
    report("callers of no such name", only, root, words, lambda graph, name: graph.callers(name[1:] + "q"))
    report("search", only, root, words, lambda graph, name: graph.search(name))
    report(
        "search of words", only, root, ["get user", "cache tree", "node_9"] * 5, lambda graph, name: graph.search(name)
    )
    report("search of nothing like it", only, root, words, lambda graph, name: graph.search(name[1:] + "q"))
    report("unreferenced", only, root, [""] * 3, lambda graph, _: graph.unreferenced())
    report("hotspots", only, root, [""] * 3, lambda graph, _: graph.hotspots())


def report(what: str, only: str, root: Path, given: list[str], ask: Callable[[Graph, str], object]) -> None:
    """One line about a question asked with each of some targets, on a graph opened for it."""
    if only not in what:
        return
    taken = []
    with open_graph(root) as graph:
        for each in given:
            begun = time.process_time()
            ask(graph, each)
            taken.append((time.process_time() - begun) * 1e3)
    first, taken = taken[0], sorted(taken)
    p99 = taken[min(len(taken) - 1, len(taken) * 99 // 100)]
    print(f"{what:28} p50 {statistics.median(taken):8.2f} ms  p99 {p99:8.2f} ms  first {first:7.2f} ms")


def whole_processes(root: Path, only: str) -> None:
    """The command line, from start to end."""
    with open_graph(root) as graph:
        sql = "SELECT address FROM symbols WHERE kind = 'function' ORDER BY hash(id) LIMIT 3"
        names = [row[0] for row in graph.context.index.rows(sql)]
    for kind in ("callers", "callees", "search"):
        if only in f"process {kind}":
            command = [sys.executable, "-m", "mmcg", "query", kind, names[0], "--root", str(root), "--json"]
            processor, wall = process_times(command, 15)
            print(f"{'process ' + kind:28} cpu {processor * 1e3:7.0f} ms  wall {wall * 1e3:7.0f} ms")


def process_times(command: list[str], count: int) -> tuple[float, float]:
    """Medians of the processor and wall seconds of a command."""
    processor, wall = [], []
    for _ in range(count):
        before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=os.environ, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        wall.append(time.perf_counter() - begun)
        processor.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return statistics.median(processor), statistics.median(wall)


if __name__ == "__main__":
    main()
