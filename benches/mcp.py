"""How quick `mastermind serve` is: clients that ask at once while an indexer publishes.

`python benches/mcp.py REPOSITORY [--clients 8] [--requests 1000] [--rate 100] [--publish 2] [--same] [--flat 20000]`

REPOSITORY is copied first and indexed from nothing. Every answer is compared with that of the cold index. Requests come
in two ways: paced, `--rate` a second from all clients together, and as quick as they are answered; the second measures
the machine's processors more than the server. `--publish` is how often a second the index is replaced by a newly
published one that says that it has other content, so that everything is read anew; with `--same` it is the same content,
as after a rebuild. `--flat` is the number of requests over which memory is watched.
"""

from __future__ import annotations

import argparse
import functools
import itertools
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import duckdb

from mmcg.mcp.arguments import checked
from mmcg.mcp.desk import Desk, Job
from mmcg.mcp.readers import Readers
from mmcg.mcp.shape import envelope, fitted
from mmcg.mcp.tools import TOOLS
from mmcg.mcp.upkeep import Upkeep
from mmcg.settings import Places

Request = tuple[str, dict[str, Any]]
MIX = {"callers": 20, "callees": 15, "symbol": 15, "search": 10, "references": 10, "impact": 8, "tests": 5, "path": 2,
       "outline": 5, "imports": 5, "hierarchy": 5}  # fmt: skip
"""How often each tool is called, of a hundred calls."""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("root", type=Path)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--requests", type=int, default=1000)
    parser.add_argument("--rate", type=float, default=100)
    parser.add_argument("--publish", type=float, default=2)
    parser.add_argument("--same", action="store_true", help="publish indexes of the same content")
    parser.add_argument("--flat", type=int, default=20_000)
    parser.add_argument("--watch", action="store_true", help="the servers watch the tree")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch) / given.root.resolve().name
        shutil.copytree(given.root, root, symlinks=True, ignore=shutil.ignore_patterns(".mastermind"))
        begun = time.perf_counter()
        subprocess.run([*COMMAND, "index", str(root)], check=True, stdout=subprocess.DEVNULL)
        print(f"indexed in {time.perf_counter() - begun:.1f} s")
        requests = mixed(root, given.requests)
        expected = [wanted(root, each) for each in requests]
        words = [str(root), *(["--watch"] if given.watch else [])]
        clients = [Client(words) for _ in range(given.clients)]
        for client in clients:
            # The first question waits for the first look at the tree.
            client.call(requests[0])
        stop = threading.Event()
        publisher = threading.Thread(target=publish, args=(root, given.publish, given.same, stop))
        publisher.start()
        try:
            for what, rate in (("paced", given.rate), ("saturated", 0.0)):
                report(what, clients, requests, expected, rate)
            flat(clients[0], requests, given.flat)
        finally:
            stop.set()
            publisher.join()
        for client in clients:
            client.end()


COMMAND = [sys.executable, "-m", "mmcg"]


def mixed(root: Path, count: int) -> list[Request]:
    """Requests about symbols of the repository, the same in every run."""
    desk = desk_of(root)
    with desk.context(Job()) as context:
        sql = "SELECT address, path, name FROM symbols WHERE kind IN ('function', 'method', 'class') ORDER BY hash(id)"
        known = context.rows(sql)[:2000]
    random.seed(7)
    found: list[Request] = []
    for tool in random.choices(list(MIX), list(MIX.values()), k=count):
        address, path, name = random.choice(known)
        if tool == "search":
            arguments = {"text": name}
        elif tool in ("outline", "imports"):
            arguments = {"path": path}
        elif tool == "path":
            arguments = {"from": address, "to": random.choice(known)[0]}
        else:
            arguments = {"symbol": address}
        found.append((tool, arguments))
    return found


def wanted(root: Path, request: Request) -> dict[str, Any]:
    """The cold index's answer."""
    desk = desk_of(root)
    tool = TOOLS[request[0]]
    return answered(envelope(fitted(desk.answer(tool, checked(tool, request[1]), Job()))))


@functools.cache
def desk_of(root: Path) -> Desk:
    """A desk of our own."""
    places = Places(root)
    readers = Readers(places)
    return Desk(places, readers, Upkeep(places, readers))


def answered(found: dict[str, Any]) -> dict[str, Any]:
    """What of an answer must not depend on when it was given."""
    return json.loads(json.dumps({key: found[key] for key in ("status", "results", "total", "truncated", "possible")}))


