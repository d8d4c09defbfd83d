"""Answers are cut to a size that an agent can take, and say what was left out."""

from __future__ import annotations

import json

from mmcg.mcp.compact import compact
from mmcg.mcp.shape import LONGEST_LIST, LONGEST_TEXT, MOST_CHARACTERS, envelope, fitted
from mmcg.query import Options, ask
from mmcg.query.answer import Answer


def row(number: int, **more: object) -> dict[str, object]:
    return {"symbol": f"a.py::f{number}", "kind": "function", "file": "a.py", "line": number, **more}


def test_pages_are_the_whole_answer_and_no_row_twice(graph) -> None:
    whole = [each["symbol"] for each in ask(graph.context, "symbols", ["."], Options(limit=None)).results]
    seen, offset = [], 0
    while True:
        page = envelope(ask(graph.context, "symbols", ["."], Options(limit=5, offset=offset)))
        assert page["total"] == len(whole)
        seen += [each["symbol"] for each in page["results"]]
        assert page["truncated"] == ("next_offset" in page)
        if not page["truncated"]:
            break
        offset = page["next_offset"]
    assert seen == whole


def test_a_page_past_the_end_is_empty_and_whole(graph) -> None:
    page = envelope(ask(graph.context, "symbols", ["."], Options(limit=5, offset=1000)))
    assert (page["results"], page["truncated"]) == ([], False)
    assert "next_offset" not in page


def test_every_question_with_a_limit_has_pages(graph) -> None:
    for name, target in (("search", "open"), ("hotspots", "."), ("references", "vault.py::seal")):
        whole = ask(graph.context, name, [target], Options(limit=None)).results
        assert len(whole) > 1, name
        pages = [ask(graph.context, name, [target], Options(limit=1, offset=at)).results for at in range(len(whole))]
        assert [each for page in pages for each in page] == whole, name


def test_many_large_rows_become_a_page() -> None:
    answer = Answer("callers", "a.py::g", [row(at, signature="x" * 900) for at in range(200)], 200)
    small = envelope(fitted(answer))
    assert len(json.dumps(small["results"])) <= MOST_CHARACTERS
    assert (small["total"], small["truncated"]) == (200, True)
    assert small["next_offset"] == len(small["results"]) > 0


def test_long_lists_are_cut_and_counted() -> None:
    sites = [{"file": "a.py", "line": at, "column": 1} for at in range(5000)]
    small = fitted(Answer("callers", "a.py::g", [row(1, sites=sites)], 1)).results[0]
    assert (len(small["sites"]), small["sites_total"]) == (LONGEST_LIST, 5000)


def test_a_long_text_is_cut_at_a_line_and_says_where() -> None:
    text = "".join(f"line {at}\n" for at in range(20_000))
    answer = fitted(Answer("source", "a.py::f", [row(11, end_line=20_010, text=text)], 1))
    small = answer.results[0]
    assert len(small["text"]) <= LONGEST_TEXT
    assert small["text"].endswith("\n")
    assert small["text_total"] == len(text)
    last = 10 + small["text"].count("\n")
    assert answer.notices == [f"The text is cut after line {last} of 20010; read the rest in the file."]


def test_one_line_without_end_is_cut_too() -> None:
    answer = fitted(Answer("source", "a.js::f", [row(1, end_line=1, text="x" * 1_000_000)], 1))
    assert len(json.dumps(envelope(answer))) < MOST_CHARACTERS


def test_many_candidates_are_cut() -> None:
    answer = Answer("callers", "get", status="ambiguous", candidates=[row(at) for at in range(10_000)])
    assert len(fitted(answer).candidates) == LONGEST_LIST
    assert answer.notices == [f"{LONGEST_LIST} of 10000 candidates are shown."]


def test_the_text_says_how_complete_it_is(graph) -> None:
    answer = ask(graph.context, "callees", ["watch"], Options(limit=2, offset=1))
    text = compact(answer)
    assert text.splitlines()[0] == (
        "callees src/bank/guard.py::watch: 5 found; 2-3 shown; more with offset 3; "
        "1 more are possible (confidence possible)."
    )
    assert len(text.splitlines()) == 3


def test_the_text_of_a_refusal_names_the_candidates(graph) -> None:
    text = compact(ask(graph.context, "callers", ["open"]))
    assert text.startswith("`open` is ambiguous; these have that name:\n")
    assert "src/bank/vault.py::Vault.open" in text


def test_names_cannot_forge_lines_of_the_text(graph) -> None:
    text = compact(ask(graph.context, "symbols", ["odd.js"]))
    assert "\x1b" not in text
    assert "\\x1b[31mred" in text


def test_an_outline_is_indented(graph) -> None:
    lines = compact(ask(graph.context, "outline", ["vault.py"])).splitlines()
    assert lines[1] == "src/bank/vault.py"
    assert lines[2] == "  def seal(door)  :1"
    assert lines[4].startswith("    Vault.__init__")
