"""Messages of db2start and db2stop that state when a partition was started or stopped."""

import polars as pl

from parsers.format import Column, Message, Table

INSTANCE_MESSAGE = Table(
    name="instance_message",
    grain="One row per partition that db2start or db2stop reports in a terminal's text, with the time of that.",
    subject="Messages",
    part="message within the line, from 1",
    columns=(
        Column("member", pl.Int32(), "partition number"),
        Column("port", pl.Int32(), "logical port of the partition on its host"),
        Column("message_id", pl.String(), "SQL1063N started, SQL1064N stopped"),
        Column("text", pl.String(), "message"),
    ),
    message=Message(source="db2", text="text", message_id="message_id"),
)
# REAL: 07-28-2003 10:27:04 0 0 SQL1063N DB2START processing was successful.
MESSAGE = (
    r"(?P<day>[0-9]{2}-[0-9]{2}-[0-9]{4}) (?P<time>[0-9]{2}:[0-9]{2}:[0-9]{2}) +(?P<member>[0-9]{1,6})"
    r" +(?P<port>[0-9]{1,6}) +(?P<text>(?P<message_id>SQL106[34]N) DB2ST(?:ART|OP) processing was successful\.?)"
)


def instance_messages(lines: pl.DataFrame) -> pl.DataFrame:
    """Rows of `instance_message`; a line of joined text may hold several. A day that does not exist gives no row."""
    found = lines.with_columns(pl.col("text").str.extract_all(MESSAGE).alias("texts")).filter(
        pl.col("texts").list.len() > 0
    )
    fields = (
        found.select("file_id", "line_no", pl.col("texts").list.head(1000))
        .explode("texts")
        .with_columns(pl.col("texts").str.extract_groups(MESSAGE).alias("fields"))
        .unnest("fields")
    )
    stamp = (pl.col("day") + " " + pl.col("time")).str.to_datetime("%m-%d-%Y %H:%M:%S", time_unit="us", strict=False)
    rows = fields.with_columns(stamp.alias("stamp")).filter(pl.col("stamp").is_not_null())
    return rows.with_columns(
        pl.int_range(pl.len()).over("file_id", "line_no").add(1).alias("part"),
        pl.lit(True).alias("has_year"),
        pl.lit(None).alias("utc_offset_min"),
    ).select(pl.col(name).cast(dtype) for name, dtype in INSTANCE_MESSAGE.schema.items())
