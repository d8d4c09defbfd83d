"""Fixtures that several test modules share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from mmcg.graph import Graph, open_graph
from tests.benches import UNAVAILABLE
from tests.graph_fixture import write_graph
from tests.suites import GAPS

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


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """The known gaps of each language, when its suites were run, and what could not be measured."""
    for language, sums in sorted(GAPS.items()):
        terminalreporter.write_line(
            f"{language}: {sums['sections']} sections, {int(sums['failed'])} failed, "
            f"{sums['missing']} missing, {sums['wrong']} wrong"
        )
    for words in UNAVAILABLE:
        terminalreporter.write_line(words)
