"""The table `meta`: the one thing that every version of the program can read."""

from __future__ import annotations

import json
from dataclasses import asdict, fields
from typing import Any

from mmcg.errors import BadIndexError
from mmcg.model import Meta
from mmcg.store import duck
from mmcg.store.schema import SCHEMA_VERSION


def meta_rows(meta: Meta) -> list[tuple[str, str]]:
    """The rows that say what `meta` says, each value as JSON."""
    return [(key, json.dumps(value, ensure_ascii=False)) for key, value in asdict(meta).items()]


def read_meta(connection: duck.DuckDBPyConnection) -> Meta:
    """What the attached index says about itself.

    Of another version only what all versions know is read: which one it is.
    """
    try:
        rows = connection.execute('SELECT "key", "value" FROM meta').fetchall()
        found: dict[str, Any] = {key: json.loads(value) for key, value in rows}
        if int(found["schema_version"]) == SCHEMA_VERSION:
            return Meta(**{each.name: found[each.name] for each in fields(Meta)})
        return Meta(
            schema_version=int(found["schema_version"]),
            mmcg_version=str(found["mmcg_version"]),
            core={},
            root="",
            built_at="",
            started_ns=0,
            finished_ns=0,
            fingerprint="",
            seconds=0.0,
            refresh_seconds=0.0,
            summary={},
        )
    except (duck.CatalogException, duck.BinderException, KeyError, ValueError, TypeError) as error:
        raise BadIndexError(
            "The index is a database of something else: it does not say which version wrote it.",
            "Run `mastermind index`: it sets the file aside and builds a new one.",
        ) from error
