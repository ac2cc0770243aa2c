"""Years: every source once, New Year, 29 February; expected values worked out by hand."""

from dataclasses import replace
from datetime import UTC, date

import pytest

from pipeline.clock import file_clock
from pipeline.clock.year import date_in
from tests.support.dated_logs import JULY, NEW_YEAR, NO_MANIFEST, NOW, YEAR_2003, Log, dated, moment, resolve, toml


@pytest.mark.parametrize(
    ("logs", "manifest", "source", "year"),
    [
        pytest.param([Log("messages", JULY)], "[study]\nyear = 2003", "explicit", 2003, id="explicit: the study"),
        pytest.param(
            [Log("messages", JULY, YEAR_2003)],
            '[[files]]\nmatch = "messages"\nyear = 2002',
            "explicit",
            2002,
            id="explicit: an override for the file comes before its own lines",
        ),
        pytest.param([Log("ha-log", JULY, YEAR_2003)], "[study]\nyear = 2002", "in_line", 2003, id="in_line"),
        pytest.param([Log("engine_A.log", YEAR_2003)], "", "in_line", 2003, id="in_line: every line"),
        pytest.param(
            [
                Log("messages", JULY),
                Log("engine_A.log", YEAR_2003),
                Log("other", "2004-07-28T10:00:00", node="sun-ha5"),
            ],
            "",
            "sibling",
            2003,
            id="sibling: node and run first",
        ),
        pytest.param(
            [Log("messages", JULY), Log("x", YEAR_2003, node="b"), Log("y", "2004-07-28T10:00:00", run="run02")],
            "",
            "sibling",
            2003,
            id="sibling: then the run",
        ),
        pytest.param([Log("messages", JULY), Log("y", YEAR_2003, run="run02")], "", "sibling", 2003, id="sibling: any"),
        pytest.param([Log("messages-20031001", JULY)], "", "filename", 2003, id="filename: rotation"),
        pytest.param([Log("messages-20030301", JULY)], "", "filename", 2002, id="filename: before the rotation"),
        pytest.param([Log("2003-07-28T1000/messages", JULY)], "", "filename", 2003, id="filename: folder"),
        pytest.param([Log("20030728102704/messages", JULY)], "", "filename", 2003, id="filename: folder to the second"),
        pytest.param([Log("a.zip!/messages", JULY).modified(moment("2003-08-01"))], "", "archive", 2003, id="archive"),
        pytest.param([Log("messages", JULY).modified(moment("2003-08-01"))], "", "mtime", 2003, id="mtime"),
        pytest.param(
            [Log("messages", JULY).modified(moment("2003-07-27T11:00"))], "", "mtime", 2003, id="mtime: a day off"
        ),
        pytest.param([Log("messages", JULY).modified(moment("2003-05-01"))], "", "mtime", 2002, id="mtime: last year"),
        pytest.param(
            [Log("messages", JULY).modified(moment("1970-01-01"))], "", "now", 2025, id="now: mtime is no time"
        ),
        pytest.param(
            [Log("messages", JULY).modified(moment("2027-01-01"))], "", "now", 2025, id="now: mtime in the future"
        ),
        pytest.param([Log("messages", "02-28T00:00:00")], "", "now", 2026, id="now"),
    ],
)
def test_year_source(logs: list[Log], manifest: str, source: str, year: int) -> None:
    first = next(iter(resolve(*logs, manifest=toml(manifest)).values()))
    assert (first.year_source, first.first_year) == (source, year)


def test_year_taken_from_the_clock_of_today_is_a_doubt() -> None:
    (doubt,) = resolve(Log("messages", JULY))["messages"].doubts
    assert (doubt.kind, doubt.lines) == ("year", None)
    assert "study.toml" in doubt.text


def test_file_without_dated_lines_has_no_clock() -> None:
    found = resolve(Log("main.cf"))["main.cf"]
    assert (found.timezone, found.timezone_source, found.year_source, found.first_year) == (None, None, None, None)


def test_now_may_carry_a_zone() -> None:
    assert resolve(Log("messages", JULY), now=NOW.replace(tzinfo=UTC))["messages"].first_year == 2025


AROUND_NEW_YEAR = ["2003-12-31T23:59:58", "2004-01-01T00:00:02"]


