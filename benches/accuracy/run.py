"""Fetches, indexes and scores one project."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from benches import corpora
from benches.accuracy import errors, truth
from benches.accuracy.score import Score, score
from benches.corpora import NotFetchedError
from mmcg import indexing
from mmcg.graph import open_graph

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from benches.accuracy.errors import Label
    from benches.accuracy.truth import Project


@dataclass(frozen=True)
class Result:
    """A project's score and its errors by kind."""

    project: Project
    score: Score
    wrong: list[Label]
    missed: list[Label]


def fetch(projects: Iterable[Project], folder: Path) -> dict[str, NotFetchedError]:
    """Fetch the sources of several projects at once; why not, by project, where that failed."""
    known, by_corpus = corpora.corpora(), {project.corpus: project.name for project in projects}
    failed = corpora.fetch_all([known[path] for path in by_corpus], folder)
    return {by_corpus[path]: why for path, why in failed.items()}


def run(project: Project, folder: Path) -> Result:
    """Score a project whose source is, or is fetched to, below `folder`. Raises `NotFetchedError`."""
    corpus = corpora.corpora()[project.corpus]
    root = corpora.fetch(corpus, folder)
    sites = list(truth.read(project.path))
    if others := truth.differing(sites, root):
        raise NotFetchedError(
            f"{project.corpus}: not the source that was judged: `{others[0].name}` is not at"
            f" {others[0].file}:{others[0].line}; delete {root} to fetch it again."
        )
    indexing.index(root)
    with open_graph(root) as graph:
        found = score(sites, graph.edges())
    return Result(
        project,
        found,
        list(errors.wrong_labels(corpus.package, found)),
        list(errors.missed_labels(corpus.package, found, errors.form_in(root))),
    )
