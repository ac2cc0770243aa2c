"""Numbers out of range: their lines are rejected, whole."""

import polars as pl
import pytest

from parsers.format import VERDICT_SCHEMA, Parsed, Verdict, tables
from pipeline.reading.number_range import LARGEST, SMALLEST, without_unbounded

VALUES = tables()["measurement_value"]


def parsed(*values: float | None) -> Parsed:
    """A line per value."""
    count = len(values)
    given = {
        "file_id": [1] * count,
        "line_no": list(range(1, count + 1)),
        "part": [1] * count,
        "value": list(values),
    }
    rows = pl.DataFrame({name: given.get(name, [None] * count) for name in VALUES.schema}, schema=VALUES.schema)
    verdicts = given | {"verdict": [int(Verdict.PARSED)] * count, "reason": [None] * count}
    lines = pl.DataFrame({name: verdicts[name] for name in VERDICT_SCHEMA}, schema=VERDICT_SCHEMA)
    return Parsed({VALUES.name: rows}, lines)


@pytest.mark.parametrize("value", [0.0, -0.0, 1.5, -LARGEST, LARGEST, SMALLEST, -SMALLEST, None])
def test_what_is_in_the_range_stays(value: float | None) -> None:
    before = parsed(value)
    after, out_of_range = without_unbounded(before)
    assert (after is before, out_of_range) == (True, [])


@pytest.mark.parametrize("value", [1e308, -1e31, 5e-324, 9e-31, float("inf"), float("-inf"), float("nan")])
def test_a_line_with_a_number_out_of_range_is_rejected_with_the_number(value: float) -> None:
    after, out_of_range = without_unbounded(parsed(1.0, value, 2.0))
    assert out_of_range == [(1, 1)]
    assert after.tables[VALUES.name]["value"].to_list() == [1.0, 2.0]
    assert after.lines.schema == pl.Schema(VERDICT_SCHEMA)
    assert after.lines["verdict"].to_list() == [Verdict.PARSED, Verdict.REJECTED, Verdict.PARSED]
    reason = after.lines["reason"][1]
    assert reason.startswith("number out of range: value is ")
    assert reason.removeprefix("number out of range: value is ").lower()[:1] in repr(value).lower() + "in"


def test_all_rows_of_such_a_line_go() -> None:
    """Of every table, a star among them."""
    event = tables()["vcs_event"]
    row = dict.fromkeys(event.schema) | {"file_id": 1, "line_no": 2, "part": 1}
    flat = pl.DataFrame([row, row | {"line_no": 1}], schema=event.schema)
    before = parsed(1.0, float("inf"))
    after, out_of_range = without_unbounded(Parsed({**before.rows, event.name: event.split(flat)}, before.lines))
    assert out_of_range == [(1, 1)]
    assert after.tables[event.name]["line_no"].to_list() == [1]
