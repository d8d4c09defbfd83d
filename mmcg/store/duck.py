"""DuckDB's native module, by the names used here.

The package `duckdb` re-exports the very same objects, and takes 40 ms more to import: a quarter of a short command. The
project pins one version of DuckDB, so what the native module offers does not change underneath.
"""

from collections.abc import Mapping

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
    connect,
)

Settings = Mapping[str, str | bool | int | float | list[str]]


def open_memory(settings: Settings) -> DuckDBPyConnection:
    """A private database in memory. It draws no progress bars: where no script runs, DuckDB would, on stdout."""
    connection = connect(":memory:", config=dict(settings))
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
    "open_memory",
]
