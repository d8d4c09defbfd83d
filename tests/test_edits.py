"""Edits as people make them, in several languages: the index brought up to date has a cold run's rows.

The specimens are `tests/edits/*.md`: a project's files, and below each heading a part of a file and what becomes of it.
All have the same story: one file defines a type and a function, another hands them on, a third calls them.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import pytest

from mmcg import indexing, open_graph
from tests.test_properties import same
from tests.trees import dump, write_tree

SPECIMENS = sorted((Path(__file__).parent / "edits").glob("*.md"))

_FILE = re.compile(r"^`([^`]+)`:\n\n```\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_EDIT = re.compile(
    r"^## ([^\n]+)\n\nIn `([^`]+)`:\n\n```\n(.*?)\n```\n\nbecomes\n\n```\n(.*?)\n?```$", re.MULTILINE | re.DOTALL
)


class Edit(NamedTuple):
    """One heading of a specimen."""

    what: str
    name: str
    old: str
    new: str


def specimen(path: Path) -> tuple[dict[str, str], list[Edit]]:
    """The files of a project by name, and edits of it."""
    text = path.read_text(encoding="utf-8")
    edits = [Edit(*found) for found in _EDIT.findall(text)]
    assert len(edits) == text.count("\n## ")
    return dict(_FILE.findall(text)), edits


@pytest.mark.parametrize("path", SPECIMENS, ids=lambda path: path.stem)
def test_each_edit_gives_what_a_cold_run_gives(tmp_path, path):
    """One after the other, each taken back again."""
    files, edits = specimen(path)
    write_tree(tmp_path, files)
    indexing.index(tmp_path)
    before = dump(tmp_path)
    for what, name, old, new in edits:
        assert old in files[name], what
        write_tree(tmp_path, {name: files[name].replace(old, new)})
        assert indexing.index(tmp_path).summary["parsed"] == 1, what
        warm = dump(tmp_path)
        indexing.index(tmp_path, rebuild=True)
        same(dump(tmp_path), warm)
        changed = [table for table in before if before[table] != warm[table] and table != "files"]
        assert changed, what
        write_tree(tmp_path, {name: files[name]})
        indexing.index(tmp_path)
        same(dump(tmp_path), before)


def callers(root: Path, name: str) -> list[str]:
    """The files that call a symbol."""
    return sorted(row["file"] for row in open_graph(root).callers(name).results)


def test_what_was_edited_is_answered(tmp_path):
    """A comparison with a cold run says nothing if both are blind."""
    files, _ = specimen(SPECIMENS[0].with_stem("python"))
    write_tree(tmp_path, files)
    indexing.index(tmp_path)
    assert set(callers(tmp_path, "base.py::Base.run")) == {"use.py"}
    write_tree(
        tmp_path, {"base.py": files["base.py"].replace("def make():\n    return Base()\n", "def make(): pass\n")}
    )
    indexing.index(tmp_path)
    assert len(callers(tmp_path, "base.py::Base.run")) == 1
    write_tree(tmp_path, {"middle.py": files["middle.py"].replace("(Base)", "")})
    indexing.index(tmp_path)
    assert callers(tmp_path, "base.py::Base.run") == []
