import polars as pl
import pytest

from parsers.benchmark.db2batch import FORMAT, recognise
from parsers.format import Recognition
from tests.support.measured import values, verdicts
from tests.support.message_lines import numbered

# REAL, shortened
BATCH = [
    "* Timestamp: Tue Nov 13 2018 12:43:59 India Standard Time",
    "---------------------------------------------",
    "* SQL Statement Number 1:",
    "create table t_demo (c1 int, c2 double, c3 varchar(4));",
    "* Elapsed Time is:       0.095165 seconds (complete)",
    "---------------------------------------------",
    "* SQL Statement Number 4:",
    "select * from t_demo;",
    "9223 		     5.00000000000000E-015  demo    ",
    "* 2 row(s) fetched, 2 row(s) output.",
    "* Prepare Time is:       0.000965 seconds",
    "* Execute Time is:       0.001830 seconds",
    "* Fetch Time is:         0.010875 seconds",
    "* Elapsed Time is:       0.013670 seconds (complete)",
]
SUMMARY = [
    "* Summary Table:",
    "Type      Number      Repetitions Total Time (s) Min Time (s)   Max Time (s)   Arithmetic Mean Geometric Mean",
    "--------- ----------- ----------- -------------- -------------- -------------- --------------- --------------",
    "Statement           1           1       0.095165       0.095165       0.095165 0.095165       0.095165   0   0",
    "Statement           4           1       0.013670       0.013670       0.013670 0.013670       0.013670   2   2",
]
TOTALS = [
    "* Total Entries:              2",
    "* Total Time:                 0.108835 seconds",
    "* Minimum Time:               0.013670 seconds",
    "* Maximum Time:               0.095165 seconds",
    "* Arithmetic Mean Time:       0.054418 seconds",
    "* Geometric Mean Time:        0.036068 seconds",
]


def test_times_of_statements_and_totals() -> None:
    parsed = FORMAT.parse(numbered([*BATCH, *SUMMARY, *TOTALS]))
    assert values(parsed) == [
        ("statement 1", 0.095165),
        ("statement 4 prepare", 0.000965),
        ("statement 4 execute", 0.00183),
        ("statement 4 fetch", 0.010875),
        ("statement 4", 0.01367),
        ("entries", 2),
        ("elapsed_s", 0.108835),
        ("minimum_s", 0.01367),
        ("maximum_s", 0.095165),
        ("arithmetic_mean_s", 0.054418),
        ("geometric_mean_s", 0.036068),
    ]
    assert {
        (str(stamp), offset, doubt) for stamp, offset, doubt in values(parsed, "stamp", "utc_offset_min", "doubt")
    } == {("2018-11-13 12:43:59", None, None)}
    assert verdicts(parsed) == "iiiiPiiiii" + "PPPP" + "iiiii" + "PPPPPP"


@pytest.mark.parametrize(("place", "metric"), [(4, "arithmetic_mean_s"), (5, "geometric_mean_s")])
def test_mean_that_cannot_be_right_is_doubtful(place: int, metric: str) -> None:
    wrong = [line.replace("0.0", "0.5") if at == place else line for at, line in enumerate(TOTALS)]
    doubts = values(FORMAT.parse(numbered([*BATCH, *SUMMARY, *wrong])), "metric", "doubt")
    assert [name for name, doubt in doubts if doubt] == [metric]


def test_summary_row_is_read_where_the_blocks_are_missing() -> None:
    row = "Block      2          10       1.000000       0.050000       0.200000        0.100000       0.090000  0  0"
    parsed = FORMAT.parse(numbered([SUMMARY[0], row]))
    assert values(parsed, "metric", "value", "repetitions", "low", "high") == [("block 2", 0.1, 10, 0.05, 0.2)]


def test_every_stamp_begins_another_batch() -> None:
    numbers = values(FORMAT.parse(numbered([*BATCH, *BATCH])), "metric", "summary_no")
    assert [number for metric, number in numbers if metric == "statement 1"] == [1, 2]


@pytest.mark.parametrize("line", ["junk", "* Elapsed Time is:       0.095165 seconds (complete)", "* Total Time: much"])
def test_line_outside_of_a_statement_is_rejected(line: str) -> None:
    assert verdicts(FORMAT.parse(numbered([line]))) == "R"


def test_recognition() -> None:
    assert isinstance(recognise(pl.Series(BATCH)), Recognition)
    assert isinstance(recognise(pl.Series(SUMMARY)), Recognition)
    assert not isinstance(recognise(pl.Series(["* Timestamp: now", "SQL Statement"])), Recognition)
