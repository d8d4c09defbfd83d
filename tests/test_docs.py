"""What the documentation shows is what happens."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from mmcg.query.registry import QUESTIONS
from mmcg.store import describe
from tests.docs_console import commands, steady
from tests.trees import command, environment

ROOT = Path(__file__).parents[1]
PAGES = [
    ROOT / "README.md",
    ROOT / "docs" / "guide.md",
    ROOT / "docs" / "export.md",
    ROOT / "docs" / "setup.md",
    ROOT / "docs" / "watch.md",
]


@pytest.fixture
def tour(tmp_path: Path) -> Path:
    """A copy of the tour's repository, where the pages' commands run."""
    copy = tmp_path / "tour"
    shutil.copytree(ROOT / "docs" / "tour", copy, ignore=shutil.ignore_patterns(".mastermind", "__pycache__"))
    return copy


def run(words: list[str], folder: Path) -> str:
    """Runs a `mastermind` command as a user does; both streams together."""
    assert words[0] == "mastermind", words
    done = subprocess.run(
        command(*words[1:]),
        cwd=folder,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert done.returncode in (0, 1), done.stdout
    return done.stdout


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_console_blocks_show_what_is_printed(page: Path, tour: Path) -> None:
    shown = commands(page)
    assert shown
    for each in shown:
        assert steady(run(each.words, tour)) == steady(each.output), each.words


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_python_blocks_run(page: Path, tour: Path) -> None:
    for each in commands(page):
        run(each.words, tour)
    blocks = re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    assert blocks or page.name == "setup.md"
    for block in blocks:
        code = block.replace("docs/tour", ".")
        done = subprocess.run([sys.executable, "-c", code], cwd=tour, env=environment(), capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        assert "Cart.total" in done.stdout


def test_guide_shows_every_question() -> None:
    text = PAGES[1].read_text(encoding="utf-8")
    missing = [name for name in QUESTIONS if f"query {name}" not in text]
    assert missing == []


def test_schema_page_is_current() -> None:
    assert (ROOT / "docs" / "schema.md").read_text(encoding="utf-8") == describe.markdown()


def test_links_lead_to_files() -> None:
    for page in [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]:
        prose = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
        for link in re.findall(r"\]\(([^)#:]+)\)", prose):
            assert (page.parent / link).exists(), f"{page.name}: {link}"


def test_json_of_the_guide_is_json() -> None:
    for each in commands(PAGES[1]):
        if "--json" in each.words:
            assert json.loads(each.output)["status"] == "ok"
