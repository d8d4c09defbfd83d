"""Texts that nobody wrote by hand are read in a time that grows as they do: each in a process that is ended else."""

from __future__ import annotations

import subprocess
import sys

import pytest

SENTENCES = """
from mmcg.audit.documents import markdown, prose
list(prose.prose_claims(markdown.parse({before!r} + {piece!r} * 40_000 + {after!r})))
"""

DIAGRAM = """
from mmcg.audit.documents import diagrams, markdown
list(diagrams.arrows(markdown.parse("```mermaid\\n{head}\\n" + {piece!r} * 60_000 + "\\n```\\n")))
"""

BESIDE = """
from mmcg.audit.documents import citations, markdown
list(citations.citations(markdown.parse("`" + {piece!r} * 60_000 + "` at a/b.py:1")))
"""

SPEC = """
from mmcg.audit.documents.spec import parse_spec
text = {piece!r} * 100_000
entry = f"touches:\\n- file: a.py\\n  symbols:\\n  - name: f\\n    signature: '{{text}}'"
found = parse_spec(f"---\\nid: 001-a\\n{{entry}}\\n---\\n")
assert any("characters" in each.message for each in found.findings), found.findings
"""

OUTPUT = """
import importlib, pkgutil, re
from mmcg.audit.runs import counts
patterns = 0
for found in pkgutil.iter_modules(counts.__path__, counts.__name__ + "."):
    for value in vars(importlib.import_module(found.name)).values():
        if isinstance(value, re.Pattern):
            patterns += 1
            list(value.finditer({piece!r} * 60_000 + "x"))
assert patterns > 10
"""

NAMED = """
from mmcg.audit.tests import names
names._CASE.sub("", {piece!r} * 60_000 + "x")
names._SEPARATORS.split({piece!r} * 60_000 + "x")
"""


def ends(code: str) -> None:
    """Run it in a process of its own."""
    subprocess.run([sys.executable, "-c", code], timeout=40, check=True)


@pytest.mark.parametrize("before", ["", "wired "])
@pytest.mark.parametrize(
    "piece", ["a", "_", "a.", "a::", "is was ", "now ", "the ", "adds a test for ", "routes b to "]
)
def test_sentences(before: str, piece: str) -> None:
    ends(SENTENCES.format(before=before, piece=piece, after=" uses the existing `b`"))


@pytest.mark.parametrize("head", ["flowchart TD", "sequenceDiagram"])
@pytest.mark.parametrize("piece", ["a; ", "a --", "-. ", "a -> ", " ", "A["])
def test_diagrams(head: str, piece: str) -> None:
    ends(DIAGRAM.format(head=head, piece=piece))


@pytest.mark.parametrize("piece", ["a", "_", ".", "a."])
def test_names_beside_citations(piece: str) -> None:
    ends(BESIDE.format(piece=piece))


@pytest.mark.parametrize("piece", ["{", ",", "(", "a", "[a"])
def test_signatures(piece: str) -> None:
    ends(SPEC.format(piece=piece))


@pytest.mark.parametrize("piece", ["\n", " > ", " ", "1 passed "])
def test_outputs_of_test_runners(piece: str) -> None:
    ends(OUTPUT.format(piece=piece))


@pytest.mark.parametrize("piece", [" ", "()", "[]", "/1"])
def test_names_of_tests(piece: str) -> None:
    ends(NAMED.format(piece=piece))
