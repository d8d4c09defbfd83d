"""Diagrams and citations: which arrows and places are read, and which are not so."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from mmcg.audit.documents import markdown
from mmcg.audit.documents.citations import citations
from mmcg.audit.documents.diagrams import arrows
from mmcg.audit.verification import verify
from tests.audit.repository import BODY, write_spec

if TYPE_CHECKING:
    from pathlib import Path

FLOW = {
    "A --> B": [("A", "B")],
    "A-->B": [("A", "B")],
    'A["`Cart.total`"] --> B(rate_for)': [("Cart.total", "rate_for")],
    "A[f()] -->|then| B[(db)]": [("f()", "db")],
    "A -- then --> B": [("A", "B")],
    "A -. later .-> B ==> C": [("A", "B"), ("B", "C")],
    "A & B --> C & D": [("A", "C"), ("A", "D"), ("B", "C"), ("B", "D")],
    "A --> B; B --> C": [("A", "B"), ("B", "C")],
    "A --- B": [],
    "A ~~~ B": [],
    "A[x --> y]": [],
    "A:::hot --> B": [("A", "B")],
    "subgraph S\nA --> B\nend\nstyle A fill:#f00": [("A", "B")],
    "%% A --> B": [],
    'a["src/a.py::A.f<br/>does it"] --> b{"g?"}': [("src/a.py::A.f", "g?")],
    "A --> ": [],
    "--> B": [],
    "A[open --> B": [],
}


@pytest.mark.parametrize("piece", ["a", "1", "a/", "a\\", "a.1", "+", "~", "a@1-", "a:1"])
@pytest.mark.parametrize("end", ["", ":", ":1"])
def test_no_word_is_looked_through_for_ever(piece: str, end: str) -> None:
    """In a process of its own, so that one that takes too long is ended."""
    code = f"from mmcg.audit.documents.citations import CITATION; CITATION.findall({piece!r} * 200_000 + {end!r})"
    subprocess.run([sys.executable, "-c", code], timeout=20, check=True)


@pytest.mark.parametrize("text", FLOW)
def test_flowcharts(text: str) -> None:
    document = markdown.parse(f"```mermaid\nflowchart TD\n{text}\n```\n")
    assert [(each.source, each.target) for each in arrows(document)] == FLOW[text]


def test_sequences() -> None:
    text = "sequenceDiagram\nparticipant C as Cart.total\nactor U\nU->>C: a\nC->>+rate_for: b\nrate_for-->>C: c\n"
    found = list(arrows(markdown.parse(f"# T\n\n```mermaid\n{text}```\n")))
    assert [(each.source, each.target, each.line) for each in found] == [
        ("U", "Cart.total", 7),
        ("Cart.total", "rate_for", 8),
    ]


@pytest.mark.parametrize("text", ["A --> B", "pie\nA --> B", "```\nflowchart\n```"])
def test_other_blocks_have_no_arrows(text: str) -> None:
    assert list(arrows(markdown.parse(f"````mermaid\n{text}\n````\n\n```\nflowchart TD\nA --> B\n```\n"))) == []


CITED = {
    "See src/a.py:12.": [("src/a.py", 12, 12, None)],
    "`f` is at `src\\a.py:3-9`": [("src/a.py", 3, 9, "f")],
    "`A.f` (./a.py:3) and `g`, b.py:4": [("a.py", 3, 3, "A.f"), ("b.py", 4, 4, None)],
    "- `f()` in a.py:3": [("a.py", 3, 3, "f()")],
    "`f` calls what a.py:3 has": [("a.py", 3, 3, None)],
    "http://x.org:80/a.py:3": [],
    "at 12:30, version a.py:3.4, a.py:3:4 and ::1": [],
    "```\na.py:3\n```": [],
    "`print a.py:3`": [],
}


@pytest.mark.parametrize("text", CITED)
def test_citations(text: str) -> None:
    found = [(each.file, each.begin, each.end, each.name) for each in citations(markdown.parse(text))]
    assert found == CITED[text]


def found(root: Path, text: str, keys: str = "") -> list[tuple[str, tuple[str, ...]]]:
    done, _ = verify(root, write_spec(root, keys, BODY + "\n" + text))
    assert all(each.severity == "warning" for each in done.findings)
    return [(each.kind, each.about) for each in done.findings]


@pytest.mark.parametrize(
    "text",
    [
        "`transfer` at src/bank/account.py:27",
        "`Account.withdraw` (account.py:12)",
        "`deposit` is called at src/bank/account.py:22",
        "`nothing_of_ours` at src/bank/account.py:1",
        "example.org:443 and localhost:8080",
        "docs/guide.md:1",
    ],
)
def test_true_citations(shop: Path, text: str) -> None:
    assert found(shop, text) == []


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("src/bank/account.py:999", ("src/bank/account.py",)),
        ("src/bank/account.py:9-3", ("src/bank/account.py",)),
        ("src/bank/gone.py:1", ("src/bank/gone.py",)),
        ("gone.py:1", ("gone.py",)),
        ("`transfer` at src/bank/account.py:2", ("src/bank/account.py", "transfer")),
    ],
)
def test_untrue_citations(shop: Path, text: str, about: tuple[str, ...]) -> None:
    assert found(shop, text) == [("ungrounded_citation", about)]


def diagram(*lines: str) -> str:
    return "```mermaid\nflowchart LR\n" + "\n".join(lines) + "\n```\n"


@pytest.mark.parametrize(
    "line",
    [
        "transfer --> Account.withdraw",
        "transfer --> Account",
        "Ledger --> Account",
        "tests/test_account.py --> src/bank/account.py",
        'a[the client] --> b["transfer()"]',
        "transfer --> transfer",
        "label --> transfer",
    ],
)
def test_supported_arrows(shop: Path, line: str) -> None:
    assert found(shop, diagram(line)) == []


@pytest.mark.parametrize("line", ["Account.withdraw --> transfer", "fee --> Account", "src/bank/fees.py --> transfer"])
def test_unsupported_arrows(shop: Path, line: str) -> None:
    ((kind, about),) = found(shop, diagram(line))
    assert kind == "ungrounded_diagram"
    assert all("src/bank/" in each for each in about)


def test_a_planned_call_may_be_drawn(shop: Path) -> None:
    keys = "touches:\n  - file: src/bank/fees.py\n    symbols: [{name: fee, callers: {gained: 1}}]\n"
    assert found(shop, diagram("transfer --> fee"), keys) == []
