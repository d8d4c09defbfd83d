"""`docs/resolution.md` shows every rule at work."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from mmcg import indexing
from tests.resolution import PAGE, prose, rules, specimens, written
from tests.suites import graph_of, write_section

TEXT = PAGE.read_text(encoding="utf-8")
SUITE = specimens(TEXT)


def test_every_rule_has_a_section_in_the_order_of_the_set():
    assert not SUITE.parsed["problems"]
    assert [section["title"].strip("`") for section in SUITE.sections] == list(rules())


def test_the_generated_parts_are_current():
    """`scripts/write-docs` writes them."""
    assert written(TEXT) == TEXT


def test_every_section_tells_its_limits():
    assert [rule for rule, body in prose(TEXT).items() if "\n*Limits.* " not in body] == []


@pytest.mark.parametrize("at", range(len(SUITE.sections)), ids=list(rules()))
def test_the_specimen_s_edge_is_found_by_its_rule(at):
    section, rule = SUITE.sections[at], list(rules().values())[at]
    with tempfile.TemporaryDirectory(prefix="specimen-") as folder:
        write_section(Path(folder), section)
        indexing.index(Path(folder), jobs=1)
        graph = graph_of(Path(folder))
    verdict = SUITE.judge(at, graph)
    assert not verdict["failures"], [f"{PAGE.name}:{each['line']}: {each['message']}" for each in verdict["failures"]]
    given = [edge for edge in graph["edges"] if edge["rule"] == rule["rule"]]
    # Claims of hints and of what is outside do not name rules: the edge must be where one stands.
    claims = {(section["files"][claim["file"]]["path"], claim["line"]) for claim in section["claims"]}
    shown = [edge for edge in given if (edge["file"], edge["line"]) in claims or rule["confidence"] == "unresolved"]
    assert {edge["confidence"] for edge in shown} == {rule["confidence"]}
