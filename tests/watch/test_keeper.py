"""A keeper makes the index follow the tree, from a thread of its own, whatever happens to either."""

import contextlib
import os
import queue
import resource
import shutil
import signal
import subprocess
import time

import pytest

from mmcg import indexing
from mmcg.errors import NoIndexError, NotWatchableError
from mmcg.settings import Places
from mmcg.store import open_index
from mmcg.store.lock import writing
from mmcg.watch import Keeper
from tests.trees import dump, write_tree

PATIENCE = 30.0


class Watched:
    """A keeper of a tree, and what it said."""

    def __init__(self, root, **options):
        self.root = root
        self.updates = queue.Queue()
        self.notices = queue.Queue()
        self.keeper = Keeper(root, self.updates.put, self.notices.put, **options)

    def update(self):
        return self.updates.get(timeout=PATIENCE)

    def notice(self):
        return self.notices.get(timeout=PATIENCE)

    def until(self, functions):
        """Take updates until the index has these functions; how many it took."""
        for count in range(50):
            if names(self.root) == functions:
                return count
            self.update()
        raise AssertionError(names(self.root))

    def quiet(self, seconds=0.6):
        """Whether nothing is said for a while."""
        with contextlib.suppress(queue.Empty):
            return not self.updates.get(timeout=seconds)
        return self.notices.empty()


@pytest.fixture
def tree(tmp_path):
    root = tmp_path / "root"
    root.mkdir()
    write_tree(root, {"a.py": "def one():\n    pass\n", ".gitignore": "/out/\n", "out/x.py": ""})
    return root


@pytest.fixture
def watched(tree):
    watched = Watched(tree)
    with watched.keeper:
        first = watched.update()
        assert (first.first, first.published, first.files) == (True, True, 1)
        yield watched


def names(root):
    try:
        with open_index(root) as index:
            return {name for (name,) in index.rows("SELECT name FROM symbols WHERE kind = 'function'")}
    except NoIndexError:
        return None


def function(name):
    return f"def {name}():\n    pass\n"


def test_an_edit_is_in_the_index_when_it_is_told(watched, tree):
    write_tree(tree, {"a.py": function("two") + function("more")})
    update = watched.update()
    assert (update.first, update.published, update.files, update.parsed) == (False, True, 1, 1)
    assert update.rows > 0
    assert names(tree) == {"two", "more"}


def test_a_current_index_is_told_and_left_alone(tree):
    indexing.index(tree)
    time.sleep(0.1)
    indexing.index(tree)
    before = Places(tree).database.stat().st_ino
    watched = Watched(tree)
    with watched.keeper:
        update = watched.update()
        assert (update.first, update.published) == (True, False)
        assert watched.keeper.wait_until_current(PATIENCE)
    assert Places(tree).database.stat().st_ino == before


def test_it_ends_when_told_to(watched):
    assert watched.keeper.wait_until_current(PATIENCE)
    assert watched.keeper.alive
    assert watched.keeper.stop(PATIENCE)
    assert not watched.keeper.alive
    assert watched.keeper.failure is None


def test_it_ends_in_the_middle_of_a_run(tree, monkeypatch):
    """The run is given up; nothing is published."""
    began = queue.Queue()
    index = indexing.index

    def slow(root, *, progress, **options):
        def tell(done, total):
            began.put(1)
            time.sleep(0.1)
            progress(done, total)

        return index(root, progress=tell, **options)

    monkeypatch.setattr(indexing, "index", slow)
    watched = Watched(tree)
    watched.keeper.start()
    began.get(timeout=PATIENCE)
    assert watched.keeper.stop(PATIENCE)


def test_a_burst_is_one_update(watched, tree):
    """As when another branch is checked out."""
    write_tree(tree, {f"m{n}/f{k}.py": function(f"f{n}_{k}") for n in range(10) for k in range(30)})
    assert watched.update().files == 301
    assert watched.quiet()


def test_new_deep_folders_are_seen(watched, tree):
    write_tree(tree, {"x/y/z/deep.py": function("deep")})
    watched.until({"one", "deep"})
    write_tree(tree, {"x/y/z/deep.py": function("deeper")})
    watched.until({"one", "deeper"})


def test_a_folder_that_is_moved_in_and_on_and_out_is_followed(watched, tree):
    elsewhere = tree.parent / "elsewhere"
    write_tree(elsewhere, {"sub/b.py": function("moved")})
    elsewhere.rename(tree / "here")
    watched.until({"one", "moved"})
    (tree / "here").rename(tree / "there")
    watched.update()
    with open_index(tree) as index:
        assert index.rows("SELECT path FROM files ORDER BY path") == [("a.py",), ("there/sub/b.py",)]
    write_tree(tree, {"there/sub/b.py": function("edited")})
    watched.until({"one", "edited"})
    (tree / "there").rename(elsewhere)
    watched.until({"one"})
    write_tree(elsewhere, {"sub/b.py": function("far")})
    assert watched.quiet()


def test_deleted_folders_are_seen(watched, tree):
    write_tree(tree, {"x/y/b.py": function("b"), "x/c.py": function("c")})
    watched.until({"one", "b", "c"})
    shutil.rmtree(tree / "x")
    watched.until({"one"})
    write_tree(tree, {"x/y/b.py": function("again")})
    watched.until({"one", "again"})


def test_what_is_not_indexed_wakes_nobody(watched, tree):
    write_tree(tree, {"out/x.py": function("x"), "out/new/y.py": "", "notes.txt": "x", "node_modules/m/i.js": "f()"})
    (tree / ".git").mkdir()
    (tree / ".git/HEAD").touch()
    assert watched.quiet()


