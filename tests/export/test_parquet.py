"""Parquet: the same rows as the other formats and the tables have."""

from __future__ import annotations

import hashlib
import json

import duckdb
import pytest

from mmcg.export import parquet
from mmcg.graph import open_graph
from mmcg.store import open_index
from mmcg.store.schema import TABLES
from tests.fake_core import write_index


def test_edges_and_symbols_have_the_rows_of_json_lines(export, tmp_path, capfd):
    for what in ("edges", "symbols"):
        assert export(what, "--format", "parquet", "--output", tmp_path / f"{what}.parquet") == 0
        capfd.readouterr()
        assert export(what) == 0
        lines = [json.loads(line) for line in capfd.readouterr().out.splitlines()]
        table = duckdb.connect().execute(f"FROM '{tmp_path / what}.parquet'")
        names = [column[0] for column in table.description]
        rows = [dict(zip(names, row, strict=True)) for row in table.fetchall()]
        key = "line" if what == "edges" else "symbol"
        assert [row[key] for row in rows] == [line[key] for line in lines]
        assert len(rows) > 5


def test_every_table_is_a_file_of_a_folder(export, project, tmp_path):
    folder = tmp_path / "tables"
    assert export("--format", "parquet", "--output", folder) == 0
    with open_index(project) as index:
        for table in TABLES:
            stored = index.rows(f"FROM {table.sql_name()}")
            assert duckdb.connect().execute(f"FROM '{folder / table.name}.parquet'").fetchall() == stored, table.name
    assert len(list(folder.iterdir())) == len(TABLES)


@pytest.mark.slow
def test_what_memory_cannot_hold_is_sorted_on_disk_and_nothing_is_left(tmp_path):
    root, symbols = tmp_path / "root", 60_000
    root.mkdir()
    rows = [
        {"id": n, "file": 0, "path": "a.py", "address": f"a.py::f{n}", "name": f"f{n}", "qualified": f"f{n}",
         "line": n, "doc": hashlib.sha512(str(n).encode()).hexdigest() * 4}
        for n in range(symbols)
    ]  # fmt: skip
    write_index(root, files=[{"id": 0, "path": "a.py", "language": "python"}], symbols=rows)
    with open_graph(root) as graph:
        graph.context.rows("SET memory_limit = '130MB'")
        parquet.write_one(graph.context, "symbols", root / "out.parquet", overwrite=False)
    assert duckdb.connect().execute(f"SELECT line FROM '{root}/out.parquet'").fetchall() == [
        (n,) for n in range(symbols)
    ]
    assert sorted(file.name for file in root.iterdir()) == [".mastermind", "out.parquet"]


def test_a_place_for_tables_that_is_no_folder_is_said(export, tmp_path, capfd):
    (tmp_path / "file").write_text("mine")
    assert export("--format", "parquet", "--output", tmp_path / "file", "--overwrite") == 2
    assert "is no folder" in capfd.readouterr().err
    assert export("--format", "parquet", "--output", "/proc/tables") == 3
    assert "cannot be written" in capfd.readouterr().err


def test_nothing_is_written_where_one_file_is_in_the_way(export, tmp_path):
    (tmp_path / "symbols.parquet").write_text("mine")
    assert export("--format", "parquet", "--output", tmp_path) == 2
    assert [file.name for file in tmp_path.iterdir()] == ["symbols.parquet"]
    assert export("--format", "parquet", "--output", tmp_path, "--overwrite") == 0
    assert len(list(tmp_path.iterdir())) == len(TABLES)
