"""Reading every block of an index once, so that damage is found before an answer rests on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmcg.errors import BadIndexError
from mmcg.store.schema import TABLES, quoted

if TYPE_CHECKING:
    from mmcg.store.reader import Index


def verify(index: Index) -> None:
    """Raise `BadIndexError` unless all tables are there and can be read to the end.

    DuckDB checks a block's checksum when it reads it, and hashing every value makes it read them all.
    """
    for table in TABLES:
        columns = ", ".join(f"bit_xor(hash({quoted(column.name)}))" for column in table.columns)
        statement = f"SELECT count(*), {columns} FROM {table.sql_name()}"  # noqa: S608 - names of the schema
        count = index.rows(statement)[0][0]
        expected = index.meta.counts.get(table.name, count)
        if count != expected:
            raise BadIndexError(
                f"`{index.places.database}` has {count} rows in `{table.name}` instead of {expected}.",
                "Run `mastermind index`: it sets the file aside and builds a new one.",
            )
