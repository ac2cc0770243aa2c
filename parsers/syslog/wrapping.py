r"""Messages wrapped in JSON, one object a line, or by a container's runtime.

journal_json      `journalctl -o json`: `{"__REALTIME_TIMESTAMP": "1534860261221373", ..., "MESSAGE": "text"}`
postgresql_json   jsonlog: `{"timestamp": "...", "pid": 1, "error_severity": "LOG", "message": "text"}`
json              any other object with `message`, `log`, `msg` or `MESSAGE`: Docker, Filebeat, Fluentd. Docker cuts a
                  line at 16 KiB; a part without a line feed at its end is continued by the next line of its stream
cri               `2016-10-06T00:17:09.669794202Z stdout F text`, of Kubernetes; with `P` for `F` a part of a line,
                  which the next ones of its stream continue. `docker logs -t` and `podman logs -t` print the time
                  alone: a wrapper where a head of syslog follows, else the head of a program's own log

The first two are messages themselves: `fields` gives what a head would say. The others hold a line that may have a
head of its own, or an object (`parsers.syslog.json_log`): `unwrap` takes the innermost line out, `rewrap` gives what
has no head the time that its text begins with, else that of its wrapper, and the wrapper's host and level.
"""

import json
from collections.abc import Iterator

import polars as pl

from parsers.division import divided
from parsers.leap_year import with_year
from parsers.syslog import inner, json_log
from parsers.syslog.words import LEVELS

BEFORE_OBJECT = r"^[\x1e\s]*(?:data: )?"  # the separator of json-seq, the prefix of json-sse
OBJECT = BEFORE_OBJECT + r"\{\s*"
KEY = r'"{}"\s*:\s*'
JOURNAL_JSON = OBJECT + r'(?:.*,\s*)?"__REALTIME_TIMESTAMP"\s*:.*\}\s*$'
POSTGRESQL_JSON = OBJECT + r'"timestamp"\s*:.*"error_severity"\s*:.*\}\s*$'
JSON = OBJECT + r'(?:.*,\s*)?"(?:' + "|".join(json_log.TEXT_KEYS) + r')"\s*:\s*".*\}\s*$'
# REAL: 2016-10-06T00:17:09.669794202Z stdout F The content of the log entry 1
SYSLOG_DATE = r"[A-Z][a-z]{2} [ 0-9][0-9] [0-9][0-9]:[0-9][0-9]:[0-9][0-9] "
CRI = (
    r"^(?P<at>[0-9]{4}-[0-9][0-9]-[0-9][0-9]T[0-9][0-9]:[0-9][0-9]:[0-9][0-9](?:\.[0-9]{1,9})?(?:Z|[+-][0-9][0-9]:[0-9][0-9]))"
    rf" (?:std(?P<stream>out|err) (?P<flag>[FP]) ?(?P<said>.*)|(?P<dated>{SYSLOG_DATE}.*))$"
)
CRI_MARK = r"^[0-9]{4}-[^ ]* (?:std|[A-Z][a-z]{2} [ 0-9])"
CRI_BOUNDARY = (
    r"^[0-9]{4}-[0-9][0-9]-[0-9][0-9]T[0-9][0-9]:[0-9][0-9]:[0-9][0-9]\S* (?:"
    rf"std(?:out|err) F (?:\{{.*\}}\s*$|[0-9]{{4}}-[0-9][0-9]-[0-9][0-9][T ]|[IWEF][0-9]{{4}} |time=)|{SYSLOG_DATE})"
)
"""A whole line of a runtime that begins a message: others may be the last part of one."""

