"""Progress lines of pgbench (-P), with seconds since the start or, under --progress-timestamp, since 1970."""

import polars as pl

from parsers.measurement import COUNT, MILLISECONDS, NUMBER, PER_SECOND, Figure, epoch_stamp, read_figures

# REAL: progress: 2.0 s, 2586.3 tps, lat 1.921 ms stddev 1.488, 0 failed
PROGRESS = rf"^progress: {NUMBER} s, {NUMBER} tps, lat (?:{NUMBER} ms|NaN)"
FIRST_EPOCH_S = 1e8
"""From here on seconds are since 1970: no test lasts three years."""

FIGURES = (
    Figure(rf"^progress: [0-9.]+ s, {NUMBER} tps, ", "tps", PER_SECOND),
    Figure(rf"^progress: .* tps, lat {NUMBER} ms", "latency_avg_ms", MILLISECONDS),
    Figure(rf"^progress: .* tps, lat [0-9.]+ ms stddev {NUMBER}", "latency_stddev_ms", MILLISECONDS),
    Figure(r"^progress: .* tps, .*, ([0-9]+) failed", "failed", COUNT),
    Figure(rf"^progress: .* tps, .*, lag {NUMBER} ms", "schedule_lag_avg_ms", MILLISECONDS),
    Figure(r"^progress: .* tps, .*, ([0-9]+) skipped", "skipped", COUNT),
    Figure(r"^progress: .* tps, .*, ([0-9]+) retries", "retries", COUNT),
)


def progress_points(marked: pl.DataFrame) -> pl.DataFrame:
    """Points of the progress lines. An interval without a transaction has a rate of 0 and no latency."""
    at_s = pl.col("text").str.extract(PROGRESS, 1).cast(pl.Float64, strict=False)
    is_epoch = at_s >= FIRST_EPOCH_S
    previous_s = pl.col("at_s").shift(1).over("file_id", "stretch", "summary_no")
    lines = (
        marked.filter(at_s.is_not_null())
        .with_columns(
            at_s.alias("at_s"),
            pl.when(is_epoch).then(epoch_stamp(at_s)).alias("stamp"),
            pl.when(is_epoch).then(0).alias("utc_offset_min"),
            pl.when(~is_epoch).then(at_s).alias("offset_s"),
        )
        # the first interval of seconds since 1970 began at a time that nobody printed
        .with_columns(
            pl.coalesce(
                pl.when(pl.col("at_s") > previous_s).then(pl.col("at_s") - previous_s),
                pl.when(previous_s.is_null()).then("offset_s"),
            ).alias("interval_s")
        )
    )
    return read_figures(lines, FIGURES)
