"""Where exports are written, and where they are not."""

from __future__ import annotations

import os
import stat

import pytest

from mmcg.files import WriteError, replaced

WHOLE = ["edges", "--format", "jsonl"], ["--format", "graphml"], ["--format", "scip"], ["edges", "--format", "parquet"]


def names(folder):
    return [file.name for file in folder.iterdir()]


@pytest.mark.parametrize("what", WHOLE, ids=" ".join)
def test_a_file_that_exists_is_replaced_only_when_asked(export, tmp_path, what, capfd):
    place = tmp_path / "out"
    place.write_text("mine")
    assert export(*what, "--output", place) == 2
    assert place.read_text() == "mine"
    assert "exists already" in capfd.readouterr().err
    assert export(*what, "--output", place, "--overwrite") == 0
    assert place.read_bytes() != b"mine"
    said = capfd.readouterr()
    assert (said.out, "Wrote" in said.err) == ("", True)
    assert names(tmp_path) == ["out"]


@pytest.mark.parametrize("what", WHOLE, ids=" ".join)
def test_what_is_no_file_is_left_alone(export, tmp_path, what):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    for name in ("pipe", "folder", "absent/out"):
        assert export(*what, "--output", tmp_path / name, "--overwrite") == 2
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)
    assert names(tmp_path / "folder") == []


def test_the_same_bytes_twice(export, tmp_path):
    for what in WHOLE:
        for name in ("a", "b"):
            assert export(*what, "--output", tmp_path / name, "--overwrite") == 0
        assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes(), what


def test_stdout_carries_the_graph_and_nothing_else(export, capfdbinary):
    assert export("--format", "graphml") == 0
    said = capfdbinary.readouterr()
    assert said.out.startswith(b"<?xml")
    assert said.err == b""


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--format", "jsonl"],
        ["edges", "--format", "graphml"],
        ["edges", "--format", "scip"],
        ["--format", "parquet"],
    ],
    ids=" ".join,
)
def test_what_cannot_be_meant_is_bad_usage(export, arguments, capfd):
    assert export(*arguments) == 2
    assert capfd.readouterr().out == ""


def test_a_link_is_followed_and_modes_are_kept(tmp_path):
    (tmp_path / "real").write_text("old")
    (tmp_path / "real").chmod(0o640)
    (tmp_path / "link").symlink_to("real")
    with replaced(tmp_path / "link") as new:
        new.write_text("new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "new"
    assert stat.S_IMODE((tmp_path / "real").stat().st_mode) == 0o640


def test_what_fails_half_way_leaves_the_old_file(tmp_path):
    place = tmp_path / "out"
    place.write_text("old")
    with pytest.raises(WriteError, match="No space"), replaced(place) as new:
        new.write_text("half")
        raise OSError(28, "No space left on device")
    assert place.read_text() == "old"
    assert names(tmp_path) == ["out"]
