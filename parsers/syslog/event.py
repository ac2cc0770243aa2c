"""The tables that messages of logs fill, and how their rows are made.

Every message is a row of `syslog_event`. A message of LLT, GAB, storage, HAD or a cluster manager also gets a row in
the table of its own; where several Veritas messages are on one line, each gets its row, counted by `part`. A line by
which a writer says that it lost others is a row of `log_gap`: what is not in the log then is no evidence. One by which
a program says that the clock was set is a row of `clock_set`.
"""

from collections.abc import Mapping, Sequence
from functools import partial

import polars as pl

from parsers.ascii_pattern import ascii_only
from parsers.folds import at, reads_folded, with_absorbed, with_whole_heads
from parsers.format import KEY_SCHEMA, STAMP_SCHEMA, Column, Message, Parsed, Table, Verdict
from parsers.messages import clock_set, ha_message, ha_rule, veritas_kernel
from parsers.messages.clock_set import CLOCK_SET
from parsers.messages.ha_message import HA_EVENT
from parsers.messages.vcs_message import VCS_EVENT
from parsers.messages.vcs_message import messages as vcs_messages
from parsers.messages.veritas_kernel import GAB_EVENT, LLT_EVENT, STORAGE_EVENT
from parsers.star import Rows
from parsers.syslog.framing import COMMON, CUT_REASONS, NO_HEAD_REASON, WHOLE_SECONDS, read_heads
from parsers.syslog.plain import read_plain
from parsers.syslog.records import OWN_LOGS, Records, has_head, kinds_of_start, records
from parsers.syslog.words import level_of

SYSLOG_EVENT = Table(
    name="syslog_event",
    grain="One row per message of a log of the system or of a cluster, also where another table holds its typed form.",
    subject="Messages",
    part="message within the line, from 1",
    columns=(
        Column("framing", pl.String(), "shape of the line's head: bsd, solaris, linux_kernel, iso, rfc5424, aix, ..."),
        Column("host", pl.String(), "host that wrote the line, as printed", host="own"),
        Column("facility", pl.String(), "syslog facility where printed"),
        Column("level", pl.String(), "emerg, alert, crit, err, warning, notice, info, debug; null where not printed"),
        Column("tag", pl.String(), "program, daemon or kernel module"),
        Column("pid", pl.Int64(), "process id where printed"),
        Column("msgid", pl.String(), "Solaris [ID n], RFC 5424 MSGID or PostgreSQL [n-m]; never a key for meaning"),
        Column("message_id", pl.String(), "vendor message id: V-14-1-10032, V-16-1-10322, of MongoDB 21358, ..."),
        Column("product", pl.String(), "LLT, GAB, VCS, VxVM, CVM, VxFS, CFS, VXFEN where the text is theirs"),
        Column("uptime_s", pl.Float64(), "kernel uptime stamp, seconds"),
        Column("repeat_count", pl.Int32(), "further copies that a repeat line reported; their stamps are not evidence"),
        Column("text", pl.String(), "the message after the tag; continuation lines joined by a line feed"),
    ),
    whole_seconds="framing in ({})".format(", ".join(f"'{each}'" for each in WHOLE_SECONDS)),
    message=Message(source="syslog", text="text", severity="level", message_id="message_id", process="tag", pid="pid"),
)

LOG_GAP = Table(
    name="log_gap",
    grain="One row per line by which a writer of logs says that it lost messages.",
    subject="Messages",
    part="message within the line, from 1",
    columns=(
        Column("host", pl.String(), "host that wrote the line, as printed", host="own"),
        Column("writer", pl.String(), "who lost them: imuxsock, imjournal, systemd-journal, kernel, ..."),
        Column("lost_count", pl.Int64(), "messages lost; null where the line shows only that some were"),
        Column("text", pl.String(), "the message"),
    ),
)

TABLES = (SYSLOG_EVENT, LLT_EVENT, GAB_EVENT, STORAGE_EVENT, VCS_EVENT, HA_EVENT, LOG_GAP, CLOCK_SET)
"""What every format of messages fills."""

# ADAPTED: VCS ERROR V-16-1-10322 System sun-ha3 (Node '0') changed state from RUNNING to FAULTED
HAD = (
    rf"((?:\bVCS\s+{veritas_kernel.SEVERITY}\s*V-16-"  # 4.0 on
    r"|\b(?:TAG_[A-Z]\s+)?VCS:[0-9]{4,6}:"  # to 3.5
    r"|(?:\b[A-Z]+:+ *)?\bVCS Concurrency Violation)(?s:.*))$"  # 1.x
)

