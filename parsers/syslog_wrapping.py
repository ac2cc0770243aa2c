r"""Messages wrapped in JSON, one object a line, or by a container's runtime.

journal_json      `journalctl -o json`: `{"__REALTIME_TIMESTAMP": "1534860261221373", ..., "MESSAGE": "text"}`
postgresql_json   jsonlog: `{"timestamp": "...", "pid": 1, "error_severity": "LOG", "message": "text"}`
json              any other object with `message`, `log`, `msg` or `MESSAGE`: Docker, Filebeat, Fluentd
cri               `2016-10-06T00:17:09.669794202Z stdout F text`, of Kubernetes

The first two are messages themselves: `fields` gives what a head would say. The others hold a line that may have a
head of its own: `unwrap` takes it out, `rewrap` gives what has none the time and host of its wrapper.
"""

import json

import polars as pl

from parsers.syslog_stamps import instant, offset_min
from parsers.syslog_words import LEVELS

BEFORE_OBJECT = r"^[\x1e\s]*(?:data: )?"  # the separator of json-seq, the prefix of json-sse
OBJECT = BEFORE_OBJECT + r"\{\s*"
KEY = r'"{}"\s*:\s*'
JOURNAL_JSON = OBJECT + r'(?:.*,\s*)?"__REALTIME_TIMESTAMP"\s*:.*\}\s*$'
POSTGRESQL_JSON = OBJECT + r'"timestamp"\s*:.*"error_severity"\s*:.*\}\s*$'
TEXT_KEYS = ("message", "log", "msg", "MESSAGE")
JSON = OBJECT + r'(?:.*,\s*)?"(?:' + "|".join(TEXT_KEYS) + r')"\s*:\s*".*\}\s*$'
# REAL: 2016-10-06T00:17:09.669794202Z stdout F The content of the log entry 1
CRI = r"^(?P<at>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)) std(?:out|err) [FP] (?P<said>.*)$"

STAMP = (
    r"^(?P<date>\d{4}-\d\d-\d\d)[T ](?P<time>\d\d:\d\d:\d\d)(?:[.,](?P<fraction>\d{1,9}))? ?"
    r"(?P<offset>Z|[A-Z]{2,5}|[+-]\d\d(?::?\d\d)?)?$"
)
BROKEN_REASON = "JSON that cannot be read"

JOURNAL_FIELDS = (
    *("__REALTIME_TIMESTAMP", "_SOURCE_REALTIME_TIMESTAMP", "__MONOTONIC_TIMESTAMP", "_SOURCE_MONOTONIC_TIMESTAMP"),
    *("_HOSTNAME", "SYSLOG_IDENTIFIER", "_COMM", "SYSLOG_PID", "_PID", "PRIORITY", "SYSLOG_FACILITY", "_TRANSPORT"),
    "MESSAGE",
)
"""Fields of a journal entry that are read (systemd.journal-fields)."""


def string(line: pl.Expr, *keys: str) -> pl.Expr:
    """The value of the first of these keys that an object has: text without its quotes, or a number, as it stands."""
    raw = line.str.extract(KEY.format("(?:" + "|".join(keys) + ")") + r'("(?:[^"\\]|\\.)*"|[^",\[{}\s]+)')
    return pl.when(raw != "null").then(raw.str.strip_prefix('"').str.strip_suffix('"'))


def text_of(lines: pl.Series, *keys: str) -> pl.Series:
    """The same with its escapes decoded; null where the line is no JSON."""
    line = pl.col("line")
    frame = lines.to_frame("line")
    texts = frame.select(string(line, *keys)).to_series()
    has_escape = texts.str.contains("\\", literal=True).fill_null(value=False)
    if not has_escape.any():
        return texts
    decoded = frame.filter(has_escape).select(pl.coalesce(line.str.json_path_match(f"$.{key}") for key in keys))
    return texts.scatter(has_escape.arg_true(), decoded.to_series())


