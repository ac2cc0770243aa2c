"""When a machine booted, by lines that bear both clocks; lines that bear only the uptime, dated by it.

A kernel line in syslog states the wall clock and the uptime: `Apr  6 00:09:31 node1 kernel: [7705431.110245] ...`.
Their difference is the boot, or later: the wall clock is that of the reading, so that it lags, and never leads. The
least difference of a boot is the best. A line of `dmesg` states the uptime only; which boot it is of is known if the
same line, uptime and text, is in a file that states both, or if the user says when the machine booted. Nothing else
dates it: a machine may boot often, and another boot has the same uptimes.
"""

import polars as pl

TWO_CLOCKS_SCHEMA: dict[str, pl.DataType] = {
    "node": pl.String(),
    "at": pl.Datetime("us"),
    "uptime_s": pl.Float64(),
    "text": pl.String(),
}
"""Lines with both clocks, in the order of their files: `at` is UTC, `uptime_s` seconds since the boot."""

UPTIME_SCHEMA: dict[str, pl.DataType] = {
    "file_id": pl.Int32(),
    "line_no": pl.Int32(),
    "node": pl.String(),
    "uptime_s": pl.Float64(),
    "text": pl.String(),
}
"""Lines with the uptime only, sorted by file and line."""

BOOT_SCHEMA: dict[str, pl.DataType] = {
    "node": pl.String(),
    "boot_no": pl.UInt32(),
    "booted_at": pl.Datetime("us"),
    "last_uptime_s": pl.Float64(),
    "lines": pl.UInt32(),
}
"""One row per boot of a node that lines with both clocks show; `boot_no` counts from 1 in order of time. `booted_at` is
UTC and not before the boot by more than the resolution of the wall clock."""

SAME_BOOT_S = 60.0
"""The uptime goes back by more than this at a boot; two boots are further apart."""


def boots(two_clocks: pl.DataFrame) -> pl.DataFrame:
    """Every boot that lines with both clocks show (`BOOT_SCHEMA`), sorted by node and time."""
    numbered = _numbered(two_clocks)
    found = numbered.group_by("node", "boot_no", maintain_order=True).agg(
        pl.col("booted_at").min(),
        pl.col("uptime_s").max().alias("last_uptime_s"),
        pl.len().alias("lines"),
    )
    return found.select(pl.col(name).cast(dtype) for name, dtype in BOOT_SCHEMA.items()).sort("node", "boot_no")


def dated(uptime_only: pl.DataFrame, two_clocks: pl.DataFrame, given: pl.DataFrame | None = None) -> pl.DataFrame:
    """`file_id`, `line_no` and `at` (UTC, null where the boot is not known) of lines with the uptime only.

    `given`: `node` and `booted_at` (UTC) as the user states them; they hold for every line of the node.
    """
    segments = uptime_only.with_columns(
        _went_back().cum_sum().over("file_id").alias("segment"), _micros().alias("micros")
    )
    numbered = _numbered(two_clocks).select("node", _micros().alias("micros"), "text", "boot_no")
    shared = segments.join(numbered, on=["node", "micros", "text"])
    told = shared.group_by("file_id", "segment").agg(pl.col("boot_no").unique())
    sure = told.filter(pl.col("boot_no").list.len() == 1).with_columns(pl.col("boot_no").list.first())
    anchors = boots(two_clocks).select("node", "boot_no", "booted_at")
    found = segments.join(sure, on=["file_id", "segment"], how="left", maintain_order="left").join(
        anchors, on=["node", "boot_no"], how="left", maintain_order="left"
    )
    if given is not None:
        stated = given.select("node", pl.col("booted_at").alias("stated_at"))
        found = found.join(stated, on="node", how="left", maintain_order="left").with_columns(
            pl.coalesce("stated_at", "booted_at").alias("booted_at")
        )
    return found.select("file_id", "line_no", (pl.col("booted_at") + _uptime()).alias("at"))


def _numbered(two_clocks: pl.DataFrame) -> pl.DataFrame:
    """Lines with both clocks, in order of time, with `booted_at` by each and `boot_no`.

    A ring buffer that was read again bears old uptimes at a new time: where its last lines, which lag least, lead back
    to a boot that is known, it is that one's.
    """
    known = two_clocks.filter(
        pl.col("at").is_not_null() & pl.col("uptime_s").is_not_null() & pl.col("node").is_not_null()
    )
    booted = known.sort("node", "at", maintain_order=True).with_columns((pl.col("at") - _uptime()).alias("booted_at"))
    is_later = (pl.col("booted_at") > pl.col("at").shift(1)).fill_null(value=False)
    lines = booted.with_columns((_went_back() | is_later).cum_sum().over("node").alias("segment"))
    least = lines.group_by("node", "segment", maintain_order=True).agg(pl.col("booted_at").min().alias("least"))
    later_s = (pl.col("least") - pl.col("least").shift(1)).dt.total_microseconds() / 1e6
    is_new = (later_s.abs() > SAME_BOOT_S).fill_null(value=True)
    numbers = least.sort("node", "least").with_columns(is_new.over("node").cum_sum().over("node").alias("boot_no"))
    return lines.join(numbers.drop("least"), on=["node", "segment"], how="left", maintain_order="left")


def _went_back() -> pl.Expr:
    """Whether the uptime is less than that of the line above, by more than lines out of order are."""
    return (pl.col("uptime_s").shift(1) - pl.col("uptime_s") > SAME_BOOT_S).fill_null(value=False)


def _uptime() -> pl.Expr:
    return pl.duration(microseconds=_micros(), time_unit="us")


def _micros() -> pl.Expr:
    return (pl.col("uptime_s") * 1e6).round().cast(pl.Int64)