def test_ignore_files_count_when_they_change(watched, tree):
    (tree / ".gitignore").write_text("/a.py\n")
    watched.update()
    with open_index(tree) as index:
        assert index.rows("SELECT path FROM files") == [("out/x.py",)]
    write_tree(tree, {"out/x.py": function("seen")})
    watched.until({"seen"})
    (tree / ".mastermindignore").write_text("out/\n")
    watched.until(set())


def test_an_edit_that_keeps_size_and_time_is_seen(watched, tree):
    file = tree / "a.py"
    status = file.stat()
    file.write_text(file.read_text().replace("one", "two"))
    os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))
    watched.until({"two"})


def test_files_that_vanish_while_they_are_read(watched, tree):
    for n in range(200):
        write_tree(tree, {f"gone{n}.py": function(f"gone{n}")})
        (tree / f"gone{n}.py").unlink()
    write_tree(tree, {"stays.py": function("stays")})
    watched.until({"one", "stays"})
    assert watched.notices.empty()


def test_the_database_is_made_again_when_it_is_deleted(watched, tree):
    Places(tree).database.unlink()
    watched.update()
    assert names(tree) == {"one"}
    shutil.rmtree(Places(tree).folder)
    watched.update()
    assert names(tree) == {"one"}


def test_a_full_disk_is_told_and_outlived(watched, tree):
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, hard))
    try:
        write_tree(tree, {"b.py": function("later")})
        assert "written" in watched.notice()
        assert names(tree) == {"one"}
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, before)
    watched.until({"one", "later"})
    assert watched.notice() == "The index is current again."


def test_a_root_that_is_renamed_away_is_waited_for(watched, tree):
    away = tree.with_name("away")
    tree.rename(away)
    assert "is gone" in watched.notice()
    write_tree(away, {"b.py": function("meanwhile")})
    away.rename(tree)
    watched.until({"one", "meanwhile"})
    write_tree(tree, {"b.py": function("after")})
    watched.until({"one", "after"})


def test_another_root_in_its_place_is_another_tree(watched, tree):
    tree.rename(tree.with_name("away"))
    write_tree(tree, {"b.py": function("other")})
    watched.until({"other"})
    write_tree(tree, {"b.py": function("edited")})
    watched.until({"edited"})


def test_a_root_that_is_a_link(tree):
    link = tree.with_name("link")
    link.symlink_to(tree)
    watched = Watched(link)
    with watched.keeper:
        watched.update()
        write_tree(tree, {"b.py": function("seen")})
        watched.until({"one", "seen"})


def test_another_writer_is_waited_for(watched, tree):
    with writing(Places(tree), 1):
        write_tree(tree, {"a.py": function("two")})
        assert watched.quiet(1.0)
    watched.until({"two"})
    assert watched.notices.empty()


def test_another_process_that_indexes_the_same_change(watched, tree):
    write_tree(tree, {"a.py": function("two")})
    indexing.index(tree)
    assert names(tree) == {"two"}
    write_tree(tree, {"a.py": function("three")})
    watched.until({"three"})


def test_polling(tree):
    watched = Watched(tree, polling=True)
    with watched.keeper:
        watched.update()
        write_tree(tree, {"x/b.py": function("seen")})
        watched.until({"one", "seen"})


def test_more_folders_than_the_system_watches(tree, monkeypatch):
    def refuse(look):
        raise NotWatchableError("There are too many folders.", "Raise the limit.")

    monkeypatch.setattr(indexing, "watch", refuse)
    watched = Watched(tree)
    with watched.keeper:
        watched.update()
        assert watched.notice() == "There are too many folders. Raise the limit."
        write_tree(tree, {"x/b.py": function("seen")})
        watched.until({"one", "seen"})


def test_a_callback_that_raises_ends_it(tree):
    ended = queue.Queue()
    fault = ValueError("cannot be told")

    def tell(_):
        raise fault

    keeper = Keeper(tree, tell, on_end=lambda: ended.put(1))
    keeper.start()
    ended.get(timeout=PATIENCE)
    assert keeper.stop(PATIENCE)
    assert keeper.failure is fault


def test_after_all_this_the_rows_are_those_of_a_cold_index(watched, tree):
    write_tree(tree, {"p/b.py": "from a import one\none()\n", "p/c.py": function("c")})
    (tree / "a.py").rename(tree / "p/a.py")
    watched.until({"one", "c"})
    assert watched.keeper.wait_until_current(PATIENCE)
    time.sleep(0.2)
    assert watched.keeper.wait_until_current(PATIENCE)
    watched.keeper.stop()
    kept = dump(tree)
    indexing.index(tree, rebuild=True)
    assert dump(tree) == kept


def test_branches_are_switched_in_one_update(tree):
    def git(*arguments):
        who = ("-c", "user.name=x", "-c", "user.email=x@example.com")
        subprocess.run(["git", "-C", tree, *who, *arguments], check=True, capture_output=True)

    git("init", "-q", "-b", "main")
    git("add", "a.py", ".gitignore")
    git("commit", "-qm", "one")
    git("checkout", "-qb", "other")
    write_tree(tree, {f"m{n}/f.py": function(f"f{n}") for n in range(200)})
    git("add", ".")
    git("commit", "-qm", "two")
    watched = Watched(tree)
    with watched.keeper:
        assert watched.update().files == 201
        git("checkout", "-q", "main")
        assert watched.update().files == 1
        git("checkout", "-q", "other")
        assert watched.update().files == 201
        assert watched.quiet()
