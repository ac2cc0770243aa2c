from math import inf

import polars as pl
import pytest

from parsers.measurement import (
    LAST_EPOCH_S,
    MEASUREMENT_POINT,
    MEASUREMENT_VALUE,
    NUMBER,
    Figure,
    epoch_stamp,
    read_figures,
    summary_no,
    tables_of,
    typed,
)
from tests.support.message_lines import numbered


def test_figures_of_a_line_are_its_parts_in_the_order_of_the_patterns() -> None:
    figures = (Figure(rf"tps {NUMBER}", "tps", "1/s"), Figure(rf"lat {NUMBER}", "latency_ms", "ms", 0.001))
    found = read_figures(numbered(["lat 500 tps 2.5", "nothing", "tps 3"]), figures)
    assert found.select("line_no", "part", "metric", "value").rows() == [
        (1, 1, "tps", 2.5),
        (1, 2, "latency_ms", 0.5),
        (3, 1, "tps", 3.0),
    ]


def test_number_too_large_to_be_one_is_infinite() -> None:
    """So that its line is rejected as any with a number out of range."""
    found = read_figures(numbered([f"tps {'9' * 400}"]), (Figure(rf"tps {NUMBER}", "tps", "1/s"),))
    assert found["value"].to_list() == [inf]


@pytest.mark.parametrize(
    ("kinds", "numbers"),
    [
        pytest.param("oocc", [1, 1, 1, 1], id="one summary"),
        pytest.param("occocc", [1, 1, 1, 2, 2, 2], id="settings after results begin the next"),
        pytest.param("oc-c-o", [1, 1, 1, 1, 1, 2], id="other lines stay where they are"),
        pytest.param("bobo", [1, 1, 2, 2], id="a run that ended without results is a summary of its own"),
        pytest.param("-obc", [1, 1, 2, 2], id="a head after settings begins the next"),
    ],
)
def test_summaries_are_counted(kinds: str, numbers: list[int]) -> None:
    text = pl.col("text")
    number = summary_no(text == "o", text == "c", text == "b", by=("file_id",))
    lines = numbered(list(kinds), list(kinds))
    assert lines.select(number.alias("n"))["n"].to_list() == numbers * 2


def test_seconds_since_1970_are_utc_and_none_beyond_year_9999() -> None:
    seconds = pl.DataFrame({"s": [0.5, 1795228533.25, LAST_EPOCH_S + 1.0, -1.0, float("nan")]})
    stamps = seconds.select(epoch_stamp(pl.col("s")))["s"].cast(pl.String).to_list()
    assert stamps == ["1970-01-01 00:00:00.500000", "2026-11-21 02:35:33.250000", None, None, None]


def test_rows_get_the_columns_of_their_table_valid_and_whole_unless_they_say_otherwise() -> None:
    rows = pl.DataFrame({"file_id": [1], "line_no": [2], "metric": ["tps"], "value": [1]})
    value = typed(rows, MEASUREMENT_VALUE)
    assert value.schema == pl.Schema(MEASUREMENT_VALUE.schema)
    assert value.select("part", "is_valid", "stamp").row(0) == (1, True, None)
    assert typed(rows, MEASUREMENT_POINT)["is_interval_end"].to_list() == [True]
    assert tables_of(values=(MEASUREMENT_VALUE, rows), points=(MEASUREMENT_POINT, rows.clear())).keys() == {
        "measurement_value"
    }