DOCKER = (
    r'^(?P<head>\s*\{\s*"log"\s*:\s*")(?P<said>(?:[^"\\]|\\.)*)'
    r'(?P<tail>"\s*,\s*"stream"\s*:\s*"(?P<stream>\w+)".*"time"\s*:\s*"(?P<at>[^"]*)"\s*\}\s*)$'
)
LINE_FEED = r"(?:^|[^\\])(?:\\\\)*\\n$"
DOCKER_PART_BYTES = 16_384
BEGUN = (
    r"\[?[0-9]{4}[-/][0-9]{2}[-/][0-9]{2}[T ]|[IWEF][0-9]{4} [0-9]{2}:|time=|[0-9]+\.[0-9]+\.[0-9]+\.[0-9]+ - "
    r"|[A-Z][a-z]{2} [ 0-9][0-9] [0-9]{2}:"
    r'|\{\\"(?:level|ts|time|timestamp|@timestamp|severity|msg|message|t)\\"'
)
"""What a line begins with that continues no part of Docker's."""
JSON_BOUNDARY = (
    OBJECT
    + r'"(?:log"\s*:\s*"(?:'
    + BEGUN
    + r')|(?:[^l"]|l[^o"]|lo[^g"]|log[^"])[^"]*"\s*:.*"(?:'
    + "|".join(json_log.TEXT_KEYS)
    + r')"\s*:\s*"|(?:message|msg)"\s*:\s*").*\}\s*$'
)
"""A line in JSON that is no part of another one."""

BROKEN_REASON = "JSON that cannot be read"
PART_REASON = "continues the part of a line above"
PARTS_WITHIN_S = 60
"""The parts of a line follow each other at once; a part with nothing soon behind it is a line by itself."""

JOURNAL_FIELDS = (
    *("__REALTIME_TIMESTAMP", "_SOURCE_REALTIME_TIMESTAMP", "__MONOTONIC_TIMESTAMP", "_SOURCE_MONOTONIC_TIMESTAMP"),
    *("_HOSTNAME", "SYSLOG_IDENTIFIER", "_COMM", "SYSLOG_PID", "_PID", "PRIORITY", "SYSLOG_FACILITY", "_TRANSPORT"),
    "MESSAGE",
)
"""Fields of a journal entry that are read (systemd.journal-fields)."""


def string(line: pl.Expr, *keys: str) -> pl.Expr:
    """The value of the first of these keys that an object has: text without its quotes, or a number, as it is."""
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
    arrays = lines.str.extract(KEY.format("MESSAGE") + r"(\[[0-9,\s]*\])")
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
    found = json_log.frame(json_log.read(line) for line in lines["line"])
    is_dated = pl.col("stamp").is_not_null()
    fault = pl.when(~is_dated).then(pl.lit("impossible date or time"))
    return lines.hstack(found.rename({"text": "said"})).with_columns(
        pl.when(is_dated).then(pl.lit(value=True)).alias("has_year"),
        pl.coalesce("tag", pl.lit("postgres")).alias("tag"),
        pl.when(pl.col("said").is_not_null()).then(fault).otherwise(pl.lit(BROKEN_REASON)).alias("fault"),
    )


def with_parts(lines: pl.DataFrame, framing: str) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Lines of a container's runtime, each with the parts that continue it; and those parts, with their `fault`."""
    parts = _parts(lines, CRI if framing == "cri" else DOCKER)
    is_open = pl.col("flag") == "P" if framing == "cri" else ~pl.col("said").str.contains(LINE_FEED)
    marked = parts.with_columns(is_open.fill_null(value=False).alias("is_open"))
    if not marked["is_open"].any():
        return lines, lines.clear().with_columns(pl.lit(PART_REASON).alias("fault"))
    above_s = (pl.col("at") - pl.col("at").shift(1)).dt.total_seconds().over(STREAM)
    is_near = pl.col("is_open").shift(1).over(STREAM) & above_s.abs().le(PARTS_WITHIN_S)
    if framing == "json":
        is_near &= ~pl.col("said").str.contains(f"^(?:{BEGUN})")
    numbered = _numbered(marked.with_columns(is_near.fill_null(value=False).alias("is_later")))
    if framing == "json":
        numbered = _numbered(_without_lines_cut_by_others(numbered))
    later = numbered.filter("is_later")
    rests = later.group_by(*STREAM, "number").agg(pl.col("said").str.join("").alias("rest"))
    begun = numbered.filter(~pl.col("is_later")).join(rests, on=[*STREAM, "number"], how="left", maintain_order="left")
    ends = ("line", "rest") if framing == "cri" else ("head", "said", "rest", "tail")
    whole = pl.when(pl.col("rest").is_not_null()).then(pl.concat_str(*ends)).otherwise("line").alias("line")
    return (
        begun.with_columns(whole).select(lines.columns),
        later.select(lines.columns).with_columns(pl.lit(PART_REASON).alias("fault")),
    )


