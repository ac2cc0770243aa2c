from datetime import date, datetime
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest

from parsers.db2.snapshot_element import SNAPSHOT_ELEMENT
from parsers.printed_date import in_declared_order
from pipeline.ingest.ingest import ingest
from pipeline.reading.date_order import DateOrder, date_order, day_of

SNAPSHOT = """
              Database Snapshot

Database name                              = ABSOLUT
Snapshot timestamp                         = 07-08-2003 10:40:02.000000
Rows read                                  = 5
"""


def rows(*printed: str) -> pl.DataFrame:
    texts = [{"file_id": 1, "line_no": line, "part": 1, "printed_at": text} for line, text in enumerate(printed, 1)]
    return pl.DataFrame(texts, SNAPSHOT_ELEMENT.schema).with_columns(pl.lit("open").alias("date_order"))


MONTH, DAY, YEAR = "mdy", "dmy", "ymd"


@pytest.mark.parametrize(
    ("dates", "known", "order"),
    [
        pytest.param(["11/21/26"], {}, DateOrder(MONTH, "day"), id="no 21st month"),
        pytest.param(["27/07/10"], {}, DateOrder(DAY, "day", (YEAR,)), id="no 27th month, but perhaps 2027"),
        pytest.param(["05/06/26", "05/07/26"], {}, DateOrder(MONTH, "succession", (DAY, YEAR)), id="a day later"),
        pytest.param(["05/06/26", "06/06/26"], {}, DateOrder(DAY, "succession", (MONTH, YEAR)), id="and so this"),
        pytest.param(["05/06/26", "05/07/26", "05/08/26"], {}, DateOrder(MONTH, "succession"), id="day after day"),
        pytest.param(["10/11/09", "09/12/09"], {}, DateOrder(DAY, "succession", (MONTH, YEAR)), id="time goes forward"),
        pytest.param(["09/11/11", "09/11/12"], {}, DateOrder(YEAR, "succession", (MONTH, DAY)), id="a day, not a year"),
        pytest.param(["05/06/26"], {"is_half_day": True}, DateOrder(MONTH, "half_day", (DAY, YEAR)), id="AM and PM"),
        pytest.param(["05/06/26"], {}, DateOrder(MONTH, "assumed", (DAY, YEAR)), id="open"),
        pytest.param(["05/06/2026"], {}, DateOrder(MONTH, "assumed", (DAY,)), id="no year in front"),
        pytest.param(["05/06/26"], {"others": [date(2026, 6, 5)]}, DateOrder(DAY, "file"), id="a time of its own"),
        pytest.param(["05/06/26"], {"others": [date(2026, 6, 6)]}, DateOrder(DAY, "file"), id="in another zone"),
        pytest.param(
            ["05/06/26"], {"others": [date(2026, 7, 6)]}, DateOrder(MONTH, "assumed", (DAY, YEAR)), id="of other days"
        ),
        pytest.param(["05/06/26"], {"declared": DAY}, DateOrder(DAY, "stated"), id="stated"),
        pytest.param(["05/06/26", "05/07/26"], {"declared": DAY}, DateOrder(DAY, "stated"), id="stated wins"),
        pytest.param(["11/21/26"], {"declared": DAY}, DateOrder(MONTH, "day"), id="stated, but impossible"),
        pytest.param(["26/31/12"], {}, DateOrder(MONTH, "assumed"), id="impossible"),
        pytest.param(["98/12/31"], {}, DateOrder(YEAR, "day"), id="year first"),
        pytest.param([], {}, DateOrder(MONTH, "assumed", (DAY, YEAR)), id="nothing"),
    ],
)
def test_order_of_day_and_month(dates: list[str], known: dict[str, Any], order: DateOrder) -> None:
    assert date_order(dates, **known) == order


@pytest.mark.parametrize(
    ("text", "year"),
    [("01/02/68", 2068), ("01/02/70", 1970), ("01/02/69", None), ("01/02/2003", 2003), ("01/02/1003", None)],
)
def test_years_of_two_digits(text: str, year: int | None) -> None:
    day = day_of(text, "mdy")
    assert (day.year if day else None) == year


@pytest.mark.parametrize(
    ("order", "month", "day"), [("mdy", 7, 8), ("dmy", 8, 7), ("ymd", None, None), (None, None, None)]
)
def test_open_date_is_read_in_the_order_that_is_declared(order: str | None, month: int | None, day: int | None) -> None:
    resolved = in_declared_order(rows("07-08-2003 10:40:02"), {1: order} if order else {})
    assert resolved.schema == pl.Schema(SNAPSHOT_ELEMENT.schema)
    at = datetime(2003, month, day, 10, 40, 2) if month and day else None  # noqa: DTZ001 - wall clock
    reported = ("stated", True) if at else ("open", None)
    assert resolved.select("stamp", "date_order", "has_year").rows() == [(at, *reported)]


def test_order_is_of_its_file_and_of_open_dates_that_exist() -> None:
    open_rows = rows("07-08-2003 10:40:02", "13-13-2003 10:40:02", "soon")
    known = rows("2003-07-08 10:40:02").with_columns(pl.lit("iso").alias("date_order"))
    assert in_declared_order(open_rows, {2: "mdy"}).equals(open_rows)
    assert in_declared_order(known, {1: "dmy"}).equals(known)
    assert in_declared_order(open_rows, {1: "mdy"})["stamp"].null_count() == 2


@pytest.mark.parametrize("order", ["mdy", "dmy"])
def test_order_of_study_toml_dates_a_snapshot(order: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pipeline.store.relations.fill", lambda _, **__: None)
    study = tmp_path / "study"
    study.mkdir()
    (study / "snap.txt").write_text(SNAPSHOT)
    (study / "study.toml").write_text(f'[[files]]\nmatch = "snap*"\ndate_order = "{order}"\n')
    ingest(study, tmp_path / "store.duckdb", now=datetime(2004, 1, 1))  # noqa: DTZ001 - naive UTC
    con = duckdb.connect(tmp_path / "store.duckdb", read_only=True)
    at = datetime(2003, *((7, 8) if order == "mdy" else (8, 7)), 10, 40, 2)  # noqa: DTZ001 - naive UTC
    assert con.execute('select distinct "at", date_order from log.snapshot_element').fetchall() == [(at, "stated")]
