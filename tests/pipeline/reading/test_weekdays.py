"""Weekdays beside days without a year."""

import polars as pl
import pytest

from pipeline.reading.weekdays import weekdays_of


@pytest.mark.parametrize(
    ("text", "weekday"),
    [
        ("Thu Oct  9 10:27:04 started", "Thu 10-09"),
        ("[Thu Oct  9 10:27:04.123 CEST] started", "Thu 10-09"),
        ("Thursday, October 9, 10:27 started", "Thu 10-09"),
        ("Thu 9 Oct 10:27:04 started", "Thu 10-09"),
        ("Thu Oct  9 10:27:04 port 2003", "Thu 10-09"),
        ("Thu Oct  9 10:27:04 2003 started", None),
        ("[Thu Oct 09 10:27:04.5 2003] started", None),
        ("Thu Oct  9 10:27:04 CEST 2003 started", None),
        ("Oct  9 10:27:04 elm login: last Thu Oct  2 10:27:04", None),
        ("Thu, no day", None),
    ],
)
def test_weekdays_of_lines_without_a_year(text: str, weekday: str | None) -> None:
    lines = pl.DataFrame({"file_id": [1], "line_no": [1], "text": [text]})
    assert weekdays_of(lines) == ([] if weekday is None else [(1, weekday)])
