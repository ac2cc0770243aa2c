"""Leap years, and stamps moved into another year, which may lack their day.

`dt.replace` of Polars fails for all rows where one of them would be 29 February of a common year.
"""

import polars as pl


def is_leap(year: pl.Expr) -> pl.Expr:
    """Whether a year of the Gregorian calendar has a 29 February."""
    return (year % 4 == 0) & ((year % 100 != 0) | (year % 400 == 0))


def with_year(stamp: pl.Expr, year: pl.Expr) -> pl.Expr:
    """The same day and time of another year; null where that year lacks the day, or is not one of 1 to 9998."""
    exists = year.is_between(1, 9998) & (is_leap(year) | (stamp.dt.month() != 2) | (stamp.dt.day() != 29))
    return pl.when(exists).then(stamp).dt.replace(year=pl.when(exists).then(year))
