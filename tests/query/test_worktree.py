"""What differs between a commit and the files on disk."""

from __future__ import annotations

import hashlib
import os
from typing import TYPE_CHECKING

import pytest

from mmcg.query import git
from mmcg.query.worktree import Change, compare
from tests.audit.repository import git as run_git
from tests.audit.repository import make_repository
from tests.trees import write_tree

if TYPE_CHECKING:
    from pathlib import Path

LINES = "".join(f"line {number} of a text\n" for number in range(20))
FILES = {"a.py": "a = 1\n", "dir/b.py": "b = 1\n", "long.txt": LINES, ".gitignore": "*.log\nout/\n"}


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    return make_repository(tmp_path / "repo", FILES, indexed=False)


def changes(root: Path, commit: str = "HEAD") -> list[tuple[str | None, str | None]]:
    return [(each.before, each.after) for each in compare(root, git.commit_of(root, commit)).changes]


def test_nothing_changed(repository: Path) -> None:
    assert changes(repository) == []


@pytest.mark.parametrize("commit", [True, False], ids=["committed", "in the tree"])
def test_committed_or_not(repository: Path, commit: bool) -> None:
    base = git.commit_of(repository, "HEAD")
    write_tree(repository, {"a.py": "a = 2\n", "new/c.py": "c = 1\n"})
    (repository / "dir/b.py").unlink()
    if commit:
        run_git(repository, "add", "-A")
        run_git(repository, "commit", "-qm", "work")
    assert changes(repository, base) == [("a.py", "a.py"), ("dir/b.py", None), (None, "new/c.py")]


def test_ignored_files_and_our_own_folder_do_not_count(repository: Path) -> None:
    write_tree(
        repository, {"x.log": "", "out/y.py": "", ".mastermind/tasks/001-x/spec.md": "", "sub/.mastermind/z": ""}
    )
    assert changes(repository) == []


def test_a_tracked_file_that_is_ignored_now_still_counts(repository: Path) -> None:
    write_tree(repository, {".gitignore": "*.log\nout/\na.py\n", "a.py": "a = 3\n"})
    run_git(repository, "rm", "-q", "--cached", "a.py")
    assert ("a.py", "a.py") in changes(repository)


def test_an_edit_of_equal_size_and_time(repository: Path) -> None:
    status = (repository / "a.py").stat()
    run_git(repository, "status")
    (repository / "a.py").write_text("a = 7\n")
    os.utime(repository / "a.py", ns=(status.st_atime_ns, status.st_mtime_ns))
    assert changes(repository) == [("a.py", "a.py")]


def test_a_touched_file_is_as_it_was(repository: Path) -> None:
    os.utime(repository / "a.py", ns=(1, 1))
    assert changes(repository) == []


def test_renames(repository: Path) -> None:
    (repository / "a.py").rename(repository / "dir/renamed.py")
    (repository / "long.txt").rename(repository / "other.txt")
    text = (repository / "other.txt").read_text().replace("line 3 of", "line three of")
    (repository / "other.txt").write_text(text)
    assert changes(repository) == [("a.py", "dir/renamed.py"), ("long.txt", "other.txt")]


def test_other_text_under_another_name_is_no_rename(repository: Path) -> None:
    (repository / "long.txt").unlink()
    write_tree(repository, {"other.txt": "something else\n" * 20})
    assert changes(repository) == [("long.txt", None), (None, "other.txt")]


def test_of_twins_each_keeps_its_name(tmp_path: Path) -> None:
    root = make_repository(tmp_path / "r", {"a/x.txt": LINES, "a/y.txt": LINES}, indexed=False)
    (root / "b").mkdir()
    (root / "a/x.txt").rename(root / "b/x.txt")
    (root / "a/y.txt").rename(root / "b/y.txt")
    assert changes(root) == [("a/x.txt", "b/x.txt"), ("a/y.txt", "b/y.txt")]


def test_a_mode_alone(repository: Path) -> None:
    (repository / "a.py").chmod(0o755)
    found = compare(repository, git.commit_of(repository, "HEAD")).changes
    assert [(each.path, each.mode_only) for each in found] == [("a.py", True)]
    run_git(repository, "config", "core.fileMode", "false")
    assert changes(repository) == []


def test_a_file_that_became_a_link(repository: Path) -> None:
    (repository / "a.py").unlink()
    (repository / "a.py").symlink_to("dir/b.py")
    assert changes(repository) == [("a.py", "a.py")]


def test_line_ends_count_unless_git_converts_them(repository: Path) -> None:
    (repository / "a.py").write_bytes(b"a = 1\r\n")
    assert changes(repository) == [("a.py", "a.py")]
    run_git(repository, "config", "core.autocrlf", "true")
    assert changes(repository) == []
    run_git(repository, "config", "--unset", "core.autocrlf")
    write_tree(repository, {".gitattributes": "*.py text eol=crlf\n"})
    assert changes(repository) == [(None, ".gitattributes")]


def test_contents_kept_by_lfs(repository: Path) -> None:
    data = b"large contents"
    pointer = f"version https://git-lfs.github.com/spec/v1\noid sha256:{hashlib.sha256(data).hexdigest()}\nsize 14\n"
    write_tree(repository, {"big.bin": pointer, ".gitattributes": "*.bin filter=lfs\n"})
    run_git(repository, "-c", "filter.lfs.clean=cat", "add", "-A")
    run_git(repository, "-c", "filter.lfs.clean=cat", "commit", "-qm", "big")
    (repository / "big.bin").write_bytes(data)
    assert changes(repository) == []
    (repository / "big.bin").write_bytes(b"other contents")
    assert changes(repository) == [("big.bin", "big.bin")]


def test_no_filter_of_the_repository_runs(repository: Path, tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    write_tree(repository, {".gitattributes": "* filter=bad diff=bad\n", "a.py": "a = 2\n"})
    for name in ("filter.bad.clean", "filter.bad.smudge", "diff.bad.textconv", "diff.bad.command", "core.fsmonitor"):
        run_git(repository, "config", name, f"touch {mark}; cat")
    mark.unlink(missing_ok=True)
    assert ("a.py", "a.py") in changes(repository)
    assert not mark.exists()


def test_other_repositories_inside_are_told(repository: Path) -> None:
    make_repository(repository / "nested", {"n.py": "n = 1\n"}, indexed=False)
    found = compare(repository, git.commit_of(repository, "HEAD"))
    assert found.foreign == ("nested",)
    assert found.changes == ()


def test_what_cannot_be_read_is_told(repository: Path) -> None:
    (repository / "a.py").unlink()
    os.mkfifo(repository / "a.py")
    found = compare(repository, git.commit_of(repository, "HEAD"))
    assert found.unreadable == ("a.py",)
    assert found.changes == ()


def test_a_worktree_of_its_own(repository: Path, tmp_path: Path) -> None:
    run_git(repository, "worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    (tmp_path / "side/a.py").write_text("a = 9\n")
    assert changes(tmp_path / "side") == [("a.py", "a.py")]
    assert changes(repository) == []


def test_paths_of_a_change() -> None:
    assert Change("a", "b").paths() == ("a", "b")
    assert Change("a", "a").paths() == ("a",)
    assert Change(None, "b").path == "b"
    assert Change("a", None).path == "a"
