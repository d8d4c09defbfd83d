"""The commands `query` and `export`, as programs and people see them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from mmcg.cli import main, opening
from mmcg.cli.query import query as command
from mmcg.model import Freshness
from mmcg.store import open_index
from mmcg.query.registry import QUESTIONS


@pytest.fixture(autouse=True)
def _no_refresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """The index of these tests has no tree below it."""
    state = Freshness(fresh=True, notices=("A notice.",))
    monkeypatch.setattr(opening, "open_refreshed", lambda root: (open_index(root), state))


class Said:
    """What a run printed, and its exit code."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@pytest.fixture
def ask(bank: Path, capfd: pytest.CaptureFixture[str]) -> Any:
    def run(*arguments: str) -> Said:
        code = main.run([*arguments, "--root", str(bank)])
        out, err = capfd.readouterr()
        return Said(code, out, err)

    return run


def test_the_envelope(ask: Any) -> None:
    said = ask("query", "callers", "vault.py::seal", "--json")
    assert said.code == 0
    assert list(said.json) == [
        "status", "query", "target", "results", "total", "truncated", "possible", "index", "notices",
    ]  # fmt: skip
    assert said.json["index"]["fresh"] is True
    assert said.json["index"]["at"]
    assert said.json["notices"] == ["A notice."]
    assert said.err == ""


@pytest.mark.parametrize(("target", "status"), [("nothing_like_it", "not_found"), ("open", "ambiguous")])
def test_negative_answers(ask: Any, target: str, status: str) -> None:
    said = ask("query", "callers", target, "--json")
    assert (said.code, said.json["status"], said.json["results"]) == (1, status, [])
    assert all({"symbol", "kind", "file", "line"} <= set(row) for row in said.json["candidates"])


def test_limits(ask: Any) -> None:
    some = ask("query", "symbols", ".", "--json", "--limit", "3").json
    assert (len(some["results"]), some["total"], some["truncated"]) == (3, 22, True)
    everything = ask("query", "symbols", ".", "--json", "--all").json
    assert (len(everything["results"]), everything["truncated"]) == (22, False)
    assert ask("query", "symbols", ".", "--all", "--limit", "3").code == 2


def test_text_is_aligned_and_ends_with_how_complete_it_is(ask: Any) -> None:
    said = ask("query", "callees", "watch", "--limit", "4")
    *rows, last = said.out.splitlines()
    words = ("exact", "inferred", "external ")
    assert len({row.index(word) for row in rows for word in words if word in row}) <= 2
    assert rows[0].startswith("src/bank/guard.py:4:7 (+1)")
    assert (
        last
        == "src/bank/guard.py::watch: 4 of 5 shown (--all for the rest); 1 more are possible (--confidence possible)."
    )
    assert "A notice." in said.err
    possible = ask("query", "callers", "Vault.open").out
    assert "1 more are possible (--confidence possible)" in possible


def test_refusals_in_text_name_the_candidates(ask: Any) -> None:
    said = ask("query", "callers", "wacth")
    assert said.code == 1
    assert "`wacth` is not in the index" in said.out
    assert "src/bank/guard.py::watch" in said.out


def test_terminal_escapes_in_names_are_escaped_in_text_only(ask: Any) -> None:
    text = ask("query", "symbols", "odd.js").out
    assert "\x1b" not in text
    assert "\\x1b[31mred" in text
    assert "odd.js::\x1b[31mred" in [
        row["symbol"] for row in ask("query", "symbols", "odd.js", "--json").json["results"]
    ]


def test_outline_is_a_tree(ask: Any) -> None:
    lines = ask("query", "outline", "vault.py").out.splitlines()
    assert lines[0] == "src/bank/vault.py"
    assert any(line.startswith("│  ├─ Vault.seal") for line in lines)


def test_mermaid_and_dot_quote_what_names_hold(ask: Any) -> None:
    drawn = ask("query", "callees", "odd.js::<module>", "--format", "mermaid").out
    assert drawn.startswith("flowchart LR\n")
    assert 'n0["odd.js::#60;module#62;"]' in drawn
    assert 'n1["odd.js::Jug.#35;pour"]' in drawn
    assert "n0 --> n1" in drawn
    dotted = ask("query", "callers", 'odd.js::a "b"::c.d', "--format", "dot").out
    assert 'n0 [label="odd.js::a \\"b\\"::c.d"];' in dotted
    assert ask("query", "symbols", ".", "--format", "dot").code == 2


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["query"], 2),
        (["query", "wrong", "x"], 2),
        (["query", "callers"], 2),
        (["query", "path", "watch"], 2),
        (["query", "callers", "a", "b"], 2),
        (["query", "changed", "--json"], 2),
        (["query", "sql", "DROP TABLE files"], 2),
        (["query", "callers", "watch", "--json", "--format", "dot"], 2),
        (["query", "path", "vault.py::seal", "watch"], 1),
        (["query", "search", "zzzz"], 1),
        (["query", "cycles"], 0),
        (["query", "sql", "SELECT 1"], 0),
    ],
)
def test_exit_codes(ask: Any, arguments: list[str], code: int) -> None:
    said = ask(*arguments)
    assert said.code == code
    assert "Traceback" not in said.err


@pytest.mark.parametrize("kind", ["symbols", "callers", "callees", "references", "impact", "tests", "hierarchy"])
def test_every_printed_address_can_be_asked_for(ask: Any, kind: str) -> None:
    names = [row["symbol"] for row in ask("query", "symbols", ".", "--json", "--all").json["results"]]
    for name in names:
        rows = ask("query", kind, name, "--json").json["results"] if kind != "symbols" else []
        for printed in {name, *(row["symbol"] for row in rows if row["symbol"])}:
            assert ask("query", "callers", printed, "--json").json["target"] == printed


def test_export_edges(ask: Any) -> None:
    said = ask("export", "edges")
    rows = [json.loads(line) for line in said.out.splitlines()]
    assert len(rows) == 13
    assert rows == sorted(rows, key=lambda row: (row["file"], row["line"]))
    assert next(row for row in rows if row["line"] == 4 and row["file"] == "src/bank/guard.py") == {
        "file": "src/bank/guard.py",
        "line": 4,
        "column": 7,
        "name": "seal",
        "caller": "src/bank/guard.py::watch",
        "target": "src/bank/vault.py::seal",
        "target_file": "src/bank/vault.py",
        "target_line": 1,
        "external": None,
        "confidence": "exact",
        "rule": "import",
    }
    assert [row["external"] for row in rows if row["target"] is None] == ["requests.get", None]


def test_export_symbols(ask: Any) -> None:
    rows = [json.loads(line) for line in ask("export", "symbols").out.splitlines()]
    assert len(rows) == 29
    assert {"symbol", "kind", "file", "line", "signature", "parameters", "container", "body_hash"} <= set(rows[0])


def test_every_kind_and_option_of_the_specification_exists() -> None:
    kinds = (
        "search symbols outline source callers callees references impact path imports imported-by hierarchy tests "
        "unreferenced cycles hotspots api changed sql"
    )
    assert list(QUESTIONS) == kinds.split()
    options = {name for each in command.params for name in each.opts}
    assert options >= {
        "--root", "--json", "--limit", "--all", "--language", "--confidence", "--depth", "--since", "--format",
    }  # fmt: skip


def test_every_question_documents_its_row() -> None:
    folder = Path(opening.__file__).parents[1] / "query"
    for question in QUESTIONS.values():
        text = (folder / f"{question.module}.py").read_text(encoding="utf-8")
        assert re.search(r"\b(Row|row)\b", text.split('"""')[1]), question.module
