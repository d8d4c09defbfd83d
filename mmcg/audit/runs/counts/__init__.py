"""How many tests ran, by what the runners print. One module a runner, each with `count(output)`.

Which runner it was is told by the output alone: `make test` and `npm test` say nothing about it. What several runners
printed is added up.
"""

from __future__ import annotations

import importlib
import pkgutil

from mmcg.audit.runs.counts._count import Count

__all__ = ["Count", "count", "runners"]


def runners() -> list[str]:
    """The runners whose output is understood."""
    return sorted(each.name for each in pkgutil.iter_modules(__path__) if not each.name.startswith("_"))


def count(output: str) -> Count | None:
    """What all runners together say; None when none of them printed anything."""
    found: Count | None = None
    for name in runners():
        one: Count | None = importlib.import_module(f"{__name__}.{name}").count(output)
        if one is not None:
            found = one if found is None else found + one
    return found
