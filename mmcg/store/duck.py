"""DuckDB's native module, by the names used here.

The package `duckdb` re-exports the very same objects, and takes 40 ms more to import: a quarter of a short command. The
project pins one version of DuckDB, so what the native module offers does not change underneath.
"""

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
