"""result.csv of BenchmarkSQL: a line per transaction, condensed to the seconds since the start.

RECONSTRUCTED from its header: run,elapsed,latency,dblatency,ttype,rbk,dskipped,error. Times are milliseconds.
"""

import polars as pl

from parsers.measurement import COUNT, MILLISECONDS, PER_MINUTE, PER_SECOND

RESULT_HEADER = r"^run,elapsed,latency,dblatency,ttype,rbk,dskipped,error"
# RECONSTRUCTED: 1,1043,12,11,NEW_ORDER,0,0,0
RESULT = (
    r"^(?P<run>[0-9]{1,9}),(?P<elapsed>[0-9]{1,15}),(?P<latency>[0-9]{1,12}),(?P<dblatency>[0-9]{1,12}),"
    r"(?P<ttype>[A-Z_]+),(?P<rbk>[0-9]+),(?P<dskipped>[0-9]+),(?P<error>[0-9]+)\s*$"
)
UNITS = {"tps": PER_SECOND, "tpmC": PER_MINUTE, "latency_avg_ms": MILLISECONDS, "failed": COUNT}


def result_points(lines: pl.DataFrame) -> pl.DataFrame:
    """Points per second, as parts where lines are out of order."""
    found = (
        lines.with_columns(pl.col("text").str.extract_groups(RESULT).alias("fields"))
        .unnest("fields")
        .filter(pl.col("elapsed").is_not_null())
        .with_columns((pl.col("elapsed").cast(pl.Int64) // 1000).alias("second"))
    )
    keys = ("second", "run")
    is_new = pl.any_horizontal((pl.col(key) != pl.col(key).shift(1)).over("file_id") for key in keys).fill_null(
        value=True
    )
    error = pl.col("error").cast(pl.Float64) > 0
    rolled_back = pl.col("rbk").cast(pl.Float64) > 0
    is_new_order = (pl.col("ttype") == "NEW_ORDER") & ~error & ~rolled_back
    seconds = (
        found.with_columns(is_new.cum_sum().over("file_id").alias("group"))
        .group_by("file_id", "group", maintain_order=True)
        .agg(
            pl.col("line_no").first(),
            pl.col("second").first().cast(pl.Float64).alias("offset_s"),
            pl.col("run").first(),
            (~error).sum().cast(pl.Float64).alias("tps"),
            (60.0 * is_new_order.sum()).alias("tpmC"),
            pl.col("latency").cast(pl.Float64).filter(~error).mean().alias("latency_avg_ms"),
            error.sum().cast(pl.Float64).replace(0, None).alias("failed"),
        )
        .with_columns(pl.col("tps").alias("weight"))
    )
    place = pl.col("metric").replace_strict(list(UNITS), range(1, len(UNITS) + 1), return_dtype=pl.Int16)
    return (
        seconds.unpivot(list(UNITS), index=["file_id", "line_no", "offset_s", "run", "weight"], variable_name="metric")
        .filter(pl.col("value").is_not_null())
        .with_columns(
            place.alias("part"),
            pl.col("metric").replace_strict(UNITS, return_dtype=pl.String).alias("unit"),
            pl.col("run").cast(pl.Int32, strict=False).alias("summary_no"),
            pl.lit(1.0).alias("interval_s"),
            pl.lit(False).alias("is_interval_end"),
        )
        .drop("run")
        .sort("file_id", "line_no", "part")
    )
