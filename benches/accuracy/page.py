"""`docs/accuracy.md`, made of the results and of `projects.toml`."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from benches.accuracy import errors, truth
from benches.accuracy.micro import Pairs
from benches.accuracy.score import COUNTED, Score
from benches.corpora import corpora

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from benches.accuracy.micro import Case
    from benches.accuracy.run import Result

MOST = 5
"""Kinds of error shown of a language."""

HEAD = """# Accuracy

How often the call graph is right, measured against compilers' own answers on real projects, nothing of which was built for
the index. This page is written by `python -m benches.accuracy`, which fetches the sources, indexes and scores
([how](../benches/accuracy/README.md)).

- **Sites** are calls whose target is in the project.
- **Precision**: right answers of all answers, those for calls that leave the project included.
- **Recall**: sites with a right answer of all sites.
- Counted are `exact` and `inferred` edges, if nothing else is said. For a virtual call the declared target and every override
  count as right.
- **Answered inside**: calls that leave the project and are answered with a definition of it.
"""

CASES = """## Dynamic Python

The PyCG micro-benchmark (Salis and others, ICSE 2021): small programs, each about one thing that makes calls hard to follow, with
all pairs of caller and callee.
"""

KINDS = """## What is wrong, and what is missed

By language: the kinds of wrong answers, by the [rule](resolution.md) that gave them, with their share of all answers; the kinds of
missed sites, by how the call is written and what the index says instead, with their share of all sites; of each kind the
first one. At most {most} kinds each.
"""


def text(results: Sequence[Result], cases: Sequence[Case]) -> str:
    """The whole page."""
    return "\n".join(
        [HEAD, *_totals(results), *_projects(results), *_confidences(results), *_cases(cases), *_languages(results)]
    )


def _table(*head: str, rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _by_language(results: Iterable[Result]) -> Iterator[tuple[truth.Language, list[Result]]]:
    known = truth.languages()
    ordered = sorted(results, key=lambda result: result.project.language)
    for name, group in groupby(ordered, key=lambda result: result.project.language):
        yield known[name], list(group)


def _sum(results: Iterable[Result]) -> Score:
    total = Score()
    for result in results:
        total.add(result.score)
    return total


def _figures(score: Score) -> list[str]:
    exact = f"{score.precision_of('exact'):.4f}"
    return [f"{score.sites:,}", f"{score.precision:.4f}", f"{score.recall:.4f}", exact, str(score.wrong_outside)]


_FIGURES = ("sites", "precision", "recall", "precision of `exact`", "answered inside")


def _totals(results: Sequence[Result]) -> Iterator[str]:
    yield "## By language\n"
    yield "Sites of all projects weigh the same.\n"
    yield _table(
        "language",
        "judge",
        *_FIGURES,
        rows=[[lang.name, lang.judge, *_figures(_sum(of))] for lang, of in _by_language(results)],
    )


def _projects(results: Sequence[Result]) -> Iterator[str]:
    known = corpora()
    rows = []
    for language, group in _by_language(results):
        for result in group:
            corpus = known[result.project.corpus]
            rows.append(
                [language.name, f"{corpus.package} {corpus.version}", *_figures(result.score), result.project.judged]
            )
    yield "## By project\n"
    yield _table("language", "project", *_FIGURES, "judged", rows=rows)


def _confidences(results: Sequence[Result]) -> Iterator[str]:
    yield "## By confidence\n"
    yield (
        "Of each confidence: its answers, how many of them are right, and the share of all sites that it answers rightly. `possible`"
        "\nedges are hints, and no part of the figures above.\n"
    )
    rows = []
    for language, group in _by_language(results):
        total = _sum(group)
        row = [language.name]
        for confidence in COUNTED:
            counts = total.by_confidence[confidence]
            share = counts["found"] / total.sites if total.sites else 0
            row += [f"{counts['answers']:,}", f"{total.precision_of(confidence):.4f}", f"{share:.4f}"]
        rows.append(row)
    head = [
        f"`{confidence}` {what}" if at == 0 else what
        for confidence in COUNTED
        for at, what in enumerate(("answers", "precision", "recall"))
    ]
    yield _table("language", *head, rows=rows)


def _cases(cases: Sequence[Case]) -> Iterator[str]:
    yield CASES
    rows = [[category, *_pairs(list(group))] for category, group in groupby(cases, key=lambda case: case.category)]
    yield _table("kind", "programs", "pairs", "precision", "recall", rows=[*rows, ["**all**", *_pairs(cases)]])


def _pairs(cases: Sequence[Case]) -> list[str]:
    pairs = Pairs.of(cases)
    return [str(len(cases)), str(pairs.wanted), f"{pairs.precision:.3f}", f"{pairs.recall:.3f}"]


def _languages(results: Sequence[Result]) -> Iterator[str]:
    yield KINDS.format(most=MOST)
    for language, group in _by_language(results):
        total = _sum(group)
        yield f"### {language.name}\n"
        yield f"*Not judged.* {language.limits}\n"
        yield f"*Out of reach without a build.* {language.beyond}\n"
        wrong = errors.kinds(label for result in group for label in result.wrong)
        missed = errors.kinds(label for result in group for label in result.missed)
        yield _kinds("wrong answers", wrong, total.answers)
        yield _kinds("missed sites", missed, total.sites)


def _kinds(what: str, kinds: Sequence[errors.Kind], of: int) -> str:
    number = sum(kind.count for kind in kinds)
    rows = [[kind.text, str(kind.count), f"{kind.count / of:.2%}", kind.example] for kind in kinds[:MOST]]
    return _table(f"{number:,} {what} of {of:,}", "", "share", "for example", rows=rows)
