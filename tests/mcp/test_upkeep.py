"""When an answer looks at the tree first, and what it says when it could not wait."""

from __future__ import annotations

import os
import threading
import time

import pytest

from mmcg import indexing
from mmcg.errors import NoIndexError, StoppedError
from mmcg.mcp import sentry, upkeep
from mmcg.mcp.readers import Readers
from mmcg.mcp.upkeep import Upkeep
from mmcg.settings import Places
from tests.trees import write_tree


def never():
    return False


@pytest.fixture
def tree(tmp_path):
    write_tree(tmp_path, {"a.py": "def f():\n    pass\n", "b/c.py": "def g():\n    pass\n"})
    for file in tmp_path.rglob("*.py"):
        # Files that were written just before they are indexed may be written again unseen, and are looked at again.
        os.utime(file, (1_700_000_000, 1_700_000_000))
    return tmp_path


@pytest.fixture
def keep(tree):
    places = Places(tree)
    readers = Readers(places)
    made = Upkeep(places, readers, builds=True)
    yield made, readers
    made.close(30)
    readers.forget()


def looks(monkeypatch):
    """Counts the looks that are taken."""
    taken = []
    real = indexing.look
    monkeypatch.setattr(indexing, "look", lambda root: taken.append(time.time_ns()) or real(root))
    return taken


def test_the_first_answer_waits_for_the_first_index(keep):
    made, readers = keep
    state = made.ready(None, never)
    assert state.fresh
    assert readers.meta().counts["files"] == 2


def test_without_leave_nothing_is_made_and_nothing_looked_through(tree, monkeypatch):
    taken = looks(monkeypatch)
    made = Upkeep(Places(tree), Readers(Places(tree)))
    with pytest.raises(NoIndexError, match="has no index"):
        made.ready(None, never)
    assert taken == []
    assert not (tree / ".mastermind").exists()


def test_a_refresh_that_is_turned_off_makes_nothing(tree, monkeypatch):
    monkeypatch.setenv("MASTERMIND_REFRESH", "0")
    made = Upkeep(Places(tree), Readers(Places(tree)), builds=True)
    with pytest.raises(NoIndexError):
        made.ready(None, never)
    assert not (tree / ".mastermind").exists()


def test_in_a_small_tree_every_answer_looks(keep, monkeypatch):
    made, readers = keep
    made.ready(None, never)
    taken = looks(monkeypatch)
    for _ in range(3):
        assert made.ready(readers.meta(), never).fresh
    assert len(taken) >= 3


@pytest.mark.parametrize("told", [True, False])
def test_in_a_large_tree_a_look_counts_until_something_changes(keep, tree, monkeypatch, told):
    monkeypatch.setattr(sentry, "SMALL", 0)
    monkeypatch.setattr(upkeep, "SMALL", 0)
    monkeypatch.setattr(sentry, "BLIND_NS", 30_000_000_000)
    monkeypatch.setattr(sentry, "TRUSTED_NS", 60_000_000_000)
    if not told:

        def unable(_):
            raise indexing.NotWatchableError("too many folders", "")

        monkeypatch.setattr(indexing, "watch", unable)
    made, readers = keep
    # The first look finds out how large the tree is, the second has changes told.
    made.ready(None, never)
    made.begin().join()
    taken = looks(monkeypatch)
    for _ in range(20):
        assert made.ready(readers.meta(), never).fresh
    assert taken == []
    before = readers.meta().built_at, readers.meta().started_ns
    write_tree(tree, {"a.py": "def h():\n    pass\n"})
    if not told:
        # As if a minute had passed.
        made._looked_ns -= 60_000_000_000
    until = time.monotonic() + 20
    while (readers.meta().built_at, readers.meta().started_ns) == before and time.monotonic() < until:
        time.sleep(0.05)
        made.ready(readers.meta(), never)
    assert readers.meta().started_ns != before[1]


def test_an_answer_that_cannot_wait_says_so(keep, monkeypatch):
    made, readers = keep
    made.ready(None, never)
    snapshot = readers.meta()
    hold = threading.Event()
    real = indexing.look
    monkeypatch.setattr(indexing, "look", lambda root: hold.wait(30) and real(root))
    monkeypatch.setattr(upkeep, "PATIENCE", 0.1)
    monkeypatch.setattr(upkeep, "FIRST_PATIENCE", 0.1)
    state = made.ready(snapshot, never)
    assert (state.fresh, state.notices) == (False, ("The tree is still being compared with the index.",))
    with pytest.raises(NoIndexError, match="is being made"):
        made.ready(None, never)
    with pytest.raises(StoppedError):
        made.ready(snapshot, lambda: True)
    hold.set()


def test_a_small_tree_is_refreshed_however_long_its_last_run_took(keep, tree, monkeypatch):
    made, readers = keep
    made.ready(None, never)
    monkeypatch.setattr(made, "_budget", 1e-9)
    write_tree(tree, {"a.py": "def h():\n    pass\n"})
    assert made.ready(readers.meta(), never).fresh


def test_a_long_refresh_goes_on_behind_the_answers(keep, tree, monkeypatch):
    monkeypatch.setattr(upkeep, "SMALL", 0)
    made, readers = keep
    made.ready(None, never)
    monkeypatch.setattr(made, "_budget", 1e-9)
    write_tree(tree, {"a.py": "def h():\n    pass\n"})
    state = made.ready(readers.meta(), never)
    assert not state.fresh
    assert state.notices == ("The index is stale: 1 file changed. It is being brought up to date.",)
    until = time.monotonic() + 30
    while not made.ready(readers.meta(), never).fresh and time.monotonic() < until:
        time.sleep(0.05)
    assert made.ready(readers.meta(), never).fresh


class Watcher:
    """Notices a change when it is asked for the third time, and dies with the fourth."""

    def __init__(self, tree):
        self.tree, self.alive, self.asked, self.ran = tree, True, 0, 0

    def wait_until_current(self, _):
        self.asked += 1
        if self.asked == 3:
            self.ran += 1
            indexing.index(self.tree)
        self.alive = self.asked < 4
        return True


@pytest.mark.parametrize("lives", [True, False])
def test_with_a_watcher_the_watcher_indexes(tree, monkeypatch, lives):
    """An answer waits for its run, however late it notices, and makes none of its own; unless the watcher is dead."""
    indexing.index(tree)
    readers = Readers(Places(tree))
    watcher = Watcher(tree)
    made = Upkeep(Places(tree), readers, builds=True, watcher=watcher)
    assert made.ready(readers.meta(), never).fresh
    write_tree(tree, {"a.py": "def h():\n    pass\n"})
    time.sleep(0.1)
    watcher.asked, watcher.ran, watcher.alive = 0, 0, lives
    runs = []
    real = indexing._index
    monkeypatch.setattr(indexing, "_index", lambda *given, **named: runs.append(1) or real(*given, **named))
    assert made.ready(readers.meta(), never).fresh
    assert (len(runs), watcher.ran) == (1, lives)
    made.close(30)
    readers.forget()