STREAM = ("file_id", "stream")


def _parts(lines: pl.DataFrame, pattern: str) -> pl.DataFrame:
    """Lines with what a pattern finds in them, and `at` as a second."""
    found = lines.with_columns(pl.col("line").str.extract_groups(pattern).alias("parts")).unnest("parts")
    return found.with_columns(pl.col("at").str.slice(0, 19).str.to_datetime("%Y-%m-%dT%H:%M:%S", strict=False))


def _numbered(parts: pl.DataFrame) -> pl.DataFrame:
    return parts.with_columns((~pl.col("is_later")).cum_sum().over(STREAM).alias("number"))


def _without_lines_cut_by_others(parts: pl.DataFrame) -> pl.DataFrame:
    """Parts of Docker's: the last one ends with a line feed, or the others are as long as Docker's are.

    Where a shipper took the line feeds away, lines look like parts.
    """
    is_whole = ~pl.col("is_open").last().over(*STREAM, "number")
    is_last = ~pl.col("is_later").shift(-1, fill_value=False).over(STREAM)
    is_long = (is_last | (pl.col("said").str.len_bytes() >= DOCKER_PART_BYTES)).all().over(*STREAM, "number")
    return parts.with_columns(pl.col("is_later") & (is_whole | is_long))


def unwrap(lines: pl.DataFrame, framing: str) -> pl.DataFrame:
    """Take the innermost line out of its wrappers: `text` (null: broken), and what they say as `outer_*`."""
    said = json_log.frame(_of_runtime(lines) if framing == "cri" else _of_objects(lines))
    has_year = pl.when(pl.col("outer_stamp").is_not_null()).then(pl.lit(value=True))
    outer = said.drop("text").rename(lambda name: f"outer_{name}").with_columns(has_year.alias("outer_has_year"))
    return lines.with_columns(said["text"]).hstack(outer)


def _of_objects(lines: pl.DataFrame) -> Iterator[json_log.LoggedFields | None]:
    """What lines that are objects say."""
    return (json_log.read(line) for line in lines["line"].str.replace(BEFORE_OBJECT, ""))


def _of_runtime(lines: pl.DataFrame) -> Iterator[json_log.LoggedFields]:
    """What lines of a container's runtime say, which may hold objects."""
    groups = pl.col("line").str.extract_groups(CRI).struct.field
    cut = lines.select(groups("at"), pl.coalesce(groups("said"), groups("dated")))
    for at, said in cut.iter_rows():
        time = json_log.time_of(at)
        yield json_log.read(said, time) or json_log.LoggedFields(said, time)


