import polars as pl
import pytest

from parsers.delimited import Header, grid_of, header_of, number, time_columns
from tests.support.measured import numbered


@pytest.mark.parametrize(
    ("texts", "names", "separator"),
    [
        (["config,run,tps"], ("config", "run", "tps"), ","),
        (["# made by hand", "", '"Time";"Latency (ms)"'], ("time", "latency_ms"), ";"),
        (["\ufeffrun\ttps "], ("run", "tps"), "\t"),
        (["a,b\tc\td"], ("a_b", "c", "d"), "\t"),
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
