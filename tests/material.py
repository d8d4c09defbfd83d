"""Small real files of every language, for tests that change them at random."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.suites import PROJECT, suites

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator
    from pathlib import Path

Files = dict[str, bytes]
"""Content by path."""


def tour() -> Files:
    """The repository of the guide."""
    root = PROJECT / "docs" / "tour"
    return {
        str(path.relative_to(root)): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and not {".mastermind", "__pycache__"} & set(path.relative_to(root).parts)
    }


def sections(language: str, count: int) -> Files:
    """The sections of a language that have the most files, each in a folder of its own."""
    found = [section for suite in suites() if suite.language == language for section in suite.sections]
    found.sort(key=lambda section: (-len(section["files"]), section["title"]))
    return {
        f"{language}{at}/{file['path']}": file["text"].encode()
        for at, section in enumerate(found[:count])
        for file in section["files"]
    }


def languages() -> list[str]:
    """The languages that have suites."""
    return sorted({suite.language for suite in suites()})


def own(rng: random.Random, count: int) -> Files:
    """So many of this project's own files, manifests among them."""
    kept = [
        "pyproject.toml",
        "Cargo.toml",
        *(str(path.relative_to(PROJECT)) for path in PROJECT.glob("rust/*/Cargo.toml")),
    ]
    sources = [
        str(path.relative_to(PROJECT))
        for folder, suffix in (("mmcg", "py"), ("tests", "py"), ("rust", "rs"), ("rust", "c"))
        for path in sorted((PROJECT / folder).rglob(f"*.{suffix}"))
    ]
    return {name: (PROJECT / name).read_bytes() for name in [*kept, *rng.sample(sources, count)]}


def everything(count: int = 2) -> Files:
    """The tour, and some sections of every language."""
    files = tour()
    for language in languages():
        files |= sections(language, count)
    return files


def write(root: Path, files: Files) -> None:
    """Write files in the order of the dictionary."""
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def truncated(content: bytes, steps: int) -> Iterator[bytes]:
    """Beginnings of a file, at even steps."""
    for step in range(1, steps):
        yield content[: len(content) * step // steps]


def mutated(content: bytes, rng: random.Random) -> bytes:
    """A file with flipped bytes, or with lines that are gone, doubled or elsewhere."""
    lines = content.splitlines(keepends=True)
    at = rng.randrange(len(lines) or 1)
    match rng.randrange(5):
        case 0:
            changed = bytearray(content)
            for _ in range(rng.randint(1, 8)):
                if changed:
                    changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
            return bytes(changed)
        case 1:
            return b"".join(lines[:at] + lines[at + rng.randint(1, 3) :])
        case 2:
            return b"".join(lines[:at] + lines[at : at + 3] * 2 + lines[at + 3 :])
        case 3:
            rng.shuffle(lines)
            return b"".join(lines)
        case _:
            return content[: rng.randrange(len(content) or 1)]
