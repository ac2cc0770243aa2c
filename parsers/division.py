"""Division of a column by a number with the same last bit in any company.

Polars 2.1 multiplies a column by the reciprocal of a literal, but divides where a frame has one row: 1889593125 / 1e9
is 1.889593125 by itself and 1.8895931250000002 beside another row.
"""

import polars as pl


def divided(column: pl.Expr, by: float) -> pl.Expr:
    """A column divided by a number: each value as Python divides it, no matter how many rows are read with it."""
    return column / (column.is_null().cast(pl.Float64) + float(by))
