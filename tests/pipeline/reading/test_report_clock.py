"""Rules by which reports are numbered and dated."""

from collections.abc import Sequence
from datetime import datetime

import polars as pl
import pytest

from parsers.format import formats
from parsers.star import flat
from pipeline.reading import report_spans
from pipeline.reading.report_dates import Declared
from pipeline.reading.unit import Result, Work, run
from tests.support.open_reports import rest_of
from tests.support.report_lines import LINUX_X, numbered, reports

at = datetime.fromisoformat

CPU = "avg-cpu:  %user   %nice %system %iowait  %steal   %idle\n 44.92 0.00 9.68 0.26 0.24 44.91\n"
DISK = "Device tps kB_read/s kB_wrtn/s\nsda 1.00 2.00 3.00\n"


# --- which lines make a report ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        pytest.param(CPU + DISK + CPU + DISK, [1, 2], id="processors and devices are one report"),
        pytest.param(CPU + CPU, [1, 2], id="-c"),
        pytest.param(DISK + DISK, [1, 2], id="-d"),
        pytest.param("11/21/26 02:42:01\n" + DISK + "11/21/26 02:42:02\n" + DISK, [1, 2], id="-dt"),
        pytest.param("Linux 4.4.0 (x)\n" + DISK + DISK + "Linux 4.4.0 (x)\n" + DISK, [1, 2, 1], id="two invocations"),
        pytest.param("$ iostat 5\nLinux 4.4.0 (x)\n" + DISK + DISK, [1, 2], id="prompt and first line are one"),
        pytest.param(
            "Wed Oct 12 10:03:00 EDT 2005\nLinux 4.4.0 (x)\n" + DISK, [1], id="a script's time before the tool"
        ),
        pytest.param(DISK + "11/21/26 02:42:01\n", [1], id="a time with nothing behind is no report"),
        pytest.param(DISK + "sda 4.00 5.00 6.00\n", [1, 2], id="two writers in one file"),
    ],
)
def test_numbers(text: str, numbers: list[int]) -> None:
    assert reports(text, "report_no") == numbers


def test_only_the_first_report_of_an_invocation_is_since_boot() -> None:
    text = "Linux 4.4.0 (x)\n" + DISK + DISK + "Linux 4.4.0 (x)\n" + DISK + DISK
    assert reports(text, "invocation_no", "is_since_boot") == [(1, True), (1, False), (2, True), (2, False)]


@pytest.mark.parametrize("command", ["iostat -y 5", "iostat -xky 5 3", "vmstat -y 5"])
def test_no_report_is_since_boot_where_the_command_says_so(command: str) -> None:
    assert reports(f"$ {command}\nLinux 4.4.0 (x)\n" + DISK + DISK, "is_since_boot") == [False, False]


# --- dates -----------------------------------------------------------------------------------------------------------


def test_an_open_date_is_taken_month_first_and_marked() -> None:
    text = "05/06/26 02:42:01\n" + DISK
    assert reports(text, "stamp", "time_quality") == [(at("2026-05-06 02:42:01"), "ambiguous_date")]
    declared = Declared(date_order="dmy")
    assert reports(text, "stamp", "time_quality", declared=declared) == [(at("2026-06-05 02:42:01"), None)]


def test_the_first_line_takes_part_in_the_decision() -> None:
    text = "Linux 4.4.0 (x) 05/13/26\n\n06/05/26 02:42:01\n" + DISK
    assert reports(text, "stamp", "time_quality") == [(at("2026-06-05 02:42:01"), None)]


def test_a_date_that_does_not_exist_says_nothing() -> None:
    text = "Linux 4.4.0 (x) 33/04/2023\n\n11/21/26 02:42:01\n" + DISK
    assert reports(text, "stamp", "time_quality") == [(at("2026-11-21 02:42:01"), None)]


def test_times_without_a_date_take_that_of_the_first_line_and_roll_over() -> None:
    # REAL (RHEL5): `Time: 03:49:57 PM`
    text = "Linux 2.6.18 (x) 12/31/2014\n\nTime: 11:59:50 PM\n" + DISK + "\nTime: 12:00:00 AM\n" + DISK
    assert reports(text, "stamp", "interval_s") == [
        (at("2014-12-31 23:59:50"), None),
        (at("2015-01-01 00:00:00"), 10.0),
    ]


def test_a_small_step_back_is_no_midnight() -> None:
    text = "Linux 2.6.18 (x) 12/31/2014\n\nTime: 11:59:50 AM\n" + DISK + "\nTime: 11:59:40 AM\n" + DISK
    assert reports(text, "stamp", "interval_s", "flags")[1] == (at("2014-12-31 11:59:40"), None, "clock_step")


def test_no_date_no_stamp() -> None:
    assert reports("Time: 11:59:50 AM\n" + DISK, "stamp") == [None]


# --- intervals -------------------------------------------------------------------------------------------------------


def test_a_report_that_covers_more_than_the_others_is_reported() -> None:
    seconds = (0, 10, 20, 55, 65)
    text = "".join(
        f"2026-11-21 02:42:{second:02d}\n{DISK}" if second < 60 else f"2026-11-21 02:43:05\n{DISK}"
        for second in seconds
    )
    assert reports(text, "interval_s", "interval_source", "flags") == [
        (None, None, None),
        (10.0, "stamps", None),
        (10.0, "stamps", None),
        (35.0, "stamps", "gap"),
        (10.0, "stamps", None),
    ]


def test_offsets_count_in_intervals() -> None:
    text = f"2026-10-25T02:59:55+0200\n{DISK}2026-10-25T02:00:05+0100\n{DISK}"
    assert reports(text, "interval_s") == [None, 10.0]


