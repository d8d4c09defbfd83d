"""An index is a function of the tree's bytes, whatever happened before and however it was made."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from mmcg import indexing
from mmcg.store import open_index
from mmcg.store.verify import verify
from tests import material
from tests.trees import dump

if TYPE_CHECKING:
    from pathlib import Path


def seeds(quick: int, slow: int) -> list[object]:
    """Seeds of the generator of changes; the later ones are for long runs."""
    return [*range(quick), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(quick, slow))]


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    """What a plain index of everything holds."""
    root = tmp_path_factory.mktemp("plain")
    material.write(root, material.everything())
    return indexed(root)


def indexed(root: Path, **options):
    summary = indexing.index(root, **options).summary
    assert summary["files"] > 0
    return dump(root)


def same(one, other):
    """Compares tables one by one, so that a difference is readable."""
    assert one.keys() == other.keys()
    for table in one:
        assert one[table] == other[table], table


def test_there_is_something_to_compare(rows):
    assert len(rows["files"]) > 60
    assert all(rows[table] for table in ("calls", "references", "imports", "bases", "overrides"))
    assert len({row[2] for row in rows["files"]}) >= len(material.languages())


@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_threads_do_not_matter(tmp_path, rows, jobs):
    material.write(tmp_path, material.everything())
    same(indexed(tmp_path, jobs=jobs), rows)


@pytest.mark.parametrize("seed", seeds(1, 4))
def test_the_order_of_creation_does_not_matter(tmp_path, rows, seed):
    files = list(material.everything().items())
    random.Random(seed).shuffle(files)
    material.write(tmp_path, dict(files))
    same(indexed(tmp_path), rows)


def test_edits_and_their_reversal_leave_no_trace(tmp_path, rows):
    files = material.everything()
    material.write(tmp_path, files)
    indexed(tmp_path)
    rng = random.Random(1)
    for name in rng.sample(sorted(files), 12):
        (tmp_path / name).write_bytes(material.mutated(files[name], rng))
    assert indexed(tmp_path)["symbols"] != rows["symbols"]
    material.write(tmp_path, files)
    same(indexed(tmp_path), rows)


@pytest.mark.parametrize("seed", seeds(3, 40))
def test_an_updated_index_is_what_a_new_one_is(tmp_path, seed):
    rng = random.Random(seed)
    files = material.tour()
    for language in rng.sample(material.languages(), 3):
        files |= material.sections(language, 3)
    material.write(tmp_path, files)
    indexed(tmp_path)
    for _ in range(4):
        for _ in range(rng.randint(1, 4)):
            change(tmp_path, files, rng)
        updated = indexed(tmp_path)
        same(indexed(tmp_path, rebuild=True), updated)
        assert [row[1] for row in updated["files"]] == sorted(row[1] for row in updated["files"])


def change(root: Path, files: material.Files, rng: random.Random) -> None:
    """Edit, rename, delete, or add a file."""
    name = rng.choice(sorted(files))
    path = root / name
    match rng.randrange(4):
        case 0:
            files[name] = material.mutated(files[name], rng)
            path.write_bytes(files[name])
        case 1:
            new = path.with_name(f"{rng.choice('amz')}{rng.randrange(100)}_{path.name}")
            path.rename(new)
            files[str(new.relative_to(root))] = files.pop(name)
        case 2:
            path.unlink()
            del files[name]
        case _:
            new = path.with_name(f"copy{rng.randrange(100)}_{path.name}")
            files[str(new.relative_to(root))] = files[name]
            new.write_bytes(files[name])


IN_BYTES = {"start_byte", "end_byte", "size", "hash"}


def test_line_ends_do_not_matter(tmp_path, rows):
    crlf = {name: content.replace(b"\n", b"\r\n") for name, content in material.everything().items()}
    material.write(tmp_path, crlf)
    found = indexed(tmp_path)
    for table in found:
        assert without_offsets(table, found[table]) == without_offsets(table, rows[table]), table


def without_offsets(table: str, found: list[tuple]) -> list[tuple]:
    """Rows without what is counted in bytes."""
    from mmcg.store.schema import TABLES

    columns = next(each.columns for each in TABLES if each.name == table)
    names = [column.name for column in columns if column.name != "mtime_ns"]
    keep = [at for at, name in enumerate(names) if name not in IN_BYTES]
    return [tuple(row[at] for at in keep) for row in found]


def broken_tree(root: Path, files: material.Files) -> None:
    """Index files that are no longer right: each is there, or left out with a reason, and the index is whole."""
    material.write(root, files)
    summary = indexing.index(root).summary
    known = {path for path, _, _ in indexing.core().scan(root)}
    with open_index(root) as index:
        verify(index)
        seen = {path for (path,) in index.rows("SELECT path FROM files")}
    assert seen | {each["path"] for each in summary["skipped"]} >= {name for name in files if name in known}
    assert {each["path"] for each in summary["problems"]} <= seen
    assert not [each for each in summary["problems"] if each["code"] == "internal"]


@pytest.mark.parametrize("language", material.languages())
def test_truncated_files_are_indexed(tmp_path, language):
    files = material.sections(language, 6)
    pieces = {
        f"{step}/{name}": piece
        for name, content in files.items()
        for step, piece in enumerate(material.truncated(content, 12))
    }
    broken_tree(tmp_path, pieces)


@pytest.mark.parametrize("seed", seeds(1, 10))
@pytest.mark.parametrize("language", material.languages())
def test_mutated_files_are_indexed(tmp_path, language, seed):
    rng = random.Random(f"{language} {seed}")
    files = material.sections(language, 6)
    broken_tree(tmp_path, {f"{at}/{name}": material.mutated(files[name], rng) for at in range(5) for name in files})


def test_what_is_broken_is_said(tmp_path):
    """Each file ends in brackets that no language can make sense of."""
    for language in material.languages():
        broken = {name: content + b"\n)]} (\n" for name, content in material.sections(language, 3).items()}
        material.write(tmp_path, broken)
    said = {each["path"] for each in indexing.index(tmp_path).summary["problems"]}
    with open_index(tmp_path) as index:
        assert {path for (path,) in index.rows("SELECT path FROM files")} == said
