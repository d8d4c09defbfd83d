"""Questions about files and types: search, symbols, imports, hierarchy, unreferenced, cycles, api."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from mmcg.query.cycles import components

if TYPE_CHECKING:
    from mmcg.graph import Graph


@pytest.mark.parametrize(
    ("text", "first", "match"),
    [
        ("seal", "src/bank/vault.py::seal", "exact"),
        ("SEAL", "src/bank/vault.py::seal", "same letters"),
        ("sea", "src/bank/vault.py::seal", "prefix"),
        ("watch test", "tests/test_guard.py::test_watch", "words"),
        ("Vault.op", "src/bank/vault.py::Vault.open", "prefix"),
        ("Vault.open", "src/bank/vault.py::Vault.open", "exact"),
        ("aul", "src/bank/vault.py::Vault", "part"),
        ("wathc", "src/bank/guard.py::watch", "similar"),
    ],
)
def test_search_ranks_the_best_first(graph: Graph, text: str, first: str, match: str) -> None:
    rows = graph.search(text).results
    assert (rows[0]["symbol"], rows[0]["match"]) == (first, match)


def test_search_total_is_true_under_a_limit(graph: Graph) -> None:
    answer = graph.search("seal", limit=1)
    assert (len(answer.results), answer.total, answer.truncated) == (1, 2, True)
    assert not graph.search("zzzzzz").found


def test_symbols_of_a_file_and_of_a_folder(graph: Graph) -> None:
    rows = graph.symbols("vault.py").results
    assert [row["symbol"].partition("::")[2] for row in rows][:3] == ["seal", "Vault", "Vault.__init__"]
    assert rows[2]["container"] == "src/bank/vault.py::Vault"
    assert {row["file"] for row in graph.symbols("src").results} == {"src/bank/guard.py", "src/bank/vault.py"}
    assert graph.symbols(".").total == 22


def test_unknown_path(graph: Graph) -> None:
    answer = graph.symbols("src/bank/vautl.py")
    assert answer.status == "not_found"
    assert answer.candidates[0]["file"] == "src/bank/vault.py"


def test_imports_name_the_imported_file(graph: Graph) -> None:
    rows = graph.imports("guard.py").results
    assert [(row["file"], row["module"], row["name"], row["line"]) for row in rows] == [
        ("src/bank/vault.py", "bank.vault", "seal", 1),
        (None, "requests", None, 2),
    ]


def test_imported_by_names_the_importing_file(graph: Graph) -> None:
    assert [row["file"] for row in graph.imported_by("guard.py").results] == [
        "src/bank/vault.py",
        "tests/test_guard.py",
    ]
    assert [row["file"] for row in graph.imported_by("requests").results] == ["src/bank/guard.py"]
    assert graph.imported_by("nothing").status == "not_found"


def test_hierarchy_of_a_type(graph: Graph) -> None:
    rows = graph.hierarchy("Vault2").results
    assert [(row["relation"], row["symbol"], row.get("external"), row["distance"]) for row in rows] == [
        ("extends", "src/bank/vault.py::Vault", None, 1),
        ("extends", None, "Box", 2),
    ]
    (below,) = [row for row in graph.hierarchy("Vault").results if row["symbol"]]
    assert (below["relation"], below["symbol"]) == ("extended_by", "src/bank/vault.py::Vault2")


def test_hierarchy_of_a_member(graph: Graph) -> None:
    (row,) = graph.hierarchy("Vault.open").results
    assert (row["relation"], row["symbol"]) == ("overridden_by", "src/bank/vault.py::Vault2.open")


def test_unreferenced_gives_its_reason_and_leaves_doubtful_ones_out(graph: Graph) -> None:
    rows = {row["symbol"].partition("::")[2]: row for row in graph.unreferenced().results}
    assert rows["_old"]["confidence"] == "exact"
    assert rows["_old"]["reason"] == "private, and not used"
    assert not {"seal", "main", "Jug", "test_watch", "Vault", "Vault2.open", "Vault.open", "Vault.__init__"} & set(rows)
    assert graph.unreferenced("src").total < graph.unreferenced().total


def test_cycles_show_the_imports_that_make_them(graph: Graph) -> None:
    (row,) = graph.cycles().results
    assert row["cycle"] == ["src/bank/guard.py", "src/bank/vault.py", "src/bank/guard.py"]
    assert [each["line"] for each in row["imports"]] == [1, 30]
    assert graph.cycles("tests").results == []


def test_components_of_a_long_chain_do_not_recurse() -> None:
    edges = {each: {each + 1: 1} for each in range(50_000)} | {50_000: {0: 1}}
    assert max(map(len, components(edges))) == 50_001


def test_api_is_what_others_use(graph: Graph) -> None:
    rows = graph.api("src/bank").results
    assert [(row["symbol"], row["uses"], row["users"]) for row in rows] == [("src/bank/guard.py::watch", 1, 1)]
    assert graph.api("src/bank/vault.py").results[0]["symbol"] == "src/bank/vault.py::seal"