@pytest.mark.parametrize(
    ("logs", "manifest"),
    [
        pytest.param([Log("m", *NEW_YEAR), Log("e", "2004-01-01T00:00:05")], "", id="sibling on the last line's day"),
        pytest.param([Log("m", *NEW_YEAR), Log("e", "2003-12-31T10:00:00")], "", id="sibling on the first line's day"),
        pytest.param([Log("m", *NEW_YEAR), Log("e", "2003-12-20T10:00:00")], "", id="nearest sibling before"),
        pytest.param([Log("m", *NEW_YEAR)], "[study]\nyear = 2004", id="a given year is the last line's"),
        pytest.param(
            [Log("m", *NEW_YEAR), Log("e", "2003-12-31T10:00:00")],
            "[study]\nyear = 2003",
            id="unless others show it is not",
        ),
        pytest.param([Log("m-20040104", *NEW_YEAR)], "", id="filename"),
        pytest.param([Log("m", *NEW_YEAR).modified(moment("2004-01-01T00:01"))], "", id="mtime"),
    ],
)
def test_new_year_within_a_file(logs: list[Log], manifest: str) -> None:
    assert dated(*logs, manifest=toml(manifest), column="local_at") == AROUND_NEW_YEAR


def test_new_year_with_the_only_year_on_the_last_line() -> None:
    log = Log("ha-log", "12-30T00:00:00", *NEW_YEAR, "2004-01-01T00:00:03")
    assert dated(log, column="local_at") == ["2003-12-30T00:00:00", *AROUND_NEW_YEAR, "2004-01-01T00:00:03"]


def test_line_before_new_year_is_of_the_year_before_that_of_the_next_line() -> None:
    log = Log("ha-log", "12-31T23:59:58", "2004-01-01T00:00:03")
    assert dated(log, column="local_at")[0] == "2003-12-31T23:59:58"


def test_line_takes_the_year_of_the_nearest_line_that_has_one() -> None:
    log = Log("ha-log", "2003-07-01T00:00:00", "07-02T00:00:00", "08-01T00:00:00", "2004-08-01T00:00:00")
    assert dated(log, column="local_at")[1:3] == ["2003-07-02T00:00:00", "2004-08-01T00:00:00"]


def test_mixed_file_goes_on_counting_new_years_after_its_last_anchor() -> None:
    log = Log("ha-log", "2003-12-31T00:00:00", "12-31T00:00:01", "01-01T00:00:00", "08-30T00:00:00", "01-02T00:00:00")
    assert dated(log, column="local_at")[1:] == [
        "2003-12-31T00:00:01",
        "2004-01-01T00:00:00",
        "2004-08-30T00:00:00",
        "2005-01-02T00:00:00",
    ]


@pytest.mark.parametrize(
    ("others", "doubts"),
    [
        pytest.param([Log("e", "2003-01-01T00:00:00")], 0, id="same host and run"),
        pytest.param([Log("e", "2003-01-01T00:00:00", run="run02")], 0, id="same host"),
        pytest.param([Log("e", "2003-01-01T00:00:00", node="b")], 0, id="same run, one year"),
        pytest.param(
            [Log("e", "2003-01-01T00:00:00", node="b"), Log("f", "2013-01-01T00:00:00", node="c")],
            1,
            id="same run, years of several hosts",
        ),
        pytest.param([Log("e", "2003-07-28T00:00:00", node="b", run="run02")], 1, id="a stranger's of the same day"),
    ],
)
def test_year_of_other_hosts_is_a_doubt(others: list[Log], doubts: int) -> None:
    found = resolve(Log("messages", JULY), *others)["messages"]
    assert found.year_source == "sibling"
    assert sum("other hosts" in doubt.text for doubt in found.doubts) == doubts


def test_strangers_of_another_time_show_no_year() -> None:
    """A printer's log of ten years ago, put beside."""
    messages = Log("messages", JULY, run=None).modified(moment("2025-08-01"))
    for stranger in (Log("e", "2013-01-01T00:00:00", node="b", run=None), Log("e", YEAR_2003[:4] + "-01-01", node="b")):
        found = resolve(messages, stranger)["messages"]
        assert (found.year_source, found.first_year) == ("mtime", 2025)


@pytest.mark.parametrize(
    ("others", "modified", "source", "year", "doubts"),
    [
        # 9 October was a Thursday in 2003, 2008, 2014 and 2025
        pytest.param([], "2026-02-01", "weekday", 2025, 0, id="the file's time agrees"),
        pytest.param([], "2024-02-01", "weekday", 2014, 1, id="the file was copied later"),
        pytest.param([], None, "weekday", 2025, 1, id="nothing but the weekday"),
        pytest.param([Log("e", "2004-03-01T00:00:00")], "2026-02-01", "sibling", 2003, 0, id="a log of about the time"),
        pytest.param(
            [Log("e", "2003-01-01T00:00:00", "2006-01-01T00:00:00")], None, "sibling", 2003, 0, id="one of three years"
        ),
        pytest.param(
            [Log("e", "2008-10-09T00:00:00", node="b", run="run02")], None, "weekday", 2008, 0, id="a stranger agrees"
        ),
    ],
)
def test_a_printed_weekday_is_proof_of_a_year(
    others: list[Log], modified: str | None, source: str, year: int, doubts: int
) -> None:
    log = Log("x.log", "10-09T10:00:00", weekdays=("Thu 10-09",))
    found = resolve(log.modified(moment(modified)) if modified else log, *others)["x.log"]
    assert (found.year_source, found.first_year, len(found.doubts)) == (source, year, doubts)


