"""What an index says about itself: how it was made, what it holds, what it left out, and whether it is still true."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mmcg.model import Freshness
    from mmcg.query.answer import Row
    from mmcg.store.reader import Index


def status(index: Index, state: Freshness) -> Row:
    """One row; `skipped` and `problems` are whole lists."""
    meta = index.meta
    skipped = index.records("SELECT path, reason FROM skipped ORDER BY path")
    problems = index.records("SELECT path, code, line, message FROM problems ORDER BY path, line")
    return {
        "path": str(index.places.database),
        "bytes": index.places.database.stat().st_size,
        "schema": meta.schema_version,
        "at": meta.built_at,
        "age_seconds": max(0, int((datetime.now(UTC) - datetime.fromisoformat(meta.built_at)).total_seconds())),
        "fresh": state.fresh,
        "changed": state.changed,
        "seconds": round(meta.seconds, 3),
        "rows": meta.counts,
        "languages": meta.summary["languages"],
        "edges": meta.summary["edges"],
        "skipped": skipped,
        "problems": problems,
    }


def counted(rows: list[Row], key: str) -> dict[str, int]:
    """How many rows there are of each kind."""
    return dict(Counter(each[key] for each in rows))
