"""Stamps of fixed width: as a pattern and a calendar read them, no matter what is there."""

import re
from datetime import date

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from parsers import fixed_stamp

TIME = re.compile(r"([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]")


@given(st.lists(st.from_regex(r"\A[0-9:;<>?/ a-f]{0,9}\Z") | st.from_regex(r"\A[0-2][0-9]:[0-6][0-9]:[0-6][0-9]\Z")))
def test_a_time_of_day_is_a_number_of_seconds(texts: list[str]) -> None:
    expected = [
        sum(int(part) * unit for part, unit in zip(text.split(":"), (3600, 60, 1), strict=True))
        if TIME.fullmatch(text)
        else None
        for text in texts
    ]
    assert fixed_stamp.second_of_day(pl.Series(texts, dtype=pl.String)).to_list() == expected


@pytest.mark.parametrize(
    ("printed", "expected"),
    [
        pytest.param("Feb 29 ", date(2000, 2, 29), id="leap day"),
        pytest.param("Feb 30 ", None, id="no such day"),
        pytest.param("Feb  3 ", date(2000, 2, 3), id="blank before the day"),
        pytest.param("Feb 3  ", None, id="not in its place"),
        pytest.param("", None, id="nothing"),
    ],
)
def test_days(printed: str, expected: date | None) -> None:
    days = fixed_stamp.day(pl.Series([printed, printed]), r"^[A-Z][a-z]{2} [ 0-9][0-9] $", "%Y %b %e ", year="2000 ")
    assert days.to_list() == [expected, expected]
