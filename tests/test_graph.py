"""The library's door."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import mmcg
from mmcg.errors import NoIndexError
from mmcg.graph import Graph
from mmcg.query.registry import QUESTIONS

if TYPE_CHECKING:
    from pathlib import Path


def test_open_graph_from_the_package(bank: Path) -> None:
    with mmcg.open_graph(bank) as graph:
        assert graph.callers("watch").total == 2
        assert sum(1 for _ in graph.edges()) == 13
    with pytest.raises(AttributeError):
        _ = mmcg.nothing  # type: ignore[attr-defined]


def test_every_question_is_a_method() -> None:
    assert all(hasattr(Graph, name.replace("-", "_")) for name in QUESTIONS)


def test_no_index(tmp_path: Path) -> None:
    with pytest.raises(NoIndexError):
        mmcg.open_graph(tmp_path)
