"""What people type, and the one symbol it means."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from mmcg.graph import Graph, open_graph
from mmcg.query.address import resolve
from tests.graph_fixture import FILES

if TYPE_CHECKING:
    from pathlib import Path

SEAL = "src/bank/vault.py::seal"


def meaning(graph: Graph, text: str) -> str | None:
    found = resolve(graph.context, text)
    return found.symbol.address if found.symbol else None


@pytest.mark.parametrize(
    "text",
    [
        SEAL,
        f"./{SEAL}",
        "src\\bank\\vault.py::seal",
        "vault.py::seal",
        "bank/vault.py::seal",
        "src//bank/./vault.py::seal",
    ],
)
def test_other_spellings_of_the_path(graph: Graph, text: str) -> None:
    assert meaning(graph, text) == SEAL


def test_absolute_paths_also_through_a_link_to_the_root(graph: Graph, bank: Path, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(bank)
    assert meaning(graph, f"{bank}/{SEAL}") == SEAL
    assert meaning(open_graph(link), f"{bank}/{SEAL}") == SEAL
    assert meaning(open_graph(link), f"{link}/{SEAL}") == SEAL
    assert meaning(open_graph(f"{bank}/"), f"{link}/{SEAL}") == SEAL


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("Vault.seal", "src/bank/vault.py::Vault.seal"),
        ("vault.py::Vault.seal", "src/bank/vault.py::Vault.seal"),
        ("Vault::seal", "src/bank/vault.py::Vault.seal"),
        ("watch", "src/bank/guard.py::watch"),
        ("guard.py", "src/bank/guard.py::<module>"),
        ("guard.py::<module>", "src/bank/guard.py::<module>"),
        ("stack@6", "Tower.java::Tower.stack@6"),
        ("Tower.java::stack@2", "Tower.java::Tower.stack@2"),
        ("seal@1", SEAL),
    ],
)
def test_any_end_that_only_one_symbol_has(graph: Graph, text: str, means: str) -> None:
    assert meaning(graph, text) == means


def test_exact_qualified_name_wins_over_a_suffix(graph: Graph) -> None:
    assert meaning(graph, "seal") == SEAL


def test_several_are_ambiguous_and_all_are_named(graph: Graph) -> None:
    found = resolve(graph.context, "open")
    assert found.ambiguous
    assert [row["symbol"] for row in found.candidates] == [
        "src/bank/vault.py::Vault.open",
        "src/bank/vault.py::Vault2.open",
    ]
    overloads = resolve(graph.context, "Tower.java::Tower.stack")
    assert [row["line"] for row in overloads.candidates] == [2, 6]


def test_a_prototype_never_competes_with_its_definition(graph: Graph) -> None:
    assert meaning(graph, "ring") == "bell.c::ring"
    assert meaning(graph, "bell.h::ring") == "bell.h::ring"


@pytest.mark.parametrize(
    ("typo", "nearest"),
    [
        ("Vault.sael", "src/bank/vault.py::Vault.seal"),
        ("wacth", "src/bank/guard.py::watch"),
        ("vault", "src/bank/vault.py::Vault"),
    ],
)
def test_unknown_names_get_the_nearest(graph: Graph, typo: str, nearest: str) -> None:
    found = resolve(graph.context, typo)
    assert found.symbol is None
    assert not found.ambiguous
    assert nearest in [row["symbol"] for row in found.candidates[:3]]


def test_a_line_where_nothing_is_defined_is_no_symbol(graph: Graph) -> None:
    assert meaning(graph, "Tower.java::Tower.stack@3") is None


def test_every_address_means_itself(graph: Graph) -> None:
    addresses = [row["symbol"] for path in FILES for row in graph.symbols(path).results]
    assert len(addresses) > 20
    assert [meaning(graph, each) for each in addresses] == addresses


@pytest.mark.parametrize("text", ["", "::", "@1", ".", "::x", "x::", "a" * 5000, "'; DROP TABLE symbols; --", "\x00"])
def test_nonsense_is_not_found(graph: Graph, text: str) -> None:
    assert meaning(graph, text) is None


@pytest.mark.parametrize("head", ["<ROOT>", "/home/ci/work", "C:\\checkouts\\bank", "~/work", "/srv/tests"])
def test_a_path_of_another_checkout_says_how_it_was_taken(graph: Graph, head: str) -> None:
    answer = graph.callers(f"{head}/{SEAL}")
    assert answer.target == SEAL
    assert any("is taken for `src/bank/vault.py`" in notice for notice in answer.notices)
    assert graph.callers(SEAL).notices == []


@pytest.mark.parametrize("path", ["/home/ci/vault.py", "lib/src/bank/vault.py", "/home/ci/src/safe/vault.py"])
def test_no_other_files_symbol_is_answered_for(graph: Graph, path: str) -> None:
    assert graph.callers(f"{path}::seal").target != SEAL
