"""A server's memory does not grow with the questions that it answers, nor with the snapshots that come and go."""

from __future__ import annotations

import statistics
import sys
from pathlib import Path

import pytest

from mmcg import indexing
from mmcg.settings import Places
from tests.mcp.talk import Talk
from tests.trees import write_tree

FILES, REQUESTS, SAMPLES, EACH = 400, 20_000, 40, 20
ALLOWED = 1.08
"""The last tenth of the samples may be above the first, after the first tenth, by this factor."""

LEAKING = """
from mmcg.mcp import readers
kept = []
real = readers.Readers._given_back
def given_back(self, snapshot, context):
    kept.append(bytearray(8000))
    return real(self, snapshot, context)
readers.Readers._given_back = given_back
from mmcg.cli.main import main
main()
"""


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """So many files that not every answer looks through them."""
    root = tmp_path_factory.mktemp("many")
    for n in range(FILES):
        following = f"from p{(n + 1) % 20}.m{n + 1} import f{n + 1}"
        write_tree(root, {f"p{n % 20}/m{n}.py": f"{following}\n\n\ndef f{n}():\n    return f{n + 1}()\n"})
    indexing.index(root)
    return root


def resident(talk):
    status = Path(f"/proc/{talk.process.pid}/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))


def samples(tree, requests=REQUESTS):
    """Resident kilobytes, evenly over all requests; every twentieth finds a new snapshot."""
    database = Places(tree).database
    data = database.read_bytes()
    asked = [
        ("callers", {"symbol": "f{n}"}), ("impact", {"symbol": "f{n}"}), ("search", {"text": "f{n}"}),
        ("outline", {"path": "p{p}/m{n}.py"}), ("symbol", {"symbol": "f{n}"}), ("callers", {"symbol": "no{n}"}),
    ]  # fmt: skip
    found = []
    with Talk(str(tree)) as talk:
        for number in range(requests):
            if number % EACH == 0:
                new = database.with_name("mmcg.db.test.tmp")
                new.write_bytes(data)
                new.replace(database)
            n = number % FILES
            tool, arguments = asked[number % len(asked)]
            filled = {key: text.format(n=n, p=n % 20) for key, text in arguments.items()}
            assert not talk.request("tools/call", {"name": tool, "arguments": filled})["result"]["isError"]
            talk.lines.clear()
            if number % (requests // SAMPLES) == 0:
                found.append(resident(talk))
        assert talk.end() == 0
    return found


def grown(found):
    """By what factor the end is above the begin; the very first requests fill caches."""
    tenth = len(found) // 10
    return statistics.median(found[-tenth:]) / statistics.median(found[tenth : 2 * tenth])


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs /proc")
def test_memory_is_flat(tree):
    found = samples(tree)
    assert grown(found) < ALLOWED, found


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs /proc")
def test_a_leak_would_be_seen(tree, monkeypatch):
    monkeypatch.setattr("tests.mcp.talk.command", lambda *arguments: [sys.executable, "-c", LEAKING, *arguments])
    assert grown(samples(tree, REQUESTS // 4)) > ALLOWED
