"""A repository that the tests of a module share, and one of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.audit.repository import make_repository

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="session")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository whose files are not to be changed; tasks may be written."""
    return make_repository(tmp_path_factory.mktemp("audit") / "shop")


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A repository to be changed."""
    return make_repository(tmp_path / "own")
