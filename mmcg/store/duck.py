"""DuckDB's native module, by the names used here.

The package `duckdb` re-exports the very same objects, and takes 40 ms more to import: a quarter of a short command. The
project pins one version of DuckDB, so what the native module offers does not change underneath.
"""

from collections.abc import Mapping

import _duckdb
from _duckdb import (
    BinderException,
    CatalogException,
    DuckDBPyConnection,
    Error,
    FatalException,
    InternalException,
    InterruptException,
    IOException,
    SerializationException,
    TransactionException,
)

Settings = Mapping[str, str | bool | int | float | list[str]]


def connect(database: str, config: Settings) -> DuckDBPyConnection:
    """A connection that draws no progress bars: where no script runs, DuckDB would, on stdout."""
    connection = _duckdb.connect(database, config=dict(config))
    connection.execute("SET enable_progress_bar = false")
    return connection


__all__ = [
    "BinderException",
    "CatalogException",
    "DuckDBPyConnection",
    "Error",
    "FatalException",
    "IOException",
    "InternalException",
    "InterruptException",
    "SerializationException",
    "TransactionException",
    "connect",
]
