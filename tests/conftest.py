"""Fixtures that several test modules share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from mmcg.graph import Graph, open_graph
from tests.graph_fixture import write_graph

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="session")
def bank(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The root of a repository with the index of `tests/graph_fixture.py`. Not to be changed."""
    root = tmp_path_factory.mktemp("bank")
    write_graph(root)
    return root


@pytest.fixture
def graph(bank: Path) -> Graph:
    """That index, open."""
    return open_graph(bank)
