"""The suites of `grammars/*/fixtures` through the store: what sections claim against what queries answer."""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from mmcg import _core, indexing
from mmcg.graph import Graph, open_graph

PROJECT = Path(__file__).parents[1]
GRAMMARS = PROJECT / "grammars"

GAPS: dict[str, Counter[str]] = {}
"""Sections and known gaps by language, of all sections judged in this process."""


@dataclass(frozen=True)
class Suite:
    """A Markdown file; its text may be another than the one on disk."""

    path: Path
    text: str

    @classmethod
    def read(cls, path: Path) -> Suite:
        """The suite of a file."""
        return cls(path, path.read_text(encoding="utf-8"))

    @property
    def name(self) -> str:
        """The path from the project's root, for messages."""
        return str(self.path.relative_to(PROJECT)) if self.path.is_relative_to(PROJECT) else str(self.path)

    @property
    def language(self) -> str:
        """The folder it belongs to."""
        return self.path.parent.parent.name

    @cached_property
    def parsed(self) -> dict[str, Any]:
        """What the format's reader makes of it."""
        parsed: dict[str, Any] = json.loads(_core.parse_fixture(self.text, self.name))
        return parsed

    @property
    def sections(self) -> list[dict[str, Any]]:
        """Its sections."""
        sections: list[dict[str, Any]] = self.parsed["sections"]
        return sections

    def judge(self, section: int, graph: dict[str, Any]) -> dict[str, Any]:
        """The verdict on a section."""
        verdict: dict[str, Any] = json.loads(_core.judge_fixture(self.text, self.name, section, json.dumps(graph)))
        return verdict

    def run(self, section: int) -> dict[str, Any]:
        """Index a section in a folder of its own, and judge what the index says."""
        with tempfile.TemporaryDirectory(prefix="section-") as folder:
            root = Path(folder)
            write_section(root, self.sections[section])
            indexing.index(root, jobs=1)
            return self.judge(section, graph_of(root))

    def count(self, verdict: dict[str, Any]) -> None:
        """Add a section's verdict to the sums of its language."""
        sums = GAPS.setdefault(self.language, Counter())
        sums.update(
            sections=1, failed=int(bool(verdict["failures"])), missing=verdict["missing"], wrong=verdict["wrong"]
        )


def suites() -> list[Suite]:
    """All suites, in the order of their paths."""
    return [Suite.read(path) for path in sorted(GRAMMARS.glob("*/fixtures/*.md"))]


def write_section(root: Path, section: dict[str, Any]) -> None:
    """Write a section's files below `root`, byte for byte."""
    for file in section["files"]:
        path = root / file["path"]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(file["text"].encode())


def graph_of(root: Path) -> dict[str, Any]:
    """The graph of an indexed folder in the form that verdicts are made from."""
    with open_graph(root) as graph:
        return {
            "edges": [
                {key: row[key] for key in ("file", "line", "column", "name", "caller", "target", "external")}
                | {"confidence": row["confidence"], "rule": row["rule"]}
                for row in graph.edges()
            ],
            "symbols": _sql(graph, "SELECT address, kind, path AS file, line FROM symbols ORDER BY id"),
            "imports": _sql(
                graph,
                "SELECT f.path AS file, i.line, t.path AS target FROM imports AS i"
                " JOIN files AS f ON f.id = i.file JOIN files AS t ON t.id = i.target_file",
            ),
            "bases": _sql(
                graph,
                'SELECT s.address AS "from", t.address AS "to" FROM bases AS b'
                " JOIN symbols AS s ON s.id = b.symbol JOIN symbols AS t ON t.id = b.base",
            ),
            "overrides": _sql(
                graph,
                'SELECT s.address AS "from", t.address AS "to" FROM overrides AS o'
                " JOIN symbols AS s ON s.id = o.symbol JOIN symbols AS t ON t.id = o.overridden",
            ),
        }


def _sql(graph: Graph, statement: str) -> list[dict[str, Any]]:
    return list(graph.sql(statement, limit=None).results)
