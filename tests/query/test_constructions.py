"""Constructions count as calls of the type that is constructed, whichever constructor runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from mmcg.graph import Graph, open_graph
from tests.fake_core import write_index

if TYPE_CHECKING:
    from pathlib import Path

NAMES = [
    ("make", "function", None),
    ("Base", "class", None),
    ("Base.init", "constructor", 1),
    ("Child", "class", None),
    ("test_make", "function", None),
    ("make_base", "function", None),
]


@pytest.fixture
def family(tmp_path: Path) -> Graph:
    symbols = [
        {"id": n, "file": 0, "path": "a.py", "address": f"a.py::{name}", "name": name.rpartition(".")[2],
         "qualified": name, "kind": kind, "container": container, "line": n + 1, "test": name.startswith("test_"),
         "visibility": "public"}
        for n, (name, kind, container) in enumerate(NAMES)
    ]  # fmt: skip
    call = {"source": 0, "target": 2, "confidence": "exact", "rule": "constructor", "form": "new"}
    calls = [
        {**call, "line": 1, "column": 5},
        {**call, "line": 2, "column": 5, "constructs": 3},
        {**call, "line": 6, "column": 5, "source": 5},
        {"source": 4, "target": 0, "line": 5, "column": 5, "confidence": "exact", "rule": "lexical", "form": "call"},
    ]
    calls.sort(key=lambda each: each["target"])
    files = [{"id": 0, "path": "a.py", "language": "python"}]
    write_index(tmp_path, files=files, symbols=symbols, calls=calls)
    return open_graph(tmp_path)


def test_through_a_constructor_of_its_own(family: Graph) -> None:
    row, other = family.callers("Base").results
    assert (row["symbol"], row["via"], len(row["sites"])) == ("a.py::make", "a.py::Base.init", 2)
    assert other["symbol"] == "a.py::make_base"


def test_through_an_inherited_constructor(family: Graph) -> None:
    (row,) = family.callers("Child").results
    assert (row["symbol"], row["via"]) == ("a.py::make", "a.py::Base.init")
    assert row["sites"] == [{"file": "a.py", "line": 2, "column": 5}]
    assert [use["line"] for use in family.references("Child").results] == [2]


def test_whoever_constructs_a_type_is_reached_from_it(family: Graph) -> None:
    """Also where the constructor is inherited: then who constructs only the base is not."""
    rows = family.impact("Child").results
    assert [(row["symbol"], row["distance"]) for row in rows] == [("a.py::make", 1), ("a.py::test_make", 2)]
    assert rows[1]["path"] == ["a.py::test_make", "a.py::make", "a.py::Child"]
    assert {row["symbol"] for row in family.impact("Base").results} == {
        "a.py::make", "a.py::make_base", "a.py::test_make",
    }  # fmt: skip
    assert [row["symbol"] for row in family.tests("Child").results] == ["a.py::test_make"]


def test_a_path_ends_at_the_type_that_is_constructed(family: Graph) -> None:
    rows = family.path("test_make", "Child").results
    assert [row["symbol"] for row in rows] == ["a.py::test_make", "a.py::make", "a.py::Child"]
    assert rows[2]["sites"] == [{"file": "a.py", "line": 2, "column": 5}]
    assert family.path("make_base", "Child").results == []


def test_a_type_that_is_constructed_is_used(family: Graph) -> None:
    assert [row["symbol"] for row in family.unreferenced().results] == ["a.py::make_base"]
    assert {row["symbol"]: row["call_sites"] for row in family.hotspots().results}["a.py::Child"] == 1
