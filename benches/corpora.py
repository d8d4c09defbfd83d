"""Fetches the repositories to measure on, by name and version through the usual clients of package registries.

`python -m benches.corpora [FOLDER] [--only TEXT]` puts each into `FOLDER/<language>/<name>` (`corpora` by default), a git
repository with one commit. What is there already is left alone. What cannot be fetched, because a registry does not answer or this machine has not got its client, is named,
and the exit code is then 1.
"""

from __future__ import annotations

import argparse
import functools
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import zipfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

PROJECT = Path(__file__).parents[1]
FOLDER = PROJECT / "corpora"
LIST = Path(__file__).with_suffix(".toml")
PATIENCE = 600
"""Seconds that one client may take."""

CLIENTS = {"pypi": sys.executable, "npm": "npm", "cargo": "cargo", "go": "go", "maven": "mvn", "apt": "apt-get"}
"""The program that speaks to each registry."""


class NotFetchedError(Exception):
    """A repository could not be fetched, which says nothing about what is measured on it; the message says why."""


class UnavailableError(NotFetchedError):
    """This machine cannot have it: its registry's client, or that version, is not there. Trying again would not help."""


@dataclass(frozen=True)
class Corpus:
    """One repository: a package of a registry."""

    path: str
    """Folder below the corpora's: `<language>/<name>`."""
    registry: str
    package: str
    version: str
    keep: tuple[str, ...] = ()
    """What of the package is kept; everything if empty."""

    @property
    def client(self) -> str:
        """The program it is fetched with."""
        return CLIENTS[self.registry]


def corpora() -> dict[str, Corpus]:
    """All repositories by their paths, in the order of the list."""
    listed = tomllib.loads(LIST.read_text(encoding="utf-8"))
    return {
        path: Corpus(path, registry, entry["package"], entry["version"], tuple(entry.get("keep", ())))
        for registry, entries in listed.items()
        for path, entry in entries.items()
    }


def fetch(corpus: Corpus, folder: Path) -> Path:
    """The repository's root below `folder`, fetched unless it is there. Raises `NotFetchedError`."""
    root = folder / corpus.path
    if (root / ".git").is_dir():
        return root
    if shutil.which(corpus.client) is None:
        raise UnavailableError(f"{corpus.path}: `{corpus.client}` is not installed.")
    root.parent.mkdir(parents=True, exist_ok=True)
    # Beside its place, so that nothing half fetched is ever taken for a repository.
    with tempfile.TemporaryDirectory(dir=root.parent, prefix=".fetching-") as box:
        try:
            source = _FETCHERS[corpus.registry](corpus, Path(box))
            _commit(source, corpus)
            shutil.rmtree(root, ignore_errors=True)
            source.rename(root)
        except (OSError, tarfile.TarError, zipfile.BadZipFile, ValueError, LookupError) as error:
            raise NotFetchedError(f"{corpus.path}: {error}") from error
    return root


def fetch_all(wanted: Iterable[Corpus], folder: Path) -> dict[str, NotFetchedError]:
    """Fetch several at once, each tried twice; why not, by path, for those that could not be fetched."""

    def attempt(corpus: Corpus) -> tuple[str, NotFetchedError | None]:
        failure = None
        for _ in range(2):
            try:
                fetch(corpus, folder)
            except UnavailableError as error:
                return corpus.path, error
            except NotFetchedError as error:
                failure = error
            else:
                return corpus.path, None
        return corpus.path, failure

    with ThreadPoolExecutor(4) as pool:
        return {path: why for path, why in pool.map(attempt, wanted) if why}


def _run(corpus: Corpus, *command: str, box: Path) -> str:
    """What a client prints; its last words if it fails."""
    try:
        done = subprocess.run(command, cwd=box, capture_output=True, text=True, timeout=PATIENCE, check=False)
    except subprocess.TimeoutExpired as error:
        raise NotFetchedError(f"{corpus.path}: `{command[0]}` took more than {PATIENCE} seconds.") from error
    if done.returncode:
        words = " ".join((done.stderr or done.stdout).split())[-300:]
        raise NotFetchedError(f"{corpus.path}: `{' '.join(command[:3])}` ended with {done.returncode}: {words}")
    return done.stdout


def _only(files: Iterable[Path]) -> Path:
    found = sorted(files)
    if len(found) != 1:
        raise LookupError(f"one archive was expected, and {len(found)} came")
    return found[0]


def _untar(archive: Path, into: Path) -> Path:
    """The one folder that an archive holds."""
    with tarfile.open(archive) as opened:
        opened.extractall(into, filter="data")
    return next(path for path in sorted(into.iterdir()) if path.is_dir())


def _pypi(corpus: Corpus, box: Path) -> Path:
    options = ("download", "-q", "--disable-pip-version-check", "--no-deps", "--no-binary", corpus.package)
    _run(corpus, sys.executable, "-m", "pip", *options, "-d", ".", f"{corpus.package}=={corpus.version}", box=box)
    return _untar(_only(box.glob("*.tar.gz")), box / "source")


