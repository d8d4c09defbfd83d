"""The table `meta`: the one thing that every version of the program can read."""

from __future__ import annotations

import json
from dataclasses import asdict

import duckdb

from mmcg.errors import BadIndexError
from mmcg.model import Meta


def meta_rows(meta: Meta) -> list[tuple[str, str]]:
    """The rows that say what `meta` says."""
    values = asdict(meta)
    values["counts"] = json.dumps(meta.counts)
    return [(key, str(value)) for key, value in values.items()]


def read_meta(connection: duckdb.DuckDBPyConnection) -> Meta:
    """What the attached index says about itself; keys of later versions are ignored."""
    try:
        found: dict[str, str] = dict(connection.execute('SELECT "key", "value" FROM meta').fetchall())
        return Meta(
            schema_version=int(found["schema_version"]),
            mmcg_version=found.get("mmcg_version", "unknown"),
            core_version=found.get("core_version", "unknown"),
            facts_version=int(found.get("facts_version", 0)),
            root=found.get("root", ""),
            built_at=found.get("built_at", ""),
            seconds=float(found.get("seconds", 0)),
            counts=json.loads(found.get("counts", "{}")),
        )
    except (duckdb.CatalogException, duckdb.BinderException, KeyError, ValueError) as error:
        raise BadIndexError(
            "The index is a database of something else: it does not say which version wrote it.",
            "Run `mastermind index`: it sets the file aside and builds a new one.",
        ) from error
