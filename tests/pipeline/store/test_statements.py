"""Statements on a store: how they are run, what they write, and what must have rows before them."""

from collections.abc import Iterator
from pathlib import Path

import duckdb
import polars as pl
import pytest

from parsers.format import tables
from pipeline.store import log_tables, own_table, statements
from pipeline.store.needed_rows import Needed, Statements
from pipeline.store.own_table import OwnTable


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
        assert (f"from {log_tables.line_relation(table)} where" in query) == table.is_dated


TABLE = OwnTable("t", "One row per thing.", {"name": (pl.String(), "of the thing"), "size": (pl.Int32(), "in bytes")})


@pytest.fixture
def con() -> duckdb.DuckDBPyConnection:
    opened = duckdb.connect()
    TABLE.create(opened)
    return opened


def test_rows_go_in_by_name_or_in_order_and_a_missing_value_is_null(con: duckdb.DuckDBPyConnection) -> None:
    TABLE.fill(con, [{"size": 1, "name": "a"}, {"name": "b"}, ("c", 3)])
    assert con.execute("select name, size from t order by name").fetchall() == [("a", 1), ("b", None), ("c", 3)]


def test_no_rows_are_a_frame_of_the_columns() -> None:
    assert TABLE.frame([]).schema == pl.Schema({"name": pl.String(), "size": pl.Int32()})


def test_grain_and_meanings_become_comments(con: duckdb.DuckDBPyConnection) -> None:
    assert con.execute("select comment from duckdb_tables()").fetchall() == [("One row per thing.",)]
    found = con.execute("select column_name, comment from duckdb_columns() where not internal").fetchall()
    assert dict(found) == {"name": "of the thing", "size": "in bytes"}


def test_rows_are_written_in_pieces_in_their_order(
    con: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(own_table, "BATCH", 2)
    rows = [("a", 1), ("b", 2), ("c", 3), ("d", 4), ("e", 5)]
    TABLE.fill(con, iter(rows))
    assert con.execute("select * from t").fetchall() == rows
    assert TABLE.frame(iter(rows)).rows() == rows


KNOWN: dict[str, Needed] = {name: frozenset({frozenset({name})}) for name in ("a", "b", "c")}
KNOWN["view_of_a_and_b"] = KNOWN["a"] | KNOWN["b"]


@pytest.fixture(scope="module")
def reader() -> Iterator[Statements]:
    with duckdb.connect() as con:
        con.execute("create macro short(x) as lower(x)")
        con.execute("create macro shortest(x) as short(trim(x))")
        con.execute("create macro longest(x) as max(length(x))")
        yield Statements(con)


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        pytest.param("select x from a", "a", id="a table"),
        pytest.param("select x from log.event", "log.event", id="of another schema"),
        pytest.param("select x from a inner join b using (x)", "a b", id="both sides of a join"),
        pytest.param("select x from a, log.event", "a log.event", id="both of a list"),
        pytest.param("select x from a semi join b using (x)", "a b", id="both sides of a semi join"),
        pytest.param("select x from a left join b using (x)", "a", id="the left side of a left join"),
        pytest.param("select x from a anti join b using (x)", "a", id="the left side of an anti join"),
        pytest.param("select x from a full join b using (x)", "", id="neither side of a full join"),
        pytest.param("select x from a positional join b", "", id="neither side by position"),
        pytest.param("select x from view_of_a_and_b", "a b", id="what a view needs"),
        pytest.param("select x from unknown", "", id="a relation that nothing is known of"),
        pytest.param("select x from a union all by name select x from b", "a|b", id="one part of a union"),
        pytest.param("select x from a union select 1", "", id="a part that needs nothing"),
        pytest.param("select x from a except select x from b", "a", id="the first part of a difference"),
        pytest.param(
            "with a as (select * from a join b using (x)) select * from a", "a b", id="a CTE of the same name"
        ),
        pytest.param("select x from (select * from a) as each, unnest([1]) as t(n)", "a", id="a subquery in a list"),
        pytest.param("values (1)", "", id="values"),
        pytest.param("select count(*) from a", "", id="a count of nothing is a row"),
        pytest.param("select 1 + coalesce(max(x), 0) from a", "", id="an aggregate within an expression"),
        pytest.param("select longest(x) from a", "", id="an aggregate within a macro"),
        pytest.param("select 1 from a having true", "", id="a condition of all rows together"),
        pytest.param("select shortest(x) || 'm' from a", "a", id="macros that take a row"),
        pytest.param("select max(x) over () from a", "a", id="a window gives a value for each row"),
        pytest.param("select x, count(*) from a group by x", "a", id="groups are of rows"),
        pytest.param("select x, count(*) from a group by rollup (x)", "", id="but for the group of all"),
        pytest.param("select x, (select max(x) from b) from a", "a", id="an aggregate of other rows"),
        pytest.param(
            "with recursive r as (select 1 as x union all select x from r) select x from r", "", id="recursive"
        ),
    ],
)
def test_tables_that_must_have_rows(reader: Statements, statement: str, expected: str) -> None:
    assert reader.needed_rows(statement, KNOWN) == {frozenset(each.split("|")) for each in expected.split()}


def test_sets_that_hold_another_are_left_out(reader: Statements) -> None:
    found = reader.needed_rows("select x from a join b using (x) union all select x from a join c using (x)", KNOWN)
    assert found == {frozenset({"a"}), frozenset({"b", "c"})}
