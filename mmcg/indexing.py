"""Making an index, and telling whether one is still true. The only importer of the native core.

An index is a function of the tree and of the versions that made it. So a run that finds both as they were has nothing
to do; any other run reads every file, takes the facts of unchanged ones from the cache, resolves everything again and
publishes a new snapshot.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mmcg import __version__
from mmcg.errors import BadIndexError, CoreError, InputError, LockedError, NoIndexError, StoreWriteError
from mmcg.languages import attach_needed, missing_notices, pack_version
from mmcg.model import Freshness, Meta
from mmcg.settings import FOLDER, Places, lock_wait_seconds, refresh_seconds

if TYPE_CHECKING:
    from types import ModuleType

    from mmcg.store.reader import Index

Progress = Callable[[int, int], object]
"""Called with the numbers of files done and of all files."""

_TICK_NS = 20_000_000
"""File systems tell times no better than this: a file changed that shortly before a run may change again unseen."""

_KEPT = ("files", "symbols", "call_sites", "edges", "languages", "notices")


@dataclass(frozen=True, slots=True)
class Indexed:
    """What a run of `index` did."""

    summary: dict[str, Any]
    """The numbers and lists of the JSON answer."""
    meta: Meta
    unchanged: bool
    """Whether the index was up to date and nothing had to be done."""


def core() -> ModuleType:
    """The native core."""
    try:
        from mmcg import _core
    except ImportError as error:
        raise CoreError(
            f"The native core of mastermind cannot be loaded: {error}.",
            "Install mastermind again: the package is incomplete or made for another platform.",
        ) from error
    return _core


def core_version() -> dict[str, Any]:
    """The core's versions, and which build of it this is: another build may find other edges."""
    module = core()
    version: dict[str, Any] = dict(module.version())
    file = getattr(module, "__file__", None)
    if file:
        status = Path(file).stat()
        version["build"] = f"{status.st_size}-{status.st_mtime_ns}"
    version["languages"] = pack_version()
    return version


def index(root: Path, *, rebuild: bool = False, jobs: int | None = None, progress: Progress | None = None) -> Indexed:
    """Bring the index of `root` up to date, or make it."""
    if FOLDER in root.parts:
        raise InputError(f"`{root}` is in `{FOLDER}`, which holds an index.", "Give the folder of the repository.")
    return _index(Places(root), rebuild, jobs, progress, lock_wait_seconds())


def content_hash(data: bytes) -> str:
    """The hash of a file's bytes as the index keeps it (`files.hash`)."""
    digest: str = core().content_hash(data)
    return digest


def decoded(data: bytes) -> str:
    """A file's text, as the index read it."""
    text: str = core().decode(data)
    return text


def are_tests(paths: list[str]) -> list[bool]:
    """Whether each path is that of a test file by the rules of its language."""
    said: list[bool] = core().test_paths(paths)
    return said


def evidence_in(data: bytes, path: str) -> dict[str, Any] | None:
    """What a file holds for an audit (`docs/evidence.md`); None where no parser is at hand for it."""
    import json

    module = core()
    try:
        found: str | None = module.evidence(data, path)
    except module.CoreError as error:
        raise CoreError(f"`{path}` could not be looked through: {error}.", "") from error
    if found is None:
        return None
    decoded: dict[str, Any] = json.loads(found)
    return decoded


Ignores = list[tuple[str, str, str]]
"""Ignore files: the absolute folder that the patterns are relative to, the kind (`own`, `git`, `exclude`), the text."""


def read_by_an_index(root: Path, paths: list[str], ignores: Ignores) -> list[str]:
    """Of all paths of a tree that is not on disk, those that an index of it reads."""
    chosen: list[str] = core().select(root, paths, ignores)
    return chosen


