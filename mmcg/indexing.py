"""Making an index, and telling whether one is still true. The only importer of the native core.

An index is a function of the tree and of the versions that made it. So a run that finds both as they were has nothing
to do, and one that finds that no edge can have changed (other times, layout, comments) writes anew what did. Any other
run reads the files that may have changed, takes the facts of the others from the cache, resolves everything again and
publishes a new snapshot.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mmcg import __version__
from mmcg.errors import BadIndexError, CoreError, InputError, LockedError, NotWatchableError, StoreWriteError
from mmcg.languages import attach_needed, missing_notices, pack_version
from mmcg.model import Freshness, Meta
from mmcg.settings import FOLDER, Places, lock_wait_seconds, refresh_seconds

if TYPE_CHECKING:
    from types import ModuleType

    from mmcg._core import IndexRun
    from mmcg._core import Look as Look
    from mmcg._core import Watch as Watch
    from mmcg.store.publish import Publication
    from mmcg.store.reader import Index

Progress = Callable[[int, int], object]
"""Called with the numbers of files done and of all files."""

ADVICE = "Run `mastermind index` to bring it up to date."
"""What is said of an index that is stale and was not refreshed."""

_TICK_NS = 20_000_000
"""File systems tell times no better than this: a file changed that shortly before a run may change again unseen."""

_KEPT = ("files", "symbols", "call_sites", "edges", "languages", "notices", "content")


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


def index(
    root: Path,
    *,
    rebuild: bool = False,
    jobs: int | None = None,
    progress: Progress | None = None,
    wait: float | None = None,
) -> Indexed:
    """Bring the index of `root` up to date, or make it; another writer may take `wait` seconds to end first."""
    if FOLDER in root.parts:
        raise InputError(f"`{root}` is in `{FOLDER}`, which holds an index.", "Give the folder of the repository.")
    return _index(Places(root), rebuild, jobs, progress, lock_wait_seconds() if wait is None else wait)


def look(root: Path) -> Look:
    """What a walk of the tree finds now."""
    module = core()
    try:
        found: Look = module.look(root)
    except module.CoreError as error:
        raise CoreError(f"`{root}` could not be looked through: {error}.", "") from error
    return found


def watch(found: Look) -> Watch:
    """Watch the folders that a look found; raises `NotWatchableError` where the system does not."""
    module = core()
    try:
        events: Watch = module.Watch(found)
    except module.WatchLimitError:
        raise NotWatchableError(
            f"The tree has {len(found.folders)} folders, more than the system watches: it is looked through instead.",
            "Raise `fs.inotify.max_user_watches` to be told of changes at once.",
        ) from None
    except module.CoreError as error:
        raise NotWatchableError(
            f"The system does not watch the tree ({error}): it is looked through instead.", ""
        ) from None
    return events


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


def index_given(places: Places, parts: Callable[[], Iterable[list[tuple[str, bytes]]]], *, facts: Path | None) -> Meta:
    """Index files that are handed over in parts, and publish the graph as `places.database`.

    `facts` is the folder of facts by content that the index of the same repository uses; where they are what the core
    stumbles over, the files are gathered again without them.
    """
    from mmcg.store.publish import publish_beside
    from mmcg.store.schema import SCHEMA_VERSION

    module = core()
    begun, started_ns = time.monotonic(), time.time_ns()
    try:
        gathering = module.Gathering(cache=facts)
        for part in parts():
            gathering.add(part)
        run = gathering.finish()
    except module.KeptFactsError:
        return index_given(places, parts, facts=None)
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
    # Before the database's module is loaded, which takes half as long as a look at 3,000 files.
    looking = _Looking(root)
    from mmcg.store import open_index

    found = open_index(root)
    return found, refresh(found, budget, looking)


class _Looking:
    """A look at the tree, taken beside other work: the core walks without holding up the interpreter."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._found: Look | Exception | None = None
        self._thread = threading.Thread(target=self._take, daemon=True)
        self._thread.start()

    def _take(self) -> None:
        try:
            self._found = look(self._root)
        except Exception as error:  # Whoever waits for the result gets it.
            self._found = error

    def result(self) -> Look:
        """Wait for it."""
        self._thread.join()
        if isinstance(self._found, Exception):
            raise self._found
        assert self._found is not None  # noqa: S101 - the thread has ended
        return self._found


