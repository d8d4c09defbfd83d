"""Replacing an index whole.

The new file is built under another name in the same folder, flushed to the disk and renamed over the old one. Whatever
happens before the rename leaves the old index; after it there is the new one. Files that dead writers left are removed
by the next writer, which holds the lock and so knows that nobody needs them.
"""

from __future__ import annotations

import os
import re
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from mmcg.errors import BadIndexError, NoIndexError, OutdatedIndexError, StoreWriteError
from mmcg.store import duck
from mmcg.store.ingest import ArrowTable, build_database
from mmcg.store.reader import Index

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from mmcg.model import Meta
    from mmcg.settings import Places

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


def set_aside_bad(places: Places) -> list[str]:
    """Move an index that cannot be used out of the way; what was done, as notices."""
    try:
        with Index(places):
            return []
    except NoIndexError:
        return []
    except OutdatedIndexError as error:
        return [f"{error.message} It was built again."]
    except BadIndexError as error:
        return set_aside(places, error)


def set_aside(places: Places, error: BadIndexError) -> list[str]:
    """Move an index that cannot be used, for the reason given, out of the way."""
    aside = places.database.with_name(f"mmcg.db.bad-{time.strftime('%Y%m%dT%H%M%S')}")
    try:
        places.database.replace(aside)
    except OSError as failure:
        raise _unwritable(places, failure) from None
    return [f"{error.message} It was set aside as `{aside.name}`."]


def publish(places: Places, tables: Mapping[str, ArrowTable], meta: Meta) -> Meta:
    """Build a new index and put it in the old one's place. Only for the holder of the lock."""
    return _replace(places, lambda path: build_database(path, tables, meta))


def publish_beside(places: Places, tables: Mapping[str, ArrowTable], meta: Meta) -> Meta:
    """Build an index that is not the folder's own: others may build the same one meanwhile, and the last one stays."""
    try:
        places.database.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _unwritable(places, error) from None
    return _replace(places, lambda path: build_database(path, tables, meta))


def _replace(places: Places, build: Callable[[Path], Meta]) -> Meta:
    new = places.database.with_name(f"{places.database.name}.{os.getpid()}.tmp")
    log = new.with_name(new.name + ".wal")
    try:
        meta = build(new)
        if log.exists():
            raise StoreWriteError(f"`{new}` was not written completely.", "Look for free space and try again.")
        _flush(new)
        new.replace(places.database)
        _flush(places.database.parent)
        return meta
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
