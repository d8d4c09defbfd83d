"""The suites of all languages through the store. `cargo test -p mmcg-fixture` runs the same ones in memory."""

from __future__ import annotations

import json

import pytest

from tests.suites import Suite, suites, write_section
from tests.trees import mastermind

SUITES = suites()
SECTIONS = [
    pytest.param(suite, at, id=f"{suite.language}/{suite.path.stem}: {section['title']}")
    for suite in SUITES
    for at, section in enumerate(suite.sections)
]


@pytest.mark.parametrize("suite", SUITES, ids=lambda suite: f"{suite.language}/{suite.path.stem}")
def test_a_suite_is_well_formed(suite: Suite):
    assert not suite.parsed["problems"]
    assert suite.sections


@pytest.mark.parametrize(("suite", "at"), SECTIONS)
def test_a_section_holds(suite: Suite, at: int):
    verdict = suite.run(at)
    suite.count(verdict)
    failures = [f"{suite.name}:{failure['line']}: {failure['message']}" for failure in verdict["failures"]]
    assert not failures, "\n".join(failures)


def test_an_empty_graph_satisfies_no_suite():
    for suite in SUITES:
        verdicts = [suite.judge(at, {}) for at in range(len(suite.sections))]
        assert any(verdict["failures"] for verdict in verdicts), suite.name


@pytest.mark.parametrize("suite", [suite for suite in SUITES if suite.path.stem in ("classes", "basics")],
                         ids=lambda suite: suite.language)  # fmt: skip
def test_the_command_gives_the_same_edges(suite: Suite, tmp_path):
    """The first section of some suites through the command itself."""
    write_section(tmp_path, suite.sections[0])
    assert mastermind("index", cwd=tmp_path).returncode == 0
    exported = mastermind("export", "edges", cwd=tmp_path)
    symbols = mastermind("export", "symbols", cwd=tmp_path)
    assert (exported.returncode, symbols.returncode) == (0, 0)
    graph = {
        "edges": [json.loads(line) for line in exported.stdout.splitlines()],
        "symbols": [
            {"address": row["symbol"], "kind": row["kind"], "file": row["file"], "line": row["line"]}
            for row in map(json.loads, symbols.stdout.splitlines())
        ],
    }
    # What else is claimed (bases, imports) is not in these files.
    calls = {f["message"] for f in suite.judge(0, graph)["failures"] if "`calls:" in f["message"]}
    assert calls == {f["message"] for f in suite.run(0)["failures"] if "`calls:" in f["message"]}
    assert graph["edges"]