def refresh(found: Index, budget: float | None = None, looking: _Looking | None = None) -> Freshness:
    """Bring an open index up to date and move to the new snapshot, if that is likely to take at most `budget` seconds.

    Otherwise the answer is that of the old snapshot, and a notice says so.
    """
    budget = refresh_seconds() if budget is None else budget
    state = freshness(found, looking.result() if looking else None)
    if state.fresh:
        return state
    said = [*state.notices]
    if budget > 0 and found.meta.refresh_seconds <= budget:
        try:
            _index(found.places, False, None, None, wait=budget)
            found.reopen_if_changed()
            return Freshness(fresh=True, changed=state.changed, refreshed=True)
        except (LockedError, StoreWriteError) as error:
            said.append(error.message)
    return replace(state, notices=(" ".join([*said, ADVICE]),))


def freshness(found: Index, now: Look | None = None) -> Freshness:
    """Whether an index still says what the tree says, as a look has found it or finds it now; changes nothing."""
    now = now or look(found.places.root)
    if holds(found.meta, now):
        return Freshness(fresh=True)
    if not _same_version(found.meta):
        return Freshness(fresh=False, notices=("The index is stale: another version of mastermind made it.",))
    changed = _count_changes(found, now.files())
    files = "file" if changed == 1 else "files"
    return Freshness(fresh=False, changed=changed, notices=(f"The index is stale: {changed} {files} changed.",))


def holds(meta: Meta, now: Look) -> bool:
    """Whether an index is of the tree that a look found, and of this version.

    Where it may be, it is not: a file changed shortly before it was read may change again unseen.
    """
    same = now.fingerprint == meta.fingerprint and now.latest_ns < meta.started_ns - _TICK_NS
    return same and _same_version(meta)


def same_as_tree(found: Index) -> bool:
    """Whether an index has every file of the tree as it is. Where times leave it open, contents are compared."""
    if freshness(found).fresh:
        return True
    if not _same_version(found.meta):
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
            forget(places)
        old, notices = publish.previous(places)
        run = _Run(places, jobs, progress, begun)
        if old is None:
            return run.make(notices, known=None)
        with old:
            if rebuild or not _same_version(old.meta):
                return run.make(notices, known=None)
            try:
                return run.keep(old) or run.make(notices, known=old)
            except BadIndexError as error:
                old.close()
                return run.make(publish.set_aside(places, error), known=None)


def forget(places: Places) -> None:
    """Drop all that was kept from earlier runs but the index itself."""
    import shutil

    shutil.rmtree(places.cache, ignore_errors=True)


