"""A worker that fills relations reads what lines say from the parts that have numbers of its lines."""

from pathlib import Path

import duckdb
import polars as pl
import pytest

from pipeline.ingest.relations_apart import with_numbers


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
