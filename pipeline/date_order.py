"""Dates that a file leaves open (07-08-2003 of a snapshot), read in the order that study.toml states for the file.

A table whose rows have `printed_at` and `date_order` says `open` where nothing in the file tells whether day or month
comes first (`parsers/printed_date.py`); with an order stated, such rows get their stamp and say `stated`.
"""

from collections.abc import Mapping

import polars as pl

from parsers.printed_date import Order, Orders

OPEN = {"stamp", "has_year", "printed_at", "date_order"}


def with_stated_order(frame: pl.DataFrame, stated: Mapping[int, str]) -> pl.DataFrame:
    """The rows of a table, those of files with a stated order dated. `stated`: mdy or dmy by file_id."""
    orders = {file_id: Order(name) for file_id, name in stated.items() if name in {Order.MONTH, Order.DAY}}
    if not orders or not set(frame.columns) >= OPEN:
        return frame
    is_open = (pl.col("date_order") == "open") & pl.col("file_id").is_in(list(orders))
    dates = frame.filter(is_open).select("file_id", "printed_at").unique()
    read = [
        (file_id, printed, Orders(dict.fromkeys("-/", orders[file_id]), {}).read(printed))
        for file_id, printed in dates.iter_rows()
    ]
    schema = {"file_id": pl.Int32(), "printed_at": pl.String(), "settled": pl.Datetime("us")}
    known = pl.DataFrame(read, schema, orient="row").drop_nulls("settled")
    is_settled = pl.col("settled").is_not_null() & is_open
    return (
        frame.join(known, on=["file_id", "printed_at"], how="left", maintain_order="left")
        .with_columns(
            pl.when(is_settled).then("settled").otherwise("stamp").alias("stamp"),
            pl.when(is_settled).then(pl.lit(True)).otherwise("has_year").alias("has_year"),
            pl.when(is_settled).then(pl.lit("stated")).otherwise("date_order").alias("date_order"),
        )
        .drop("settled")
    )