# REAL: rsyslogd-2177: imuxsock[pid 22830]: begin to drop messages due to rate-limiting
# REAL: rsyslogd-2177: imjournal: 236 messages lost due to rate-limiting
# REAL: systemd-journal[1864]: Suppressed 917 messages from /
LOST = ascii_only(r"\b([0-9]{1,18}) (?:messages lost|(?:messages|callbacks) suppressed)")
LOST_AFTER = ascii_only(r"\b(?:[Ss]uppressed|[Mm]issed|lost) ([0-9]{1,18}) (?:kernel )?messages")
LOST_SOME = r"begin to drop messages|some messages lost"
GAP_WORDS = ("to drop messages", "messages lost", "s suppressed", "uppressed ", "issed ", "lost ")
GAP_WRITER = r"^(im[a-z]+)\b"

LEAST_CUT = 40
"""Heads that a mail cut are at least this long."""
# REAL: /usr/lib/ocf/resource.d//heartbeat/IPaddr(IPaddr_172.30.105.201)[3271]:
CUT_BEFORE_STAMP = r"^\S+(?:\[[0-9]+\]:\s*[0-9/_:]*)?$"
"""A head that begins with a program is cut within its words, behind them or within its time."""

ANY_PREFIX = "postgresql_own"
"""A framing that takes what is before a date for its own."""


def parse(
    lines: pl.DataFrame,
    framings: Sequence[str] = COMMON,
    own_logs: frozenset[str] = OWN_LOGS,
    tags: Mapping[str, str] | None = None,
) -> Parsed:
    """Turn numbered lines, folded ones too, into messages and typed events, with a verdict for each."""
    read = partial(_parse, framings=framings, own_logs=own_logs, tags=tags)
    return reads_folded(read, partial(kinds_of_start, framings=framings))(lines)


def _parse(
    lines: pl.DataFrame, framings: Sequence[str], own_logs: frozenset[str], tags: Mapping[str, str] | None
) -> Parsed:
    """Read lines that are not folded.

    Plain lines of syslog are cut by position, which is faster; the others go through the patterns of `framings`.
    `tags`: whose lines those of a framing are, in a file where the head does not say so.
    """
    rows = lines.with_row_index("row")
    plain, mentioning, other = read_plain(rows, event_words(), has_dates=ANY_PREFIX not in framings)
    closely = read_heads(other, framings).with_columns(other["text"].alias("line"))
    whole = _with_whole_heads(lines, closely, framings)
    if whole.get_column("is_absorbed").any():
        left = whole.filter(~pl.col("is_absorbed")).drop("is_absorbed")
        return with_absorbed(_parse(left, framings, own_logs, tags), whole)
    if tags:
        of_framing = pl.col("framing").replace_strict(tags, default=None, return_dtype=pl.String)
        closely = closely.with_columns(pl.coalesce("tag", of_framing).alias("tag"))
    special = pl.concat([closely, _with_line(mentioning, rows)], how="diagonal")
    found = records(rows, plain, special.sort("row"), own_logs)
    return Parsed(tables(found), verdicts(rows, found.classified))


def _with_whole_heads(lines: pl.DataFrame, heads: pl.DataFrame, framings: Sequence[str]) -> pl.DataFrame:
    """Lines with `is_absorbed`, the heads that begin with a time and lack the rest joined with the lines below."""
    lacks_rest = pl.col("fault").is_in(CUT_REASONS) | pl.col("line").str.contains(CUT_BEFORE_STAMP)
    is_cut = lacks_rest & (pl.col("line").str.len_chars() >= LEAST_CUT)
    is_rest = (pl.col("fault") == NO_HEAD_REASON) | (pl.col("fault").is_null() & pl.col("stamp").is_null())
    cut, rest = (at(heads.filter(each).get_column("row"), lines.height) for each in (is_cut, is_rest))
    is_filled = lines.get_column("text").str.strip_chars() != ""
    return with_whole_heads(lines, cut, rest & is_filled, partial(has_head, framings=framings))


def event_words() -> tuple[str, ...]:
    """A message without any of these has a row in `syslog_event` only."""
    return (*veritas_kernel.WORDS, *_relevant_words())


def _relevant_words() -> tuple[str, ...]:
    return (*ha_rule.needles(), *GAP_WORDS, *clock_set.WORDS)


def _with_line(messages: pl.DataFrame, rows: pl.DataFrame) -> pl.DataFrame:
    """Plain lines beside their text as `line`; there is no fault in them."""
    return messages.with_columns(
        pl.lit(None, pl.String).alias("fault"), rows["text"].gather(messages["row"]).alias("line")
    )


def tables(found: Records) -> dict[str, Rows]:
    """Every table that the records fill."""
    typed = _type(found.special)
    special = _events(typed)
    events = _in_order(found.plain, special)
    filled: dict[str, Rows] = {SYSLOG_EVENT.name: events, **_veritas_tables(typed), **_cluster_tables(special)}
    return {name: frame for name, frame in filled.items() if frame.height}


