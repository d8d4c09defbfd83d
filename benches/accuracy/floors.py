"""Floors: how good the index must at least be (`floors.toml`). They are only ever raised."""

from __future__ import annotations

import math
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from benches.accuracy.micro import Pairs
    from benches.accuracy.score import Score

FILE = Path(__file__).with_suffix(".toml")
MARGIN = 0.002
"""How far below what was measured a floor is set: a change may move a few sites of a small project."""
HEAD = """# Precision and recall of `exact` and `inferred` edges, and the precision of `exact` ones alone, below which the tests fail.
# Set with `python -m benches.accuracy --raise-floors`, which never lowers one.
"""

Values = dict[str, float]


def of(score: Score) -> Values:
    """What has a floor."""
    return {"precision": score.precision, "recall": score.recall, "exact": score.precision_of("exact")}


def of_pairs(pairs: Pairs) -> Values:
    """What has a floor on the micro-benchmark."""
    return {"precision": pairs.precision, "recall": pairs.recall}


def read() -> dict[str, Values]:
    """The floors by project, and of the micro-benchmark (`pycg`)."""
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


def below(name: str, measured: Values) -> list[str]:
    """What has fallen below its floor, in words."""
    floors = read().get(name)
    if floors is None:
        return [f"{name} has no floor; set it with `python -m benches.accuracy --raise-floors`"]
    return [
        f"{name}: {what} {measured[what]:.4f} is below its floor {floor:.4f}"
        for what, floor in floors.items()
        if measured[what] < floor
    ]


def raised(measured: dict[str, Values]) -> str:
    """The file's text with floors just under what was measured, where that raises them."""
    floors = read() if FILE.exists() else {}
    for name, values in measured.items():
        known = floors.setdefault(name, {})
        for what, value in values.items():
            known[what] = max(known.get(what, 0.0), math.floor((value - MARGIN) * 1000) / 1000)
    rows = (
        f"{name} = {{ {', '.join(f'{k} = {v:.3f}' for k, v in values.items())} }}\n"
        for name, values in sorted(floors.items())
    )
    return HEAD + "\n" + "".join(rows)