def stamp_of(text: pl.Expr) -> list[pl.Expr]:
    """`stamp`, `has_year` and `utc_offset_min` of an ISO time."""
    groups = text.str.extract_groups(STAMP).struct.field
    stamp = instant(groups("date"), groups("time"), groups("fraction"))
    has_year = pl.when(stamp.is_not_null()).then(pl.lit(value=True))
    return [
        stamp.alias("stamp"),
        has_year.alias("has_year"),
        offset_min(groups("offset")).alias("utc_offset_min"),
    ]


def journal_heads(lines: pl.DataFrame) -> pl.DataFrame:
    """What the objects of a journal, column `line`, say: columns as of a head, see `entry_heads`."""
    line = pl.col("line")
    objects = lines.with_columns(
        *(string(line, name).alias(name) for name in JOURNAL_FIELDS if name != "MESSAGE"),
        _message(lines["line"]).alias("MESSAGE"),
        line.str.json_path_match("$.__REALTIME_TIMESTAMP").is_not_null().alias("is_whole"),
    )
    return entry_heads(objects).with_columns(
        pl.when(pl.col("is_whole")).then("fault").otherwise(pl.lit(BROKEN_REASON)).alias("fault")
    )


def _message(lines: pl.Series) -> pl.Series:
    """MESSAGE of objects; an array of byte values where it is not UTF-8 or holds control characters."""
    texts = text_of(lines, "MESSAGE")
    arrays = lines.str.extract(KEY.format("MESSAGE") + r"(\[[\d,\s]*\])")
    if arrays.null_count() == len(arrays):
        return texts
    decoded = [None if array is None else _from_bytes(array) for array in arrays]
    return pl.Series(decoded, dtype=pl.String).zip_with(arrays.is_not_null(), texts)


def _from_bytes(array: str) -> str:
    """The text of a JSON array of byte values."""
    try:
        return bytes(json.loads(array)).decode("utf-8", "replace")
    except ValueError:
        return array


def entry_heads(entries: pl.DataFrame) -> pl.DataFrame:
    """Columns as of a head, from the fields of journal entries as strings, columns named as `JOURNAL_FIELDS`.

    The time is the sender's where the journal has it, and the kernel's own uptime for the kernel's messages.
    """
    number = {name: pl.col(name).cast(pl.Int64, strict=False) for name in JOURNAL_FIELDS}
    micros = pl.coalesce(number["_SOURCE_REALTIME_TIMESTAMP"], number["__REALTIME_TIMESTAMP"])
    uptime = pl.coalesce(number["_SOURCE_MONOTONIC_TIMESTAMP"], number["__MONOTONIC_TIMESTAMP"])
    is_date = micros.is_between(0, 253_402_300_799_000_000)  # to the end of year 9999
    is_kernel = pl.col("_TRANSPORT") == "kernel"
    level = number["PRIORITY"].replace_strict(dict(enumerate(LEVELS)), default=None, return_dtype=pl.String)
    return entries.with_columns(
        pl.when(is_date).then(pl.from_epoch(micros, time_unit="us")).alias("stamp"),
        pl.lit(value=True).alias("has_year"),
        pl.lit(0, pl.Int16).alias("utc_offset_min"),
        pl.col("_HOSTNAME").alias("host"),
        pl.coalesce("SYSLOG_IDENTIFIER", pl.when(is_kernel).then(pl.lit("kernel")), "_COMM").alias("tag"),
        pl.coalesce("SYSLOG_PID", "_PID").str.strip_chars().alias("pid"),
        level.alias("level"),
        (number["SYSLOG_FACILITY"].clip(0, 23) * 8 + number["PRIORITY"].clip(0, 7)).cast(pl.Int32).alias("pri"),
        # as text, since a quotient may differ in its last bit between a frame of one row and of many
        pl.concat_str(uptime // 1_000_000, pl.lit("."), (uptime % 1_000_000).cast(pl.String).str.zfill(6)).alias(
            "uptime_s"
        ),
        pl.col("MESSAGE").fill_null("").alias("said"),
        pl.when(~is_date.fill_null(value=False)).then(pl.lit("impossible date or time")).alias("fault"),
    )


