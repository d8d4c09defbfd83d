"""A writer replaces an index whole, in its turn, or leaves everything as it was."""

import json
import os
import random
import resource
import signal
import subprocess
import time

import duckdb
import pytest

from mmcg import indexing
from mmcg.errors import LockedError, StoreWriteError
from mmcg.settings import Places
from mmcg.store import open_index
from mmcg.store.ingest import build_database
from mmcg.store.lock import writing
from mmcg.store.publish import clear_leftovers, prepare_folder, previous
from mmcg.store.schema import SCHEMA_VERSION
from mmcg.store.verify import verify
from tests.fake_core import fake_meta, graph_tables, publish, write_index
from tests.trees import answer, command, dump, environment, mastermind, write_chain


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


@pytest.mark.parametrize("moments", [4, pytest.param(100, marks=pytest.mark.slow)])
def test_killed_at_any_moment_the_index_is_the_old_or_the_new_one(tmp_path, moments):
    """Each run begins with a tree that the one before may have indexed or not, and is killed somewhere on its way."""
    write_chain(tmp_path, 150, "v0")
    begun = time.monotonic()
    assert mastermind("index", str(tmp_path)).returncode == 0
    whole = time.monotonic() - begun
    chosen = random.Random(7)
    old = "v0"
    for moment in range(1, moments + 1):
        new = f"v{moment}"
        write_chain(tmp_path, 150, new)
        how = ["--rebuild"] if chosen.random() < 0.5 else []
        with subprocess.Popen(
            command("index", str(tmp_path), *how), env=environment(), stdout=subprocess.DEVNULL
        ) as writer:
            time.sleep(chosen.uniform(0.1, 1.1) * whole)
            writer.kill()
        with open_index(tmp_path) as index:
            verify(index)
            found = {name.split("_")[0] for (name,) in index.rows("SELECT name FROM symbols WHERE kind = 'function'")}
            assert len(found) == 1, "half of each"
            assert found <= {old, new}
            (old,) = found
    done = mastermind("index", str(tmp_path), "--json")
    assert done.returncode == 0, done.stderr
    summary = json.loads(done.stdout)
    assert (summary["symbols"], summary["notices"]) == (302, [])
    assert leftovers(tmp_path) == []
    kept = dump(tmp_path)
    assert mastermind("index", str(tmp_path), "--rebuild").returncode == 0
    assert dump(tmp_path) == kept


def test_two_writers_at_once_both_succeed_one_after_the_other(tmp_path):
    write_chain(tmp_path, 60)
    both = [
        subprocess.Popen(
            command("index", str(tmp_path), "--rebuild", "--json"), env=environment(), stdout=subprocess.PIPE
        )
        for _ in range(3)
    ]
    summaries = [json.loads(process.communicate(timeout=120)[0]) for process in both]
    assert [summary["status"] for summary in summaries] == ["ok"] * 3
    with open_index(tmp_path) as index:
        verify(index)
    assert leftovers(tmp_path) == []


def test_whoever_waits_in_vain_is_told_who_holds_the_lock_and_since_when(tmp_path):
    write_chain(tmp_path, 2)
    prepare_folder(Places(tmp_path))
    with writing(Places(tmp_path), 1):
        found = answer("index", str(tmp_path), MASTERMIND_LOCK_WAIT="0.2")
    assert found["code"] == "locked"
    assert f"process {os.getpid()} on" in found["message"]
    assert "since 20" in found["message"]
    assert answer("index", str(tmp_path))["status"] == "ok"


def foreign(path):
    connection = duckdb.connect(str(path))
    connection.execute("CREATE TABLE people (name VARCHAR)")
    connection.execute("INSERT INTO people VALUES ('Ada')")
    connection.close()


def newer(path):
    path.unlink()
    build_database(path, graph_tables(), fake_meta(path.parent.parent, schema_version=SCHEMA_VERSION + 1))


def truncated(path):
    os.truncate(path, path.stat().st_size // 2)


def swapped_for_another(path):
    path.unlink()
    foreign(path)


def not_a_database(path):
    path.write_bytes(b"notes of mine\n" * 500)


def empty(path):
    path.write_bytes(b"")


def damaged(path):
    size = path.stat().st_size
    with path.open("r+b") as handle:
        handle.seek(size // 2)
        handle.write(b"\x55" * (size // 2))


@pytest.mark.parametrize("ruin", [newer, truncated, swapped_for_another, not_a_database, empty, damaged])
def test_a_database_that_is_not_ours_or_not_whole_is_set_aside_and_built_again(tmp_path, ruin):
    """Its bytes are kept, nothing else of the user's is touched, and the next run has nothing to say."""
    write_chain(tmp_path, 20)
    indexing.index(tmp_path)
    before = dump(tmp_path)
    places = Places(tmp_path)
    (places.folder / "tasks").mkdir()
    (places.folder / "tasks/mine.md").write_text("keep")
    ruin(places.database)
    ruined = places.database.read_bytes()
    question = answer("query", "search", "first_1", "--root", str(tmp_path))
    assert question["status"] == "ok" or "mastermind index" in question["advice"]
    if places.database.read_bytes() != ruined:
        pytest.fail("a question changed the index")
    done = answer("index", str(tmp_path))
    (aside,) = places.folder.glob("mmcg.db.bad-*")
    assert aside.name in " ".join(done["notices"])
    assert aside.read_bytes() == ruined
    assert (places.folder / "tasks/mine.md").read_text() == "keep"
    assert dump(tmp_path) == before
    assert answer("index", str(tmp_path))["notices"] == []


def test_the_index_of_an_older_version_is_built_again_and_that_is_said(tmp_path):
    write_chain(tmp_path, 5)
    indexing.index(tmp_path)
    before = dump(tmp_path)
    places = Places(tmp_path)
    places.database.unlink()
    build_database(places.database, graph_tables(), fake_meta(tmp_path, schema_version=SCHEMA_VERSION - 1))
    done = answer("index", str(tmp_path))
    assert "older version" in done["notices"][0]
    assert "built again" in done["notices"][0]
    assert dump(tmp_path) == before


def test_two_bad_databases_are_both_kept(tmp_path):
    write_chain(tmp_path, 2)
    prepare_folder(Places(tmp_path))
    for text in ("one", "other"):
        Places(tmp_path).database.write_text(text * 100)
        indexing.index(tmp_path)
    kept = {file.read_text()[:5] for file in Places(tmp_path).folder.glob("mmcg.db.bad-*")}
    assert kept == {"oneon", "other"}
