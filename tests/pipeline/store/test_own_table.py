"""Tables that no format fills."""

import duckdb
import polars as pl
import pytest

from pipeline.store import own_table
from pipeline.store.own_table import OwnTable

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
