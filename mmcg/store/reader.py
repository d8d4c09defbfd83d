"""Reading a published index.

A reader attaches the file to a private in-memory database instead of connecting to it: DuckDB keeps one instance of a
file per process and hands it out again by path, so a reader that connected would go on seeing the old snapshot for as
long as anything else in the process held it. What is attached is read from the file that has the path at that moment.
"""

from __future__ import annotations

from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Self

from mmcg.errors import BadIndexError, NoIndexError, OutdatedIndexError, StoppedError
from mmcg.store import duck
from mmcg.store.ingest import text_literal
from mmcg.store.meta import read_meta
from mmcg.store.schema import SCHEMA_VERSION

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from types import TracebackType

    from mmcg.model import Meta
    from mmcg.settings import Places

READER_SETTINGS: dict[str, str | bool | int | float | list[str]] = {
    "threads": 1,
    "memory_limit": "2GB",
    "temp_directory": "",
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
}
"""Lookups are small: a second thread costs more to wake than it saves (callers among a million calls: 0.7 ms with one,
1.2 ms with two). Nothing spills or downloads."""

# What DuckDB raises when a file's bytes are wrong, as opposed to a query's text.
_BROKEN = (duck.IOException, duck.SerializationException, duck.FatalException, duck.InternalException)
_ADVICE = "Run `mastermind index`: it sets the file aside and builds a new one."

Row = tuple[Any, ...]
Version = tuple[int, int, int]


class Index:
    """One snapshot of an index. Not to be shared between threads: each has its own, or a sibling."""

    meta: Meta
    """What it says about itself."""
    _version: Version

    def __init__(self, places: Places) -> None:
        self.places = places
        self.stopped = False
        """Whether `stop` was called: it answers nothing any more."""
        self._shared = False
        """Whether other snapshots are attached to the same in-memory database."""
        self._open()

    def sibling(self) -> Index:
        """Another reader of the same snapshot, for another thread: a fifth of a millisecond, and one cache for all.

        It stays with its snapshot: it is not to be reopened, nor used after the reader it comes from was closed.
        """
        other = Index.__new__(Index)
        other.places, other.meta, other._version = self.places, self.meta, self._version
        other.stopped = False
        other._instance, other._number = self._instance, self._number
        other._attached = other._shared = False
        other._connection = self.cursor()
        return other

    def successor(self) -> Index:
        """A reader of the newest snapshot in the same in-memory database, which takes 2 ms instead of 10.

        Whoever has both closes both; siblings of this one stay with the old snapshot. Raises as opening does.
        """
        other = Index.__new__(Index)
        other.places, other.stopped = self.places, False
        self._shared = other._shared = True
        other._attach(self._instance, self._number + 1)
        return other

    def stand_for(self, newer: Index) -> None:
        """Go on with the open file in the place of a newer one that has the same rows; closes the newer one."""
        self.meta, self._version = newer.meta, newer._version
        newer.close()

    def cursor(self) -> duck.DuckDBPyConnection:
        """Another connection whose default catalog is this snapshot."""
        with _understood(self.places):
            connection = self._instance.cursor()
            connection.execute(f"USE graph{self._number}")
            return connection

    @property
    def outdated(self) -> bool:
        """Whether another snapshot was published since this one was opened. Raises as `reopen_if_changed`."""
        return _version(self.places) != self._version

    def stop(self) -> None:
        """End the query that runs and refuse all further ones: `StoppedError`. For another thread than the reader's."""
        self.stopped = True
        self._connection.interrupt()

    def rows(self, sql: str, parameters: Sequence[object] | dict[str, object] = ()) -> list[Row]:
        """The rows that a query gives."""
        with self._answering():
            return self._connection.execute(sql, parameters).fetchall()

    def records(self, sql: str, parameters: Sequence[object] | dict[str, object] = ()) -> list[dict[str, Any]]:
        """The rows that a query gives, each as a dictionary by column."""
        with self._answering():
            cursor = self._connection.execute(sql, parameters)
            names = [column[0] for column in cursor.description or ()]
            return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]

    @property
    def connection(self) -> duck.DuckDBPyConnection:
        """The connection itself, for what `rows` cannot do. The index is its default catalog, read-only."""
        return self._connection

    def reopen_if_changed(self) -> bool:
        """Move to the newest snapshot. For long-lived readers, between answers: one answer sees one snapshot."""
        if not self.outdated:
            return False
        self.close()
        self._open()
        return True

    def close(self) -> None:
        """Let go of the file."""
        if self._attached and self._shared:
            with suppress(duck.Error):
                self._connection.execute("USE memory")
                self._connection.execute(f"DETACH graph{self._number}")
        self._connection.close()
        if self._attached and not self._shared:
            self._instance.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @contextmanager
    def _answering(self) -> Iterator[None]:
        if self.stopped:
            raise _stopped()
        try:
            with _understood(self.places):
                yield
        except duck.InterruptException:
            if not self.stopped:
                raise
            raise _stopped() from None

    def _open(self) -> None:
        self._shared = False
        self._attach(duck.connect(":memory:", config=READER_SETTINGS), 0)

    def _attach(self, instance: duck.DuckDBPyConnection, number: int) -> None:
        """Read the newest snapshot by a connection of its own to this in-memory database.

        What `instance` opened ends with the last reader that has it: closing it would close all of them.
        """
        self._version = _version(self.places)
        self._instance, self._number, self._attached = instance, number, True
        self._connection = instance.cursor()
        file = text_literal(str(self.places.database))
        try:
            with _understood(self.places):
                self._connection.execute(f"ATTACH {file} AS graph{number} (READ_ONLY)")
                self._connection.execute(f"USE graph{number}")
                self.meta = read_meta(self._connection)
            if self.meta.schema_version != SCHEMA_VERSION:
                raise _other_version(self.places, self.meta)
        except BaseException:
            self._connection.close()
            if not number:
                instance.close()
            raise


def _version(places: Places) -> Version:
    """What changes whenever another snapshot is published."""
    try:
        status = places.database.stat()
    except FileNotFoundError:
        raise NoIndexError(
            f"`{places.root}` has no index.",
            f"Run `mastermind index {places.root}` first.",
        ) from None
    except OSError as error:
        raise BadIndexError(f"`{places.database}` cannot be read: {error.strerror}.", _ADVICE) from None
    return status.st_ino, status.st_mtime_ns, status.st_size


def _stopped() -> StoppedError:
    return StoppedError("The question was withdrawn before it was answered.")


def _other_version(places: Places, meta: Meta) -> BadIndexError:
    if meta.schema_version > SCHEMA_VERSION:
        return BadIndexError(
            f"`{places.database}` was written by a newer version, {meta.mmcg_version}.",
            "Update mastermind, or run `mastermind index`: it sets the file aside and builds a new one.",
        )
    return OutdatedIndexError(
        f"`{places.database}` was written by an older version, {meta.mmcg_version}.",
        "Run `mastermind index` to build it again.",
    )


@contextmanager
def _understood(places: Places) -> Iterator[None]:
    """Tell a file that cannot be read from a query that cannot be answered."""
    try:
        yield
    except _BROKEN as error:
        detail = str(error).splitlines()[0]
        raise BadIndexError(f"`{places.database}` cannot be read: {detail}", _ADVICE) from error
