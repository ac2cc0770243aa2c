"""Series that count seconds from their start get a clock where study.toml declares it (`[[files]] start`)."""

from collections.abc import Mapping
from datetime import datetime

import polars as pl

from parsers.format import tables as declared_tables

FIRST_SUMMARY = 1
"""The start of a file is that of its first series; when the others began is not given."""


def dated(tables: Mapping[str, pl.DataFrame], starts: Mapping[int, datetime]) -> Mapping[str, pl.DataFrame]:
    """Parsed tables with the stamps that the starts by file_id give to the points of series; others keep theirs.

    A naive start is the file's wall clock; the offset of any other is given with the stamp.
    """
    if not starts:
        return tables
    known = declared_tables()
    return {name: _placed(frame, starts) if known[name].is_series else frame for name, frame in tables.items()}


def _placed(points: pl.DataFrame, starts: Mapping[int, datetime]) -> pl.DataFrame:
    """Points with the stamps that the starts of their series give them."""
    offsets = {file_id: start.utcoffset() for file_id, start in starts.items()}
    known = pl.DataFrame(
        {
            "file_id": list(starts),
            "start": [start.replace(tzinfo=None) for start in starts.values()],
            "east": [None if east is None else int(east.total_seconds() // 60) for east in offsets.values()],
        },
        schema={"file_id": pl.Int32(), "start": pl.Datetime("us"), "east": pl.Int16()},
    )
    is_undated = pl.col("stamp").is_null() & pl.col("start").is_not_null() & pl.col("offset_s").is_between(0, 1e9)
    is_first = pl.col("summary_no").fill_null(FIRST_SUMMARY) == FIRST_SUMMARY
    placed = points.join(known, on="file_id", how="left", maintain_order="left")
    passed = pl.duration(microseconds=(pl.col("offset_s") * 1e6).round())
    gets_clock = is_undated & is_first
    return placed.with_columns(
        pl.when(gets_clock).then(pl.col("start") + passed).otherwise("stamp").alias("stamp"),
        pl.when(gets_clock).then(pl.lit(True)).otherwise("has_year").alias("has_year"),
        pl.when(gets_clock).then("east").otherwise("utc_offset_min").alias("utc_offset_min"),
    ).select(points.columns)
