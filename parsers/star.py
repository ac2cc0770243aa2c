"""Rows as a star: a narrow row per line, and what the lines say once.

A log says the same few things again and again. A table whose columns belong to dimensions (`Column.of`) is stored so,
and a parser that understands each different text once may hand its rows over so.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import polars as pl

NUMBER = pl.UInt32()
"""Type of the columns by which lines refer to rows of a dimension."""


@dataclass(frozen=True, slots=True)
class Star:
    """Rows of a table with dimensions.

    `lines`: key, stamp, columns of the line, and for each dimension in `number_column(dimension)` which row of it the
    line has, from 0. `dimensions`: their rows; equal ones may be there more than once. `columns`: names and order of
    the columns of the same rows as a flat frame.
    """

    lines: pl.DataFrame
    dimensions: Mapping[str, pl.DataFrame]
    columns: tuple[str, ...]

    @property
    def height(self) -> int:
        """How many rows it has."""
        return self.lines.height

    def flat(self) -> pl.DataFrame:
        """The rows as one frame."""
        parts = [frame[self.lines[number_column(name)]] for name, frame in self.dimensions.items()]
        numbers = [number_column(name) for name in self.dimensions]
        return pl.concat([self.lines.drop(numbers), *parts], how="horizontal").select(self.columns)


Rows = pl.DataFrame | Star
"""Rows of a table: a flat frame, or a star where the table has dimensions."""


def lines_of(rows: Rows) -> pl.DataFrame:
    """What belongs to the lines: all columns of a flat frame."""
    return rows.lines if isinstance(rows, Star) else rows


def flat(rows: Rows) -> pl.DataFrame:
    """Rows as one frame."""
    return rows.flat() if isinstance(rows, Star) else rows


def number_column(dimension: str) -> str:
    """The column by which a line refers to its row of a dimension."""
    return f"{dimension}_no"


def split(frame: pl.DataFrame, dimensions: Mapping[str, list[str]]) -> Star:
    """The rows of a flat frame as a star; each different row of the columns of a dimension once."""
    found = {name: numbered(frame.select(columns)) for name, columns in dimensions.items()}
    numbers = [series.alias(number_column(name)) for name, (_, series) in found.items()]
    lines = frame.drop(each for columns in dimensions.values() for each in columns).with_columns(numbers)
    return Star(lines, {name: each for name, (each, _) in found.items()}, tuple(frame.columns))


def numbered(rows: pl.DataFrame) -> tuple[pl.DataFrame, pl.Series]:
    """The different rows of a frame in the order of the first of each, and for each of its rows the number of that one.

    Numbers count from 0. Equal rows are found by their hashes, which is several times faster than by their texts, and
    then compared, so that rows whose hashes collide stay different.
    """
    filled = rows.select([each for each in rows if each.null_count() < rows.height] or rows.columns[:1])
    firsts, numbers = first_of_equal(hashes(filled))
    own = firsts.gather(numbers)
    again = (own != pl.int_range(rows.height, eager=True)).arg_true()
    if not equal(filled, again, own.gather(again)).all():
        firsts, numbers = first_of_equal(exact(filled))
    return rows[firsts], numbers


def hashes(rows: pl.DataFrame) -> pl.Series:
    """A hash of 64 bits for each row; equal rows have the same in all frames with these columns."""
    return rows.hash_rows()


def first_of_equal(values: pl.Series) -> tuple[pl.Series, pl.Series]:
    """Where each different value is first, in that order, and for each value the number of its own, from 0."""
    keys = pl.DataFrame({"value": values}).with_row_index("row")
    firsts = keys.unique("value", keep="first", maintain_order=True)
    if firsts.height == keys.height:
        return keys["row"], keys["row"]
    known = firsts.select("value").with_row_index("number")
    found = keys.select("value").join(known, on="value", how="left", maintain_order="left")
    return firsts["row"], found["number"].cast(NUMBER)


def equal(rows: pl.DataFrame, one: pl.Series, other: pl.Series) -> pl.Series:
    """Whether the rows of these places are equal to those of the other places, null to null."""
    is_equal = pl.repeat(value=True, n=len(one), eager=True)
    for column in rows:
        is_equal &= column.gather(one).eq_missing(column.gather(other))
    return is_equal


def exact(rows: pl.DataFrame) -> pl.Series:
    """A number for each row, the same for equal rows only."""
    different = rows.unique().with_row_index("number")
    return rows.join(different, on=rows.columns, how="left", nulls_equal=True, maintain_order="left")["number"]
