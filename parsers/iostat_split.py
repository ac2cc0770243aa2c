"""Rows of reports taken apart at their blanks, all at once.

Nine lines in ten of a report are a name and numbers, padded with blanks to the width of their columns. Runs of blanks
are shortened by plain replacement, which costs a third of what a pattern costs for a row of twenty numbers.
"""

import polars as pl

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


def fields(content: pl.Series, count: int) -> pl.DataFrame:
    """Columns `field_0` and so on of rows that hold `count` values each, with single blanks between them."""
    names = {f"field_{at}": pl.String() for at in range(count)}
    if content.is_empty():
        return pl.DataFrame(schema=names)
    parts = content.to_frame("content").select(pl.col("content").str.splitn(" ", count)).unnest("content")
    return parts.rename(dict(zip(parts.columns, names, strict=True)))