class Client:
    """A server and its client, which does as little as it can while it measures."""

    def __init__(self, words: list[str]) -> None:
        self.process = subprocess.Popen([*COMMAND, "serve", *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.numbers = itertools.count(1)
        hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}
        self.ask("initialize", hello)
        self.write({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def write(self, message: dict[str, Any]) -> None:
        """Send a message."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def ask(self, method: str, parameters: dict[str, Any]) -> bytes:
        """Send a request, and the line that answers it."""
        assert self.process.stdout is not None
        self.write({"jsonrpc": "2.0", "id": next(self.numbers), "method": method, "params": parameters})
        return self.process.stdout.readline()

    def call(self, request: Request) -> bytes:
        """Call a tool."""
        return self.ask("tools/call", {"name": request[0], "arguments": request[1]})

    def state(self) -> tuple[int, int, int, float]:
        """Resident kilobytes, descriptors, children, and processor seconds; zeros where `/proc` does not tell."""
        own = Path(f"/proc/{self.process.pid}")
        if not own.exists():
            return 0, 0, 0, 0.0
        resident = next(line for line in (own / "status").read_text().splitlines() if line.startswith("VmRSS"))
        children = (own / "task" / str(self.process.pid) / "children").read_text().split()
        ticks = sum(map(int, (own / "stat").read_text().rpartition(")")[2].split()[11:13]))
        return (
            int(resident.split()[1]),
            len(list((own / "fd").iterdir())),
            len(children),
            ticks / os.sysconf("SC_CLK_TCK"),
        )

    def end(self) -> None:
        """Go away."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait(10)


def publish(root: Path, a_second: float, same: bool, stop: threading.Event) -> None:
    """Publish the same rows again and again, as a new file under the same name, by turns of two contents."""
    if not a_second:
        return
    database = Places(root).database
    new = database.with_name("mmcg.db.bench.tmp")
    shutil.copy(database, new)
    with duckdb.connect(str(new)) as connection:
        row = connection.execute("SELECT value FROM meta WHERE key = 'summary'").fetchone()
        assert row is not None
        summary = json.dumps(json.loads(row[0]) | {"content": "another"})
        connection.execute("UPDATE meta SET value = ? WHERE key = 'summary'", [summary])
    contents = itertools.cycle([database.read_bytes()] if same else [new.read_bytes(), database.read_bytes()])
    while not stop.wait(1 / a_second):
        new.write_bytes(next(contents))
        new.replace(database)


def report(what: str, clients: list[Client], requests: list[Request], expected: list[Any], rate: float) -> None:
    """Ask everything once, spread over the clients; one line of times, one of what was wrong or left over."""
    before = [client.state() for client in clients]
    taken: list[tuple[int, float, bytes]] = []
    begun = time.perf_counter()

    def talk(number: int) -> None:
        for at in range(number, len(requests), len(clients)):
            if rate:
                time.sleep(max(0.0, begun + at / rate - time.perf_counter()))
            start = time.perf_counter()
            line = clients[number].call(requests[at])
            taken.append((at, time.perf_counter() - start, line))

    threads = [threading.Thread(target=talk, args=(number,)) for number in range(len(clients))]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    seconds = time.perf_counter() - begun
    after = [client.state() for client in clients]
    wrong = sum(answered(json.loads(line)["result"]["structuredContent"]) != expected[at] for at, _, line in taken)
    times = sorted(each * 1e3 for _, each, _ in taken)
    processor = sum(new[3] - old[3] for new, old in zip(after, before, strict=True)) * 1e3 / len(requests)
    print(
        f"{what:10} {len(requests) / seconds:6.0f} a second  p50 {statistics.median(times):6.1f} ms"
        f"  p99 {times[len(times) * 99 // 100]:6.1f} ms  max {times[-1]:6.1f} ms  processor {processor:5.2f} ms a request"
    )
    print(
        f"{'':10} {wrong} wrong; descriptors {before[0][1]} -> {after[0][1]}, children {sum(each[2] for each in after)}"
    )


def flat(client: Client, requests: list[Request], count: int) -> None:
    """Memory and descriptors over many requests to one server."""
    seen = []
    for number, request in enumerate(itertools.islice(itertools.cycle(requests), count)):
        client.call(request)
        if number % max(1, count // 8) == 0:
            seen.append(client.state()[:3])
    seen.append(client.state()[:3])
    print(
        f"{count} requests: megabytes {', '.join(f'{each[0] / 1024:.0f}' for each in seen)}; descriptors {seen[-1][1]}"
    )


if __name__ == "__main__":
    main()