def verdicts(rows: pl.DataFrame, classified: pl.DataFrame) -> pl.DataFrame:
    """One verdict a line: what was not evaluated is parsed."""
    verdict = pl.repeat(Verdict.PARSED, rows.height, dtype=pl.UInt8, eager=True).scatter(
        classified["row"], classified["verdict"]
    )
    relevant = classified.filter(pl.col("reason").is_not_null())
    reason = pl.repeat(None, rows.height, dtype=pl.String, eager=True).scatter(relevant["row"], relevant["reason"])
    return rows.select("file_id", "line_no", verdict.alias("verdict"), reason.alias("reason"))


def _type(special: pl.DataFrame) -> pl.DataFrame:
    """Whose message each record is; a record that holds several messages becomes several rows.

    A Veritas daemon's name is part of its message: `vxvm:vxconfigd: NOTICE: ...`.
    """
    prefix = pl.col("tag") + ": "
    is_daemon = pl.col("tag").str.contains(r"^(?:vxvm:)?vx|^qlogckd$").fill_null(value=False)
    named = special.with_columns(pl.when(is_daemon).then(prefix + pl.col("text")).otherwise("text").alias("text"))
    named = named.with_columns(veritas_kernel.mentions(pl.col("text")).alias("is_mention"))
    read = veritas_kernel.read(named.filter("is_mention"))
    texts = pl.when(is_daemon).then(pl.col("text").str.strip_prefix(prefix)).otherwise("text").alias("shown")
    typed = read.with_columns(pl.coalesce("level", level_of(pl.col("severity"))).alias("level"), texts)
    others = named.filter(~pl.col("is_mention")).with_columns(pl.lit(1, pl.Int16).alias("part"), texts)
    return pl.concat([typed, others], how="diagonal").sort("row", "part")


def _events(typed: pl.DataFrame) -> pl.DataFrame:
    """Rows of `syslog_event` beside their `row`."""
    return typed.with_columns(pl.col("shown").alias("text")).select(
        "row", *(pl.col(name).cast(dtype) for name, dtype in SYSLOG_EVENT.schema.items())
    )


def _in_order(plain: pl.DataFrame, special: pl.DataFrame) -> pl.DataFrame:
    """Rows of `syslog_event`, plain and special ones, in the order of the lines."""
    both = pl.concat([plain.with_columns(pl.lit(1, pl.Int16).alias("part")), special], how="diagonal")
    # most columns are null for most logs, and need no sorting then
    filled = both.select(each for each in both if each.name == "row" or each.null_count() < both.height)
    ordered = filled if filled["row"].is_sorted() else filled.sort("row", maintain_order=True)
    schema = SYSLOG_EVENT.schema
    nothing = [pl.lit(None, dtype).alias(name) for name, dtype in schema.items() if name not in ordered.columns]
    return ordered.with_columns(nothing).select(schema.keys())


def _veritas_tables(typed: pl.DataFrame) -> dict[str, Rows]:
    """The messages of LLT, GAB, storage and HAD."""
    veritas = typed.filter(pl.col("product").is_not_null())
    if not veritas.height:
        return {}
    had = veritas.with_columns(pl.col("text").str.extract(HAD, 1).str.replace_all(r"\s*\n\s*", " ")).drop_nulls("text")
    return {
        LLT_EVENT.name: veritas_kernel.llt_events(veritas),
        GAB_EVENT.name: veritas_kernel.gab_events(veritas),
        STORAGE_EVENT.name: veritas_kernel.storage_events(veritas),
        VCS_EVENT.name: vcs_messages(had),
    }


def _cluster_tables(events: pl.DataFrame) -> dict[str, pl.DataFrame]:
    """The messages of cluster managers, replication and databases, and those of writers that lost some."""
    words = list(_relevant_words())
    is_relevant = pl.col("text").str.contains_any(words) | pl.col("tag").str.contains_any(words).fill_null(value=False)
    relevant = events.filter(is_relevant)
    if not relevant.height:
        return {}
    columns = [*KEY_SCHEMA, *STAMP_SCHEMA, "host", "tag", "pid", "uptime_s", "text"]
    said = ha_message.counted(ha_message.read(relevant.select(columns)))
    return {HA_EVENT.name: said, LOG_GAP.name: _gaps(relevant), CLOCK_SET.name: clock_set.clock_sets(relevant)}


def _gaps(relevant: pl.DataFrame) -> pl.DataFrame:
    """Rows of `log_gap`."""
    text = pl.col("text").str
    count = pl.coalesce(text.extract(LOST, 1), text.extract(LOST_AFTER, 1)).cast(pl.Int64)
    gaps = relevant.filter(count.is_not_null() | text.contains(LOST_SOME))
    writer = pl.coalesce(text.extract(GAP_WRITER, 1), "tag")
    return gaps.with_columns(writer.alias("writer"), count.alias("lost_count")).select(LOG_GAP.schema.keys())