def test_what_is_declared_serves_where_nothing_is_printed() -> None:
    declared = Declared(interval_s=10.0, start=at("2003-07-28 10:27:00"))
    assert reports(DISK + DISK + DISK, "stamp", "time_source", "interval_s", "interval_source", declared=declared) == [
        (at("2003-07-28 10:27:00"), "stated", None, None),
        (at("2003-07-28 10:27:10"), "stated", 10.0, "stated"),
        (at("2003-07-28 10:27:20"), "stated", 10.0, "stated"),
    ]


def test_nothing_is_invented() -> None:
    assert reports(DISK + DISK, "stamp", "interval_s") == [(None, None), (None, None)]


# --- spans -----------------------------------------------------------------------------------------------------------


def test_the_spans_of_a_file_give_the_reports_of_the_whole() -> None:
    text = LINUX_X + LINUX_X.split("\n\n", 1)[1].replace("02:42", "02:43")
    lines = numbered(text)
    whole = run(Work("iostat", lines))
    assert whole.open == {}
    for cut in (4, 7, 11, 12, 15):
        spans = [run(Work("iostat", part, span_of=1)) for part in (lines[: cut - 1], lines[cut - 1 :])]
        assert all("iostat_mark" not in each.tables for each in spans)
        found = rest_of("iostat", spans)
        assert [list(each.tables) for each in found] == [["iostat_mark"], []]
        assert flat(found[0].tables["iostat_mark"]).equals(flat(whole.tables["iostat_mark"]))


DISK_TABLE = "Device tps kB_read/s kB_wrtn/s\nsda 1.00 2.00 3.00\n"
CPU_TABLE = "avg-cpu:  %user   %nice %system %iowait  %steal   %idle\n 44.92 0.00 9.68 0.26 0.24 44.91\n"
BANNER = "Linux 4.4.0 (x) 05/06/26\n"
SAR = """\
Linux 4.4.0 (x) 05/06/26 _x86_64_ (2 CPU_TABLE)

11:59:40 PM     CPU_TABLE     %user     %nice   %system   %iowait    %steal     %idle
11:59:50 PM     all      1.00      0.00      0.50      0.10      0.00     98.40
12:00:00 AM     all      1.00      0.00      0.50      0.10      0.00     98.40
12:00:10 AM     all      1.00      0.00      0.50      0.10      0.00     98.40

11:59:40 PM       DEV       tps     rkB/s     wkB/s
11:59:50 PM       sda      1.00      2.00      3.00
12:00:00 AM       sda      1.00      2.00      3.00
"""
TIMED = "".join(f"Time: 11:{minute:02}:00 PM\n{DISK_TABLE}" for minute in (1, 2, 3, 9, 8, 10))
MORNING = TIMED.replace("11:", "01:").replace("PM", "AM")


def of_spans(name: str, lines: pl.DataFrame, cuts: Sequence[int], declared: Declared | None) -> list[Result]:
    """What a file gives at its end whose spans begin at these rows."""
    own = {} if declared is None else {1: declared}
    begins = [0, *cuts]
    parts = [lines[first:last] for first, last in zip(begins, [*cuts, lines.height], strict=True)]
    return rest_of(name, [run(Work(name, part, own, span_of=1)) for part in parts], declared)


WALL_CLOCK = datetime(2003, 7, 28, 10, 27)  # noqa: DTZ001 - a wall clock


@pytest.mark.parametrize(
    ("name", "text", "declared"),
    [
        pytest.param("iostat", LINUX_X, None, id="dates that may be read in two orders"),
        pytest.param("iostat", BANNER + TIMED, None, id="times without a date, a gap, a clock that was set"),
        pytest.param("iostat", BANNER + TIMED + MORNING, None, id="midnights"),
        pytest.param("iostat", BANNER + DISK_TABLE * 4 + BANNER + DISK_TABLE * 3, None, id="two runs of the tool"),
        pytest.param(
            "iostat", f"$ iostat -y 5\n{BANNER}" + (CPU_TABLE + DISK_TABLE) * 3, None, id="no report since boot"
        ),
        pytest.param(
            "iostat", DISK_TABLE * 5, Declared(interval_s=10.0, start=WALL_CLOCK), id="no times, a declared start"
        ),
        pytest.param("sar", SAR, None, id="sections whose first interval begins in a line of its own"),
    ],
)
def test_pieces_of_a_file_give_the_reports_of_the_whole(
    monkeypatch: pytest.MonkeyPatch, name: str, text: str, declared: Declared | None
) -> None:
    monkeypatch.setattr(report_spans, "PIECE_MARKS", 1)
    lines = numbered(text)
    cuts = [each for each in lines["text"].str.contains(str(formats()[name].boundary)).arg_true().to_list() if each]
    whole = run(Work(name, lines, {} if declared is None else {1: declared}))
    *pieces, last = of_spans(name, lines, cuts, declared)
    expected = {table: flat(rows) for table, rows in whole.tables.items() if table.startswith("iostat_mark")}
    assert (last.tables, last.shown.dates) == ({}, whole.shown.dates)
    for table, rows in expected.items():
        found = [flat(each.tables[table]) for each in pieces if table in each.tables]
        assert len(found) > 1
        assert pl.concat(found).equals(rows), table


def test_times_without_a_table_are_cut_at_some_point(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report_spans, "PIECE_MARKS", 2)
    monkeypatch.setattr(report_spans, "MOST_MARKS", 4)
    lines = numbered(BANNER + DISK_TABLE + "11/21/26 02:42:01\n" * 20)
    found = of_spans("iostat", lines, list(range(3, lines.height, 2)), None)
    assert max(flat(each.tables["iostat_mark"]).height for each in found if each.tables) < 7
