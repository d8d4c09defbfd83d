"""Constructions count as calls of the type that is constructed, whichever constructor runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from mmcg.graph import Graph, open_graph
from tests.fake_core import write_index

if TYPE_CHECKING:
    from pathlib import Path

NAMES = [("make", "function", None), ("Base", "class", None), ("Base.init", "constructor", 1), ("Child", "class", None)]


@pytest.fixture
def family(tmp_path: Path) -> Graph:
    symbols = [
        {"id": n, "file": 0, "path": "a.py", "address": f"a.py::{name}", "name": name.rpartition(".")[2],
         "qualified": name, "kind": kind, "container": container, "line": n + 1}
        for n, (name, kind, container) in enumerate(NAMES)
    ]  # fmt: skip
    call = {"source": 0, "target": 2, "confidence": "exact", "rule": "constructor", "form": "new"}
    calls = [{**call, "line": 1, "column": 5}, {**call, "line": 2, "column": 5, "constructs": 3}]
    files = [{"id": 0, "path": "a.py", "language": "python"}]
    write_index(tmp_path, files=files, symbols=symbols, calls=calls)
    return open_graph(tmp_path)


def test_through_a_constructor_of_its_own(family: Graph) -> None:
    (row,) = family.callers("Base").results
    assert (row["symbol"], row["via"], len(row["sites"])) == ("a.py::make", "a.py::Base.init", 2)


def test_through_an_inherited_constructor(family: Graph) -> None:
    (row,) = family.callers("Child").results
    assert (row["symbol"], row["via"]) == ("a.py::make", "a.py::Base.init")
    assert row["sites"] == [{"file": "a.py", "line": 2, "column": 5}]
    assert [use["line"] for use in family.references("Child").results] == [2]
