"""Rows of reports taken apart at their blanks, all at once.

Nine lines in ten of a report are a name and numbers, padded with blanks to the width of their columns. Runs of blanks
are shortened by plain replacement, which costs a third of what a pattern costs for a row of twenty numbers.
"""

from collections.abc import Collection, Mapping
from math import isfinite

import polars as pl

AT_ONCE = 16_384
"""Rows taken apart at a time: what comes in between stays in the processor's cache."""

BYTE_ORDER_MARK = "\ufeff"
BLANKS = r"[ \t]+"
_RUNS = ("     ", "    ", "   ", "  ")
"""Replaced in turn they leave one blank of any run up to 23, and of most longer ones; a pattern takes the rest."""


def single_blanks(content: pl.Series) -> pl.Series:
    """The texts with one blank wherever blanks or tabs stand; they must not begin or end with any."""
    if content.str.contains("\t", literal=True).any():
        content = content.str.replace_all("\t", " ", literal=True)
    for run in _RUNS:
        content = content.str.replace_all(run, " ", literal=True)
    if content.str.contains("  ", literal=True).any():
        content = content.str.replace_all(" {2,}", " ")
    return content


def width(name: str = "content") -> pl.Expr:
    """How many values each row of single blanks holds."""
    return pl.col(name).str.count_matches(" ", literal=True) + 1


def fields_with_numbers(content: pl.Series, texts: Collection[int], count: int) -> pl.DataFrame | None:
    """`fields` of any rows, those not at `texts` as numbers; None unless all hold `count` values, finite ones there.

    Polars' reader of CSV takes rows apart and reads numbers in two thirds of the time, and takes the same for numbers.
    """
    if content.is_empty() or content[0].startswith(BYTE_ORDER_MARK):
        return None
    schema = {f"field_{at}": pl.String() if at in texts else pl.Float64() for at in range(count)}
    parts = []
    for first in range(0, content.len(), AT_ONCE):
        part = _read(single_blanks(content[first : first + AT_ONCE]), schema)
        if part is None:
            return None
        parts.append(part)
    return pl.concat(parts, rechunk=True)


def _read(rows: pl.Series, schema: Mapping[str, pl.DataType]) -> pl.DataFrame | None:
    try:
        read = pl.read_csv(
            rows.str.join("\n").cast(pl.Binary).item(),
            has_header=False,
            separator=" ",
            quote_char=None,
            schema=schema,
            decimal_comma=bool(rows.str.contains(",", literal=True).any()),
        )
    except pl.exceptions.PolarsError:
        return None
    is_whole = read.height == rows.len() and not any(each.null_count() for each in read)
    sums = read.select(pl.col(pl.Float64).sum()).row(0)
    return read if is_whole and all(map(isfinite, sums)) else None


def fields(content: pl.Series, count: int) -> pl.DataFrame:
    """Columns `field_0` and so on of rows that hold `count` values each, with single blanks between them."""
    names = {f"field_{at}": pl.String() for at in range(count)}
    if content.is_empty():
        return pl.DataFrame(schema=names)
    parts = content.to_frame("content").select(pl.col("content").str.splitn(" ", count)).unnest("content")
    return parts.rename(dict(zip(parts.columns, names, strict=True)))
