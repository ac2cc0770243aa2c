from datetime import datetime
from pathlib import Path

import duckdb
import polars as pl
import pytest

from parsers.snapshot_element import SNAPSHOT_ELEMENT
from pipeline.date_order import with_stated_order
from pipeline.ingest import ingest

SNAPSHOT = """
              Database Snapshot

Database name                              = ABSOLUT
Snapshot timestamp                         = 07-08-2003 10:40:02.000000
Rows read                                  = 5
"""


def rows(*printed: str) -> pl.DataFrame:
    texts = [{"file_id": 1, "line_no": line, "part": 1, "printed_at": text} for line, text in enumerate(printed, 1)]
    return pl.DataFrame(texts, SNAPSHOT_ELEMENT.schema).with_columns(pl.lit("open").alias("date_order"))


@pytest.mark.parametrize(
    ("order", "month", "day"), [("mdy", 7, 8), ("dmy", 8, 7), ("ymd", None, None), (None, None, None)]
)
def test_open_date_is_read_in_the_order_that_is_stated(order: str | None, month: int | None, day: int | None) -> None:
    settled = with_stated_order(rows("07-08-2003 10:40:02"), {1: order} if order else {})
    assert settled.schema == pl.Schema(SNAPSHOT_ELEMENT.schema)
    at = datetime(2003, month, day, 10, 40, 2) if month and day else None  # noqa: DTZ001 - wall clock
    told = ("stated", True) if at else ("open", None)
    assert settled.select("stamp", "date_order", "has_year").rows() == [(at, *told)]


def test_order_is_of_its_file_and_of_open_dates_that_exist() -> None:
    open_rows = rows("07-08-2003 10:40:02", "13-13-2003 10:40:02", "soon")
    known = rows("2003-07-08 10:40:02").with_columns(pl.lit("iso").alias("date_order"))
    assert with_stated_order(open_rows, {2: "mdy"}).equals(open_rows)
    assert with_stated_order(known, {1: "dmy"}).equals(known)
    assert with_stated_order(open_rows, {1: "mdy"})["stamp"].null_count() == 2


@pytest.mark.parametrize("order", ["mdy", "dmy"])
def test_order_of_study_toml_dates_a_snapshot(order: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pipeline.relations.fill", lambda _: None)
    study = tmp_path / "study"
    study.mkdir()
    (study / "snap.txt").write_text(SNAPSHOT)
    (study / "study.toml").write_text(f'[[files]]\nmatch = "snap*"\ndate_order = "{order}"\n')
    ingest(study, tmp_path / "store.duckdb", now=datetime(2004, 1, 1))  # noqa: DTZ001 - naive UTC
    con = duckdb.connect(tmp_path / "store.duckdb", read_only=True)
    at = datetime(2003, *((7, 8) if order == "mdy" else (8, 7)), 10, 40, 2)  # noqa: DTZ001 - naive UTC
    assert con.execute('select distinct "at", date_order from log.snapshot_element').fetchall() == [(at, "stated")]
