"""Globs of specs and policies."""

from __future__ import annotations

import subprocess
import sys

import pytest

from mmcg.audit.files import fits

FITTING = [
    ("src/*.py", "src/a.py"),
    ("src/**", "src/b/a.py"),
    ("**/a.py", "a.py"),
    ("**/a.py", "x/y/a.py"),
    ("src/**/a.py", "src/a.py"),
    ("src/**.py", "src/x/a.py"),
    ("src/**.py", "src/a.py"),
    ("src/t**/a.py", "src/tx/y/a.py"),
    ("a/**/b/**/c.py", "a/x/b/y/z/c.py"),
    ("a?c", "abc"),
    ("a[^b]c", "adc"),
    # A bracket that nothing closes is a character like others, and one that comes first does not close.
    ("a[*", "a[b"),
    ("[]]*[", "]x["),
    ("[a]?[b", "ax[b"),
    ("*[]", "a[]"),
    ("*[!]", "a[!]"),
    ("[[]a?", "[ab"),
    ("**", "a/b"),
    # A name that is literally so.
    ("app/[id]/x.ts", "app/[id]/x.ts"),
]

OTHERS = [
    ("src/*.py", "src/b/a.py"),
    ("src/**", "src"),
    ("a[!b]c", "abc"),
    ("a?c", "a/c"),
    ("*", "a/b"),
    ("src", "src/a.py"),
    ("[]]*[", "[x["),
    ("[!]]*[", "]x["),
    ("src/t**/a.py", "src/x/ty/a.py"),
]


@pytest.mark.parametrize(("glob", "path"), FITTING)
def test_a_glob_means_a_path(glob: str, path: str) -> None:
    assert fits(glob, path)


@pytest.mark.parametrize(("glob", "path"), OTHERS)
def test_a_glob_does_not_mean_a_path(glob: str, path: str) -> None:
    assert not fits(glob, path)


@pytest.mark.parametrize(
    ("glob", "path"),
    [
        ("'*a' * 60 + 'b'", "'a' * 4000"),
        ("'**/a/' * 60 + 'b'", "'a/' * 2000 + 'c'"),
        ("'[' * 100_000 + '*'", "'a' * 250"),
        ("'[]' + '[!a-' * 30_000 + '*'", "'a' * 250"),
    ],
)
def test_no_glob_takes_for_ever(glob: str, path: str) -> None:
    """In a process of its own, so that one that does is ended."""
    code = f"from mmcg.audit.files import fits; print(fits({glob}, {path}))"
    assert subprocess.check_output([sys.executable, "-c", code], timeout=30, text=True) == "False\n"
