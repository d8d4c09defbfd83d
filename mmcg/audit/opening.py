"""The index that a spec is verified against: up to date, or said not to be."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from mmcg.audit.checks import index_stale
from mmcg.errors import NoIndexError
from mmcg.indexing import index as make_index
from mmcg.indexing import open_refreshed, same_as_tree
from mmcg.query.context import Context
from mmcg.store import open_index

if TYPE_CHECKING:
    from pathlib import Path

    from mmcg.audit.documents.spec import Spec
    from mmcg.audit.findings import Finding
    from mmcg.model import Freshness
    from mmcg.store.reader import Index


def fresh_index(root: Path) -> tuple[Index, Freshness]:
    """The index of the tree as it is now, made if there is none."""
    try:
        return open_refreshed(root, math.inf)
    except NoIndexError:
        make_index(root)
        return open_refreshed(root, math.inf)


def open_index_for(root: Path, spec: Spec) -> tuple[Context, list[Finding], list[str]]:
    """The index, with findings and notices about it: in `strict` mode as it is, else made or brought up to date."""
    if spec.mode == "strict":
        index = open_index(root)
        stale = not same_as_tree(index)
        return Context(index), [index_stale.finding(spec.path, index.meta.built_at)] if stale else [], []
    index, freshness = fresh_index(root)
    findings = [] if freshness.fresh else [index_stale.finding(spec.path, index.meta.built_at)]
    return Context(index, freshness), findings, list(freshness.notices)
