"""`scripts/write-docs`: console blocks and what is said of rules, as the program gives them now."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from mmcg.audit import explaining
from tests import resolution
from tests.audit.pages import PLAYED, make_tour, played
from tests.docs_console import rewritten
from tests.mcp import table
from tests.test_docs import PAGES, ROOT, run


def main() -> None:
    """Rewrites the pages in place."""
    for page in PAGES:
        with tempfile.TemporaryDirectory() as scratch:
            tour = Path(scratch) / "tour"
            shutil.copytree(ROOT / "docs" / "tour", tour, ignore=shutil.ignore_patterns(".mastermind", "__pycache__"))
            text = rewritten(page, lambda words, tour=tour: run(words, tour))
        page.write_text(text, encoding="utf-8")
    for page in PLAYED:
        with tempfile.TemporaryDirectory() as scratch:
            text = played(page, make_tour(Path(scratch)), run)
        page.write_text(text, encoding="utf-8")
    explaining.PAGE.write_text(explaining.markdown(), encoding="utf-8")
    resolution.PAGE.write_text(resolution.written(resolution.PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    table.PAGE.write_text(table.written(table.PAGE.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
