"""Statements as other rooms run them."""

from pathlib import Path

import duckdb

from parsers.format import tables
from pipeline.store import statements, store


def test_rows_are_dictionaries_in_the_order_of_the_statement() -> None:
    with duckdb.connect() as con:
        found = statements.rows(con, "select i as n, $word as w from range(2) as t (i) order by i desc", word="x")
    assert found == [{"n": 1, "w": "x"}, {"n": 0, "w": "x"}]


def test_statement_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "s.sql").write_text("select 'ü' as letter\n", encoding="utf-8")
    with duckdb.connect() as con:
        assert statements.rows_of(con, tmp_path / "s.sql") == [{"letter": "ü"}]


def test_lines_of_every_dated_table_are_asked_and_no_other() -> None:
    query = statements.dated_lines("line_no", '"at" is not null')
    for table in tables().values():
        assert (f"from {store.line_relation(table)} where" in query) == table.is_dated
