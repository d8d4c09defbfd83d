"""SQL can read the graph, and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from mmcg.errors import InputError
from mmcg.query import sql as module

if TYPE_CHECKING:
    from mmcg.graph import Graph


def test_rows_and_a_true_total(graph: Graph) -> None:
    answer = graph.sql("SELECT path, id FROM files ORDER BY id", limit=2)
    assert answer.results == [{"path": "Tower.java", "id": 0}, {"path": "bell.c", "id": 1}]
    assert (answer.total, answer.truncated) == (7, True)


def test_columns_of_one_name_are_all_kept(graph: Graph) -> None:
    assert graph.sql("SELECT 1 AS a, 2 AS a").results == [{"a": 1, "a_2": 2}]


def test_values_fit_into_json(graph: Graph) -> None:
    (row,) = graph.sql("SELECT DATE '2026-01-02' AS d, 1.5::DECIMAL(4,1) AS n, 'nan'::DOUBLE AS x, [1] AS l").results
    assert row == {"d": "2026-01-02", "n": "1.5", "x": None, "l": [1]}


@pytest.mark.parametrize(
    "text",
    [
        "DELETE FROM symbols",
        "CREATE TABLE t (a INT)",
        "SELECT 1; SELECT 2",
        "",
        "nonsense",
        "ATTACH ':memory:' AS x",
        "COPY symbols TO '/tmp/x'",
        "INSTALL fts",
        "SET threads = 1",
        "SELECT * FROM read_text('/etc/hostname')",
        "SELECT * FROM '/etc/hostname.csv'",
        "SELECT * FROM glob('/*')",
        "SELECT * FROM nothing",
    ],
)
def test_everything_else_is_refused(graph: Graph, text: str) -> None:
    with pytest.raises(InputError):
        graph.sql(text)
    assert graph.callers("watch").total == 2


def test_what_is_not_there_is_answered_with_what_is(graph: Graph) -> None:
    with pytest.raises(InputError) as refused:
        graph.sql("SELECT * FROM edges")
    assert "Did you mean" not in str(refused.value)
    assert "symbols" in refused.value.advice and "calls" in refused.value.advice
    with pytest.raises(InputError) as refused:
        graph.sql("SELECT s.nome\nFROM symbols s")
    assert "`symbols` has id, file, path, address, name" in refused.value.advice
    assert "`calls`" not in refused.value.advice
    assert "name" in {row["column_name"] for row in graph.sql("DESCRIBE symbols").results}


def test_a_long_statement_is_stopped(graph: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SECONDS", 0.2)
    with pytest.raises(InputError, match="longer than"):
        graph.sql("SELECT count(*) FROM range(1000000) a, range(1000000) b WHERE hash(a.range, b.range) = 1")
