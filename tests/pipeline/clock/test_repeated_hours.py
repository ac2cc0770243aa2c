"""Hours that a clock shows twice or never, and the days of times without one."""

from datetime import date, timedelta

import polars as pl
import pytest

from pipeline.clock.repeated_hour import second_hours
from pipeline.clock.transition import transitions
from tests.support.dated_logs import NO_MANIFEST, Log, dated, moment, resolve, toml

MINUTE = 60_000_000
HOUR = 60 * MINUTE


@pytest.mark.parametrize(
    ("lines", "others", "expected"),
    [
        pytest.param([0, 25], [59, 60, 61, 85], [True, True], id="others go on in the second hour"),
        pytest.param([50, 55], [45, 50, 55, 90], [False, False], id="others are there in the first"),
        pytest.param([10, 25], [10, 85], [False, True], id="one of each"),
        pytest.param([10, 15, 25], [10, 85], [False, None, True], id="between the hours nobody knows"),
        pytest.param([0, 25, 26], [60], [True, True, True], id="what follows the second hour is of it"),
        pytest.param([10, 25], [25, 70], [None, None], id="against the order of lines"),
        pytest.param([10], [10, 70], [None], id="near both"),
        pytest.param([10], [300], [None], id="near none"),
        pytest.param([20, 25], [20, 26.2, 81.2, 85], [False, True], id="much nearer to one"),
        pytest.param([10], [10.9, 71.1], [None], id="about as near to both"),
    ],
)
def test_lines_are_of_the_hour_in_which_other_logs_go_on(
    lines: list[float], others: list[float], expected: list[bool | None]
) -> None:
    """Minutes after the hour comes for the first time."""
    at_us, sure = (
        pl.Series([round(each * MINUTE) for each in minutes], dtype=pl.Int64()) for minutes in (lines, others)
    )
    assert second_hours(at_us, sure, HOUR) == expected


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


OTHERS = Log("messages", "2024-05-06T10:00:00", "2024-05-06T10:30:00")
START = '[[files]]\nmatch = "app.log"\nstart = 2024-05-06T10:11:12'
MORNING, LATER = "T10:11:12", "T10:11:14"


@pytest.mark.parametrize(
    ("logs", "manifest", "source"),
    [
        pytest.param([Log("app.log", MORNING, LATER)], START, "explicit", id="declared"),
        pytest.param([Log("app-2024-05-06.log", MORNING, LATER)], "", "filename", id="the file's name"),
        pytest.param([Log("app.log.2024-05-06", MORNING, LATER)], "", "filename", id="the name of a file for each day"),
        pytest.param([Log("2024-05-06_10-00/app.log", MORNING, LATER)], "", "filename", id="a folder's name"),
        pytest.param([Log("app.log", MORNING, LATER), OTHERS], "", "sibling", id="the only day of the run"),
        pytest.param(
            [Log("2024-06-01/app.log", MORNING, LATER), OTHERS], "", "sibling", id="the run's other logs, not a folder"
        ),
    ],
)
def test_what_shows_the_day(logs: list[Log], manifest: str, source: str) -> None:
    declared = toml(manifest) if manifest else NO_MANIFEST
    assert resolve(*logs, manifest=declared)[logs[0].path].year_source == source
    assert dated(*logs, manifest=declared) == ["2024-05-06T10:11:12", "2024-05-06T10:11:14"]


@pytest.mark.parametrize(
    "logs",
    [
        pytest.param([Log("app.log", MORNING).modified(moment("2024-05-06T12:00"))], id="the file's own time"),
        pytest.param([Log("app.log-20240506", MORNING)], id="the day of a rotation"),
        pytest.param([Log("app-2024-05-06.log", "T00:00:01")], id="a count from a start"),
        pytest.param([Log("app.log", MORNING), Log("messages", "2024-05-06T14:00:00")], id="other hours"),
        pytest.param(
            [Log("app.log", MORNING), Log("a", "2024-05-06T10:00:00", "2024-05-07T10:30:00")], id="several days"
        ),
        pytest.param([Log("app.log", MORNING), Log("messages", "2024-05-06T10:11:00", run="run02")], id="another run"),
        pytest.param([Log("app.log", MORNING), Log("iostat", "2024-05-06T10:11:00", log_format="iostat")], id="no log"),
    ],
)
def test_day_is_never_guessed(logs: list[Log]) -> None:
    assert resolve(*logs)[logs[0].path].year_source is None
    assert set(dated(*logs)) == {None}


def test_nights_are_counted_and_a_zone_holds() -> None:
    log = Log("app.log", "T23:59:59", ("2024-05-06T00:00:00", None))
    assert dated(Log("app-2024-05-06.log", "T23:59:59"), manifest=toml('[study]\ntimezone = "Europe/Berlin"')) == [
        "2024-05-06T21:59:59"
    ]
    assert dated(log, manifest=toml(START)) == ["2024-05-06T23:59:59", "2024-05-06T00:00:00"]
