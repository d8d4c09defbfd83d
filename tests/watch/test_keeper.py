"""A keeper makes the index follow the tree, from a thread of its own."""

import queue

import pytest

from mmcg.store import open_index
from mmcg.watch import Keeper
from tests.trees import write_tree

PATIENCE = 20.0


@pytest.fixture
def updates():
    return queue.Queue()


@pytest.fixture
def keeper(tmp_path, updates):
    write_tree(tmp_path, {"a.py": "def one():\n    pass\n"})
    with Keeper(tmp_path, updates.put) as keeper:
        first = updates.get(timeout=PATIENCE)
        assert (first.first, first.published, first.files) == (True, True, 1)
        yield keeper


def names(root):
    with open_index(root) as index:
        return {name for (name,) in index.rows("SELECT name FROM symbols WHERE kind = 'function'")}


def test_an_edit_is_in_the_index_when_it_is_told(tmp_path, keeper, updates):
    write_tree(tmp_path, {"a.py": "def two():\n    pass\n\ndef more():\n    pass\n"})
    update = updates.get(timeout=PATIENCE)
    assert (update.first, update.published, update.files, update.parsed) == (False, True, 1, 1)
    assert update.rows > 0
    assert names(tmp_path) == {"two", "more"}


def test_it_ends_when_told_to(keeper):
    assert keeper.wait_until_current(PATIENCE)
    assert keeper.alive
    assert keeper.stop(PATIENCE)
    assert not keeper.alive
