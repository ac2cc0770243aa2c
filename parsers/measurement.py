"""The tables that every benchmark format fills: numbers of a run, points of a series; and how lines become rows.

Metrics     tps, qps (1/s) · tpm, nopm, tpmC, tpmTOTAL (1/min) · events_per_hour (1/h) · elapsed_s, user_s, sys_s (s) ·
            latency_avg_ms, latency_stddev_ms, latency_p95_ms, ... (ms) · transactions, failed, ... (count) ·
            `query 4`, `statement 4` (s): the time of one query is a metric of its own, so that configurations are
            compared query by query
Summary     what a tool prints at the end of a run; a file that was appended to holds several, numbered from 1
Load        `clients` is part of what was measured: figures at 16 and at 64 clients are never averaged
"""

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from parsers.format import Column, Table

NUMBER = r"([0-9]+(?:\.[0-9]+)?)"

_WHERE = (
    Column(
        "summary_no", pl.Int32(), "number of the summary in its file, from 1; null for parts that several files hold"
    ),
    Column("configuration", pl.String(), "configuration, where the file itself names one"),
    Column("run", pl.String(), "run, where the file itself names one"),
    Column("label", pl.String(), "what was measured, where a file measures several things: a command, a transaction"),
    Column("clients", pl.Int32(), "clients, threads, virtual users, terminals or queues at work"),
    Column("metric", pl.String(), "metric"),
    Column("unit", pl.String(), "unit of the value; null if unknown"),
)
MEASUREMENT_VALUE = Table(
    name="measurement_value",
    grain="One row per run-level number that a benchmark or a person states.",
    is_public=False,
    columns=(
        *_WHERE,
        Column("value", pl.Float64(), "value"),
        Column(
            "duration_s", pl.Float64(), "length of the run as ordered or, if that is not printed, as measured, seconds"
        ),
        Column("repetitions", pl.Int64(), "measurements that the value is the mean of, where printed"),
        Column("low", pl.Float64(), "least of them, where printed"),
        Column("high", pl.Float64(), "greatest of them, where printed"),
        Column("spread", pl.Float64(), "their standard deviation, where printed"),
        Column(
            "is_valid", pl.Boolean(), "false where the output itself shows that the value does not stand for the run"
        ),
        Column("doubt", pl.String(), "what speaks against the value, in words"),
    ),
)
MEASUREMENT_POINT = Table(
    name="measurement_point",
    grain="One row per point of a time series, or per part of a point that several lines or files hold.",
    is_series=True,
    is_public=False,
    columns=(
        *_WHERE,
        Column("offset_s", pl.Float64(), "seconds since the series began, where printed"),
        Column(
            "interval_s", pl.Float64(), "length of the interval that the value stands for, seconds; null if unknown"
        ),
        Column("is_interval_end", pl.Boolean(), "the time is the end of that interval, not its begin"),
        Column("value", pl.Float64(), "value"),
        Column(
            "weight",
            pl.Float64(),
            "transactions behind a part of a point; parts of a time are joined: rates add up, others average",
        ),
    ),
)

PER_SECOND, PER_MINUTE, PER_HOUR, SECONDS, MILLISECONDS, COUNT = "1/s", "1/min", "1/h", "s", "ms", "count"

LAST_EPOCH_S = 253_402_300_799
"""31 December 9999: what lies beyond is no time."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A number that a line states: the pattern's only group, times `scale`, is the metric's value."""

    pattern: str
    metric: str
    unit: str | None
    scale: float = 1.0


def read_figures(lines: pl.DataFrame, figures: Sequence[Figure]) -> pl.DataFrame:
    """One row per number that a line states: the columns of `lines` without `text`, then part, metric, unit, value.

    Parts count the numbers of one line from 1.
    """
    read = [
        lines.with_columns(pl.col("text").str.extract(each.pattern, 1).cast(pl.Float64, strict=False).alias("value"))
        .filter(pl.col("value").is_not_null())
        .with_columns(
            pl.col("value") * each.scale,
            pl.lit(each.metric).alias("metric"),
            pl.lit(each.unit, pl.String).alias("unit"),
            pl.lit(place).alias("place"),
        )
        for place, each in enumerate(figures)
    ]
    return (
        pl.concat(read)
        .sort("file_id", "line_no", "place")
        .with_columns((pl.int_range(pl.len()).over("file_id", "line_no") + 1).cast(pl.Int16).alias("part"))
        .drop("text", "place")
    )


def summary_no(opens: pl.Expr, closes: pl.Expr, begins: pl.Expr, by: Sequence[str]) -> pl.Expr:
    """Number of the summary that each line belongs to, from 1.

    A new one begins with a line that `opens` (settings, progress) after one that `closes` (results), and with every
    line that `begins` one.
    """
    state = pl.when(begins).then(2).when(closes).then(1).when(opens).then(0)
    before = state.forward_fill().shift(1).over(by)
    is_first = ((before == 1) & (state != 1)) | ((before != 1) & (state == 2))
    return (is_first.fill_null(value=False).cast(pl.Int32).cum_sum().over(by) + 1).cast(pl.Int32)


def epoch_stamp(seconds: pl.Expr) -> pl.Expr:
    """The UTC time of seconds since 1970; null for what is no time of the years up to 9999."""
    microseconds = pl.when(seconds.is_between(0, LAST_EPOCH_S)).then((seconds * 1e6).round())
    return microseconds.cast(pl.Int64, strict=False).cast(pl.Datetime("us"))


def typed(rows: pl.DataFrame, table: Table) -> pl.DataFrame:
    """The columns of a table in its types, null where the rows lack one; stamps without `has_year` have their year."""
    present = rows.columns
    assumed = {"part": 1, "is_valid": True, "is_interval_end": True}
    columns = []
    for name, dtype in table.schema.items():
        column = pl.col(name) if name in present else pl.lit(None)
        if name == "has_year" and name not in present and "stamp" in present:
            column = pl.when(pl.col("stamp").is_not_null()).then(pl.lit(True))
        columns.append(pl.coalesce(column, pl.lit(assumed.get(name))).cast(dtype, strict=False).alias(name))
    return rows.select(columns)


def tables_of(**rows: tuple[Table, pl.DataFrame]) -> dict[str, pl.DataFrame]:
    """Typed frames by table name, those without a row left out."""
    frames = {table.name: typed(frame, table) for table, frame in rows.values()}
    return {name: frame for name, frame in frames.items() if not frame.is_empty()}
