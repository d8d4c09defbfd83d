"""What became of symbols between a commit and the tree."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING, Any

import pytest

from mmcg.errors import InputError
from mmcg.graph import open_graph
from mmcg.query.compare import State, differences, paired
from mmcg.query.git import GitError, commit_of
from mmcg.query.worktree import compare

if TYPE_CHECKING:
    from pathlib import Path


def state(qualified: str, body: int, *, path: str = "a.py", signature: str = "def f()", line: int = 1) -> State:
    name = qualified.rpartition(".")[2]
    return State(path, qualified, f"{path}::{qualified}", name, "function", line, signature, body)


def summary(old: list[State], new: list[State], **renamed: str) -> set[tuple[str, str]]:
    found = differences(paired(old, new, renamed))
    return {(each.change, (each.after or each.before).qualified) for each in found}  # type: ignore[union-attr]


def test_nothing_changed() -> None:
    assert summary([state("f", 1)], [state("f", 1, line=9)]) == set()


def test_added_removed_body_and_signature() -> None:
    old = [state("gone", 1), state("body", 2), state("sign", 3)]
    new = [state("body", 22), state("sign", 3, signature="def f(x)"), state("came", 4)]
    assert summary(old, new) == {
        ("removed", "gone"),
        ("body_changed", "body"),
        ("signature_changed", "sign"),
        ("added", "came"),
    }


def test_layout_of_a_signature_is_no_change() -> None:
    old, new = state("f", 1, signature="def f(a, b)"), state("f", 1, signature="def f(\n    a,\n    b,\n)")
    assert summary([old], [new]) == set()


def test_a_body_that_is_elsewhere_moved() -> None:
    assert summary([state("f", 7)], [state("f", 7, path="b.py")]) == {("moved", "f")}
    assert summary([state("A.f", 7)], [state("B.f", 7)]) == {("moved", "B.f")}


def test_overloads_are_paired_by_signature() -> None:
    one, two = state("f", 1, signature="f(int)"), state("f", 2, signature="f(char)")
    assert summary([one, two], [two, one]) == set()
    assert summary([one, two], [two]) == {("removed", "f")}


def test_a_container_is_not_named_for_its_members() -> None:
    assert summary([state("C", 1), state("C.f", 2)], [state("C", 11), state("C.f", 22)]) == {("body_changed", "C.f")}


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = tmp_path / "repo"
    root.mkdir()
    (root / "keep.py").write_text("def keep():\n    return 1\n")
    (root / "edit.py").write_text("def edit():\n    return 1\n\ndef same():\n    return edit()\n")
    (root / "gone.py").write_text("def gone():\n    return 1\n")
    (root / "old name.py").write_text("def travels():\n    return 5\n")
    for command in (
        ["init", "-q"],
        ["add", "-A"],
        ["-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-qm", "one"],
    ):
        subprocess.run(["git", *command], cwd=root, check=True)
    (root / "edit.py").write_text(
        "def edit():\n    return 2\n\ndef same():\n    return edit()\n\ndef more():\n    edit()\n"
    )
    (root / "gone.py").unlink()
    (root / "old name.py").rename(root / "new.py")
    return root


def test_changed_files_by_content(repository: Path) -> None:
    commit = commit_of(repository, "HEAD")
    assert [(each.before, each.after) for each in compare(repository, commit).changes] == [
        ("edit.py", "edit.py"),
        ("gone.py", None),
        ("old name.py", "new.py"),
    ]


@pytest.mark.parametrize("revision", ["nope", "--help", "-x", "HEAD~99", "", "HEAD\n"])
def test_bad_revisions(repository: Path, revision: str) -> None:
    with pytest.raises(InputError):
        commit_of(repository, revision)


def test_no_repository(tmp_path: Path) -> None:
    with pytest.raises(GitError):
        commit_of(tmp_path, "HEAD")


def test_changed_on_a_real_index(repository: Path) -> None:
    pytest.importorskip("mmcg._core")
    from mmcg import indexing

    indexing.index(repository)
    rows: list[dict[str, Any]] = open_graph(repository).changed("HEAD").results
    assert [(row["change"], row["symbol"]) for row in rows] == [
        ("removed", "gone.py::gone"),
        ("body_changed", "edit.py::edit"),
        ("moved", "new.py::travels"),
        ("added", "edit.py::more"),
    ]
    assert rows[1]["reaches"] == 1
    assert rows[2]["before"]["symbol"] == "old name.py::travels"


@pytest.mark.parametrize(
    ("text", "changes"),
    [
        ("# Said otherwise.\ndef edit():\n    return 1\n\ndef same():\n    return edit()\n", []),
        ("", ["removed", "removed"]),
    ],
    ids=["only a comment", "only gone"],
)
def test_a_change_after_which_no_changed_symbol_is_there(repository: Path, text: str, changes: list[str]) -> None:
    """Nothing can be reached from nothing."""
    from mmcg import indexing

    subprocess.run(["git", "checkout", "-q", "HEAD", "--", "."], cwd=repository, check=True)
    (repository / "new.py").unlink()
    (repository / "edit.py").write_text(text)
    indexing.index(repository)
    rows: list[dict[str, Any]] = open_graph(repository).changed("HEAD").results
    assert [row["change"] for row in rows] == changes
