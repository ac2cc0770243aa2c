"""Lines that tell where reports begin, and when they were printed."""

import polars as pl

from parsers.sysstat.layout import Header
from parsers.sysstat.lines import Lines, Role
from parsers.sysstat.rows import typed
from parsers.sysstat.tables import IOSTAT_MARK
from parsers.sysstat.time import WRAPPED, times_of

STANZA = r"^(\S+)\s+xfer:"
CLOCK_OF_HEADER = r"^((?:[0-9]{4}-[0-9][0-9]-[0-9][0-9] )?[0-9]{1,2}:[0-9][0-9]:[0-9][0-9](?: [AaPp][Mm])?) "


def header_marks(classified: Lines) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The lines, each with the mark it is under, and the marks that headers are.

    Added to the lines: mark_line (of the header, or of the first of several that make up a report), is_mark (a header
    that is a mark), stanza (the disk that a stanza of AIX is about).
    """
    table = _header_table(classified.headers)
    frame = classified.frame.join(table, on="header", how="left", maintain_order="left")
    is_header = pl.col("role") == Role.HEADER
    named = (
        pl.when(is_header & pl.col("is_stanza"))
        .then(pl.col("content").str.extract(STANZA))
        .when(is_header | (pl.col("role") == Role.INVOCATION))
        .then(pl.lit(""))  # another table, or the tool once more: no stanza goes on
    )
    stanza = (
        frame.select(named.forward_fill().over("file_id").replace("", None).alias("stanza")).to_series()
        if table.get_column("is_stanza").any()
        else pl.repeat(None, frame.height, dtype=pl.String, eager=True)
    )
    frame = frame.with_columns(stanza.alias("stanza"))
    heads = frame.filter(is_header)
    heads = heads.with_columns(is_mark=_is_mark(frame, heads))
    mark_line = pl.when("is_mark").then("line_no").forward_fill().over("file_id")
    heads = heads.with_columns(
        mark_line=pl.when(pl.col("is_part").fill_null(value=False)).then(mark_line).otherwise("line_no")
    )
    by_row = pl.repeat(None, frame.height, dtype=pl.Int32, eager=True).scatter(
        heads.get_column("row"), heads.get_column("mark_line")
    )
    is_mark = pl.repeat(False, frame.height, dtype=pl.Boolean, eager=True).scatter(
        heads.get_column("row"), heads.get_column("is_mark")
    )
    head_row = frame.get_column("head_row")
    frame = frame.with_columns(by_row.gather(head_row.clip(lower_bound=0)).alias("mark_line"), is_mark.alias("is_mark"))
    return frame, _marks_of_headers(heads.filter("is_mark"), frame)


def _header_table(headers: tuple[Header, ...]) -> pl.DataFrame:
    return pl.DataFrame(
        {
            "header": range(len(headers)),
            "kind": [each.kind for each in headers],
            "rows": [each.rows for each in headers],
            "section": [each.section for each in headers],
            "is_part": [each.is_part for each in headers],
            "is_read": [each.ignored is None for each in headers],
            "is_timed": [any(layout.clock_at is not None for layout in each.layouts) for each in headers],
            "is_stanza": [each.is_part and each.flavour == "aix" for each in headers],
            "is_leader": [_is_leader(each) for each in headers],
        },
        schema={
            "header": pl.Int32(),
            "kind": pl.String(),
            "rows": pl.String(),
            "section": pl.String(),
            "is_part": pl.Boolean(),
            "is_read": pl.Boolean(),
            "is_timed": pl.Boolean(),
            "is_stanza": pl.Boolean(),
            "is_leader": pl.Boolean(),
        },
    )


def _is_leader(header: Header) -> bool:
    """Whether a table is the first of those that `iostat -h` of Linux makes a report of."""
    return header.is_part and header.flavour == "linux" and header.layouts[0].items[0].printed[0] in {"tps", "r/s"}


def _is_mark(frame: pl.DataFrame, heads: pl.DataFrame) -> pl.Series:
    """Whether a header is a mark. Of tables that make up a report, the first that comes again begins the next."""
    plain = (
        pl.col("is_read")
        & ~pl.col("is_part").fill_null(value=False)
        & (pl.col("kind").is_not_null() | (pl.col("rows") == "clock"))
    )
    if not heads.get_column("is_part").any():
        return heads.select(plain.fill_null(value=False)).to_series()
    breaks = (pl.col("role").is_in([Role.TIME, Role.INVOCATION, Role.ELISION])) | (
        (pl.col("role") == Role.HEADER) & (~pl.col("is_part") | pl.col("is_leader"))
    )
    new_file = pl.col("file_id") != pl.col("file_id").shift(1)
    segment = frame.select((breaks | new_file).fill_null(value=False).cum_sum().alias("segment")).to_series()
    parts = heads.with_columns(segment.gather(heads.get_column("row")))
    key = ["segment", "header", "stanza"]
    turn = pl.when("is_part").then(pl.col("row").cum_count().over(key)).otherwise(0)
    latest = turn.cum_max().over("segment")
    first = (turn > latest.shift(1).over("segment").fill_null(0)) & pl.col("is_part")
    return parts.select((plain | first).fill_null(value=False)).to_series()


def _marks_of_headers(heads: pl.DataFrame, frame: pl.DataFrame) -> pl.DataFrame:
    """Marks of headers with their time: of their own, of their first row, or put before the line."""
    is_clock = pl.col("rows") == "clock"
    first_rows = (
        frame.filter(
            (pl.col("role") == Role.ROW) & pl.col("is_timed").fill_null(value=False) & (pl.col("rows") != "clock")
        )
        .unique("head_row", keep="first", maintain_order=True)
        .select(
            pl.col("head_row").alias("row").cast(pl.UInt32), first=pl.col("content").str.replace_all(r"[ \t]+", " ")
        )
    )
    in_front = pl.col("first").str.extract(r"^(\S+ [0-9]{1,2}:[0-9][0-9]:[0-9][0-9](?: [AP]M)?)")
    at_end = pl.col("first").str.extract(r" ([0-9]{1,2}:[0-9][0-9]:[0-9][0-9])$")
    own = pl.col("content").str.replace_all(r"[ \t]+", " ").str.extract(CLOCK_OF_HEADER)
    return heads.join(first_rows, on="row", how="left", maintain_order="left").select(
        "file_id",
        "line_no",
        "section",
        pl.when(is_clock).then(pl.lit("origin")).otherwise("kind").alias("kind"),
        pl.when(is_clock).then(own).otherwise(pl.coalesce(in_front, at_end, "put_before")).alias("time_text"),
        pl.when(pl.col("put_before").is_not_null())
        .then(pl.lit("wrapper"))
        .otherwise(pl.lit("printed"))
        .alias("time_source"),
    )


def marks_of_times(frame: pl.DataFrame) -> pl.DataFrame:
    """Marks of lines that are times, and of lines that report a restart."""
    lines = frame.filter(pl.col("role").is_in([Role.TIME, Role.RESTART]))
    is_time = pl.col("role") == Role.TIME
    content = pl.col("content")
    is_wrapped = content.str.contains(WRAPPED)
    return lines.select(
        "file_id",
        "line_no",
        pl.lit("iostat").alias("section"),
        pl.when(is_time).then(pl.lit("time")).otherwise(pl.lit("restart")).alias("kind"),
        pl.when(is_time).then("content").otherwise(content.str.extract(CLOCK_OF_HEADER)).alias("time_text"),
        pl.when(is_wrapped).then(pl.lit("wrapper")).otherwise(pl.lit("printed")).alias("time_source"),
    )


def typed_marks(marks: pl.DataFrame) -> pl.DataFrame:
    """Rows of `iostat_mark`, what a time says by itself read."""
    read = times_of(marks.get_column("time_text").drop_nulls().unique(maintain_order=True))
    timed = marks.join(read, on="time_text", how="left", maintain_order="left")
    has_time = pl.col("time_text").is_not_null()
    return typed(
        timed.with_columns(
            part=pl.lit(1),
            has_year=pl.col("has_year") | pl.col("stamp").is_null(),
            time_source=pl.when(has_time).then("time_source"),
        ),
        IOSTAT_MARK,
    )
