"""The records of a dated log: the table that they fill, which lines are of one, and what is said of each."""

import polars as pl

from parsers.dated.moments import in_order_of_file, is_dated, printed_at, with_moments, with_zones_of_seconds
from parsers.dated.severity import severity
from parsers.format import KEY_SCHEMA, STAMP_SCHEMA, Column, Message, Parsed, Table, Verdict
from parsers.line_verdict import first_reason
from parsers.messages.ha_message import HA_EVENT, read_relevant

LOG_RECORD = Table(
    name="log_record",
    grain="One row per record of a dated log that has no format of its own.",
    subject="Messages",
    columns=(
        Column("host", pl.String(), "host that wrote the log, where the record says so", host="own"),
        Column("level", pl.String(), "emerg, alert, crit, err, warning, notice, info, debug; null where not printed"),
        Column("process", pl.String(), "program where printed before its process id"),
        Column("pid", pl.Int64(), "process id where printed"),
        Column("message_id", pl.String(), "id of the message: MY-010116, ORA-00600, CRS-1601, WSVR0001I, ..."),
        Column("category", pl.String(), "task category of an event of Windows"),
        Column(
            "date_order",
            pl.String(),
            "how the order of a numeric date is known: dots, day, language, half_day, succession, stated; open: not",
        ),
        Column("time_of_day", pl.String(), "time as printed, where no date is printed"),
        Column("printed_at", pl.String(), "numeric date as printed, and its second of the day", is_public=False),
        Column("stamp_step_s", pl.Float64(), "how fine a stamp without seconds is, seconds", is_public=False),
        Column("text", pl.String(), "the line without its stamp; continuation lines joined by a line feed"),
    ),
    message=Message(source="log", text="text", severity="level", message_id="message_id", process="process", pid="pid"),
    stamp_step="stamp_step_s",
    in_date_order=in_order_of_file,
)

TABLES = (LOG_RECORD, HA_EVENT)
"""What formats of dated logs fill."""

# REAL: Running on machine: ip-10-0-0-1        Server name is 'WIN-A'.        Node name:  ora1
HOST = (
    r"(?m)(?:^|\s)(?:Running on machine: |Server name is '|Node name:[ \t]*|Host Name:[ \t]*)"
    r"(?P<host>[A-Za-z0-9][A-Za-z0-9_.-]{0,253})"
)
# REAL:  cl4 chronyd[2153]: System clock wrong by 72927926.233466 seconds
SYSLOG_HOST = r"^ ([A-Za-z][A-Za-z0-9_.-]{0,253}) [A-Za-z][A-Za-z0-9_./()-]{0,60}\[[0-9]{1,10}\]: "
# REAL: MY-010116, ORA-00600, CRS-1601, WSVR0001I        Error: 41653, Severity: 21, State: 1.
MESSAGE_ID = r"\b((?:MY|ORA|CRS|TNS|RMAN|BEA|PROXYSQL|NZE)-[0-9]{4,6}|[A-Z]{4,5}[0-9]{4}[IWEAD])\b"
ERROR_NUMBER = (
    r"^(?:\s*(?:spid[0-9]+s?|Server|Logon|Backup)\s+)?"
    r"(?:Error|Fehler|Erreur|Errore|Erro|エラー|错误|Ошибка): ?([0-9]{3,5}), "
)
# REAL: mysqld[123]: ...        1234:M 04 Dec ...        I, [2020-01-31T12:34:56 #1234]  INFO
PROCESS = r"^[^A-Za-z0-9]{0,3}([A-Za-z][A-Za-z0-9_./@-]{0,40})\[([0-9]{1,10})\]:"
ROLE = r"^([0-9]{1,10}):[A-Z] "
RUBY = r"^ ?#([0-9]{1,10})\]"
SQL_SOURCE = r"^\s*(spid[0-9]+s?|Server|Logon|Backup)\s{2,}"
# REAL: Server      UTC adjustment: -7:00
UTC_ADJUSTMENT = r"^\s*(?:Server\s+)?UTC adjustment: ([+-]?)([0-9]{1,2}):([0-5][0-9])\s*$"
"""How far the clock of an SQL Server is from UTC, east of it: what its lines do not print."""

# RECONSTRUCTED: db1-1  | 27:X 24 Nov 2026 ...        [pod/db-0/redis] 27:X 24 Nov 2026 ...
CONTAINER = r"^(?:[A-Za-z0-9][A-Za-z0-9_.-]* *\||\[pod/[^\]\s]+\]) ?"
"""Whose line it is, as `docker compose logs` and `kubectl logs --prefix` say before it."""

