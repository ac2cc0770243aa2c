from datetime import datetime

import polars as pl
import pytest

from parsers.dated.declared import draft, of_layout
from parsers.dated.time_of_day import FORMAT
from parsers.format import Layout, Verdict
from tests.support.message_lines import claimed_by, rows, verdicts

at = datetime.fromisoformat


# RECONSTRUCTED: layouts that logback, log4j, Minecraft, Python and .NET are often configured to
@pytest.mark.parametrize(
    ("line", "time", "level"),
    [
        ("10:11:12.345 [main] INFO  c.e.App - it began", "10:11:12.345", "info"),
        ("[10:11:12] [Server thread/WARN]: it began", "10:11:12", "warning"),
        ("10:11:12,345 ERROR it began", "10:11:12,345".replace(",", "."), "err"),
        ("[10:11:12 INF] it began", "10:11:12", "info"),
        ("ERROR 10:11:12 it began", "10:11:12", "err"),
        ("[10.11.12] it began", "10:11:12", None),
        ("[main] 10:11:12.3 - it began", "10:11:12.3", None),
    ],
)
def test_line(line: str, time: str, level: str | None) -> None:
    assert claimed_by([line] * 5) == "time_of_day_log"
    (found,) = rows(FORMAT, line, table="log_record")
    assert (found["time_of_day"], found.get("level"), found["has_year"]) == (time, level, False)
    assert "it began" in str(found["text"])


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param([f"03:01:1{lap}.345 lap {lap}" for lap in range(5)], id="laps"),
        pytest.param([f"0:01:1{lap}.345 Lap {lap} +0:00:03.2" for lap in range(5)], id="laps with gaps"),
        pytest.param([f"[00:1{line}.20] a line of a song" for line in range(5)], id="lyrics"),
        pytest.param([f"10.11.1{patch} release of a product" for patch in range(5)], id="versions"),
        pytest.param([f"{place}. 02:1{place}:33 Kipchoge KEN" for place in range(5)], id="places"),
        pytest.param(["10:10 Hamburg Hbf", "10:31 Berlin Hbf", "11:02 Leipzig"], id="a timetable"),
        pytest.param(["[21:15] Kiel: gewonnen", "[18:22] Lemgo: verloren", "[30:12] Essen: gewonnen"], id="results"),
        pytest.param(["10:11:12     all   1.00   2.00   0.00   97.00"] * 5, id="numbers"),
        pytest.param(["1", "00:00:01,000 --> 00:00:04,000", "Good evening.", ""] * 5, id="subtitles"),
        pytest.param(["We met at 10:11:12 and left at 11:00:00."] * 5, id="prose"),
        pytest.param(["10:11:12 it began", *["The rest of this text is about other things."] * 9], id="one line"),
        pytest.param(["31/31 10:11:12.345 a b", "2020-13 10:11:13 c d", "Foo 12 10:11:14 e f"] * 3, id="dates unread"),
        pytest.param(["import time", *["10:11:12 x = time"] * 5], id="a program"),
    ],
)
def test_what_only_holds_times_is_none(lines: list[str]) -> None:
    assert claimed_by(lines) != "time_of_day_log"


def test_times_to_the_minute_are_read_where_more_shows_a_log() -> None:
    """A mark around or behind them, or a line that names the day; they are 60 s wide."""
    for lines in (
        ["[22:11] <anna> pulled the plug", "[22:12] <anna> it is up", "[00:01] <anna> good night"],
        ["10:11 ERROR it is down", "10:12 INFO it is up", "10:12 INFO good night"],
        ["--- Log opened Mon May 06 10:00:00 2024", "10:11 it is down", "10:12 it is up", "10:12 good night"],
    ):
        assert claimed_by(lines) == "time_of_day_log", lines
        found = rows(FORMAT, *lines, table="log_record")
        assert {each["stamp_step_s"] for each in found} == {60.0}
        assert [str(each["time_of_day"])[2:] for each in found][:2] == [":11", ":12"]


def test_times_to_the_minute_are_no_heads_in_a_file_that_has_seconds() -> None:
    lines = ["10:11:12 INFO x began", "10:12 is when it will end", "10:11:13 INFO y began"]
    assert len(rows(FORMAT, *lines, table="log_record")) == 2
    assert verdicts(FORMAT, *lines)[1] == Verdict.CONTINUATION


def test_declaration_of_times_to_the_minute_is_drafted() -> None:
    assert draft("own", pl.Series(["10:11 plug pulled", "10:12 it is up", "10:15 done"])) == Layout(
        "own", stamp="%H:%M"
    )
    assert draft("own", pl.Series(["21:15 A won", "18:22 B won", "30:12 C won"])) is None
    assert draft("own", pl.Series(["00:00 Intro", "01:12 What it is", "05:40 Demo"])) is None


def test_days_are_counted_by_midnights_and_named_by_lines_of_a_date() -> None:
    lines = ["23:59:59 a b", "00:00:01 c d", "--- Day changed Tue May 07 2024", "00:00:02 e f", "00:00:01 out of order"]
    found = rows(FORMAT, *lines, table="log_record")
    assert [(each["stamp"], each["has_year"]) for each in found] == [
        (at("1904-01-01T23:59:59"), False),
        (at("1904-01-02T00:00:01"), False),
        (at("2024-05-07T00:00:02"), True),
        (at("2024-05-07T00:00:01"), True),
    ]
    assert verdicts(FORMAT, *lines)[2] == Verdict.IGNORED


def test_a_clock_that_goes_back_by_hours_leaves_the_day_open() -> None:
    found = rows(FORMAT, "10:00:00 a b", "13:00:00 c d", "12:00:00 after a restart", "12:00:01 e f", table="log_record")
    assert [each.get("stamp") for each in found] == [at("1904-01-01T10:00:00"), at("1904-01-01T13:00:00"), None, None]
    assert [each["time_of_day"] for each in found][2:] == ["12:00:00", "12:00:01"]


def test_declared_time_of_day() -> None:
    own = of_layout(Layout("own", stamp="%H.%M.%S"))
    found = rows(own, "x 10.11.12 began", "  more", "x 10.11.13 ended", table="log_record")
    assert [each["stamp"] for each in found] == [at("1904-01-01T10:11:12"), at("1904-01-01T10:11:13")]
    assert own.boundary is None