def index_given(
    places: Places, parts: Iterable[list[tuple[str, bytes]]], *, facts: Path | None, jobs: int | None = None
) -> Meta:
    """Index files that are handed over in parts, and publish the graph as `places.database`.

    `facts` is the folder of facts by content that the index of the same repository uses.
    """
    from mmcg.store.publish import publish_beside
    from mmcg.store.schema import SCHEMA_VERSION

    module = core()
    begun, started_ns = time.monotonic(), time.time_ns()
    try:
        gathering = module.Gathering(jobs=jobs, cache=facts)
        for part in parts:
            gathering.add(part)
        run = gathering.finish()
    except module.CoreError as error:
        raise CoreError(f"The files of a commit could not be indexed: {error}.", "") from error
    summary: dict[str, Any] = dict(run.summary)
    meta = Meta(
        schema_version=SCHEMA_VERSION,
        mmcg_version=__version__,
        core=core_version(),
        root=str(places.root),
        built_at=datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
        started_ns=started_ns,
        finished_ns=time.time_ns(),
        fingerprint="",
        seconds=time.monotonic() - begun,
        refresh_seconds=0.0,
        summary={key: summary[key] for key in _KEPT},
    )
    return publish_beside(places, run.tables(), meta)


def open_refreshed(root: Path, budget: float | None = None) -> tuple[Index, Freshness]:
    """Open an index to answer from, brought up to date first if that is likely to take at most `budget` seconds."""
    from mmcg.store import open_index

    print_now = _Fingerprint(root)
    found = open_index(root)
    return found, refresh(found, budget, print_now)


