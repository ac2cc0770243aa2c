"""Numbers of what lines say: one for each different row of a dimension, from 1, in the order of the first lines.

So they are the same for any chunks, threads, order of files and history. Pure.
"""

from collections.abc import Callable, Iterable

import polars as pl

from parsers.star import NUMBER, equal, exact, first_of_equal

USE = ("file_id", "line_no", "part")


def uses(lines: pl.DataFrame, column: str, *by: str) -> pl.DataFrame:
    """The first line with each provisional number in a column: key and `number`. `by`: of each value in these."""
    found = _in_order(lines.select(*USE, pl.col(column).alias("number")))
    return found.unique([*by, "number"], keep="first", maintain_order=True)


def final_numbers(
    found: pl.DataFrame, hashed: pl.Series, columns: Callable[[], Iterable[pl.Series]]
) -> tuple[pl.Series, pl.Series]:
    """The number of each row of a dimension, null if no line has it; and the first of the rows with each number.

    `found`: lines that have the rows, by the rows' provisional numbers from 0, among them the first line of each.
    `hashed` and `columns`: a hash and the content of every row; only rows with equal hashes are compared.
    """
    used = _in_order(found)["number"].unique(maintain_order=True)
    firsts, numbers = first_of_equal(hashed.gather(used))
    own = firsts.gather(numbers)
    again = (own != pl.int_range(len(used), eager=True)).arg_true()
    if len(again) and not all(_agree(each, used.gather(again), used.gather(own.gather(again))) for each in columns()):
        firsts, numbers = first_of_equal(exact(pl.DataFrame([each.gather(used) for each in columns()])))
    final = pl.repeat(None, len(hashed), dtype=NUMBER, eager=True).scatter(used, (numbers + 1).cast(NUMBER))
    return final, used.gather(firsts)


def _agree(column: pl.Series, rows: pl.Series, others: pl.Series) -> bool:
    return bool(equal(column.to_frame(), rows, others).all())


def _in_order(found: pl.DataFrame) -> pl.DataFrame:
    place = found.select(place=pl.col("file_id").cast(pl.Int64) * 2**32 + pl.col("line_no"))["place"]
    is_in_order = place.is_sorted() and (found["part"] == 1).all()
    return found if is_in_order else found.sort(*USE, maintain_order=True)
