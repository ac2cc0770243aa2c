"""Statements over few lines are planned plainly, and those over many as DuckDB does."""

import duckdb
import pytest

from pipeline.store.planning import MOST_LINES, plan_by_lines


@pytest.mark.parametrize(("lines", "is_plain"), [(MOST_LINES, True), (MOST_LINES + 1, False), (None, False)])
def test_lines_decide_how_statements_are_planned(lines: int | None, is_plain: bool) -> None:  # noqa: FBT001  pytest names them
    with duckdb.connect() as con:
        con.execute("create table main.source_file as select $lines::bigint as lines", {"lines": lines})
        before = _disabled(con)
        plan_by_lines(con)
        assert (_disabled(con) != before) == is_plain


@pytest.mark.parametrize("made", ["", "create table main.source_file (path varchar)"])
def test_a_store_without_an_account_of_its_files_is_planned_as_any_other(made: str) -> None:
    with duckdb.connect() as con:
        con.execute(made)
        before = _disabled(con)
        plan_by_lines(con)
        assert _disabled(con) == before


def _disabled(con: duckdb.DuckDBPyConnection) -> object:
    return con.execute("select current_setting('disabled_optimizers')").fetchone()
