"""A reader sees one whole snapshot, moves to the next when asked, and says clearly what it cannot read."""

import os
import shutil
import subprocess
import sys

import duckdb
import pytest

from mmcg.errors import BadIndexError, NoIndexError, OutdatedIndexError
from mmcg.settings import Places
from mmcg.store import open_index
from mmcg.store.ingest import build_database
from mmcg.store.schema import SCHEMA_VERSION
from mmcg.store.verify import verify
from tests.fake_core import fake_meta, graph_tables, publish, write_index
from tests.trees import environment


def test_no_index(tmp_path):
    with pytest.raises(NoIndexError, match="has no index"):
        open_index(tmp_path)


def test_a_reader_keeps_its_snapshot_until_it_moves(tmp_path):
    write_index(tmp_path, files=[{"id": 0, "path": "old"}])
    with open_index(tmp_path) as reader:
        publish(tmp_path, graph_tables(files=[{"id": 0, "path": "new"}]), fake_meta(tmp_path))
        assert reader.rows("SELECT path FROM files") == [("old",)]
        with open_index(tmp_path) as other:
            assert other.rows("SELECT path FROM files") == [("new",)]
        assert reader.reopen_if_changed()
        assert reader.rows("SELECT path FROM files") == [("new",)]
        assert not reader.reopen_if_changed()


def test_a_successor_reads_the_new_snapshot_and_outlives_the_old(tmp_path):
    """However many follow each other, and whatever of the old ones is still read or closed."""
    write_index(tmp_path, files=[{"id": 0, "path": "0"}])
    readers = [open_index(tmp_path)]
    old = readers[0].sibling()
    for number in range(1, 4):
        publish(tmp_path, graph_tables(files=[{"id": 0, "path": str(number)}]), fake_meta(tmp_path))
        readers.append(readers[-1].successor())
        assert old.rows("SELECT path FROM files") == [("0",)]
        assert [each.rows("SELECT path FROM files") for each in readers] == [[(str(n),)] for n in range(number + 1)]
    for each in (old, *readers[:-1]):
        each.close()
    assert readers[-1].sibling().rows("SELECT path FROM files") == [("3",)]
    assert [
        each for (each,) in readers[-1].rows("SELECT database_name FROM duckdb_databases()") if "graph" in each
    ] == ["graph3"]


def test_a_successor_that_cannot_be_read_leaves_the_old_reader_alone(whole, tmp_path):
    shutil.copytree(whole / ".mastermind", tmp_path / ".mastermind")
    with open_index(tmp_path) as reader:
        other = tmp_path / "other.db"
        other.write_bytes(b"hello, world\n" * 1000)
        other.replace(Places(tmp_path).database)
        with pytest.raises(BadIndexError, match="mastermind index"):
            reader.successor()
        assert reader.rows("SELECT count(*) FROM symbols") == [(30_000,)]


def test_a_reader_cannot_write(tmp_path):
    write_index(tmp_path)
    with open_index(tmp_path) as reader, pytest.raises(duckdb.InvalidInputException):
        reader.rows("DELETE FROM files")


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """An index of a few megabytes."""
    root = tmp_path_factory.mktemp("whole")
    write_index(root, symbols=[{"id": n, "name": f"name {n * n}", "doc": f"{n**9}"} for n in range(30_000)])
    return root


def damaged(whole, tmp_path, change):
    shutil.copytree(whole / ".mastermind", tmp_path / ".mastermind")
    change(Places(tmp_path).database)
    with open_index(tmp_path) as reader:
        verify(reader)


@pytest.mark.parametrize("share", [0.0, 0.001, 0.01, 0.3, 0.7, 0.99])
def test_truncated(whole, tmp_path, share):
    with pytest.raises(BadIndexError, match="mastermind index"):
        damaged(whole, tmp_path, lambda file: os.truncate(file, int(file.stat().st_size * share)))


def test_scribbled_over(whole, tmp_path):
    def scribble(file):
        with file.open("r+b") as handle:
            for at in range(8192, file.stat().st_size, 4096):
                handle.seek(at)
                handle.write(b"scribble")

    with pytest.raises(BadIndexError):
        damaged(whole, tmp_path, scribble)


def test_no_database_at_all(whole, tmp_path):
    with pytest.raises(BadIndexError):
        damaged(whole, tmp_path, lambda file: file.write_bytes(b"hello, world\n" * 1000))


def test_a_folder_in_its_place(tmp_path):
    Places(tmp_path).database.mkdir(parents=True)
    with pytest.raises(BadIndexError):
        open_index(tmp_path)


def test_a_database_of_something_else(whole, tmp_path):
    def foreign(file):
        file.unlink()
        with duckdb.connect(str(file)) as other:
            other.execute("CREATE TABLE wares AS SELECT 1 AS price")

    with pytest.raises(BadIndexError, match="something else"):
        damaged(whole, tmp_path, foreign)


@pytest.mark.parametrize(
    ("version", "error", "words"),
    [(SCHEMA_VERSION + 1, BadIndexError, "newer version"), (SCHEMA_VERSION - 1, OutdatedIndexError, "older version")],
)
def test_another_schema_version(tmp_path, version, error, words):
    write_index(tmp_path)
    Places(tmp_path).database.unlink()
    build_database(Places(tmp_path).database, graph_tables(), fake_meta(tmp_path, schema_version=version))
    with pytest.raises(error, match=words):
        open_index(tmp_path)


def test_a_copied_folder_is_as_good(tmp_path):
    write_index(tmp_path, files=[{"id": 0, "path": "a.py"}])
    copy = tmp_path / "copy"
    shutil.copytree(tmp_path / ".mastermind", copy / ".mastermind")
    with open_index(copy) as reader:
        verify(reader)


def test_nothing_is_drawn_on_stdout(tmp_path):
    """Where no script runs, DuckDB would draw a progress bar there for what takes long."""
    write_index(tmp_path)
    code = (
        "import sys; from pathlib import Path; from mmcg.store import open_index\n"
        "print(open_index(Path(sys.argv[1])).rows(sys.argv[2]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path), "SELECT current_setting('enable_progress_bar')"],
        env=environment(), capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout == "[(False,)]\n"