def test_a_weekday_that_no_year_has_says_nothing() -> None:
    log = Log("x.log", "10-09T10:00:00", "10-10T10:00:00", weekdays=("Thu 10-09", "Thu 10-10"))
    found = resolve(log.modified(moment("2026-02-01")))["x.log"]
    assert (found.year_source, found.first_year) == ("mtime", 2025)


def test_date_in_its_own_name_counts_before_the_years_of_strangers() -> None:
    logs = [Log("messages-20031001", JULY), Log("e", "2013-01-01T00:00:00", node="b", run="run02")]
    found = resolve(*logs)["messages-20031001"]
    assert (found.year_source, found.first_year) == ("filename", 2003)


def test_long_sibling_leaves_a_doubt_about_the_year() -> None:
    found = resolve(Log("messages", JULY), Log("e", "2003-07-28T00:00:00", "2004-07-28T00:00:00"))["messages"]
    assert found.first_year == 2004
    assert "2003, 2004" in found.doubts[0].text


def test_days_in_common_decide_between_the_years_of_a_long_sibling() -> None:
    sibling = Log("e", "2003-01-01T00:00:00", "2003-07-28T10:00:00", "2004-12-31T00:00:00")
    assert resolve(Log("messages", JULY), sibling)["messages"].first_year == 2003


LEAP_DAY = "02-29T10:00:00"


@pytest.mark.parametrize(
    ("logs", "manifest", "expected"),
    [
        pytest.param([Log("m", LEAP_DAY)], "[study]\nyear = 2003", None, id="a given year is not moved"),
        pytest.param([Log("m", LEAP_DAY)], "[study]\nyear = 2004", "2004-02-29T10:00:00", id="leap year"),
        pytest.param([Log("m", LEAP_DAY)], "", "2024-02-29T10:00:00", id="now: the last leap year"),
        pytest.param(
            [Log("m", LEAP_DAY), Log("e", "2003-03-10T00:00:00")], "", "2004-02-29T10:00:00", id="sibling close by"
        ),
        pytest.param(
            [Log("m", LEAP_DAY, "03-01T00:00:00"), Log("e", "2003-03-01T00:00:00")], "", None, id="sibling of that day"
        ),
    ],
)
def test_29_february(logs: list[Log], manifest: str, expected: str | None) -> None:
    for column in ("at", "local_at"):
        assert dated(*logs, manifest=toml(manifest), column=column)[0] == expected


def test_day_that_does_not_exist_is_a_doubt_with_its_lines() -> None:
    log = Log("m", JULY, "02-29T10:00:00", "02-29T11:00:00")
    (doubt,) = resolve(log, manifest=toml("[study]\nyear = 2003"))["m"].doubts
    assert (doubt.kind, doubt.line_no) == ("undated", 2)
    assert doubt.sentence().startswith("2 lines of 29 February without a time: 2003")


def test_file_of_another_run_is_no_nearer_relative() -> None:
    near = Log("e", "2003-07-28T00:00:00", node="other")
    far = Log("d", "2004-07-28T00:00:00", run="run02")
    log = Log("messages", JULY).facts(0)
    moved = replace(log, run="run02")
    facts = [near.facts(1), far.facts(2)]
    assert file_clock.resolve([log, *facts], NO_MANIFEST, NOW)["messages"].first_year == 2003
    assert file_clock.resolve([moved, *facts], NO_MANIFEST, NOW)["messages"].first_year == 2004


@pytest.mark.parametrize(
    ("path", "day"),
    [
        pytest.param("2003-07-28/messages-20031001", date(2003, 10, 1), id="the file before its folder"),
        pytest.param("2003-07-28/2004-07-28/messages", date(2004, 7, 28), id="the deepest folder"),
        pytest.param("2003-02-30/messages", None, id="no such day"),
        pytest.param("20030728102704123/messages", None, id="a longer number"),
    ],
)
def test_date_that_a_path_gives(path: str, day: date | None) -> None:
    assert date_in(path) == day