WRITER = r"^(?:([a-z][a-z0-9.]*[0-9_-][a-z0-9_.-]*) *\||\[pod/([^/\]\s]+)/[^\]\s]+\])"
"""The same where only some lines of a file have it: a name with a number, as a level has none."""

BETWEEN = r"^[\"']?(?:[\])>},;:|]|-+(?:\s|$)|\s)*"
"""What is between a stamp and the text."""

# REAL: Fri Aug 22 19:26:25 2014  --the first error
REMARK_OF_READER = r"^--[^-]"

REMARK = r"^#(?:Software|Version|Date|Fields|Start-Date|End-Date|Remark|UTC)\b"


def parsed(rows: pl.DataFrame, found: pl.DataFrame) -> Parsed:
    """Records of lines numbered by `row`, of which those of `found` are heads."""
    heads = with_zones_of_seconds(
        with_moments(found.join(rows.select("row", "file_id"), on="row", maintain_order="left"))
    )
    return with_records(rows, heads, heads.filter(is_dated()))


def with_records(
    rows: pl.DataFrame, heads: pl.DataFrame, records: pl.DataFrame, days: pl.Series | None = None
) -> Parsed:
    """Lines numbered by `row`, those of `records` as records. `days`: lines that only name the day of those below."""
    verdicts = _verdicts(rows, heads, records, pl.Series([], dtype=rows.schema["row"]) if days is None else days)
    events = _events(rows, records, verdicts)
    filled = (
        {LOG_RECORD.name: events.select(list(LOG_RECORD.schema)), HA_EVENT.name: _said(events)} if events.height else {}
    )
    return Parsed(filled, verdicts.select("file_id", "line_no", "verdict", "reason"))


def _verdicts(rows: pl.DataFrame, heads: pl.DataFrame, records: pl.DataFrame, days: pl.Series) -> pl.DataFrame:
    """One verdict a line, beside `row`, and `owner`: the row of its record."""
    text = pl.col("text").str
    day = pl.when(pl.col("row").is_in(days.implode())).then(pl.lit("names the day of the lines below"))
    remark = pl.coalesce(day, first_reason((REMARK, "remark of a log file")))
    owned = with_owners(rows, heads, records).with_columns(remark.alias("remark"))
    is_owned = pl.col("owner").is_not_null()
    verdict = (
        pl.when(text.strip_chars() == "")
        .then(int(Verdict.BLANK))
        .when("is_begun")
        .then(int(Verdict.PARSED))
        .when("is_head")
        .then(int(Verdict.REJECTED))
        .when(pl.col("remark").is_not_null())
        .then(int(Verdict.IGNORED))
        .when(is_owned)
        .then(int(Verdict.CONTINUATION))
        .otherwise(int(Verdict.REJECTED))
        .cast(pl.UInt8)
    )
    why = (
        pl.when(pl.col("is_head"))
        .then(pl.lit("impossible date or time"))
        .when("is_below")
        .then(pl.lit("continues no record"))
        .otherwise(pl.lit("before the first stamp"))
    )
    decided = owned.with_columns(verdict.alias("verdict"))
    reason = (
        pl.when(pl.col("verdict") == Verdict.REJECTED)
        .then(why)
        .when(pl.col("verdict") == Verdict.IGNORED)
        .then("remark")
    )
    return decided.with_columns(reason.alias("reason"))


def with_owners(rows: pl.DataFrame, heads: pl.DataFrame, records: pl.DataFrame) -> pl.DataFrame:
    """Lines with `is_head`, `is_begun` (of a record), `is_below` (some head), and `owner`: the row of their record.

    What is below a head of no day continues nothing that is kept.
    """
    is_head, is_begun = (rows["row"].is_in(each["row"].implode()) for each in (heads, records))
    marked = rows.with_columns(is_head.alias("is_head"), is_begun.alias("is_begun"))
    anchor = pl.when("is_begun").then(pl.col("row").cast(pl.Int64)).when("is_head").then(-1)
    found = marked.with_columns(anchor.forward_fill().over("file_id").alias("anchor"))
    owner = pl.when(pl.col("anchor") >= 0).then("anchor").cast(rows.schema["row"])
    return found.with_columns(owner.alias("owner"), pl.col("anchor").is_not_null().alias("is_below")).drop("anchor")


def texts_below(lines: pl.DataFrame) -> pl.DataFrame:
    """What lines below records say: `below`, beside the `row` of the record; of lines with `owner` and `verdict`."""
    return (
        lines.filter(pl.col("verdict") == Verdict.CONTINUATION)
        .group_by("owner", maintain_order=True)
        .agg(pl.col("text").str.join("\n").alias("below"))
        .rename({"owner": "row"})
    )


