"""The tables of operations that a test of faults records: of its clients, and of what injects the faults."""

import polars as pl

from parsers.format import Column, Table

COLUMNS = (
    Column("process", pl.String(), "number of the logical client; nemesis: what injects the faults"),
    Column("type", pl.String(), "invoke, ok, fail, info; of other lines: begin (time counts from here), start_time"),
    Column("f", pl.String(), "what was done: read, write, kill, start-partition, ..."),
    Column("value", pl.String(), "of the nemesis: what it was done to, and what came of it, as printed"),
    Column("error", pl.String(), "why an operation failed or is not known, as printed"),
)

HISTORY_OPERATION = Table(
    name="history_operation",
    grain="One row per line of a history of operations, which has no date.",
    is_public=False,
    is_dated=False,
    columns=(*COLUMNS, Column("offset_s", pl.Float64(), "time since the history begins, seconds; null where none")),
)

LOGGED_OPERATION = Table(
    name="logged_operation",
    grain="One row per operation that the log of a test of faults shows, and per line that says when its times begin.",
    is_public=False,
    columns=COLUMNS,
)

TYPES = "invoke|ok|fail|info"
