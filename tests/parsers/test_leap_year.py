from datetime import datetime

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from parsers.leap_year import with_year

LEAP_DAY = datetime.fromisoformat("2000-02-29T01:00:00")


@given(st.lists(st.tuples(st.datetimes() | st.just(LEAP_DAY), st.integers(-1, 10_001) | st.none())))
def test_a_stamp_is_moved_where_the_year_has_its_day(pairs: list[tuple[datetime, int | None]]) -> None:
    frame = pl.DataFrame(pairs, {"stamp": pl.Datetime("us"), "year": pl.Int32()}, orient="row")
    found = frame.select(with_year(pl.col("stamp"), pl.col("year"))).to_series().to_list()
    assert found == [moved(stamp, year) for stamp, year in pairs]


def moved(stamp: datetime, year: int | None) -> datetime | None:
    try:
        return stamp.replace(year=year or 0) if year != 9999 else None
    except ValueError:
        return None