def _events(rows: pl.DataFrame, records: pl.DataFrame, verdicts: pl.DataFrame) -> pl.DataFrame:
    """Rows of `log_record`, and whether their stamp stands alone on its line."""
    placed = records.join(rows.select("row", "line_no"), on="row", maintain_order="left")
    joined = placed.join(texts_below(verdicts), on="row", how="left", maintain_order="left")
    before, after = pl.col("before").fill_null("").str.strip_chars(), pl.col("after").fill_null("")
    said = after.str.replace(BETWEEN, "").str.strip_chars_end()
    own = pl.concat_str(before, pl.when((before != "") & (said != "")).then(pl.lit(" ")).otherwise(pl.lit("")), said)
    text = (
        pl.when(own == "")
        .then(pl.col("below").fill_null(""))
        .otherwise(pl.coalesce(pl.concat_str(own, "below", separator="\n"), own))
    )
    process = pl.coalesce(before.str.extract(PROCESS, 1), said.str.extract(PROCESS, 1), said.str.extract(SQL_SOURCE, 1))
    pids = (
        before.str.extract(PROCESS, 2),
        said.str.extract(PROCESS, 2),
        pl.concat_str(before, pl.lit(" ")).str.extract(ROLE, 1),
        after.str.extract(RUBY, 1),
    )
    read = joined.with_columns(text.alias("text")).with_columns(
        pl.lit(1, pl.Int16).alias("part"),
        pl.coalesce(
            pl.when(pl.col("shape") == "no_year").then(pl.col("after").str.extract(SYSLOG_HOST, 1)),
            pl.col("text").str.extract(HOST, 1).str.strip_chars_end("."),
            before.str.extract(WRITER, 1),
            before.str.extract(WRITER, 2),
        ).alias("host"),
        severity(before, said, pl.col("below"), pl.col("letter")).alias("level"),
        process.alias("process"),
        pl.coalesce(pids).cast(pl.Int64, strict=False).alias("pid"),
        pl.coalesce(
            pl.col("text").str.extract(MESSAGE_ID, 1),
            pl.col("text").str.extract(ERROR_NUMBER, 1),
        ).alias("message_id"),
        printed_at().alias("printed_at"),
        _time_of_day().alias("time_of_day"),
        _stamp_step().alias("stamp_step_s"),
        pl.lit(None, pl.String).alias("category"),
        pl.coalesce("utc_offset_min", _adjustment(said)).alias("utc_offset_min"),
    )
    typed = (pl.col(name).cast(dtype) for name, dtype in LOG_RECORD.schema.items())
    return read.select(*typed, ((own == "") | own.str.contains(REMARK_OF_READER)).alias("is_alone"))


def _said(events: pl.DataFrame) -> pl.DataFrame:
    """What records say of a failover: programs without a format of their own, like Redis and etcd.

    Below a stamp that stands alone each line is a message, as in Oracle's alert log.
    """
    kept = events.select(
        *KEY_SCHEMA,
        *STAMP_SCHEMA,
        "host",
        pl.col("process").alias("tag"),
        "pid",
        pl.col("text").str.replace(CONTAINER, ""),
        "is_alone",
    ).with_columns(pl.lit(None, pl.Float64).alias("uptime_s"))
    if kept["is_alone"].any():
        below = kept.filter("is_alone").with_columns(pl.col("text").str.split("\n")).explode("text")
        kept = pl.concat([kept.filter(~pl.col("is_alone")), below])
    return read_relevant(kept.drop("is_alone"))


def _adjustment(said: pl.Expr) -> pl.Expr:
    """Minutes east of UTC of the one line that says so; the file's others are of the same clock."""
    sign, hours, minutes = (said.str.extract(UTC_ADJUSTMENT, group) for group in (1, 2, 3))
    east = hours.cast(pl.Int16) * 60 + minutes.cast(pl.Int16)
    return pl.when(sign == "-").then(-east).otherwise(east)


def _time_of_day() -> pl.Expr:
    """The time as printed in heads that have no date."""
    parts = (pl.concat_str(pl.lit(sign), name) for sign, name in ((":", "minute"), (":", "second"), (".", "fraction")))
    shown = pl.concat_str("hour", *parts, "half", ignore_nulls=True)
    has_date = pl.any_horizontal(pl.col("day", "printed", "seconds", "week", "day_no").is_not_null())
    return pl.when(~has_date & pl.col("hour").is_not_null()).then(shown)


def _stamp_step() -> pl.Expr:
    """How fine stamps are that print no seconds."""
    to_minute = pl.when(pl.col("second").is_null()).then(60.0)
    return pl.when(pl.col("hour").is_not_null()).then(
        pl.when(pl.col("minute").is_null()).then(3600.0).otherwise(to_minute)
    )
