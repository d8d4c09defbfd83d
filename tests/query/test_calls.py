"""Questions about calls: callers, callees, references, impact, path, tests, hotspots."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mmcg.graph import Graph

WATCH = "src/bank/guard.py::watch"
MAIN = "src/bank/guard.py::main"
TEST = "tests/test_guard.py::test_watch"
SEAL = "src/bank/vault.py::seal"


def test_callers_are_one_row_a_symbol_with_all_sites(graph: Graph) -> None:
    answer = graph.callers("vault.py::seal")
    assert answer.target == SEAL
    assert answer.results == [
        {
            "symbol": WATCH,
            "kind": "function",
            "file": "src/bank/guard.py",
            "line": 3,
            "confidence": "exact",
            "rule": "import",
            "sites": [
                {"file": "src/bank/guard.py", "line": 4, "column": 7},
                {"file": "src/bank/guard.py", "line": 5, "column": 7},
            ],
        }
    ]
    assert (answer.total, answer.truncated, answer.possible) == (1, False, 0)


def test_callers_of_a_class_come_through_its_constructor(graph: Graph) -> None:
    (row,) = graph.callers("Vault").results
    assert row["symbol"] == WATCH
    assert row["via"] == "src/bank/vault.py::Vault.__init__"


def test_possible_callers_are_counted_and_shown_on_request(graph: Graph) -> None:
    answer = graph.callers("Vault.open")
    assert (answer.results, answer.total, answer.possible) == ([], 0, 1)
    answer = graph.callers("Vault.open", confidence="possible")
    assert [(row["symbol"], row["confidence"]) for row in answer.results] == [(WATCH, "possible")]
    assert answer.possible == 0


def test_exact_leaves_inferred_out(graph: Graph) -> None:
    assert [row["symbol"] for row in graph.callers("main").results] == [WATCH]
    assert graph.callers("main", confidence="exact").results == []


def test_callees_end_with_what_is_not_here(graph: Graph) -> None:
    rows = graph.callees("watch").results
    assert [(row["symbol"], row.get("external"), row["confidence"]) for row in rows] == [
        (SEAL, None, "exact"),
        ("src/bank/vault.py::Vault.__init__", None, "exact"),
        (MAIN, None, "inferred"),
        (None, "requests.get", "external"),
        (None, "mystery", "unresolved"),
    ]


def test_references_are_calls_and_other_uses(graph: Graph) -> None:
    rows = graph.references("vault.py::seal").results
    assert [(row["kind"], row["line"]) for row in rows] == [("import", 1), ("call", 4), ("call", 5)]


def test_impact_is_nearest_first_and_ends_in_circles(graph: Graph) -> None:
    rows = graph.impact("vault.py::seal").results
    assert [(row["symbol"], row["distance"], row["test"]) for row in rows] == [
        (WATCH, 1, False),
        (MAIN, 2, False),
        (TEST, 2, True),
    ]
    assert rows[2]["path"] == [TEST, WATCH, SEAL]


def test_impact_says_when_it_stopped(graph: Graph) -> None:
    answer = graph.impact("vault.py::seal", depth=1)
    assert [row["symbol"] for row in answer.results] == [WATCH]
    assert "further away" in answer.notices[0]
    assert graph.impact("vault.py::seal", depth=2).notices == []


def test_tests_that_reach_a_symbol(graph: Graph) -> None:
    assert [row["symbol"] for row in graph.tests("Vault").results] == [TEST]
    assert graph.tests("_old").results == []


def test_shortest_path(graph: Graph) -> None:
    answer = graph.path("test_watch", "vault.py::seal")
    assert [row["symbol"] for row in answer.results] == [TEST, WATCH, SEAL]
    assert [site["line"] for site in answer.results[2]["sites"]] == [4, 5]


def test_no_path_is_a_negative_answer(graph: Graph) -> None:
    answer = graph.path("vault.py::seal", "watch")
    assert (answer.status, answer.results, answer.found) == ("ok", [], False)
    assert "No chain of calls" in answer.notices[0]


def test_path_with_an_unknown_end(graph: Graph) -> None:
    answer = graph.path("watch", "seall")
    assert answer.status == "not_found"
    assert "`seall`" in answer.notices[0]


def test_hotspots_by_number_of_callers(graph: Graph) -> None:
    answer = graph.hotspots(limit=1)
    assert [(row["symbol"], row["callers"]) for row in answer.results] == [(WATCH, 2)]
    assert answer.truncated
    assert graph.hotspots("src").total == 5


def test_limit_keeps_the_total(graph: Graph) -> None:
    answer = graph.ask("callees", "watch", limit=2)
    assert (len(answer.results), answer.total, answer.truncated) == (2, 5, True)


def test_language_filter(graph: Graph) -> None:
    assert graph.ask("callers", "vault.py::seal", language="java").total == 0
    assert graph.ask("callers", "vault.py::seal", language="python").total == 1
