"""Days on which clocks are set; expected values are the rules of the zones, as published."""

from datetime import date, datetime, timedelta

import pytest

from pipeline.clock.transition import transitions

moment = datetime.fromisoformat


@pytest.mark.parametrize(
    ("zone", "day", "kind", "start", "end"),
    [
        pytest.param("America/Toronto", "2003-10-26", "twice", "2003-10-26T01:00", "2003-10-26T02:00", id="autumn"),
        pytest.param("America/Toronto", "2003-04-06", "left_out", "2003-04-06T02:00", "2003-04-06T03:00", id="spring"),
        pytest.param("Europe/Berlin", "2003-10-26", "twice", "2003-10-26T02:00", "2003-10-26T03:00", id="Berlin"),
        pytest.param(
            "America/Sao_Paulo", "2015-02-21", "twice", "2015-02-21T23:00", "2015-02-22T00:00", id="up to midnight"
        ),
        pytest.param(
            "America/Sao_Paulo", "2015-10-18", "left_out", "2015-10-18T00:00", "2015-10-18T01:00", id="from midnight"
        ),
        pytest.param("Australia/Lord_Howe", "2024-04-07", "twice", "2024-04-07T01:30", "2024-04-07T02:00", id="half"),
        pytest.param("Pacific/Apia", "2011-12-30", "left_out", "2011-12-30T00:00", "2011-12-31T00:00", id="a day"),
    ],
)
def test_the_times_that_a_clock_shows_twice_or_never(zone: str, day: str, kind: str, start: str, end: str) -> None:
    (found,) = transitions([(zone, date.fromisoformat(day))]).values()
    assert (found.kind, found.start, found.end) == (kind, moment(start), moment(end))
    assert (found.east_before > found.east_after) is (kind == "twice")
    assert found.holds(found.start)
    assert not found.holds(found.end)


@pytest.mark.parametrize(
    ("zone", "day"),
    [
        pytest.param("America/Toronto", "2003-10-25", id="the day before"),
        pytest.param("America/Toronto", "2003-10-27", id="the day after"),
        pytest.param("America/Sao_Paulo", "2015-02-22", id="the day that begins when the hour has ended"),
        pytest.param("UTC", "2003-10-26", id="a zone without rules"),
        pytest.param("America/Toronto", "0001-01-01", id="the first day of the calendar"),
        pytest.param("America/Toronto", "9999-12-31", id="the last day of the calendar"),
    ],
)
def test_other_days_have_none(zone: str, day: str) -> None:
    assert transitions([(zone, date.fromisoformat(day))]) == {}


def test_offsets_are_those_before_and_after() -> None:
    (found,) = transitions([("America/Toronto", date(2003, 10, 26))]).values()
    assert (found.east_before, found.east_after) == (timedelta(hours=-4), timedelta(hours=-5))
    assert found.shown() == "01:00 to 02:00 on 2003-10-26"