class _Run:
    """One look at the tree, and what is made of it."""

    def __init__(self, places: Places, jobs: int | None, progress: Progress | None, begun: float) -> None:
        self.places = places
        self.jobs = jobs
        self.progress = progress
        self.begun = begun
        self.started_ns = time.time_ns()
        self.look = look(places.root)

    def keep(self, old: Index) -> Indexed | None:
        """The stored answer if the tree is as it was and the index is whole."""
        from mmcg.store.verify import verify

        if not holds(old.meta, self.look):
            return None
        verify(old)
        return Indexed(self._stored(old), old.meta, unchanged=True)

    def make(self, notices: list[str], known: Index | None) -> Indexed:
        """Read the tree and publish what it says."""
        module = core()
        try:
            notices = [*notices, *attach_needed(module, self.look.files)]
            try:
                return self._publish(notices, known)
            except module.KeptFactsError:
                forget(self.places)
                return self._publish(notices, None)
        except module.CoreError as error:
            raise CoreError(f"`{self.places.root}` could not be indexed: {error}.", "") from error

    def _publish(self, notices: list[str], known: Index | None) -> Indexed:
        from mmcg.store.publish import publishing

        with publishing(self.places) as new:
            run = core().index(
                self.look,
                jobs=self.jobs,
                progress=self.progress,
                cache=self.places.cache,
                known=known and _known(known),
                take=new.add,
            )
            finished_ns = time.time_ns()
            if run.summary is None and known is not None:
                return self._renew(new, known, run, finished_ns)
            if known is not None:
                # Where an open file cannot be replaced.
                known.close()
            summary: dict[str, Any] = dict(run.summary)
            notices += missing_notices(core(), summary.pop("missing"))
            meta = new.finish(self._meta(summary, finished_ns))
        summary["notices"] = [*notices, *summary["notices"]]
        summary["seconds"] = self._seconds()
        return Indexed(_shown(summary), meta, unchanged=False)

    def _renew(self, new: Publication, old: Index, run: IndexRun, finished_ns: int) -> Indexed:
        """Publish the rows of the index that is there, under the times and in the places that they have now."""
        from mmcg.store.verify import verify

        verify(old)
        meta = replace(
            old.meta,
            built_at=_now(),
            started_ns=self.started_ns,
            finished_ns=finished_ns,
            fingerprint=self.look.fingerprint,
            summary={**old.meta.summary, **({"content": run.content} if run.content else {})},
        )
        summary = self._stored(old)
        summary["parsed"], summary["reused"] = run.parsed, summary["files"] - run.parsed
        old.close()
        new.renew(self.places.database, run.times(), run.tables(), meta)
        summary["seconds"] = self._seconds()
        return Indexed(summary, meta, unchanged=False)

    def _meta(self, summary: dict[str, Any], finished_ns: int) -> Meta:
        """What the index is to say about itself; takes out of the summary what is of no use to others."""
        from mmcg.store.schema import SCHEMA_VERSION

        timings: dict[str, float] = summary.pop("timings")
        seconds = time.monotonic() - self.begun
        return Meta(
            schema_version=SCHEMA_VERSION,
            mmcg_version=__version__,
            core=core_version(),
            root=str(self.places.root),
            built_at=_now(),
            started_ns=self.started_ns,
            finished_ns=finished_ns,
            fingerprint=summary.pop("fingerprint"),
            seconds=seconds,
            refresh_seconds=seconds - (timings["read"] if summary["parsed"] > summary["reused"] else 0.0),
            summary={key: summary[key] for key in _KEPT},
        )

    def _stored(self, old: Index) -> dict[str, Any]:
        """The numbers and lists of an index that says what the tree says."""
        summary: dict[str, Any] = _shown(old.meta.summary)
        summary["root"] = str(self.places.root)
        summary["parsed"], summary["reused"] = 0, summary["files"]
        summary["skipped"] = old.records("SELECT path, reason FROM skipped")
        summary["problems"] = old.records("SELECT path, code, line, message FROM problems")
        summary["seconds"] = self._seconds()
        return summary

    def _seconds(self) -> float:
        return round(time.monotonic() - self.begun, 3)


def _known(old: Index) -> tuple[str, list[tuple[str, str, str]]] | None:
    """What the core must know of an index, to tell whether any edge of it can have changed."""
    content = old.meta.summary.get("content")
    return content and (content, old.rows("SELECT path, hash, language FROM files ORDER BY id"))


def _shown(summary: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in summary.items() if key != "content"}


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def _same_version(meta: Meta) -> bool:
    return meta.core == core_version() and meta.mmcg_version == __version__


def _count_changes(found: Index, scanned: list[tuple[str, int, int]]) -> int:
    """Files that are new, gone or different. What changed need not be indexed itself, so it is never none."""
    now = {path: (size, mtime) for path, size, mtime in scanned}
    then = {path: (size, mtime) for path, size, mtime in found.rows("SELECT path, size, mtime_ns FROM files")}
    left_out = {path for (path,) in found.rows("SELECT path FROM skipped")}
    different = sum(1 for path, state in then.items() if now.get(path) != state)
    return max(1, different + sum(1 for path in now if path not in then and path not in left_out))
