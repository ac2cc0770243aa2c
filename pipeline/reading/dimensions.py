"""Numbers of what lines say: one for each different row of a dimension, from 1, in the order of the first lines.

So they are the same for any chunks, threads, order of files and history. Where nothing repeats there is a row for each
line, so that little may be held of it at a time.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import polars as pl

from parsers.star import NUMBER, equal, exact, first_of_equal
from pipeline.reading.frames import Frames

USE = ("file_id", "line_no", "part")

HASHES_AT_A_TIME = 1 << 20
"""Sorted together to find those that are there more than once."""

COMPARED_AT_A_TIME = 50_000
"""Rows with the hash of another, of which the content is held."""


def uses(lines: pl.DataFrame, column: str, *by: str) -> pl.DataFrame:
    """The first line with each provisional number in a column: key and `number`. `by`: of each value in these."""
    found = _in_order(lines.select(*USE, pl.col(column).alias("number")))
    return found.unique([*by, "number"], keep="first", maintain_order=True)


class FirstUses:
    """The lines that say something first, frame by frame; then the provisional numbers in the order of these lines."""

    def __init__(self, waiting: Frames) -> None:
        """Let frames wait in a place of their own."""
        self._waiting = waiting
        self._spans: list[_Span] = []

    def add(self, found: pl.DataFrame) -> None:
        """Take lines that are in order, with the columns of `uses`."""
        if found.height:
            name = str(len(self._spans))
            self._waiting.add(name, found)
            self._spans.append(_Span(_places(found[[0, -1]]).to_list(), name))

    def numbers(self, count: int) -> pl.Series:
        """Each provisional number below `count` that lines have, once."""
        is_new = pl.repeat(value=True, n=count, eager=True)
        found = [pl.Series(dtype=NUMBER)]
        for frame in self._in_order():
            numbers = frame["number"]
            new = numbers.filter(is_new.gather(numbers)).unique(maintain_order=True)
            is_new = is_new.scatter(new, values=False)
            found.append(new)
        return pl.concat(found)

    def _in_order(self) -> Iterator[pl.DataFrame]:
        """The frames in the order of their lines; those that overlap are put together."""
        together: list[str] = []
        end: int | None = None
        for span in sorted(self._spans, key=lambda each: each.places):
            first, last = span.places
            if end is not None and first > end:
                yield self._joined(together)
                together = []
            together.append(span.name)
            end = last if end is None else max(end, last)
        if together:
            yield self._joined(together)

    def _joined(self, names: list[str]) -> pl.DataFrame:
        frames = [frame for name in names for frame in self._waiting.release(name)]
        return frames[0] if len(frames) == 1 else _in_order(pl.concat(frames))


@dataclass(frozen=True, slots=True)
class _Span:
    """The places of the first and the last line of a frame, and under which name it waits."""

    places: list[int]
    name: str


def final_numbers(
    used: pl.Series, hashed: pl.Series, rows_at: Callable[[pl.Series], pl.DataFrame]
) -> tuple[pl.Series, pl.Series]:
    """The number of each row of a dimension, null if no line has it; and whether it is the first with its number.

    `used`: the provisional numbers that lines have, from 0, each once, in the order of their first lines.
    `hashed`: a hash of every row. `rows_at`: the rows at some places, which rise; only those are asked of which the
    hash is there more than once, and compared.
    """
    again, own = _equal_to_earlier(hashed.gather(used))
    if not _agree(used.gather(again), used.gather(own), rows_at):
        again, own = _equal_to_earlier(exact(rows_at(used.sort())).gather(used.rank("ordinal") - 1))
    is_first = pl.repeat(value=True, n=len(used), eager=True).scatter(again, values=False)
    numbers = is_first.cum_sum().cast(NUMBER)
    numbers = numbers.scatter(again, numbers.gather(own))
    return (
        pl.repeat(None, len(hashed), dtype=NUMBER, eager=True).scatter(used, numbers),
        pl.repeat(value=False, n=len(hashed), eager=True).scatter(used.filter(is_first), values=True),
    )


def _equal_to_earlier(values: pl.Series) -> tuple[pl.Series, pl.Series]:
    """Where a value is that was there before, and where it was first."""
    is_repeated = values.is_in(_repeated(values).implode())
    places = is_repeated.arg_true()
    firsts, numbers = first_of_equal(values.gather(places))
    own = firsts.gather(numbers)
    is_later = own != pl.int_range(len(own), eager=True)
    return places.filter(is_later), places.gather(own.filter(is_later))


def _repeated(values: pl.Series) -> pl.Series:
    """The values that are there more than once."""
    pieces = len(values) // HASHES_AT_A_TIME + 1
    found = [values.clear()]
    for number in range(pieces):
        piece = (values if pieces == 1 else values.filter(values % pieces == number)).sort()
        found.append(piece.filter((piece == piece.shift()).fill_null(value=False)).unique())
    return pl.concat(found)


def _agree(rows: pl.Series, others: pl.Series, rows_at: Callable[[pl.Series], pl.DataFrame]) -> bool:
    """Whether the rows at these places are equal to those at the other places."""
    for first in range(0, len(rows), COMPARED_AT_A_TIME):
        pair = [each.slice(first, COMPARED_AT_A_TIME) for each in (rows, others)]
        places = pl.concat(pair).unique().sort()
        one, other = (places.search_sorted(each) for each in pair)
        if not equal(rows_at(places), one, other).all():
            return False
    return True


def _in_order(found: pl.DataFrame) -> pl.DataFrame:
    is_in_order = _places(found).is_sorted() and (found["part"] == 1).all()
    return found if is_in_order else found.sort(*USE, maintain_order=True)


def _places(found: pl.DataFrame) -> pl.Series:
    return found.select(place=pl.col("file_id").cast(pl.Int64) * 2**32 + pl.col("line_no"))["place"]