def _npm(corpus: Corpus, box: Path) -> Path:
    _run(corpus, "npm", "pack", "--silent", f"{corpus.package}@{corpus.version}", box=box)
    package = _untar(_only(box.glob("*.tgz")), box / "package")
    source = box / "source"
    source.mkdir()
    for name in corpus.keep:
        (package / name).rename(source / name)
    return source


def _cargo(corpus: Corpus, box: Path) -> Path:
    (box / "src").mkdir()
    (box / "src" / "lib.rs").touch()
    dependency = f'[dependencies]\n{corpus.package} = "={corpus.version}"\n'
    manifest = f'[package]\nname = "box"\nversion = "0.0.0"\nedition = "2021"\n[workspace]\n{dependency}'
    (box / "Cargo.toml").write_text(manifest, encoding="utf-8")
    # For one platform, so that only what that needs is downloaded.
    platform = ("--filter-platform", "x86_64-unknown-linux-gnu")
    known = json.loads(_run(corpus, "cargo", "metadata", "-q", "--format-version", "1", *platform, box=box))
    manifests = (Path(p["manifest_path"]) for p in known["packages"] if p["name"] == corpus.package)
    return _copied(next(manifests).parent, box)


def _go(corpus: Corpus, box: Path) -> Path:
    known = json.loads(_run(corpus, "go", "mod", "download", "-json", f"{corpus.package}@{corpus.version}", box=box))
    return _copied(Path(known["Dir"]), box)


def _maven(corpus: Corpus, box: Path) -> Path:
    artifact = f"{corpus.package}:{corpus.version}:jar:sources"
    options = (f"-Dartifact={artifact}", f"-DoutputDirectory={box}")
    _run(corpus, "mvn", "-q", "-B", "dependency:copy", *options, box=box)
    with zipfile.ZipFile(_only(box.glob("*.jar"))) as jar:
        jar.extractall(box / "source" / "src" / "main" / "java")
    return box / "source"


def _apt(corpus: Corpus, box: Path) -> Path:
    options = _source_lists(box)
    _run(corpus, "apt-get", *options, "-qq", "update", box=box)
    _run(corpus, "apt-get", *options, "-qq", "source", "--download-only", corpus.package, box=box)
    archive = _only(path for path in box.glob("*.orig.tar.*") if path.suffix != ".asc")
    if not archive.name.startswith(f"{corpus.package}_{corpus.version}.orig."):
        raise UnavailableError(f"{corpus.path}: this distribution has `{archive.name}`, not {corpus.version}.")
    return _untar(archive, box / "source")


def _source_lists(box: Path) -> list[str]:
    """Options by which `apt-get` reads the distribution's source packages without touching the machine's set-up."""
    known = Path("/etc/apt")
    kept = [known / "sources.list", *sorted((known / "sources.list.d").glob("*"))]
    (box / "parts").mkdir()
    for at, file in enumerate(path for path in kept if path.is_file()):
        text = file.read_text(encoding="utf-8")
        # Others' lists seldom have source packages, and one that has not fails the whole update.
        if re.search(r"\bmain\b", text) and re.search(r"debian|ubuntu", file.name + text):
            text = re.sub(r"^deb ", "deb-src ", text, flags=re.MULTILINE)
            text = re.sub(r"^Types: deb$", "Types: deb-src", text, flags=re.MULTILINE)
            (box / "parts" / f"{at}{file.suffix or '.list'}").write_text(text, encoding="utf-8")
    for folder in ("lists/partial", "cache/archives/partial"):
        (box / folder).mkdir(parents=True)
    settings = {
        "Dir::Etc::SourceList": "/dev/null",
        "Dir::Etc::SourceParts": box / "parts",
        "Dir::State::Lists": box / "lists",
        "Dir::Cache": box / "cache",
        "APT::Sandbox::User": "root" if os.geteuid() == 0 else "",
    }
    return [word for name, value in settings.items() if value for word in ("-o", f"{name}={value}")]


def _copied(folder: Path, box: Path) -> Path:
    """A copy that may be written to: clients keep theirs read-only."""
    return Path(shutil.copytree(folder, box / "source", ignore=shutil.ignore_patterns(".cargo-ok", ".git")))


def _commit(source: Path, corpus: Corpus) -> None:
    for path in [source, *source.rglob("*")]:
        if not path.is_symlink():
            path.chmod(path.stat().st_mode | 0o200)
    git = functools.partial(
        _run, corpus, "git", "-c", "user.name=corpora", "-c", "user.email=corpora@localhost", box=source
    )
    git("init", "-q", "-b", "main")
    git("add", "-Af", ".")
    git("commit", "-qm", "As published")


_FETCHERS: dict[str, Callable[[Corpus, Path], Path]] = {
    "pypi": _pypi,
    "npm": _npm,
    "cargo": _cargo,
    "go": _go,
    "maven": _maven,
    "apt": _apt,
}


def main() -> int:
    """Fetch what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=FOLDER)
    parser.add_argument("--only", default="", help="only those whose path holds this")
    given = parser.parse_args()
    wanted = [corpus for path, corpus in corpora().items() if given.only in path]
    missing = fetch_all(wanted, given.folder.resolve())
    for why in missing.values():
        print(f"not fetched: {why}", file=sys.stderr)
    print(f"{len(wanted) - len(missing)} of {len(wanted)} repositories are in {given.folder}")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