def rewrap(heads: pl.DataFrame, outer: pl.DataFrame, framing: str) -> pl.DataFrame:
    """Heads of unwrapped lines, joined with what their wrapper says.

    A line without a head and without a time of its own gets the wrapper's time; one without level, program or host
    those of the wrapper; a stamp without a year the wrapper's year, one without a zone that which its time shows.
    """
    columns = ["row", pl.col("text").alias("inner"), pl.col("^outer_.*$")]
    both = heads.join(outer.select(columns), on="row", how="left", maintain_order="left")
    is_bare = pl.col("framing").is_null() & pl.col("inner").is_not_null()
    both = both.with_columns(_leading(is_bare))
    is_undated = is_bare & pl.col("stamp").is_null()
    has_year = pl.when(is_bare & ~is_undated).then(pl.lit(value=True)).otherwise("has_year").alias("has_year")
    stamped = [
        pl.when(is_undated).then(f"outer_{name}").otherwise(name).alias(name)
        for name in ("stamp", "has_year", "utc_offset_min")
    ]
    broken = pl.when(pl.col("inner").is_null()).then(pl.lit(BROKEN_REASON)).otherwise("fault")
    outer_pid = pl.col("outer_pid").cast(pl.Int64, strict=False)
    around = [pl.coalesce(name, f"outer_{name}").alias(name) for name in ("host", "level", "message_id")]
    return (
        of_receipt(both.with_columns(has_year))
        .with_columns(
            *stamped,
            *around,
            pl.when(is_bare).then("inner").otherwise("text").alias("text"),
            pl.when(is_bare).then("outer_tag").otherwise("tag").alias("tag"),
            pl.when(is_bare).then(outer_pid).otherwise("pid").alias("pid"),
            pl.when(is_bare).then(pl.lit(framing)).otherwise("framing").alias("framing"),
            pl.when(~is_bare).then(broken).alias("fault"),
        )
        .select(heads.columns)
    )


def _leading(is_bare: pl.Expr) -> list[pl.Expr]:
    """Stamp and zone that a text without a head begins with; whole seconds only where the wrapper is of others."""
    stamp, offset = inner.leading(pl.col("inner"))
    is_coarse = (stamp.dt.microsecond() == 0) & (_late_s(stamp).abs() < 1)
    is_used = is_bare & ~is_coarse.fill_null(value=False)
    return [pl.when(is_used).then(each).otherwise(each.meta.output_name()) for each in (stamp, offset)]


def _late_s(stamp: pl.Expr) -> pl.Expr:
    """How many seconds the wrapper is later than a stamp of any zone."""
    late_s = divided((pl.col("outer_stamp") - stamp).dt.total_microseconds(), 1e6)
    return late_s - divided(late_s, json_log.QUARTER_S).round() * json_log.QUARTER_S


def of_receipt(heads: pl.DataFrame) -> pl.DataFrame:
    """Give stamps what they lack and the time of their receipt shows: `outer_stamp`, `outer_utc_offset_min`."""
    return _zone_of_receipt(_year_of_receipt(heads))


def _zone_of_receipt(heads: pl.DataFrame) -> pl.DataFrame:
    """Give a stamp without a zone the one by which it names the instant at which its wrapper was written."""
    utc = pl.col("outer_stamp") - pl.duration(minutes=pl.col("outer_utc_offset_min"))
    ahead_s = divided((pl.col("stamp") - utc).dt.total_microseconds(), 1e6)
    quarters = divided(ahead_s + 1, json_log.QUARTER_S).round()
    late_s = quarters * json_log.QUARTER_S - ahead_s
    minutes = (quarters * 15).cast(pl.Int16, strict=False)
    is_near = late_s.is_between(-1, json_log.MAX_DELAY_S) & pl.col("has_year")
    zone = pl.when(is_near & minutes.is_in(sorted(json_log.ZONES_MIN))).then(minutes)
    return heads.with_columns(pl.coalesce("utc_offset_min", zone).alias("utc_offset_min"))


def _year_of_receipt(heads: pl.DataFrame) -> pl.DataFrame:
    """Give a stamp without a year that of its wrapper, or its neighbour at the turn of the year."""
    stamp, outer = pl.col("stamp"), pl.col("outer_stamp")
    months_ahead = stamp.dt.month().cast(pl.Int32) - outer.dt.month().cast(pl.Int32)
    turn = pl.when(months_ahead > 6).then(-1).when(months_ahead < -6).then(1).otherwise(0)
    found = pl.when(~pl.col("has_year")).then(with_year(stamp, outer.dt.year() + turn))
    return heads.with_columns(
        pl.coalesce(found, "stamp").alias("stamp"),
        (pl.col("has_year") | found.is_not_null()).alias("has_year"),
    )
