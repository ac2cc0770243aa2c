"""Times of series that print none, and weekdays beside days without a year."""

from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import duckdb
import polars as pl
import pytest

from parsers.measurement import MEASUREMENT_POINT, typed
from pipeline.ingest.ingest import ingest
from pipeline.reading.series_clock import dated
from pipeline.reading.weekdays import weekdays_of

START = datetime(2003, 7, 28, 10, 27)  # noqa: DTZ001 - a wall clock


def points(*rows: dict[str, object]) -> pl.DataFrame:
    base = {"file_id": 1, "metric": "tps", "value": 1.0, "summary_no": 1}
    return typed(
        pl.DataFrame([base | {"line_no": number} | row for number, row in enumerate(rows, 1)]), MEASUREMENT_POINT
    )


def stamped(rows: pl.DataFrame, starts: dict[int, datetime]) -> list[tuple[str | None, bool | None, int | None]]:
    found = dated({MEASUREMENT_POINT.name: rows}, starts)[MEASUREMENT_POINT.name]
    assert found.schema == rows.schema
    return [
        (None if stamp is None else str(stamp), has_year, offset)
        for stamp, has_year, offset in found.select("stamp", "has_year", "utc_offset_min").rows()
    ]


def test_offset_counts_from_the_declared_start() -> None:
    rows = points({"offset_s": 0.0}, {"offset_s": 2.5}, {"offset_s": 2.5, "file_id": 2})
    assert stamped(rows, {1: START}) == [
        ("2003-07-28 10:27:00", True, None),
        ("2003-07-28 10:27:02.500000", True, None),
        (None, None, None),
    ]


def test_offset_of_a_declared_zone_is_kept() -> None:
    toronto = timezone(timedelta(hours=-4))
    assert stamped(points({"offset_s": 1.0}), {1: START.replace(tzinfo=toronto)}) == [
        ("2003-07-28 10:27:01", True, -240)
    ]
    assert stamped(points({"offset_s": 1.0}), {1: START.replace(tzinfo=UTC)}) == [("2003-07-28 10:27:01", True, 0)]


def test_start_is_that_of_the_first_series_only_and_of_no_dated_point() -> None:
    rows = points({"offset_s": 1.0, "summary_no": 2}, {"offset_s": 1.0, "stamp": START - timedelta(days=1)})
    assert stamped(rows, {1: START}) == [(None, None, None), ("2003-07-27 10:27:00", True, None)]


def test_other_tables_are_left_alone() -> None:
    tables = {"syslog_event": pl.DataFrame({"a": [1]})}
    assert dated(tables, {1: START}) == tables


def test_study_declares_the_start_of_a_series(tmp_path: Path) -> None:
    study = tmp_path / "study"
    study.mkdir()
    (study / "x.txt").write_text("[ 2s ] thds: 4 tps: 910.43 qps: 1.5 (r/w/o: 1/3/1) lat (ms,95%): 9.39\n")
    (study / "study.toml").write_text('[[files]]\nmatch = "x.txt"\nstart = 2003-07-28T10:27:00Z\n')
    ingest(study, tmp_path / "s.duckdb")
    con = duckdb.connect(str(tmp_path / "s.duckdb"), read_only=True)
    query = """select "at", offset_s from measurement_series where metric = 'tps'"""
    assert con.execute(query).fetchall() == [(START + timedelta(seconds=2), 2.0)]


@pytest.mark.parametrize(
    ("text", "weekday"),
    [
        ("Thu Oct  9 10:27:04 started", "Thu 10-09"),
        ("[Thu Oct  9 10:27:04.123 CEST] started", "Thu 10-09"),
        ("Thursday, October 9, 10:27 started", "Thu 10-09"),
        ("Thu 9 Oct 10:27:04 started", "Thu 10-09"),
        ("Thu Oct  9 10:27:04 port 2003", "Thu 10-09"),
        ("Thu Oct  9 10:27:04 2003 started", None),
        ("[Thu Oct 09 10:27:04.5 2003] started", None),
        ("Thu Oct  9 10:27:04 CEST 2003 started", None),
        ("Oct  9 10:27:04 elm login: last Thu Oct  2 10:27:04", None),
        ("Thu, no day", None),
    ],
)
def test_weekdays_of_lines_without_a_year(text: str, weekday: str | None) -> None:
    lines = pl.DataFrame({"file_id": [1], "line_no": [1], "text": [text]})
    assert weekdays_of(lines) == ([] if weekday is None else [(1, weekday)])
