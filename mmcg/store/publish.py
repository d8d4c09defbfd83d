"""Replacing an index whole.

The new file is built under another name in the same folder, flushed to the disk and renamed over the old one. Whatever
happens before the rename leaves the old index; after it there is the new one. Files that dead writers left are removed
by the next writer, which holds the lock and so knows that nobody needs them.
"""

from __future__ import annotations

import os
import re
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from mmcg.errors import BadIndexError, NoIndexError, OutdatedIndexError, StoreWriteError
from mmcg.store import duck
from mmcg.store.ingest import Builder
from mmcg.store.reader import Index

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from mmcg.model import Meta
    from mmcg.settings import Places
    from mmcg.store.ingest import ArrowTable

_LEFTOVER = re.compile(r"mmcg\.db\.\d+\.tmp(\.wal)?|mmcg\.db\.wal")

_IGNORED = """\
# What `mastermind index` makes. Tasks are yours to commit.
/.gitignore
/mmcg.db*
/mmcg.lock*
/cache/
"""


def prepare_folder(places: Places) -> None:
    """Make the index folder, with a `.gitignore` for what need not be committed."""
    try:
        places.folder.mkdir(exist_ok=True)
        ignore = places.folder / ".gitignore"
        if not ignore.exists():
            ignore.write_text(_IGNORED, encoding="utf-8")
    except OSError as error:
        raise _unwritable(places, error) from None


def clear_leftovers(places: Places) -> None:
    """Remove what writers that died left behind. Only for the holder of the lock."""
    for file in places.folder.iterdir():
        if _LEFTOVER.fullmatch(file.name):
            file.unlink(missing_ok=True)


def previous(places: Places) -> tuple[Index | None, list[str]]:
    """The index that is there, open; one that cannot be used is moved out of the way, and notices say what was done."""
    try:
        return Index(places), []
    except NoIndexError:
        return None, []
    except OutdatedIndexError as error:
        return None, [f"{error.message} It was built again."]
    except BadIndexError as error:
        return None, set_aside(places, error)


def set_aside(places: Places, error: BadIndexError) -> list[str]:
    """Move an index that cannot be used, for the reason given, out of the way."""
    aside = _free(places.database.with_name(f"mmcg.db.bad-{time.strftime('%Y%m%dT%H%M%S')}"))
    try:
        places.database.replace(aside)
    except OSError as failure:
        raise _unwritable(places, failure) from None
    return [f"{error.message} It was set aside as `{aside.name}`."]


def _free(path: Path) -> Path:
    """That name, or one like it that no file has."""
    names = (path, *(path.with_name(f"{path.name}-{count}") for count in range(2, 1000)))
    return next((name for name in names if not name.exists()), path)


class Publication:
    """A new index that is being made beside the old one. Nothing is written before the first table comes."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.finished = False
        self._builder: Builder | None = None

    def add(self, name: str, rows: ArrowTable) -> None:
        """Store a table."""
        self._opened().add(name, rows)

    def finish(self, meta: Meta) -> Meta:
        """Say that all tables are there; gives `meta` with the number of rows of each."""
        meta = self._opened().finish(meta)
        self.finished = True
        return meta

    def renew(self, old: Path, times: Sequence[tuple[str, int]], tables: Mapping[str, ArrowTable], meta: Meta) -> None:
        """Take the rows of an old index and bring them up to date; see `mmcg.store.renew`."""
        import shutil

        from mmcg.store.renew import renew_database

        shutil.copyfile(old, self.path)
        renew_database(self.path, times, tables, meta)
        self.finished = True

    def close(self) -> None:
        """Let go of the file."""
        if self._builder is not None:
            self._builder.close()

    def _opened(self) -> Builder:
        if self._builder is None:
            self._builder = Builder(self.path)
        return self._builder


def publish_beside(places: Places, tables: Mapping[str, ArrowTable], meta: Meta) -> Meta:
    """Build an index that is not the folder's own: others may build the same one meanwhile, and the last one stays."""
    try:
        places.database.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _unwritable(places, error) from None
    with publishing(places) as new:
        for name, rows in tables.items():
            new.add(name, rows)
        return new.finish(meta)


@contextmanager
def publishing(places: Places) -> Iterator[Publication]:
    """Make a new index; if it is finished in the end, it takes the old one's place. Only for the holder of the lock."""
    new = places.database.with_name(f"{places.database.name}.{os.getpid()}.tmp")
    log = new.with_name(new.name + ".wal")
    publication = Publication(new)
    try:
        yield publication
        if publication.finished:
            if log.exists():
                raise StoreWriteError(f"`{new}` was not written completely.", "Look for free space and try again.")
            _flush(new)
            new.replace(places.database)
            _flush(places.database.parent)
    except OSError as error:
        raise _unwritable(places, error) from None
    except duck.Error as error:
        if not isinstance(error, (duck.IOException, duck.FatalException, duck.TransactionException)):
            raise
        detail = str(error).splitlines()[0]
        raise StoreWriteError(
            f"The new index could not be written to `{places.folder}`: {detail}",
            "The old one is as it was. Look for free space and the right to write there.",
        ) from None
    finally:
        publication.close()
        with suppress(OSError):
            new.unlink(missing_ok=True)
            log.unlink(missing_ok=True)


def _flush(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on the disk."""
    if os.name == "nt" and path.is_dir():
        return
    handle = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _unwritable(places: Places, error: OSError) -> StoreWriteError:
    reason = error.strerror or str(error)
    return StoreWriteError(
        f"`{places.folder}` cannot be written: {reason}.",
        "An index that was there is as it was. Look for free space and the right to write there.",
    )
