"""Rows come out as they went in, in the order promised."""

import random

import pytest

from mmcg.errors import CoreError
from mmcg.store import open_index
from mmcg.store.ingest import Builder, build_database
from tests.fake_core import fake_meta, graph_tables, write_index


def symbols(count):
    return [
        {"id": n, "file": 0, "path": "a.py", "address": f"a.py::f{n}", "name": f"f{n % 7}", "qualified": f"f{n}",
         "kind": "function", "line": n + 1}
        for n in range(count)
    ]  # fmt: skip


def test_a_call_keeps_what_callers_prints(tmp_path):
    calls = [{"target": 1, "source": 0, "line": 9}, {"target": None, "source": 0, "line": 10}]
    write_index(tmp_path, symbols=symbols(2), calls=calls)
    with open_index(tmp_path) as index:
        rows = index.rows("SELECT line, caller, caller_kind, caller_line FROM calls")
    assert rows == [(9, "f0", "function", 1), (10, None, None, None)]


@pytest.mark.parametrize(("symbol_count", "call_count"), [(5_000, 300), (50, 60_000)])
def test_the_order_of_calls_survives_whichever_side_is_larger(tmp_path, symbol_count, call_count):
    chosen = random.Random(1)
    calls = sorted((chosen.randrange(symbol_count), chosen.randrange(symbol_count), n) for n in range(call_count))
    rows = [{"target": t, "source": s, "line": n} for t, s, n in calls]
    write_index(tmp_path, symbols=symbols(symbol_count), calls=rows)
    with open_index(tmp_path) as index:
        assert index.rows("SELECT target, source, line FROM calls") == calls
        assert index.rows("SELECT count(*) FROM calls WHERE caller IS NULL") == [(0,)]


def test_an_id_is_the_position_of_its_row(tmp_path):
    write_index(tmp_path, symbols=symbols(40_000), files=[{"id": n, "path": f"{n:05}"} for n in range(40_000)])
    with open_index(tmp_path) as index:
        for table in ("symbols", "files"):
            assert index.rows(f"SELECT count(*) FROM {table} WHERE rowid <> id") == [(0,)]


def test_names_are_sorted(tmp_path):
    write_index(tmp_path, symbols=symbols(20))
    with open_index(tmp_path) as index:
        rows = index.rows("SELECT name, symbol FROM names")
    assert rows == sorted(rows)
    assert len(rows) == 20


def test_a_long_table_may_come_in_parts(tmp_path):
    rows = symbols(20)
    whole, rest = graph_tables(symbols=rows[:12]), graph_tables(symbols=rows[12:])
    path = tmp_path / ".mastermind" / "mmcg.db"
    path.parent.mkdir()
    builder = Builder(path)
    for name, table in whole.items():
        builder.add(name, table)
        if name == "symbols":
            builder.add(name, rest[name])
    builder.finish(fake_meta(tmp_path))
    with open_index(tmp_path) as index:
        assert index.rows("SELECT id FROM symbols") == [(n,) for n in range(20)]
        assert len(index.rows("SELECT name, symbol FROM names")) == 20
        assert index.meta.counts["symbols"] == 20


def test_counts_are_kept_in_the_meta_table(tmp_path):
    write_index(tmp_path, symbols=symbols(3))
    with open_index(tmp_path) as index:
        assert index.meta.counts["symbols"] == 3
        assert index.meta.counts["calls"] == 0


def test_a_table_that_the_core_forgot_is_its_fault(tmp_path):
    tables = graph_tables()
    del tables["bases"]
    with pytest.raises(CoreError, match="`bases`"):
        build_database(tmp_path / "x.db", tables, fake_meta(tmp_path))


def test_text_of_any_script_and_quotes_in_paths(tmp_path):
    root = tmp_path / "it's ünïcode"
    root.mkdir()
    write_index(root, symbols=[{"id": 0, "name": "größe_変数"}])
    with open_index(root) as index:
        assert index.rows("SELECT name FROM symbols") == [("größe_変数",)]
