"""The schema is one definition: the page is made from it, and it keeps its promises."""

from pathlib import Path

from mmcg.store.describe import markdown
from mmcg.store.schema import FROM_CORE, META, TABLES

PAGE = Path(__file__).parents[2] / "docs" / "schema.md"


def test_the_page_is_current():
    assert PAGE.read_text(encoding="utf-8") == markdown(), "run: python -m mmcg.store.describe docs/schema.md"


def test_every_table_and_column_is_documented():
    for table in TABLES:
        assert table.doc.endswith("."), table.name
        for column in table.columns:
            assert column.doc.endswith("."), f"{table.name}.{column.name}"


def test_every_table_says_an_order_of_its_own_columns():
    for table in TABLES:
        assert set(table.order) <= {column.name for column in table.columns}


def test_every_table_comes_from_the_core_or_from_a_query():
    assert {table.name for table in TABLES} == {table.name for table in FROM_CORE} | {
        table.name for table in TABLES if table.query
    } | {META.name}
