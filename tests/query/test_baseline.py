"""The graph of a commit is that of its checkout, and is made without one."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from mmcg import indexing
from mmcg.query import baseline, git
from mmcg.query.baseline import open_baseline
from mmcg.store.schema import META, TABLES
from tests.audit.repository import git as run_git
from tests.audit.repository import make_repository
from tests.trees import dump, write_tree

if TYPE_CHECKING:
    from pathlib import Path

    from mmcg.query.context import Context

FILES = {
    "package.json": '{"name": "shop", "main": "lib/index.js"}',
    "lib/index.js": "const { total } = require('./cart');\nmodule.exports = { show: () => total([1]) };\n",
    "lib/cart.js": "function total(list) {\n  return list.length;\n}\nmodule.exports = { total };\n",
    "go.mod": "module example.org/shop\n",
    "main.go": 'package main\n\nimport "example.org/shop/cart"\n\nfunc main() { cart.Sum() }\n',
    "cart/cart.go": "package cart\n\nfunc Sum() int { return 1 }\n",
    "tool.py": "def run():\n    return run()\n",
    ".gitignore": "build/\n",
    ".mastermindignore": "skipped/\n",
    "skipped/a.py": "def skipped(): pass\n",
    "notes.md": "text\n",
}


def rows(context: Context) -> dict[str, list[tuple[object, ...]]]:
    """All rows that the tree's bytes decide, by table."""
    found = {}
    for table in TABLES:
        if table.name != META.name:
            columns = ", ".join(f'"{each.name}"' for each in table.columns if each.name != "mtime_ns")
            found[table.name] = context.rows(f"SELECT {columns} FROM {table.sql_name()}")
    return found


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = make_repository(tmp_path / "repo", FILES)
    # Tracked before it was ignored: a walk leaves it out all the same.
    write_tree(root, {"build/made.py": "def made(): pass\n"})
    run_git(root, "add", "-f", "build/made.py")
    run_git(root, "commit", "-qm", "two")
    indexing.index(root)
    return root


def test_the_same_rows_as_an_index_of_the_checkout(repository: Path) -> None:
    assert rows(open_baseline(repository, git.commit_of(repository, "HEAD"))) == dump(repository)


def test_the_working_tree_neither_counts_nor_changes(repository: Path) -> None:
    was = dump(repository)
    (repository / "tool.py").write_text("def other():\n    return 1\n")
    (repository / "new.py").write_text("def new(): pass\n")
    (repository / "main.go").unlink()
    status = run_git(repository, "status", "--porcelain")
    assert rows(open_baseline(repository, git.commit_of(repository, "HEAD"))) == was
    assert run_git(repository, "status", "--porcelain") == status


def test_an_older_commit(repository: Path) -> None:
    older = open_baseline(repository, git.commit_of(repository, "HEAD~1"))
    (repository / "lib/cart.js").write_text("function sum() {}\nmodule.exports = { sum };\n")
    run_git(repository, "commit", "-qam", "three")
    found = {row[0] for row in older.rows("SELECT address FROM symbols")}
    assert "lib/cart.js::total" in found
    newer = open_baseline(repository, git.commit_of(repository, "HEAD"))
    assert {row[0] for row in newer.rows("SELECT address FROM symbols")} - found == {"lib/cart.js::sum"}


def test_a_root_below_the_repository(tmp_path: Path) -> None:
    top = make_repository(
        tmp_path / "top",
        {".gitignore": "hidden.py\n", "a.py": "def outer(): pass\n", "sub/b.py": "def inner(): pass\n",
         "sub/hidden.py.txt": "", "sub/deep/c.py": "def deep(): pass\n"},
        indexed=False,
    )  # fmt: skip
    write_tree(top, {"sub/hidden.py": "def hidden(): pass\n"})
    run_git(top, "add", "-f", "sub/hidden.py")
    run_git(top, "commit", "-qm", "two")
    root = top / "sub"
    indexing.index(root)
    found = open_baseline(root, git.commit_of(root, "HEAD"))
    assert sorted(found.files()) == ["b.py", "deep/c.py"]
    assert rows(found) == dump(root)


def test_a_folder_that_came_later(tmp_path: Path) -> None:
    top = make_repository(tmp_path / "top", {"a.py": "x = 1\n"}, indexed=False)
    write_tree(top, {"sub/b.py": "def inner(): pass\n"})
    assert open_baseline(top / "sub", git.commit_of(top, "HEAD")).files() == {}


def test_submodules_are_no_part_of_it(repository: Path, tmp_path: Path) -> None:
    other = make_repository(tmp_path / "other", {"inside.py": "def inside(): pass\n"}, indexed=False)
    run_git(repository, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(other), "vendored")
    run_git(repository, "commit", "-qm", "a submodule")
    commit = git.commit_of(repository, "HEAD")
    assert git.tree_of(repository, commit).submodules == ("vendored",)
    assert "vendored/inside.py" not in open_baseline(repository, commit).files()


def test_it_is_kept_and_made_again_when_it_is_broken(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    commit = git.commit_of(repository, "HEAD")
    first = open_baseline(repository, commit)
    places, wanted = first.index.places, rows(first)
    first.index.close()
    made = places.database.stat().st_ino
    open_baseline(repository, commit).index.close()
    assert places.database.stat().st_ino == made
    places.database.write_bytes(b"no database")
    assert rows(open_baseline(repository, commit)) == wanted


def test_few_are_kept(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(baseline, "KEPT", 2)
    for number in range(4):
        (repository / "tool.py").write_text(f"def run{number}(): pass\n")
        run_git(repository, "commit", "-qam", str(number))
        open_baseline(repository, git.commit_of(repository, "HEAD")).index.close()
    assert len(list((repository / ".mastermind" / "cache" / "baseline").iterdir())) == 2


def test_a_shallow_clone_has_no_older_commit(repository: Path, tmp_path: Path) -> None:
    older = git.commit_of(repository, "HEAD~1")
    shallow = tmp_path / "shallow"
    subprocess.run(["git", "clone", "-q", "--depth", "1", f"file://{repository}", str(shallow)], check=True)
    with pytest.raises(git.MissingObjectError, match="not in this repository") as caught:
        git.known_commit(shallow, older)
    assert "fetch" in caught.value.advice
    assert caught.value.exit_code == 3


def test_contents_that_are_missing(repository: Path) -> None:
    commit = git.commit_of(repository, "HEAD")
    blob = git.tree_of(repository, commit).files["tool.py"].blob
    (repository / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    with pytest.raises(git.MissingObjectError, match="not whole"):
        open_baseline(repository, commit)


def test_hostile_names_in_a_tree(repository: Path) -> None:
    write_tree(repository, {"a b.py": "def spaced(): pass\n", "\u0444.py": "def letters(): pass\n"})
    write_tree(repository, {"bad\x1bname.py": "def bad(): pass\n"})
    (repository / "link.py").symlink_to("/etc/passwd")
    run_git(repository, "add", "-A")
    run_git(repository, "commit", "-qm", "names")
    found = open_baseline(repository, git.commit_of(repository, "HEAD")).files()
    assert {"a b.py", "\u0444.py"} <= found.keys()
    assert "link.py" not in found
