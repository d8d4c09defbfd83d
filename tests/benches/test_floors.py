"""The index is as accurate as it was: `benches/accuracy/floors.toml`."""

from __future__ import annotations

import pytest

from benches import corpora
from benches.accuracy import floors, micro, truth
from benches.accuracy.run import fetch, run
from benches.corpora import UnavailableError
from tests.benches import UNAVAILABLE

ALWAYS = {"Python", "Rust"}
"""Languages whose packages come with what the tests need anyway."""


def test_dynamic_python_holds_its_floors():
    pairs = micro.Pairs.of(micro.run_all())
    assert pairs.wanted == 236
    assert floors.below("pycg", floors.of_pairs(pairs)) == []


@pytest.mark.network
def test_real_projects_hold_their_floors():
    """The quick ones. A registry that fails, fails the test; what this machine cannot have is left out, and named."""
    quick = {project.name: project for project in truth.projects() if project.quick}
    missing = fetch(quick.values(), corpora.FOLDER)
    for name, why in missing.items():
        if isinstance(why, UnavailableError):
            UNAVAILABLE.append(f"accuracy of {quick.pop(name).name} was not measured here: {why}")
    lost = [f"not fetched, which says nothing about accuracy: {missing[name]}" for name in quick if name in missing]
    assert not lost, "\n".join(lost)
    assert {project.language for project in quick.values()} >= ALWAYS
    scores = {name: floors.of(run(project, corpora.FOLDER).score) for name, project in quick.items()}
    fallen = [words for name, values in scores.items() for words in floors.below(name, values)]
    assert not fallen, "\n".join(fallen)
