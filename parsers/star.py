"""Rows as a star: a narrow row per line, and what the lines say once.

A log says the same few things again and again. A table whose columns belong to dimensions (`Column.of`) is stored so,
and a parser that understands each different text once may hand its rows over so.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

import polars as pl

MOST_REMEMBERED = 50_000
"""Rows of which it is remembered what they mean; they take some 700 bytes each."""

MOST_CHUNKS = 8
"""Frames of more pieces are slow to gather from."""

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


def known(rows: pl.DataFrame, hashed: pl.Series, held: pl.Series, columns: Iterable[pl.Series]) -> pl.Series:
    """For each row the number, from 0, of an equal row among those that are held; null where none is found.

    `hashed`, `held`: the hashes of the rows, and of those that are held; of several with one hash the first counts.
    `columns`: what is held; a column that is missing holds nothing but null.
    """
    places = pl.DataFrame({"hash": held}).with_row_index("number").unique("hash", keep="first")
    found = hashed.to_frame("hash").join(places, on="hash", how="left", maintain_order="left")["number"].cast(NUMBER)
    is_found = found.is_not_null()
    own = rows if is_found.all() else rows.filter(is_found)
    numbers = found.drop_nulls()
    by_name = {each.name: each for each in columns}
    is_equal = pl.repeat(value=True, n=len(numbers), eager=True)
    for column in own:
        same = by_name.get(column.name)
        # in one piece, as gathering takes several times as long from many
        is_equal &= column.is_null() if same is None else column.eq_missing(same.rechunk().gather(numbers))
    if is_equal.all():
        return found
    return found.scatter(is_found.arg_true().filter(~is_equal), None)


@dataclass(frozen=True, slots=True)
class _Meant:
    """Rows, their hashes, and what they mean."""

    rows: pl.DataFrame
    hashes: pl.Series
    meaning: pl.DataFrame

    def together(self, other: "_Meant") -> "_Meant":
        return _Meant(
            _joined(self.rows, other.rows), pl.concat([self.hashes, other.hashes]), _joined(self.meaning, other.meaning)
        )


class Remembered:
    """A function that says row by row what rows mean, asked once for rows that come again in many chunks of a log.

    What it answers is the same as if nothing was remembered. Threads may share it: what one of them just found may be
    lost to the other, and is then asked again.
    """

    def __init__(self, function: Callable[[pl.DataFrame], pl.DataFrame]) -> None:
        self._function = function
        self._meant: _Meant | None = None

    def __call__(self, rows: pl.DataFrame) -> pl.DataFrame:
        """What the rows mean."""
        hashed, before = hashes(rows), self._meant
        if before is None:
            meaning = self._function(rows)
            self._learn(None, rows, hashed, meaning)
            return meaning
        found = known(rows, hashed, before.hashes, before.rows)
        is_new = found.is_null()
        new = rows.filter(is_new)
        if not new.height:
            return before.meaning[found]
        meaning = self._function(new)
        self._learn(before, new, hashed.filter(is_new), meaning)
        added = is_new.cum_sum().cast(NUMBER) - 1 + before.meaning.height
        return pl.concat([before.meaning, meaning])[added.zip_with(is_new, found)]

    def _learn(self, before: _Meant | None, rows: pl.DataFrame, hashed: pl.Series, meaning: pl.DataFrame) -> None:
        room = MOST_REMEMBERED - (0 if before is None else before.rows.height)
        if not room:
            return
        own = _Meant(_apart(rows.head(room)), hashed.head(room), _apart(meaning.head(room)))
        self._meant = own if before is None else before.together(own)


def _apart(frame: pl.DataFrame) -> pl.DataFrame:
    """With texts apart from the lines that they were cut from, which would stay in memory with them."""
    return frame.with_columns(pl.col(pl.String).str.pad_end(0))


def _joined(one: pl.DataFrame, other: pl.DataFrame) -> pl.DataFrame:
    both = pl.concat([one, other])
    return both.rechunk() if both.n_chunks() > MOST_CHUNKS else both
