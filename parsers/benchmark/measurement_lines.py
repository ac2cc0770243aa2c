"""Benchmarks whose output is small, read line by line: numbers of runs and points of series as rows of one reader."""

import re
from datetime import datetime

import polars as pl

from parsers.by_line import Reader, Row, parse_by_line
from parsers.format import Parsed, Table
from parsers.line_verdict import is_in, verdicts
from parsers.measurement import MEASUREMENT_POINT, MEASUREMENT_VALUE, tables_of
from parsers.parameter import PARAMETER_VALUE

_COLUMNS = {column.name: column for table in (MEASUREMENT_VALUE, MEASUREMENT_POINT) for column in table.columns}
_ROW = Table("measurement_row", "One row per number.", tuple(_COLUMNS.values()))

PLACE = ("file_id", "line_no")
WRAPPED = 2.0**53
"""A counter of 64 bits that runs below zero prints more, in intervals of up to 2,000 s; no machine reaches it."""

# REAL: Mon Apr 14 13:18:31 BST 2025
DATE = re.compile(
    r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) (?P<month>[A-Z][a-z]{2}) +(?P<day>[0-9]{1,2})"
    r"(?: (?P<year_first>[0-9]{4}))? (?P<time>[0-9]{2}:[0-9]{2}:[0-9]{2})(?: (?P<zone>[A-Za-z]\S*))?"
    r"(?: (?P<year>[0-9]{4}))?"
)


def parse_measurements(lines: pl.DataFrame, read: Reader) -> Parsed:
    """Read each file with `read`; a row with an `offset_s`, an `interval_s` or both is a point, any other a value."""
    found = parse_by_line(lines, read, _ROW)
    rows = found.tables.get(_ROW.name, _ROW.empty()).with_columns(
        pl.when(pl.col("stamp").is_not_null()).then(pl.lit(True)).alias("has_year")
    )
    is_point = pl.col("offset_s").is_not_null() | pl.col("interval_s").is_not_null()
    tables = tables_of(
        values=(MEASUREMENT_VALUE, rows.filter(~is_point)), points=(MEASUREMENT_POINT, rows.filter(is_point))
    )
    return Parsed(tables, found.lines)


def found_in(
    lines: pl.DataFrame,
    found: tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame],
    rejection: str,
    continued: str,
    ignored: pl.Expr,
) -> Parsed:
    """What was found in lines: values, points and settings; `continued`: a pattern of lines that belong to them.

    A line with a number that no machine reaches says nothing.
    """
    is_continued = pl.col("text").str.contains(continued)
    *measured, settings = found
    wrapped = pl.concat(each.select(*PLACE, "value") for each in measured).filter(pl.col("value") >= WRAPPED)
    values, points = (each.join(wrapped, on=PLACE, how="anti", maintain_order="left") for each in measured)
    why = pl.when(is_in(lines, wrapped)).then(pl.lit("a counter that ran below zero")).otherwise(pl.lit(rejection))
    tables = tables_of(
        values=(MEASUREMENT_VALUE, values), points=(MEASUREMENT_POINT, points), settings=(PARAMETER_VALUE, settings)
    )
    is_parsed = is_in(lines, values, points, settings)
    return Parsed(tables, verdicts(lines, is_parsed, why, continued=is_continued, ignored=ignored))


def row(metric: str, unit: str | None, value: float, **columns: object) -> dict[str, object]:
    """A number; further columns may be filled in later."""
    return {"metric": metric, "unit": unit, "value": value, **columns}


def printed_date(text: str) -> Row:
    """The stamp columns of the first date of `date` in a text; UTC is believed, other letters of a zone are not.

    Nothing where there is no date, or an impossible one.
    """
    found = DATE.search(text)
    year = found and (found["year_first"] or found["year"])
    if found is None or year is None:
        return {}
    try:
        stamp = datetime.strptime(f"{year} {found['month']} {found['day']} {found['time']}", "%Y %b %d %H:%M:%S")  # noqa: DTZ007 - a wall clock
    except ValueError:
        return {}
    return {"stamp": stamp, "utc_offset_min": 0 if found["zone"] in ("UTC", "GMT") else None}
