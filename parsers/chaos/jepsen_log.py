r"""Log of Jepsen (`jepsen.log`, or its standard output): a dated log, in whose lines the operations are.

Heads       `2020-02-29 22:14:12,512{GMT} INFO [jepsen worker 0] jepsen.util: ...` of a store, with tabs (`{GMT}` is not
            true: the clock is local), and `INFO [2020-06-02 15:32:44,077] jepsen worker 0 - jepsen.util ...`, also
            behind another program's head. As JSON it is a log of containers
Rows        a record per head, as of any dated log; further rows for operations, the line from which times of
            `history.edn` count (`Relative time begins now`), and the start time in the printed test
Zone        of the clock: from the start time, which is printed with one, against the head above it
Rejected    what is of no dated log: lines before the first stamp, stamps of no day that is
"""

import polars as pl

from parsers.chaos.operation import LOGGED_OPERATION, TYPES
from parsers.dated.dated_log import ALL_TABLES, parse_unfolded
from parsers.dated.heads import boundary
from parsers.dated.records import LOG_RECORD
from parsers.division import divided
from parsers.format import Format, Parsed, Recognition, Refusal, Verdict

# REAL: 2024-02-22 07:31:45,399{GMT}	INFO	[jepsen test runner] jepsen.core: Test version 0e38
# REAL: INFO [2020-06-02 15:32:44,077] main - jepsen.cli CLI options:
SIGNATURE = (
    r"^[^\n]{0,200}?[0-9]{2}:[0-9]{2}:[0-9]{2},[0-9]{3}(?:\{\w+\}\t[A-Z]+\t\[[^\]]*\] "
    r"|\] [^\t]{1,80}? - )jepsen\.[\w.$-]+:?(?: |$)"
)
# REAL: jepsen.util :nemesis	:info	:start-partition	:primaries
OPERATION = (
    rf"jepsen\.util:? (?P<process>:nemesis|[0-9]{{1,9}})\t:(?P<type>{TYPES})\t:(?P<f>[^\t]+)"
    r"(?:\t(?P<value>[^\t]*))?(?:\t(?P<error>.*))?$"
)
BEGIN = r"jepsen\.\S+ Relative time begins now"
# REAL:  #object[org.joda.time.DateTime 0x1a1cc163 "2020-02-29T22:14:12.000+08:00"],
START = (
    r'org\.joda\.time\.DateTime "?0x[0-9a-f]+"? "(?P<start>[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2})'
    r"(?:\.[0-9]+)?"
    r'(?P<zone>Z|[+-][0-9][0-9]:[0-9][0-9])"'
)
QUARTER_MIN, NEAR_MIN, FARTHEST_MIN = 15, 5, 14 * 60
"""Zones are whole quarters of an hour; the head above a start time is no later than this; the farthest zone."""


def recognise(head: pl.Series) -> Recognition | Refusal:
    """Claim a log with lines of Jepsen's own."""
    hits = head.str.contains(SIGNATURE)
    if not hits.any():
        return Refusal("no line of a program called jepsen", 1)
    line_no = (hits.arg_max() or 0) + 1
    return Recognition(0.93, f"{hits.sum()} of the first {len(head)} lines are heads of Jepsen", line_no)


def parse(lines: pl.DataFrame) -> Parsed:
    """Records of the log, and the operations in them."""
    found = parse_unfolded(lines)
    if LOG_RECORD.name not in found.rows:
        return found
    stamps = found.tables[LOG_RECORD.name].select("file_id", "line_no", "stamp", "has_year", "utc_offset_min")
    owner = pl.col("stamp").forward_fill().over("file_id")
    joined = lines.join(stamps, on=["file_id", "line_no"], how="left", maintain_order="left")
    below = joined.with_columns(owner.alias("above"), found.lines["verdict"].alias("verdict"))
    rows = pl.concat([_operations(joined), _start_times(below)], how="diagonal")
    operations = (
        rows.with_columns(pl.lit(1).alias("part"))
        .select(pl.col(name).cast(dtype) for name, dtype in LOGGED_OPERATION.schema.items())
        .sort("file_id", "line_no")
    )
    if operations.is_empty():
        return found
    starts = operations.filter(pl.col("type") == "start_time").select("file_id", "line_no", pl.lit(1).alias("is_start"))
    is_start = found.lines.join(starts, on=["file_id", "line_no"], how="left", maintain_order="left")["is_start"]
    verdicts = found.lines.with_columns(
        pl.when(is_start.is_not_null()).then(int(Verdict.PARSED)).otherwise("verdict").cast(pl.UInt8).alias("verdict")
    )
    return Parsed({**found.rows, LOGGED_OPERATION.name: operations}, verdicts)


def _operations(lines: pl.DataFrame) -> pl.DataFrame:
    """Operations on heads, and the line from which times count."""
    heads = lines.filter(pl.col("stamp").is_not_null())
    is_nemesis = pl.col("process") == ":nemesis"
    is_begin = pl.col("text").str.contains(BEGIN)
    return (
        heads.with_columns(pl.col("text").str.extract_groups(OPERATION).alias("fields"))
        .unnest("fields")
        .with_columns(
            pl.when(is_begin).then(pl.lit("begin")).otherwise("type").alias("type"),
            pl.when(is_nemesis).then("value").alias("value"),
            pl.col("process").str.strip_prefix(":"),
        )
        .filter(pl.col("type").is_not_null())
    )


def _start_times(lines: pl.DataFrame) -> pl.DataFrame:
    """Start times in the test that is printed below a head, as the wall clock of that head."""
    of_record = (pl.col("verdict") == Verdict.CONTINUATION) & pl.col("above").is_not_null()
    found = (
        lines.filter(of_record)
        .with_columns(pl.col("text").str.extract_groups(START).alias("fields"))
        .unnest("fields")
        .filter(pl.col("start").is_not_null())
    )
    sign = pl.when(pl.col("zone").str.starts_with("-")).then(-1).otherwise(1)
    hours, minutes = (pl.col("zone").str.slice(at, 2).cast(pl.Int64, strict=False) for at in (1, 4))
    printed_min = (sign * (hours * 60 + minutes)).fill_null(0)
    wall = pl.col("start").str.to_datetime("%Y-%m-%dT%H:%M:%S", strict=False, time_unit="us")
    utc = wall - pl.duration(minutes=printed_min)
    apart_min = divided((pl.col("above") - utc).dt.total_seconds(), 60)
    offset_min = divided(apart_min, QUARTER_MIN).round() * QUARTER_MIN
    is_near = ((apart_min - offset_min).abs() <= NEAR_MIN) & (offset_min.abs() <= FARTHEST_MIN)
    return (
        found.with_columns(pl.when(is_near).then(offset_min).cast(pl.Int16).alias("utc_offset_min"), utc.alias("utc"))
        .filter(pl.col("utc_offset_min").is_not_null() & pl.col("utc").is_not_null())
        .with_columns(
            (pl.col("utc") + pl.duration(minutes=pl.col("utc_offset_min").cast(pl.Int64))).alias("stamp"),
            pl.lit(value=True).alias("has_year"),
            pl.lit("start_time").alias("type"),
        )
        .drop("start", "zone", "utc")
    )


FORMAT = Format(
    name="jepsen_log",
    title="log of Jepsen",
    tables=(*ALL_TABLES, LOGGED_OPERATION),
    recognise=recognise,
    parse=parse,
    boundary=boundary(),
    file_names=("jepsen.log",),
    needs=r"jepsen\.",
    is_of_client=True,
)
