"""A writer replaces an index whole, in its turn, or leaves everything as it was."""

import json
import os
import random
import resource
import signal
import subprocess
import time

import pytest

from mmcg.errors import LockedError, StoreWriteError
from mmcg.settings import Places
from mmcg.store import open_index
from mmcg.store.lock import writing
from mmcg.store.publish import clear_leftovers, prepare_folder, previous
from mmcg.store.verify import verify
from tests.fake_core import fake_meta, graph_tables, publish, write_index
from tests.trees import command, environment, mastermind, write_chain


def leftovers(root):
    return sorted(file.name for file in (root / ".mastermind").iterdir() if ".tmp" in file.name or ".wal" in file.name)


def test_git_ignores_the_index_and_not_the_tasks(tmp_path):
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    places = Places(tmp_path)
    prepare_folder(places)
    write_index(tmp_path)
    (places.folder / "cache").mkdir()
    (places.folder / "cache" / "x").touch()
    (places.folder / "tasks").mkdir()
    (places.folder / "tasks" / "one.md").touch()
    seen = subprocess.run(
        ["git", "-C", tmp_path, "status", "--porcelain", "-uall"], capture_output=True, text=True, check=True
    )
    assert seen.stdout == "?? .mastermind/tasks/one.md\n"


def test_a_second_writer_waits_its_turn_and_is_told_who_holds_it(tmp_path):
    places = Places(tmp_path)
    prepare_folder(places)
    with writing(places, 1), pytest.raises(LockedError) as caught, writing(places, 0.1):
        pass
    assert f"process {os.getpid()} on" in str(caught.value)
    assert "since 20" in str(caught.value)
    assert caught.value.exit_code == 3
    with writing(places, 0.1):
        pass


def test_the_lock_of_a_killed_process_is_free(tmp_path):
    places = Places(tmp_path)
    prepare_folder(places)
    code = (
        "import sys, time; from pathlib import Path\n"
        "from mmcg.settings import Places; from mmcg.store.lock import writing\n"
        "with writing(Places(Path(sys.argv[1])), 5): print('held', flush=True); time.sleep(60)"
    )
    first = command()[0]
    with subprocess.Popen([first, "-c", code, str(tmp_path)], env=environment(), stdout=subprocess.PIPE) as holder:
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(LockedError, match=f"process {holder.pid} "), writing(places, 0.1):
            pass
        holder.kill()
    with writing(places, 1):
        pass


def test_what_dead_writers_left_is_removed(tmp_path):
    places = Places(tmp_path)
    prepare_folder(places)
    for name in ("mmcg.db.123.tmp", "mmcg.db.123.tmp.wal", "mmcg.db.wal", "keep.md"):
        (places.folder / name).touch()
    clear_leftovers(places)
    assert sorted(file.name for file in places.folder.iterdir()) == [".gitignore", "keep.md"]


def test_a_bad_index_is_set_aside_and_said_so(tmp_path):
    places = Places(tmp_path)
    prepare_folder(places)
    places.database.write_bytes(b"nonsense" * 5000)
    found, (notice,) = previous(places)
    assert found is None
    (aside,) = places.folder.glob("mmcg.db.bad-*")
    assert aside.name in notice
    assert not places.database.exists()
    assert previous(places) == (None, [])


def test_full_disk_keeps_the_old_index(tmp_path):
    """The limit on file sizes fails a write just as a full disk does, and needs no rights."""
    write_index(tmp_path, files=[{"id": 0, "path": "old"}])
    rows = [{"id": n, "name": f"name {n**7}"} for n in range(60_000)]
    tables = graph_tables(symbols=rows)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, hard))
    try:
        with pytest.raises(StoreWriteError, match=r"could not be written|cannot be written"):
            publish(tmp_path, tables, fake_meta(tmp_path))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, before)
    assert leftovers(tmp_path) == []
    with open_index(tmp_path) as index:
        assert index.rows("SELECT path FROM files") == [("old",)]


def test_a_folder_without_the_right_to_write(tmp_path):
    """Whoever runs this as root gives up that right for as long as it takes."""
    tmp_path.chmod(0o555)
    root = os.geteuid() == 0
    try:
        if root:
            os.seteuid(65534)
        with pytest.raises(StoreWriteError, match="cannot be written"):
            prepare_folder(Places(tmp_path))
    finally:
        if root:
            os.seteuid(0)
        tmp_path.chmod(0o755)


def test_a_file_in_the_folders_place(tmp_path):
    (tmp_path / ".mastermind").touch()
    with pytest.raises(StoreWriteError, match="cannot be written"):
        prepare_folder(Places(tmp_path))


@pytest.mark.slow
def test_killed_at_any_moment_the_index_is_the_old_or_the_new_one(tmp_path):
    write_chain(tmp_path, 150, "first")
    begun = time.monotonic()
    assert mastermind("index", str(tmp_path)).returncode == 0
    whole = time.monotonic() - begun
    write_chain(tmp_path, 150, "second")
    chosen = random.Random(7)
    seen = set()
    for _ in range(12):
        with subprocess.Popen(
            command("index", str(tmp_path), "--rebuild"), env=environment(), stdout=subprocess.DEVNULL
        ) as writer:
            time.sleep(chosen.uniform(0.3, 1.1) * whole)
            writer.kill()
        with open_index(tmp_path) as index:
            verify(index)
            names = {name.split("_")[0] for (name,) in index.rows("SELECT name FROM symbols WHERE kind = 'function'")}
            assert len(names) == 1, "half of each"
            seen |= names
        assert len(index.meta.counts) > 5
    assert seen <= {"first", "second"}
    done = mastermind("index", str(tmp_path), "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["symbols"] > 300
    assert leftovers(tmp_path) == []
