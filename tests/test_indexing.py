"""An index follows its tree: unchanged, changed, refreshed before a query, damaged."""

import ast
import os
import time
from pathlib import Path

import pytest

from mmcg import indexing
from mmcg.errors import NoIndexError
from mmcg.settings import Places
from mmcg.store import open_index
from mmcg.store.lock import writing
from tests.trees import dump, write_chain, write_tree


@pytest.fixture
def tree(tmp_path):
    """A small tree, indexed, its files old enough to be trusted."""
    write_chain(tmp_path, 5)
    age(tmp_path)
    indexing.index(tmp_path)
    return tmp_path


def age(root):
    """Make the files' times older than the resolution of file systems."""
    for file in root.glob("*.py"):
        os.utime(file, ns=(1_700_000_000_000_000_000,) * 2)
    time.sleep(0.05)


def names(root):
    with open_index(root) as index:
        return {name for (name,) in index.rows("SELECT name FROM symbols")}


def refresh_if_stale(root, budget=None):
    index, state = indexing.open_refreshed(root, budget)
    index.close()
    return state


def test_an_unchanged_tree_is_not_indexed_again(tree):
    first = Places(tree).database.stat()
    again = indexing.index(tree)
    assert again.unchanged
    assert (again.summary["parsed"], again.summary["reused"], again.summary["files"]) == (0, 6, 6)
    assert Places(tree).database.stat().st_ino == first.st_ino


def test_both_answers_have_the_same_keys(tree):
    kept = indexing.index(tree).summary
    made = indexing.index(tree, rebuild=True).summary
    assert kept.keys() == made.keys()
    assert made["parsed"] == 6


def test_the_same_rows_as_a_cold_index(tree):
    write_tree(tree, {"m2.py": "def other():\n    pass\n", "m9.py": "import m2\nm2.other()\n"})
    (tree / "m0.py").unlink()
    done = indexing.index(tree)
    assert not done.unchanged
    warm = dump(tree)
    indexing.index(tree, rebuild=True)
    assert dump(tree) == warm


def test_an_edit_that_keeps_size_and_time_is_seen(tree):
    file = tree / "m5.py"
    status = file.stat()
    file.write_text(file.read_text().replace("first", "other"))
    os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert not indexing.index(tree).unchanged
    assert "other_5" in names(tree)


def test_another_build_of_the_core_makes_an_index_stale(tree, monkeypatch):
    monkeypatch.setattr(indexing, "core_version", lambda: {"core": "other"})
    with open_index(tree) as index:
        state = indexing.freshness(index)
    assert not state.fresh
    assert "another version" in state.notices[0]
    assert not indexing.index(tree).unchanged


def test_a_fresh_index_is_left_alone(tree):
    state = refresh_if_stale(tree)
    assert (state.fresh, state.refreshed, state.notices) == (True, False, ())


def test_a_stale_index_is_refreshed_first(tree):
    write_tree(tree, {"new.py": "def fresh():\n    pass\n"})
    state = refresh_if_stale(tree)
    assert (state.fresh, state.refreshed, state.changed) == (True, True, 1)
    assert "fresh" in names(tree)


def test_without_budget_a_notice_says_how_many_files_changed(tree):
    write_tree(tree, {"new.py": "", "m1.py": "changed = 1\n"})
    (tree / "m2.py").unlink()
    state = refresh_if_stale(tree, budget=0)
    assert (state.fresh, state.refreshed, state.changed) == (False, False, 3)
    assert "3 files changed" in state.notices[0]


def test_there_is_nothing_to_refresh_without_an_index(tmp_path):
    with pytest.raises(NoIndexError):
        indexing.open_refreshed(tmp_path)


def test_the_old_snapshot_answers_while_another_process_writes(tree):
    write_tree(tree, {"new.py": "def fresh():\n    pass\n"})
    with writing(Places(tree), 1):
        state = refresh_if_stale(tree, budget=0.5)
    assert not state.fresh
    assert "Another process is writing" in state.notices[0]
    assert "fresh" not in names(tree)


def test_damage_is_found_set_aside_and_rebuilt(tree):
    database = Places(tree).database
    with database.open("r+b") as handle:
        handle.seek(12_288 + 100)
        handle.write(b"x" * (database.stat().st_size - 12_388))
    done = indexing.index(tree)
    assert not done.unchanged
    assert "set aside as `mmcg.db.bad-" in done.summary["notices"][0]
    assert indexing.index(tree).unchanged


def test_nothing_to_index_is_said(tmp_path):
    (tmp_path / "a.unknown").touch()
    done = indexing.index(tmp_path)
    assert done.summary["files"] == 0
    assert ".unknown" in " ".join(done.summary["notices"])
    assert indexing.index(tmp_path).summary["notices"] == done.summary["notices"]


def test_the_stub_names_what_the_core_has():
    """Each function and class of the native module, and each member of its classes, and nothing else."""
    stub = ast.parse((Path(indexing.__file__).parent / "_core.pyi").read_text(encoding="utf-8"))
    told = {node.name: node for node in stub.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    shapes = {name for name, node in told.items() if isinstance(node, ast.ClassDef) and _is_shape(node)}
    core = indexing.core()
    assert set(told) - shapes == {name for name in vars(core) if not name.startswith("_")}
    for name, node in told.items():
        if isinstance(node, ast.ClassDef) and name not in shapes:
            members = {each.name for each in node.body if isinstance(each, ast.FunctionDef)}
            there = {each for each in vars(getattr(core, name)) if not each.startswith("__")}
            assert {each for each in members if not each.startswith("__")} == there, name


def _is_shape(node: ast.ClassDef) -> bool:
    """Whether a class of the stub only describes a dictionary."""
    return any(isinstance(base, ast.Name) and base.id == "TypedDict" for base in node.bases)
