"""Fetching the repositories to measure on, with clients that only play."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from benches import corpora
from benches.corpora import Corpus, NotFetchedError, UnavailableError, fetch, fetch_all

THING = Corpus("go/thing", "go", "example.org/thing", "v1.0.0")


@pytest.fixture
def client(tmp_path, monkeypatch):
    """Puts a `go` on the path that does what the given shell lines do."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for needed in ("git", "sh", "echo"):
        (folder / needed).symlink_to(shutil.which(needed))
    monkeypatch.setenv("PATH", str(folder))

    def play(script):
        (folder / "go").write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        (folder / "go").chmod(0o755)

    return play


def test_a_package_becomes_a_repository_and_is_fetched_once(client, tmp_path):
    package = tmp_path / "package"
    package.mkdir()
    (package / "thing.go").write_text("package thing\n", encoding="utf-8")
    (package / "thing.go").chmod(0o444)
    client(f"""echo '{{"Dir": "{package}"}}'""")
    root = fetch(THING, tmp_path / "corpora")
    assert (root / "thing.go").read_text(encoding="utf-8") == "package thing\n"
    log = subprocess.run(["git", "log", "--format=%s"], cwd=root, capture_output=True, text=True, check=True)
    assert log.stdout == "As published\n"
    client("exit 1")
    assert fetch(THING, tmp_path / "corpora") == root


@pytest.mark.parametrize(
    ("script", "words"),
    [("echo no such module >&2; exit 1", "no such module"), ("echo not json", "Expecting value"), ("echo '{}'", "Dir")],
)
def test_a_client_that_fails_is_told_and_leaves_nothing(client, tmp_path, script, words):
    client(script)
    failed = fetch_all([THING], tmp_path / "corpora")
    assert words in str(failed["go/thing"])
    assert not isinstance(failed["go/thing"], UnavailableError)
    assert list((tmp_path / "corpora" / "go").iterdir()) == []


def test_a_client_that_is_not_here_is_told_apart(client, tmp_path):
    with pytest.raises(UnavailableError, match="`go` is not installed"):
        fetch(THING, tmp_path)
    assert issubclass(UnavailableError, NotFetchedError)


def test_every_listed_repository_has_a_client():
    listed = corpora.corpora()
    assert listed
    assert {corpus.registry for corpus in listed.values()} <= set(corpora.CLIENTS)
