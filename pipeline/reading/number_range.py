"""The range of numbers: a line with one beyond it is rejected, so that every statistic of what is left is finite."""

from collections.abc import Iterable
from typing import Final

import polars as pl
from polars import selectors

from parsers.format import Parsed, Verdict
from parsers.star import Rows, Star, lines_of

LARGEST: Final = 1e30
"""No quantity of a log, in any unit, is larger. Fourth powers and ratios of such numbers are finite doubles."""

SMALLEST: Final = 1e-30
"""Nor smaller, unless it is zero."""

REASON: Final = "number out of range"
"""How the reason of such a line begins."""


def without_unbounded(parsed: Parsed) -> tuple[Parsed, list[tuple[int, int]]]:
    """Reject the lines with a number that is not finite or out of range: all rows of them go, the reason names it.

    Also of each file with such lines, how many there are. Zero is in the range, and so is what lies between `SMALLEST`
    and `LARGEST` on both sides of it.
    """
    found = [each for rows in parsed.rows.values() for each in _out_of_range(lines_of(rows)) if not each.is_empty()]
    if not found:
        return parsed, []
    bad = pl.concat(found).unique(["file_id", "line_no"], keep="first", maintain_order=True)
    rest = Parsed(
        {name: _without(rows, bad) for name, rows in parsed.rows.items()},
        parsed.lines.join(bad, on=["file_id", "line_no"], how="left", maintain_order="left").select(
            "file_id",
            "line_no",
            pl.when(pl.col("beyond").is_not_null())
            .then(pl.lit(Verdict.REJECTED, pl.UInt8))
            .otherwise(pl.col("verdict"))
            .alias("verdict"),
            pl.coalesce("beyond", "reason").alias("reason"),
        ),
    )
    return rest, bad.group_by("file_id").len().sort("file_id").rows()


def _out_of_range(rows: pl.DataFrame) -> Iterable[pl.DataFrame]:
    """The lines with such numbers, by column: file_id, line_no, and `beyond`, the reason."""
    numbers = rows.select(selectors.float())
    if not numbers.width:
        return
    has_out = numbers.select(_is_out(selectors.float()).any())
    for name in (name for name, (is_there,) in has_out.to_dict(as_series=False).items() if is_there):
        yield rows.filter(_is_out(pl.col(name))).select(
            "file_id", "line_no", pl.format(f"{REASON}: {name} is {{}}", pl.col(name)).alias("beyond")
        )


def _is_out(number: pl.Expr) -> pl.Expr:
    size = number.abs()
    is_in = size.is_between(SMALLEST, LARGEST) | (size == 0)
    return ~is_in.fill_null(value=True)


def _without(rows: Rows, bad: pl.DataFrame) -> Rows:
    if isinstance(rows, Star):
        return Star(
            rows.lines.join(bad, on=["file_id", "line_no"], how="anti", maintain_order="left"),
            rows.dimensions,
            rows.columns,
        )
    return rows.join(bad, on=["file_id", "line_no"], how="anti", maintain_order="left")
