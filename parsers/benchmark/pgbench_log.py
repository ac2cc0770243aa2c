"""Files of pgbench --log: a line per transaction, or per interval with --aggregate-interval; one file per thread.

A log of transactions is condensed to a row per second and metric, on the second's first line; a second has several
rows where a line of its first millisecond is within it, because there a log may be cut.
"""

import polars as pl

from parsers.division import divided
from parsers.format import Parsed, Recognition, Refusal
from parsers.line_verdict import is_in, verdicts
from parsers.measurement import (
    COUNT,
    MEASUREMENT_POINT,
    MILLISECONDS,
    PER_SECOND,
    epoch_stamp,
    tables_of,
)

# REAL: 0 1 7635 0 1795228530 178218
TRANSACTION = (
    r"^(?P<client>[0-9]{1,9}) (?P<number>[0-9]{1,18}) (?P<time_us>[0-9]{1,15}|skipped|failed|serialization|deadlock)"
    r" [0-9]{1,9} (?P<second>[0-9]{10}) (?P<microsecond>[0-9]{1,6})(?: [0-9]+){0,2}$"
)
BOUNDARY = r"^[0-9]{1,9} [0-9]{1,18} (?:[0-9]{1,15}|[a-z]+) [0-9]{1,9} [0-9]{10} [0-9]{1,3}(?: [0-9]+){0,2}$"
"""A transaction that ended in the first millisecond of a second."""
# REAL: 1795228533 1002 1414508 4523614386 132 10303 0 0 0 0 0 0 0 0 0
INTERVAL = (
    r"^(?P<second>[0-9]{10}) (?P<count>[0-9]{1,15}) (?P<sum_us>[0-9]{1,18}) (?P<square_us>[0-9]{1,30})"
    r" (?P<min_us>[0-9]{1,15}) (?P<max_us>[0-9]{1,15})(?: [0-9]+)*$"
)


def recognise_log(head: pl.Series) -> Recognition | Refusal:
    """Claim a file that is made of nothing but lines of --log."""
    given = head.filter(head.str.contains(r"\S"))
    for pattern, what in ((TRANSACTION, "a line per transaction"), (INTERVAL, "a line per interval")):
        hits = head.str.contains(pattern)
        if hits.any() and 10 * hits.sum() >= 9 * len(given):
            return Recognition(0.92, f"log of pgbench, {what}", (hits.arg_max() or 0) + 1)
    return Refusal("neither summary, progress nor log of pgbench", max(len(head), 1))


def read_log(lines: pl.DataFrame) -> Parsed:
    """Points of logs, as parts that other threads' files complete. `lines` have the stretch that they lie in."""
    is_transaction = pl.col("text").str.contains(TRANSACTION)
    marked = lines.with_columns(is_transaction.alias("is_transaction"))
    cells = pl.col("text").str.splitn(" ", 6).struct
    transactions = marked.filter("is_transaction").select(
        "file_id",
        "line_no",
        "stretch",
        cells.field("field_2").alias("time_us"),
        cells.field("field_4").cast(pl.Int64).alias("second"),
    )
    intervals = (
        marked.filter(~pl.col("is_transaction"))
        .select("file_id", "line_no", pl.col("text").str.extract_groups(INTERVAL).alias("fields"))
        .unnest("fields")
        .filter(pl.col("second").is_not_null())
        .with_columns(pl.col("second").cast(pl.Int64))
    )
    points = pl.concat([_of_transactions(transactions), _of_intervals(intervals)], how="diagonal")
    line_verdicts = verdicts(
        marked,
        is_in(lines, points),
        "begins with a number, and is no line of a log of pgbench",
        continued=pl.col("is_transaction"),
    )
    return Parsed(tables_of(points=(MEASUREMENT_POINT, points)), line_verdicts)


def _of_transactions(found: pl.DataFrame) -> pl.DataFrame:
    """Rate, mean latency and failures of each second of each stretch of a file."""
    time_us = pl.col("time_us").cast(pl.Int64, strict=False)
    keys = ("file_id", "stretch", "second")
    is_new = pl.any_horizontal(pl.col(key) != pl.col(key).shift(1) for key in keys).fill_null(value=True)
    seconds = (
        found.with_columns(time_us.alias("whole_us"), is_new.cum_sum().alias("group"))
        .group_by("group", maintain_order=True)
        .agg(
            pl.col("file_id", "line_no", "second").first(),
            pl.col("whole_us").count().cast(pl.Float64).alias("tps"),
            # whole numbers up to the last step, so that a chunk's length cannot show in the last digit
            pl.when(pl.col("whole_us").count() > 0)
            .then(pl.col("whole_us").sum() / (pl.col("whole_us").count() * 1000))
            .alias("latency_avg_ms"),
            # null: counted as nothing rather than as none
            pl.col("time_us").is_in(["skipped"]).sum().cast(pl.Float64).replace(0, None).alias("skipped"),
            (pl.col("whole_us").is_null() & (pl.col("time_us") != "skipped"))
            .sum()
            .cast(pl.Float64)
            .replace(0, None)
            .alias("failed"),
        )
    )
    stamped = seconds.with_columns(pl.lit(1.0).alias("interval_s"), pl.col("tps").alias("weight"))
    return _long(stamped)


def _of_intervals(found: pl.DataFrame) -> pl.DataFrame:
    """Rate, mean and standard deviation of latency of each interval; an interval is the shortest step of the file."""
    count, total_us = pl.col("count").cast(pl.Float64), pl.col("sum_us").cast(pl.Float64)
    step_s = pl.col("second").diff().over("file_id")
    shortest_s = step_s.filter(step_s > 0).min().over("file_id").fill_null(1).cast(pl.Float64)
    mean_us = total_us / count
    variance = pl.col("square_us").cast(pl.Float64) / count - mean_us**2
    return _long(
        found.with_columns(shortest_s.alias("interval_s")).with_columns(
            (count / pl.col("interval_s")).alias("tps"),
            pl.when(count > 0).then(divided(mean_us, 1000)).alias("latency_avg_ms"),
            pl.when(count > 0).then(divided(pl.max_horizontal(variance, 0.0).sqrt(), 1000)).alias("latency_stddev_ms"),
            count.alias("weight"),
        )
    )


UNITS = {
    "tps": PER_SECOND,
    "latency_avg_ms": MILLISECONDS,
    "latency_stddev_ms": MILLISECONDS,
    "failed": COUNT,
    "skipped": COUNT,
}


def _long(wide: pl.DataFrame) -> pl.DataFrame:
    """One row per metric that has a value, in parts of its line."""
    metrics = [name for name in UNITS if name in wide.columns]
    kept = ["file_id", "line_no", "second", "interval_s", "weight"]
    long = wide.unpivot(metrics, index=kept, variable_name="metric").filter(pl.col("value").is_not_null())
    place = pl.col("metric").replace_strict(list(UNITS), range(len(UNITS)), return_dtype=pl.Int16)
    return (
        long.with_columns(
            (place + 1).alias("part"),
            pl.col("metric").replace_strict(UNITS, return_dtype=pl.String).alias("unit"),
            epoch_stamp(pl.col("second")).alias("stamp"),
            pl.lit(0).alias("utc_offset_min"),
            pl.lit(False).alias("is_interval_end"),
        )
        .drop("second")
        .sort("file_id", "line_no", "part")
    )
