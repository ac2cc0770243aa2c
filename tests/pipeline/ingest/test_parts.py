"""Lines in parts: what tables would hold, and which parts are read."""

from datetime import datetime
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest

from parsers.format import Table, tables
from pipeline.discovery.written_files import BEGUN
from pipeline.ingest.distributed_relations import with_numbers
from pipeline.ingest.part_writing import Parts
from pipeline.store import log_tables
from pipeline.store.lines import MOVED_LINE, InStore
from pipeline.store.part import damaged, listed
from pipeline.store.part_tables import TABLES

AT = datetime(2003, 7, 28, 10, 27, 4, 200_001)  # noqa: DTZ001  naive UTC


def a_value(dtype: pl.DataType) -> Any:
    if isinstance(dtype, pl.List):
        return [a_value(dtype.inner), a_value(dtype.inner)]  # type: ignore[arg-type]  # an instance
    if isinstance(dtype, pl.Struct):
        return {each.name: a_value(each.dtype) for each in dtype.fields}  # type: ignore[arg-type]  # an instance
    if dtype == pl.String:
        return "ä\0b"
    if dtype == pl.Boolean:
        return True
    if dtype.is_temporal():
        return AT if dtype == pl.Datetime else AT.date()
    return -0.0 if dtype.is_float() else 3


def two_rows(table: Table) -> pl.DataFrame:
    """A row with every value, and one with none but its key."""
    schema = log_tables.line_columns(table)
    full = {name: a_value(dtype() if isinstance(dtype, type) else dtype) for name, dtype in schema.items()}
    bare = {name: 7 if name in {"file_id", "line_no", "part"} else None for name in schema}
    return pl.DataFrame([full, bare], schema=schema, orient="row")


def a_store(tmp_path: Path, *, in_parts: bool) -> tuple[duckdb.DuckDBPyConnection, InStore | Parts]:
    con = duckdb.connect()
    log_tables.create_tables(con, {})
    for each in TABLES:
        each.create(con)
    return con, Parts(con, tmp_path / "parts", ()) if in_parts else InStore(con)


def content(con: duckdb.DuckDBPyConnection, table: Table) -> tuple[object, ...]:
    relation = log_tables.line_relation(table)
    columns = "select column_name, data_type, comment from duckdb_columns() where 'log.\"' || table_name || '\"' = $1"
    comment = "select comment from duckdb_{0}s() where 'log.\"' || {0}_name || '\"' = $1"
    return (
        con.execute(f"select t::varchar, hash(t) from {relation} as t order by all").fetchall(),
        con.execute(columns, [relation]).fetchall(),
        [row for kind in ("table", "view") for row in con.execute(comment.format(kind), [relation]).fetchall()],
    )


def test_every_table_is_the_same_in_parts(tmp_path: Path) -> None:
    expected, found = a_store(tmp_path, in_parts=False), a_store(tmp_path, in_parts=True)
    for con, lines in (expected, found):
        for table in tables().values():
            lines.add(table, two_rows(table))
        lines.show()
        con.execute(MOVED_LINE)
        con.execute("insert into moved_line values (3, 3, 3, 900000000), (7, 1, 6, 1)")
        lines.move()
        lines.close()
    for table in tables().values():
        assert content(found[0], table) == content(expected[0], table), table.name
    (moved,) = expected[0].execute('select count(*) from log.gab_event where "at" > ?', [AT]).fetchall()
    assert moved == (1,)
    parts = listed(found[0])
    assert [each.table for each in parts] == sorted(log_tables.line_relation(each)[5:-1] for each in tables().values())
    assert damaged(parts) == []
    assert list((tmp_path / "parts").glob(f"*/{BEGUN}*")) == []


@pytest.mark.parametrize(
    ("used", "expected"), [((3, 7), "ac"), ((4,), "b"), ((1, 2, 3), "a"), ((), ""), ((6, 9), "bc"), ((12,), "")]
)
def test_parts_without_any_of_the_numbers_are_not_read(tmp_path: Path, used: tuple[int, ...], expected: str) -> None:
    parts = {"a": [1, 2, 3], "b": [6, 4, 5], "c": [9, 7]}
    for name, numbers in parts.items():
        frame = pl.DataFrame({"message_no": numbers, "text": "said"}, schema_overrides={"message_no": pl.UInt32()})
        frame.write_parquet(tmp_path / f"{name}.parquet", row_group_size=2)
    with duckdb.connect() as con:
        con.execute("create table used (message_no uinteger)")
        con.executemany("insert into used values (?)", [(each,) for each in used] or [(None,)])
        found = with_numbers(con, [str(tmp_path / f"{name}.parquet") for name in parts], "message_no")
    assert "".join(Path(each).stem for each in found) == expected
