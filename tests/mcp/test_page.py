"""The page about the server says what the table of tools says."""

from __future__ import annotations

from mmcg.mcp import shape, tools
from mmcg.mcp.sentry import SMALL
from mmcg.mcp.server import THREADS
from mmcg.mcp.tools import TOOLS
from mmcg.settings import REFRESH_SECONDS
from tests.mcp.table import PAGE, written
from tests.mcp.test_tools import MOST_BYTES


def test_the_table_of_tools_is_current() -> None:
    """`scripts/write-docs` writes it."""
    text = PAGE.read_text(encoding="utf-8")
    assert written(text) == text
    assert f"| `{list(TOOLS)[-1]}` |" in text


def test_the_numbers_are_those_of_the_program() -> None:
    text = " ".join(PAGE.read_text(encoding="utf-8").split())
    assert f"less than {MOST_BYTES // 1024} KB" in text
    assert f"at most `limit` rows, {tools.LIMIT} unless told otherwise and {tools.MOST} at most" in text
    assert f"no more than {shape.MOST_CHARACTERS:,} characters" in text
    assert f"has its first {shape.LONGEST_LIST} entries" in text
    assert f"at a line after {shape.LONGEST_TEXT:,} characters" in text
    assert f"of up to {SMALL} files" in text
    assert (THREADS, REFRESH_SECONDS) == (8, 2.0)
    assert "eight at a time" in text
    assert "less than two seconds" in text
