"""How printed stamps, dates and zones are read."""

import re
from datetime import date, datetime

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from parsers import fixed_stamp
from parsers.leap_year import with_year
from parsers.printed_date import epoch_of, offset_min, orders_of
from parsers.stamp_format import pattern_of
from parsers.zone_names import OF_SEVERAL, REGION, ZONES_MIN, is_zone


def test_directives_become_parts_of_a_stamp() -> None:
    found = re.fullmatch(pattern_of("%d.%m.%Y %T,%f"), "31.01.2020  10:20:30,5")
    assert found
    assert found.groupdict() == {
        "day": "31",
        "month": "01",
        "year": "2020",
        "hour": "10",
        "minute": "20",
        "second": "30",
        "fraction": "5",
    }


@pytest.mark.parametrize(
    ("written", "reason"), [("%Q", "%Q is no directive"), ("%d %H:%M", "lacks the day"), ("%F %F %T", "two directives")]
)
def test_what_is_no_stamp(written: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        pattern_of(written)


TIME = re.compile(r"([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]")


@given(st.lists(st.from_regex(r"\A[0-9:;<>?/ a-f]{0,9}\Z") | st.from_regex(r"\A[0-2][0-9]:[0-6][0-9]:[0-6][0-9]\Z")))
def test_a_time_of_day_is_a_number_of_seconds(texts: list[str]) -> None:
    expected = [
        sum(int(part) * unit for part, unit in zip(text.split(":"), (3600, 60, 1), strict=True))
        if TIME.fullmatch(text)
        else None
        for text in texts
    ]
    assert fixed_stamp.second_of_day(pl.Series(texts, dtype=pl.String)).to_list() == expected


@pytest.mark.parametrize(
    ("printed", "expected"),
    [
        pytest.param("Feb 29 ", date(2000, 2, 29), id="leap day"),
        pytest.param("Feb 30 ", None, id="no such day"),
        pytest.param("Feb  3 ", date(2000, 2, 3), id="blank before the day"),
        pytest.param("Feb 3  ", None, id="not in its place"),
        pytest.param("", None, id="nothing"),
    ],
)
def test_days(printed: str, expected: date | None) -> None:
    days = fixed_stamp.day(pl.Series([printed, printed]), r"^[A-Z][a-z]{2} [ 0-9][0-9] $", "%Y %b %e ", year="2000 ")
    assert days.to_list() == [expected, expected]


LEAP_DAY = datetime.fromisoformat("2000-02-29T01:00:00")


@given(st.lists(st.tuples(st.datetimes() | st.just(LEAP_DAY), st.integers(-1, 10_001) | st.none())))
def test_a_stamp_is_moved_where_the_year_has_its_day(pairs: list[tuple[datetime, int | None]]) -> None:
    frame = pl.DataFrame(pairs, {"stamp": pl.Datetime("us"), "year": pl.Int32()}, orient="row")
    found = frame.select(with_year(pl.col("stamp"), pl.col("year"))).to_series().to_list()
    assert found == [moved(stamp, year) for stamp, year in pairs]


def moved(stamp: datetime, year: int | None) -> datetime | None:
    try:
        return stamp.replace(year=year or 0) if year != 9999 else None
    except ValueError:
        return None


def test_zones_are_whole_quarter_hours_on_earth() -> None:
    assert all(-12 * 60 <= east <= 14 * 60 and east % 15 == 0 for east in ZONES_MIN.values())
    assert ZONES_MIN["CEST"] == ZONES_MIN["CET"] + 60 == 120
    assert {"CST", "BST"} <= OF_SEVERAL & ZONES_MIN.keys()


def test_places_are_those_of_the_zone_database() -> None:
    places = ("Africa/Cairo", "America/Toronto", "Asia/Tokyo", "Europe/Berlin", "Pacific/Fiji", "Etc/GMT-3")
    assert [name for name in places if not (re.fullmatch(REGION, name) and is_zone(name))] == []
    assert not re.fullmatch(REGION, "Service/Started")


def at(*parts: int) -> datetime:
    return datetime(*parts)  # type: ignore[arg-type]  # noqa: DTZ001 - wall clocks are naive


@pytest.mark.parametrize(
    ("dates", "text", "read", "reason"),
    [
        pytest.param([], "2024-07-04-06.30.52.620854", at(2024, 7, 4, 6, 30, 52, 620854), "iso", id="DB2's own"),
        pytest.param([], "2022-08-02T08:09:18", at(2022, 8, 2, 8, 9, 18), "iso", id="ISO"),
        pytest.param([], "04.07.2024 06:30:52", at(2024, 7, 4, 6, 30, 52), "dots", id="dots put the day first"),
        pytest.param([], "Thu Aug  5 20:33:00 EDT 2010", at(2010, 8, 5, 20, 33), "name", id="month by name"),
        pytest.param([], "04-07-2024 06:30:37", None, "open", id="nothing shows it"),
        pytest.param(["07-28-2003 10:27:04.5"], "08-01-2003 10:00:00", at(2003, 8, 1, 10), "day", id="no month 28"),
        pytest.param(
            ["28/07/2003 10:27:04"], "01/08/2003 10:00:00", at(2003, 8, 1, 10), "day", id="no month 28, first"
        ),
        pytest.param(["28/07/2003 10:27:04"], "01-08-2003 10:00:00", None, "open", id="another sign shows nothing"),
        pytest.param(
            ["28/07/2003 10:27:04", "07/28/2003 10:27:04"], "01/08/2003 10:00:00", None, "open", id="contradiction"
        ),
        pytest.param(
            ["04-07-2024 06:30:46.823373 (1720099846)"],
            "04-07-2024 06:35:52",
            at(2024, 7, 4, 6, 35, 52),
            "epoch",
            id="seconds since 1970 tell",
        ),
        pytest.param(["13-13-2003 10:00:00"], "2003-13-13 10:00:00", None, "iso", id="no such day"),
        pytest.param([], "soon", None, None, id="no date"),
    ],
)
def test_order_of_day_and_month_is_known_or_left_open(
    dates: list[str], text: str, read: datetime | None, reason: str | None
) -> None:
    orders = orders_of(dates)
    assert orders.read(text) == read
    assert orders.reason(text) == reason


# REAL (V11.5.9): the host was 420 minutes behind UTC
def test_offset_is_the_difference_of_both_times() -> None:
    text = "04-07-2024 06:30:46.823373 (1720099846)"
    assert epoch_of(text) == at(2024, 7, 4, 13, 30, 46)
    assert offset_min(text, orders_of([text])) == -420


# REAL (IBM wiki, V9.7, edited by hand)
def test_times_that_no_zone_reconciles_have_no_offset() -> None:
    assert offset_min("Mon Sep 05 14:05:09 2006 (1158008709)", orders_of([])) is None