def postgresql_heads(lines: pl.DataFrame) -> pl.DataFrame:
    """What the objects of PostgreSQL's jsonlog, column `line`, say: columns as of a head."""
    line = pl.col("line")
    is_whole = line.str.json_path_match("$.error_severity").is_not_null()
    read = lines.with_columns(
        *stamp_of(string(line, "timestamp")),
        pl.lit("postgres").alias("tag"),
        string(line, "pid").alias("pid"),
        string(line, "error_severity").alias("level"),
        text_of(lines["line"], "message").fill_null("").alias("said"),
    )
    is_dated = pl.col("stamp").is_not_null()
    fault = pl.when(~is_dated).then(pl.lit("impossible date or time"))
    return read.with_columns(pl.when(is_whole).then(fault).otherwise(pl.lit(BROKEN_REASON)).alias("fault"))


def unwrap(lines: pl.DataFrame, framing: str) -> pl.DataFrame:
    """Take the line out of its wrapper: `text` (null: broken), and the wrapper's `outer_*` stamp and host."""
    line = pl.col("line")
    if framing == "cri":
        groups = line.str.extract_groups(CRI).struct.field
        text, time, host = groups("said"), groups("at"), pl.lit(None, pl.String)
        stripped = lines.select(text).to_series()
    else:
        time, host = string(line, "time", "@timestamp", "timestamp", "ts"), string(line, "hostname", "host")
        stripped = text_of(lines["line"], *TEXT_KEYS).str.strip_chars_end("\r\n")
    stamps = [each.name.prefix("outer_") for each in stamp_of(time)]
    return lines.with_columns(stripped.alias("text"), host.alias("outer_host"), *stamps)


def rewrap(heads: pl.DataFrame, outer: pl.DataFrame, framing: str) -> pl.DataFrame:
    """Heads of unwrapped lines, joined with what their wrapper says.

    A line without a head gets the wrapper's time; a head without a year the wrapper's year; one without host its host.
    """
    columns = ["row", pl.col("text").alias("inner"), pl.col("^outer_.*$")]
    both = heads.join(outer.select(columns), on="row", how="left", maintain_order="left")
    is_bare = pl.col("framing").is_null() & pl.col("inner").is_not_null()
    dated = _year_of_receipt(both)
    stamped = [
        pl.when(is_bare).then(f"outer_{name}").otherwise(name).alias(name)
        for name in ("stamp", "has_year", "utc_offset_min")
    ]
    broken = pl.when(pl.col("inner").is_null()).then(pl.lit(BROKEN_REASON)).otherwise("fault")
    return dated.with_columns(
        *stamped,
        pl.when(is_bare).then("inner").otherwise("text").alias("text"),
        pl.coalesce("host", "outer_host").alias("host"),
        pl.when(is_bare).then(pl.lit(framing)).otherwise("framing").alias("framing"),
        pl.when(~is_bare).then(broken).alias("fault"),
    ).select(heads.columns)


def _year_of_receipt(heads: pl.DataFrame) -> pl.DataFrame:
    """Give a stamp without a year that of its wrapper, or its neighbour at the turn of the year."""
    stamp, outer = pl.col("stamp"), pl.col("outer_stamp")
    months_ahead = stamp.dt.month().cast(pl.Int32) - outer.dt.month().cast(pl.Int32)
    turn = pl.when(months_ahead > 6).then(-1).when(months_ahead < -6).then(1).otherwise(0)
    is_leap_day = (stamp.dt.month() == 2) & (stamp.dt.day() == 29)
    takes = (~pl.col("has_year") & outer.is_not_null() & ~is_leap_day).fill_null(value=False)
    year = pl.when(takes).then(outer.dt.year() + turn).otherwise(stamp.dt.year())
    return heads.with_columns(
        pl.when(takes).then(stamp.dt.replace(year=year)).otherwise("stamp").alias("stamp"),
        (pl.col("has_year") | takes).alias("has_year"),
    )
