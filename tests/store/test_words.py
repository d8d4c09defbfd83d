"""The types of words hold every word that the core can say."""

from __future__ import annotations

import re
from pathlib import Path

from mmcg import _core
from mmcg.store.schema import WORDS

SYMBOLS = Path(__file__).parents[2] / "rust" / "facts" / "src" / "symbol.rs"


def test_rules_and_confidences_are_the_cores() -> None:
    rules = _core.rules()
    assert WORDS["RULE"] == tuple(rule["rule"] for rule in rules)
    assert {rule["confidence"] for rule in rules} <= set(WORDS["CONFIDENCE"])


def test_kinds_are_the_cores() -> None:
    of_kind = SYMBOLS.read_text(encoding="utf-8").partition("impl Visibility")[0]
    assert list(WORDS["KIND"]) == re.findall(r'Self::\w+ => "(\w+)"', of_kind)
