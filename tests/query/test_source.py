"""The text of a definition is that of what was indexed, or there is none."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from mmcg.graph import open_graph

if TYPE_CHECKING:
    from pathlib import Path

TEXT = "class A:\n    def f(self):\n        return 'é'\n\n    def g(self):\n        return 2\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    pytest.importorskip("mmcg._core")
    from mmcg import indexing

    folder = tmp_path / "repo"
    folder.mkdir()
    (folder / "a.py").write_text(TEXT, encoding="utf-8")
    (folder / "bom.py").write_bytes(b"\xef\xbb\xbf" + TEXT.replace("\n", "\r\n").encode())
    (folder / "wide.py").write_bytes(TEXT.encode("utf-16"))
    indexing.index(folder)
    return folder


@pytest.mark.parametrize("file", ["a.py", "bom.py", "wide.py"])
def test_text_of_a_member_with_its_indentation(root: Path, file: str) -> None:
    (row,) = open_graph(root).source(f"{file}::A.g").results
    assert row["text"].replace("\r\n", "\n") == "    def g(self):\n        return 2"
    assert (row["line"], row["end_line"]) == (5, 6)


def test_an_edit_since_withholds_the_text(root: Path) -> None:
    (root / "a.py").write_text(TEXT.replace("return 2", "return 3"), encoding="utf-8")
    answer = open_graph(root).source("a.py::A.g")
    assert answer.results == []
    assert "changed after it was indexed" in answer.notices[0]


def test_a_touched_file_is_still_the_same(root: Path) -> None:
    os.utime(root / "a.py", (1, 1))
    assert open_graph(root).source("a.py::A.g").total == 1


def test_a_link_out_of_the_root_is_not_read(root: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.py").write_text(TEXT, encoding="utf-8")
    (root / "a.py").unlink()
    (root / "a.py").symlink_to(tmp_path / "secret.py")
    answer = open_graph(root).source("a.py::A.g")
    assert answer.results == []
    assert "leads out" in answer.notices[0]


def test_a_deleted_file(root: Path) -> None:
    (root / "a.py").unlink()
    assert "cannot be read" in open_graph(root).source("a.py::A.g").notices[0]