class _Fingerprint:
    """The tree's fingerprint, taken beside other work: the core walks without holding up the interpreter."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._found: str | Exception = ""
        self._thread = threading.Thread(target=self._take, daemon=True)
        self._thread.start()

    def _take(self) -> None:
        try:
            self._found = core().fingerprint(self._root)
        except Exception as error:  # Whoever waits for the result gets it.
            self._found = error

    def result(self) -> str:
        """Wait for it."""
        self._thread.join()
        if isinstance(self._found, Exception):
            raise self._found
        return self._found


def refresh(found: Index, budget: float | None = None, print_now: _Fingerprint | None = None) -> Freshness:
    """Bring an open index up to date and move to the new snapshot, if that is likely to take at most `budget` seconds.

    Otherwise the answer is that of the old snapshot, and a notice says so.
    """
    budget = refresh_seconds() if budget is None else budget
    changed, why = _changes(found, print_now)
    if not why:
        return Freshness(fresh=True)
    if budget > 0 and found.meta.refresh_seconds <= budget:
        try:
            _index(found.places, False, None, None, wait=budget)
            found.reopen_if_changed()
            return Freshness(fresh=True, changed=changed, refreshed=True)
        except (LockedError, StoreWriteError) as error:
            why = f"{why} {error.message}"
    return Freshness(fresh=False, changed=changed, notices=(f"{why} Run `mastermind index` to bring it up to date.",))


def freshness(found: Index) -> Freshness:
    """Whether an index still says what the tree says; changes nothing."""
    changed, why = _changes(found)
    return Freshness(fresh=not why, changed=changed, notices=(why,) if why else ())


def same_as_tree(found: Index) -> bool:
    """Whether an index has every file of the tree as it is. Where times leave it open, contents are compared."""
    if freshness(found).fresh:
        return True
    if found.meta.core != core_version() or found.meta.mmcg_version != __version__:
        return False
    root = found.places.root
    known: dict[str, str] = dict(found.rows("SELECT path, hash FROM files"))
    left_out = {path for (path,) in found.rows("SELECT path FROM skipped")}
    there = {path for path, _, _ in core().scan(root)}
    try:
        return there - left_out == known.keys() and all(
            content_hash((root / path).read_bytes()) == digest for path, digest in known.items()
        )
    except OSError:
        return False


def _index(places: Places, rebuild: bool, jobs: int | None, progress: Progress | None, wait: float) -> Indexed:
    from mmcg.store import publish
    from mmcg.store.lock import writing

    begun = time.monotonic()
    publish.prepare_folder(places)
    with writing(places, wait):
        publish.clear_leftovers(places)
        if rebuild:
            import shutil

            shutil.rmtree(places.cache, ignore_errors=True)
        notices = publish.set_aside_bad(places)
        if not rebuild and not notices:
            kept = _unchanged(places, begun)
            if isinstance(kept, Indexed):
                return kept
            notices = kept
        return _run(places, jobs, progress, notices, begun)


def _run(places: Places, jobs: int | None, progress: Progress | None, notices: list[str], begun: float) -> Indexed:
    """Read the tree and publish what it says."""
    from mmcg.store.publish import publish
    from mmcg.store.schema import SCHEMA_VERSION

    module = core()
    started_ns = time.time_ns()
    try:
        notices = [*notices, *attach_needed(module, places.root)]
        run = module.index(places.root, jobs=jobs, progress=progress, cache=places.cache)
    except module.CoreError as error:
        raise CoreError(f"`{places.root}` could not be indexed: {error}.", "") from error
    finished_ns = time.time_ns()
    summary: dict[str, Any] = dict(run.summary)
    notices += missing_notices(module, summary.pop("missing"))
    timings: dict[str, float] = summary.pop("timings")
    fingerprint: str = summary.pop("fingerprint")
    seconds = time.monotonic() - begun
    meta = Meta(
        schema_version=SCHEMA_VERSION,
        mmcg_version=__version__,
        core=core_version(),
        root=str(places.root),
        built_at=datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
        started_ns=started_ns,
        finished_ns=finished_ns,
        fingerprint=fingerprint,
        seconds=seconds,
        refresh_seconds=seconds - (timings["extract"] if summary["parsed"] > summary["reused"] else 0.0),
        summary={key: summary[key] for key in _KEPT},
    )
    meta = publish(places, run.tables(), meta)
    summary["notices"] = [*notices, *summary["notices"]]
    summary["seconds"] = round(time.monotonic() - begun, 3)
    return Indexed(summary, meta, unchanged=False)


def _unchanged(places: Places, begun: float) -> Indexed | list[str]:
    """The stored answer if the tree and all versions are as they were and the index is whole; else notices."""
    from mmcg.store import open_index
    from mmcg.store.publish import set_aside
    from mmcg.store.verify import verify

    try:
        with open_index(places.root) as found:
            _, why = _changes(found)
            if why or _touched(found):
                return []
            verify(found)
            summary: dict[str, Any] = dict(found.meta.summary)
            summary["root"] = str(places.root)
            summary["parsed"], summary["reused"] = 0, summary["files"]
            summary["skipped"] = found.records("SELECT path, reason FROM skipped")
            summary["problems"] = found.records("SELECT path, code, line, message FROM problems")
            summary["seconds"] = round(time.monotonic() - begun, 3)
            return Indexed(summary, found.meta, unchanged=True)
    except NoIndexError:
        return []
    except BadIndexError as error:
        return set_aside(places, error)


def _changes(found: Index, print_now: _Fingerprint | None = None) -> tuple[int, str]:
    """How many files changed since the index was made, and in words why it is stale; empty when it is not."""
    meta = found.meta
    if meta.core != core_version() or meta.mmcg_version != __version__:
        return 0, "The index is stale: another version of mastermind made it."
    root = found.places.root
    try:
        if (print_now or _Fingerprint(root)).result() == meta.fingerprint and not _just_changed(found):
            return 0, ""
        changed = _count_changes(found, core().scan(root))
    except core().CoreError as error:
        raise CoreError(f"`{root}` could not be looked through: {error}.", "") from error
    return changed, f"The index is stale: {changed} {'file' if changed == 1 else 'files'} changed."


def _count_changes(found: Index, scanned: list[tuple[str, int, int]]) -> int:
    """Files that are new, gone or different. What changed need not be indexed itself, so it is never none."""
    now = {path: (size, mtime) for path, size, mtime in scanned}
    then = {path: (size, mtime) for path, size, mtime in found.rows("SELECT path, size, mtime_ns FROM files")}
    left_out = {path for (path,) in found.rows("SELECT path FROM skipped")}
    different = sum(1 for path, state in then.items() if now.get(path) != state)
    return max(1, different + sum(1 for path in now if path not in then and path not in left_out))


def _just_changed(found: Index) -> bool:
    """Whether a file was changed so shortly before it was read that a later change would have the same time."""
    meta = found.meta
    since, until = meta.started_ns - _TICK_NS, meta.finished_ns
    sql = f"SELECT count(*) FROM files WHERE mtime_ns BETWEEN {since:d}::BIGINT AND {until:d}::BIGINT"  # noqa: S608
    count: int = found.rows(sql)[0][0]
    return count > 0


def _touched(found: Index) -> bool:
    """Whether any file was written since the index was made even though its time of modification says otherwise."""
    since = found.meta.started_ns - _TICK_NS
    paths = found.rows("SELECT path FROM files")
    try:
        return any((found.places.root / path).stat().st_ctime_ns >= since for (path,) in paths)
    except OSError:
        return True
