"""Reports of files that are read in spans, numbered and dated piece by piece."""

from collections.abc import Sequence
from datetime import datetime

import polars as pl
import pytest

from parsers.format import formats
from parsers.star import flat
from pipeline.reading import report_spans
from pipeline.reading.report_clock import Declared
from pipeline.reading.unit import Result, Work, run
from tests.support.open_reports import rest_of
from tests.support.report_lines import LINUX_X, numbered

DISK = "Device tps kB_read/s kB_wrtn/s\nsda 1.00 2.00 3.00\n"
CPU = "avg-cpu:  %user   %nice %system %iowait  %steal   %idle\n 44.92 0.00 9.68 0.26 0.24 44.91\n"
BANNER = "Linux 4.4.0 (x) 05/06/26\n"
SAR = """\
Linux 4.4.0 (x) 05/06/26 _x86_64_ (2 CPU)

11:59:40 PM     CPU     %user     %nice   %system   %iowait    %steal     %idle
11:59:50 PM     all      1.00      0.00      0.50      0.10      0.00     98.40
12:00:00 AM     all      1.00      0.00      0.50      0.10      0.00     98.40
12:00:10 AM     all      1.00      0.00      0.50      0.10      0.00     98.40

11:59:40 PM       DEV       tps     rkB/s     wkB/s
11:59:50 PM       sda      1.00      2.00      3.00
12:00:00 AM       sda      1.00      2.00      3.00
"""
TIMED = "".join(f"Time: 11:{minute:02}:00 PM\n{DISK}" for minute in (1, 2, 3, 9, 8, 10))
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
        pytest.param("iostat", BANNER + DISK * 4 + BANNER + DISK * 3, None, id="two runs of the tool"),
        pytest.param("iostat", f"$ iostat -y 5\n{BANNER}" + (CPU + DISK) * 3, None, id="no report since boot"),
        pytest.param("iostat", DISK * 5, Declared(interval_s=10.0, start=WALL_CLOCK), id="no times, a declared start"),
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
    lines = numbered(BANNER + DISK + "11/21/26 02:42:01\n" * 20)
    found = of_spans("iostat", lines, list(range(3, lines.height, 2)), None)
    assert max(flat(each.tables["iostat_mark"]).height for each in found if each.tables) < 7
