import polars as pl
import pytest

from parsers.delimited import Header, duration, grid_of, header_of, number, set_aside, time_columns
from tests.support.message_lines import numbered


@pytest.mark.parametrize(
    ("texts", "names", "separator"),
    [
        (["config,run,tps"], ("config", "run", "tps"), ","),
        (["# made by hand", "", '"Time";"Latency (ms)"'], ("time", "latency_ms"), ";"),
        (["\ufeffrun\ttps "], ("run", "tps"), "\t"),
        (["a,b\tc\td"], ("a_b", "c", "d"), "\t"),
        ([" asked_at | outcome, or not | took"], ("asked_at", "outcome_or_not", "took"), "|"),
        (["+-----+----+", "| run | tps |"], ("run", "tps"), "|"),
    ],
)
def test_header(texts: list[str], names: tuple[str, ...], separator: str) -> None:
    header = header_of(pl.Series(texts))
    assert header is not None
    assert (header.names, header.separator, header.line_no) == (names, separator, len(texts))


@pytest.mark.parametrize("texts", [[], [""], ["one"], ["a,,b"], ["a,a"], ["query avg"], ["# only,comment"]])
def test_no_header(texts: list[str]) -> None:
    assert header_of(pl.Series(texts, dtype=pl.String)) is None


def test_blanks_separate_where_allowed() -> None:
    header = header_of(pl.Series(["query   avg"]), may_be_blanks=True)
    assert header is not None
    cells = grid_of(numbered(["query   avg", "  1    0.5"]), header).cells
    assert cells.rows() == [(0, 2, "1", "0.5")]


def test_a_doubled_byte_order_mark_is_no_header() -> None:
    assert header_of(pl.Series(["\ufeff"]), may_be_blanks=True) is None


def test_line_with_another_count_of_cells_is_bad() -> None:
    grid = grid_of(numbered(["a,b", "1,2", "3", "", "# x,y", "4,5,6", "'7',"]), Header(1, ("a", "b"), ","))
    assert grid.cells.rows() == [(0, 2, "1", "2"), (0, 7, "7", "")]
    assert grid.bad.rows() == [(0, 3, 1), (0, 6, 3)]


@pytest.mark.parametrize(
    ("line", "cells"),
    [
        # REAL: a probe's reason, as Python's csv module writes it
        (
            """1,"[Errno 111] Connect call failed ('10.77.0.10', 5432)\"""",
            ("1", "[Errno 111] Connect call failed ('10.77.0.10', 5432)"),
        ),
        ('"a,b","c,d"', ("a,b", "c,d")),
        ('"say ""a,b""",2', ('say ""a,b', "2")),
        ('5" disk,2', ('5" disk', "2")),
    ],
)
def test_separator_in_quotes_belongs_to_its_cell(line: str, cells: tuple[str, str]) -> None:
    assert grid_of(numbered(["a,b", line]), Header(1, ("a", "b"), ",")).cells.rows() == [(0, 2, *cells)]


@pytest.mark.parametrize(
    ("cell", "separator", "value"),
    [
        ("1.5", ",", 1.5),
        ("-2", ",", -2.0),
        ("1e3", ",", 1000.0),
        ("1,5", ";", 1.5),
        ("1,5", ",", None),
        ("1,234,5", ";", None),
        ("nan", ",", None),
        ("inf", ",", None),
        ("9" * 400, ",", None),
        ("", ",", None),
        ("4 ms", ",", None),
    ],
)
def test_number(cell: str, separator: str, value: float | None) -> None:
    header = Header(1, ("a",), separator)
    assert pl.DataFrame({"c": [cell]}).select(number(pl.col("c"), header)).item() == value


@pytest.mark.parametrize(
    ("cell", "stamp", "offset_min", "offset_s"),
    [
        ("2003-07-28T10:27:04.2-04:00", "2003-07-28 10:27:04.200000", -240, None),
        ("2003-07-28 10:27", "2003-07-28 10:27:00.000000", None, None),
        ("2003-07-28T10:27:04Z", "2003-07-28 10:27:04.000000", 0, None),
        ("2003-07-28 10:27:04,25 +0530", "2003-07-28 10:27:04.250000", 330, None),
        ("1795228533", "2026-11-21 02:35:33.000000", 0, None),
        ("1795228533250", "2026-11-21 02:35:33.250000", 0, None),
        ("1795228533250000", "2026-11-21 02:35:33.250000", 0, None),
        ("12.5", None, None, 12.5),
        ("01:02:03.5", None, None, 3723.5),
        ("2003-02-30T10:00:00", None, None, None),
        ("soon", None, None, None),
        ("", None, None, None),
    ],
)
def test_time(cell: str, stamp: str | None, offset_min: int | None, offset_s: float | None) -> None:
    row = pl.DataFrame({"c": [cell]}).select(time_columns(pl.col("c"), Header(1, ("a",), ","))).row(0)
    assert row == (
        None if stamp is None else pl.Series([stamp]).str.to_datetime("%F %T%.6f").item(),
        offset_min,
        offset_s,
    )


PRINTED_TABLES = {
    "Markdown": ["| run | tps |", "|----:|:---:|", "| 1 | 10 |", "| 2 | |"],
    "mysql": [
        "+-----+-----+",
        "| run | tps |",
        "+-----+-----+",
        "| 1   | 10  |",
        "| 2   |     |",
        "+-----+-----+",
        "2 rows in set",
    ],
    "psql": [" run | tps ", "-----+-----", "   1 |  10", "   2 |    ", "(2 rows)"],
}


def test_bars_may_frame_lines_and_rulers_are_no_rows() -> None:
    for printed_by, lines in PRINTED_TABLES.items():
        header = header_of(pl.Series(lines))
        assert header is not None, printed_by
        grid = grid_of(numbered(lines), header)
        assert grid.cells.select("c0", "c1").rows() == [("1", "10"), ("2", "")], printed_by
        assert grid.bad.is_empty(), printed_by
        reasons = numbered(lines).select(set_aside(header).alias("reason"))["reason"]
        assert reasons.null_count() == 2, printed_by


@pytest.mark.parametrize(
    ("cell", "scale", "unit_s", "found"),
    [
        ("12", 1, 1, 12),
        ("12", 60, 1, 720),
        ("12 ms", 1, 1, 0.012),
        ("12ms", 1, 1e-3, 12),
        ("1.5 s", 1, 1e-3, 1500),
        ("350 µs", 1, 1e-3, 0.35),
        ("2 min", 1e-3, 1, 120),
        ("0:01:30", 1, 1, 90),
        ("1:00:00.5", 60, 1e-3, 3600500),
        ("1m2.5s", 1, 1, 62.5),
        ("1h0m2s", 1, 1, 3602),
        ("1:30", 1, 1, None),  # minutes or hours
        ("12 tps", 1, 1, None),
        ("ms", 1, 1, None),
        ("", 1, 1, None),
    ],
)
def test_duration_in_its_own_unit_or_that_of_its_column(
    cell: str, scale: float, unit_s: float, found: float | None
) -> None:
    frame = pl.DataFrame({"cell": [cell]})
    assert frame.select(duration(pl.col("cell"), Header(1, ("a", "b"), "|"), scale, unit_s)).item() == pytest.approx(
        found
    )


def test_times_since_the_start_in_hours_minutes_seconds_have_no_other_unit() -> None:
    frame = pl.DataFrame({"cell": ["2", "0:01:30", "90 s"]})
    found = frame.select(time_columns(pl.col("cell"), Header(1, ("a", "b"), ","), unit_s=60))
    assert found["offset_s"].to_list() == [120, 90, 90]
