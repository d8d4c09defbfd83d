"""Parquet files, written by the database itself."""

from __future__ import annotations

from contextlib import contextmanager
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from mmcg.errors import InputError
from mmcg.export.lines import EDGES, SYMBOLS
from mmcg.files import refuse_unless_writable, replaced, written_to
from mmcg.query.context import literal
from mmcg.store import duck
from mmcg.store.schema import TABLES

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from mmcg.query.context import Context

_ALL = 0xFFFF_FFFF
_ORDERED = {
    "edges": EDGES.format(first=0, last=_ALL),
    "symbols": SYMBOLS.format(first=0, last=_ALL),
}


def write_one(context: Context, what: str, path: Path, *, overwrite: bool) -> list[Path]:
    """The rows that JSON Lines have, as one file."""
    refuse_unless_writable(path, overwrite=overwrite)
    with _spilling(context, path.parent):
        return [_copy(context, _ORDERED[what], path)]


def write_all(context: Context, folder: Path, *, overwrite: bool) -> list[Path]:
    """Every table of the schema, as a file of its own in a folder, which is made if need be.

    All are looked at before the first is written.
    """
    files = {table.sql_name(): folder / f"{table.name}.parquet" for table in TABLES}
    if folder.is_dir():
        for path in files.values():
            refuse_unless_writable(path, overwrite=overwrite)
    elif folder.exists():
        raise InputError(f"`{folder}` is no folder, and every table is a file of its own.", "Name a folder.")
    else:
        refuse_unless_writable(folder, overwrite=overwrite)
        with written_to(folder):
            folder.mkdir()
    with _spilling(context, folder):
        return [_copy(context, f"FROM {name}", path) for name, path in files.items()]


@contextmanager
def _spilling(context: Context, folder: Path) -> Iterator[None]:
    """Let the database sort what memory cannot hold in a folder of its own, which is gone afterwards."""
    with written_to(folder):
        spill = TemporaryDirectory(prefix=".mastermind-", dir=folder, ignore_cleanup_errors=True)
    with spill as name:
        context.rows(f"SET temp_directory = {literal(name)}")
        yield


def _copy(context: Context, sql: str, path: Path) -> Path:
    with replaced(path) as new:
        try:
            context.index.connection.execute(
                f"COPY ({sql}) TO {literal(str(new))} (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 16384)"
            )
        except duck.IOException as error:
            raise OSError(str(error).splitlines()[0]) from None
    return path
