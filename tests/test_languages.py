"""Languages whose grammars come with the optional package: each has a suite of symbols in `grammars/`."""

from __future__ import annotations

import importlib.metadata
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from mmcg import indexing, languages
from mmcg.store import open_index

if TYPE_CHECKING:
    from collections.abc import Iterator

GRAMMARS = Path(__file__).parent.parent / "grammars"
BLOCK = re.compile(r"^`([^`]+)`:\n\n```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)

needs_grammars = pytest.mark.skipif(
    find_spec("tree_sitter_language_pack") is None, reason=f"the grammars of {languages.EXTRA} are not installed"
)


def external() -> list[str]:
    return [language["name"] for language in indexing.core().languages() if language["external"]]


def suites() -> Iterator[tuple[str, str]]:
    for name in external():
        for path in sorted((GRAMMARS / name / "fixtures").glob("*.md")):
            yield name, path.read_text(encoding="utf-8")


def test_each_language_has_a_suite() -> None:
    assert external()
    assert {name for name, _ in suites()} == set(external())


@needs_grammars
@pytest.mark.parametrize(("name", "text"), list(suites()), ids=external())
def test_symbols(name: str, text: str, tmp_path: Path) -> None:
    expected = []
    for path, info, block in BLOCK.findall(text):
        if info == "symbols":
            expected += [f"{path} {line}" for line in block.splitlines()]
        else:
            (tmp_path / path).write_text(block, encoding="utf-8")
    done = indexing.index(tmp_path)
    assert done.summary["languages"] == {name: 1}
    assert done.summary["notices"] == []
    with open_index(tmp_path) as found:
        sql = (
            "SELECT f.path, kind, qualified, line FROM symbols s JOIN files f ON f.id = s.file "
            "WHERE kind <> 'module' ORDER BY line, s.id"
        )
        rows = [" ".join(map(str, row)) for row in found.rows(sql)]
    assert rows == expected


@needs_grammars
@pytest.mark.parametrize("name", external())
def test_data_names_only_what_the_grammar_has(name: str) -> None:
    core = indexing.core()
    pack = pytest.importorskip("tree_sitter_language_pack")
    core.attach(name, pack.get_binding(name))
    assert core.check(name) == []


@needs_grammars
def test_many_files_are_parsed_side_by_side(tmp_path: Path) -> None:
    lines = "".join(f"function f{at}(a) local x = [[{at}]] return x end\n" for at in range(50))
    for at in range(200):
        (tmp_path / f"part{at}.lua").write_text(lines, encoding="utf-8")
        (tmp_path / f"part{at}.sh").write_text(f"run{at}() {{\n  cat <<END\n$(date)\nEND\n}}\n", encoding="utf-8")
    summary = indexing.index(tmp_path, jobs=8).summary
    assert summary["files"] == 400
    assert summary["symbols"] == 200 * 51 + 200 * 2
    assert summary["problems"] == []


def test_without_the_grammars_a_notice_names_suffixes_and_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(languages, "pack_version", lambda: None)

    class Core:
        @staticmethod
        def languages() -> list[dict[str, object]]:
            return [{"name": "lua", "extensions": ["lua"], "file_names": [], "available": False}]

    assert languages.attach_needed(Core, list) == []  # type: ignore[arg-type]
    (notice,) = languages.missing_notices(Core, {"lua": 2})  # type: ignore[arg-type]
    assert "2 files" in notice
    assert ".lua" in notice
    assert languages.EXTRA in notice


@needs_grammars
def test_the_version_of_the_package_is_known_without_reading_its_metadata() -> None:
    say = "pack_version(), 'importlib.metadata' in sys.modules"
    code = f"import sys; from mmcg.languages import pack_version; print({say})"
    said = subprocess.check_output([sys.executable, "-c", code], text=True, cwd=GRAMMARS.parent).split()
    assert said == [importlib.metadata.version("tree-sitter-language-pack"), "False"]


def test_a_package_that_notes_no_version_has_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "some_pack").mkdir()
    (tmp_path / "some_pack" / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(languages, "_MODULE", "some_pack")
    monkeypatch.setattr(languages, "_PACKAGE", "some-pack")
    assert languages.pack_version() is None
    (tmp_path / "some_pack-2.1.dist-info").mkdir()
    assert languages.pack_version() == "2.1"


@needs_grammars
def test_a_folder_without_such_files_loads_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.py").write_text("def f(): pass\n", encoding="utf-8")
    monkeypatch.setattr(languages, "import_module", lambda name: pytest.fail(f"{name} was loaded"))
    assert languages.attach_needed(indexing.core(), lambda: indexing.core().scan(tmp_path)) == []
