"""Wall clock to UTC: America/Toronto began summer time on 2003-04-06 and ended it on 2003-10-26, at 2 o'clock."""

from datetime import datetime

import polars as pl
import pytest

from pipeline import local_time


@pytest.mark.parametrize(
    ("wall", "utc"),
    [
        pytest.param("2003-07-28T10:00:00", "2003-07-28T14:00:00", id="summer"),
        pytest.param("2003-12-28T10:00:00", "2003-12-28T15:00:00", id="winter"),
        pytest.param("2003-10-26T01:30:00", "2003-10-26T05:30:00", id="twice: the earlier"),
        pytest.param("2003-04-06T02:30:00", "2003-04-06T07:30:00", id="skipped: forward"),
    ],
)
def test_wall_clock_to_utc(wall: str, utc: str) -> None:
    frame = pl.DataFrame({"wall": [datetime.fromisoformat(wall)]})
    found = frame.select(local_time.utc(pl.col("wall"), "America/Toronto")).item()
    assert found == datetime.fromisoformat(utc)


@pytest.mark.parametrize(
    ("instant", "zone", "utc"),
    [
        pytest.param("2003-07-28T10:00:00-04:00", "Europe/Berlin", "2003-07-28T14:00:00", id="its own offset first"),
        pytest.param("2003-07-28T10:00:00", "Europe/Berlin", "2003-07-28T08:00:00", id="the zone's wall clock"),
        pytest.param("2003-07-28T10:00:00", "UTC", "2003-07-28T10:00:00", id="UTC"),
    ],
)
def test_instant_as_naive_utc(instant: str, zone: str, utc: str) -> None:
    assert local_time.as_utc(datetime.fromisoformat(instant), zone) == datetime.fromisoformat(utc)


@pytest.mark.parametrize(
    ("zone", "day"), [("America/Toronto", 12), ("-05:00", 12), ("+01:00", 13), (None, 13), ("+01:00, +02:00", 13)]
)
def test_a_day_is_that_of_the_clock_that_wrote_it(zone: str | None, day: int) -> None:
    assert local_time.wall_clock(datetime(2024, 11, 13, 1, 18), zone).day == day  # noqa: DTZ001  naive UTC


def test_utc_and_wall_clock_are_each_others_inverse_but_for_the_hour_that_occurs_twice() -> None:
    frame = pl.DataFrame({"at": [datetime.fromisoformat(f"2003-10-26T{at}:30:00") for at in ("04", "05", "06", "07")]})
    local = local_time.local(pl.col("at"), "America/Toronto")
    back = frame.select(local_time.utc(local, "America/Toronto")).to_series().to_list()
    assert [each.hour for each in back] == [4, 5, 5, 7]


@pytest.mark.parametrize(
    ("zone", "reason"),
    [("America/Toronto", None), ("-04:00", None), ("America/Torotno", " (did you mean 'America/Toronto'?)"), ("", "")],
)
def test_zone_that_does_not_exist_is_refused(zone: str, reason: str | None) -> None:
    assert local_time.refused_zone(zone) == reason
