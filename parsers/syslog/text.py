"""What follows the head of a log line: program, process, level, marks in brackets, the text itself.

Programs put marks of their own before the text. Solaris' message id, the kernel's uptime, Heartbeat's process id,
PostgreSQL's `[line-chunk]`, a level, and a finer stamp (`parsers.syslog.inner`) are read and taken off.
"""

import polars as pl

from parsers.ascii_pattern import ascii_only
from parsers.syslog import inner
from parsers.syslog.words import FACILITIES, LEVEL_WORD, LEVELS, level_of, named

MESSAGE_SCHEMA: dict[str, pl.DataType] = {
    "row": pl.UInt32(),
    "file_id": pl.Int32(),
    "line_no": pl.Int32(),
    "stamp": pl.Datetime("us"),
    "has_year": pl.Boolean(),
    "utc_offset_min": pl.Int16(),
    "framing": pl.String(),
    "host": pl.String(),
    "facility": pl.String(),
    "level": pl.String(),
    "tag": pl.String(),
    "pid": pl.Int64(),
    "msgid": pl.String(),
    "message_id": pl.String(),
    "uptime_s": pl.Float64(),
    "text": pl.String(),
}
"""A line with a head, taken apart."""

# REAL: external/libvirt(s-libvirt)[24525]: [24540]: notice: ...
# REAL: auth|security:info sshd[348394]: Invalid user admin from x.x.x.x
TAG = (
    r"^(?:(?P<facility>[a-z0-9]+(?:\|[a-z0-9]+)*):"  # AIX: facility ...
    r"(?P<level>emerg|alert|crit|err|error|warn|warning|notice|info|debug) )?"  # ... and level
    r"(?P<tag>\[[^\]\s]+\]|vxvm:\w+|[^\s:\[]+(?:\([^)]*\))?(?: \([^)]*\))?)"  # program
    r"(?:\[(?P<pid>[0-9]{1,18})\](?:\[[0-9]+\])?)?:"  # process id, with logd a second one
    r"(?:[ \t](?P<said>.*)|$)"
)
# ADAPTED: [ID676452 kern.notice] and [ID 125212kern.notice]: copies lose blanks
SOLARIS = r"^\[ID ?(?P<msgid>[0-9]+) ?(?P<facility>[a-z]\w*)\.(?P<level>[a-z]+)\]\s?(?P<said>.*)$"
UPTIME = r"^\[ *(?P<uptime_s>[0-9]{1,9}\.[0-9]{3,9})\] ?(?P<said>.*)$"
# REAL: crmd: [24228]: notice: te_fence_node: Executing reboot fencing operation (12) on xen-d (timeout=60000)
HEARTBEAT = r"^\[(?P<pid>[0-9]{1,18})\]: (?P<said>.*)$"
# REAL: [3-2] db=,user=,app=,client= HINT:  Future log output will go to log destination "syslog".
POSTGRESQL = (
    r"^\[(?P<msgid>[0-9]{1,9}-[0-9]{1,9})\] "  # line of the session, part of the line
    r"(?:.{0,200}?\b(?:(?P<level>DEBUG[1-5]|LOG|INFO|NOTICE|WARNING|ERROR|FATAL|PANIC):  (?P<said>.*)"
    r"|(?P<note>(?:DETAIL|HINT|CONTEXT|STATEMENT|QUERY|LOCATION):  .*))|(?P<rest>.*))$"
)
POSTGRESQL_TAG = "^postgres"
LEVEL = rf"^(?P<level>{LEVEL_WORD}): +(?P<said>.*)$"
# ADAPTED: WARNING: msgcnt 3: vxfs: mesg 019: ...: a severity that is part of the message stays in the text
KEEPS_LEVEL = r"^\w+: +(?:msgcnt|VxVM|vxfs|vxvm|(?:--- )?(?:last )?message repeated )"
# ADAPTED: maplegab: [ID 112206 kern.notice]
GLUED = r"^(?P<host>.+?)(?P<tag>llt|gab|vxfen|unix|genunix|vxfs|vxio):$"
# REAL: ARPING 10.10.10.123 from 10.10.10.123 eth1#012Sent 5 probes
ESCAPES = {f"#{code:03o}": chr(code) for code in (*range(1, 32), 127)}
"""How rsyslog writes control bytes. NUL stays escaped: it is no text."""


def messages(heads: pl.DataFrame) -> pl.DataFrame:
    """`MESSAGE_SCHEMA` and `fault` of lines of one framing, whose groups are columns.

    `is_tagged`: the text, with its tag, is in `rest`; else it is in `said`, beside tag, pid and level.
    """
    by_pri = heads.with_columns(pl.col("pri").cast(pl.Int32, strict=False)).with_columns(
        named(FACILITIES, pl.col("pri") // 8).alias("facility"),
        pl.coalesce(level_of(pl.col("level")), named(LEVELS, pl.col("pri") % 8)).alias("level"),
        pl.col("uptime_s").cast(pl.Float64, strict=False),
    )
    if heads["framing"][0] == "rfc5424":
        return finish(inner.read(by_pri.with_columns(*_rfc5424_fields())))
    tagged = _read_tags(by_pri) if heads["is_tagged"][0] else by_pri.with_columns(*_own_fields())
    return finish(inner.read(_read_levels(_read_marks(tagged))))


def finish(said: pl.DataFrame) -> pl.DataFrame:
    """The columns of a message, escaped bytes decoded."""
    if said["text"].str.contains("#(?:0[0-3][0-7]|177)").any():
        said = said.with_columns(pl.col("text").str.replace_many(list(ESCAPES), list(ESCAPES.values())))
    return said.select(*(pl.col(name).cast(dtype) for name, dtype in MESSAGE_SCHEMA.items()), "fault")


def _rfc5424_fields() -> list[pl.Expr]:
    """Nil is `-`; a process id may be a word; the text may begin with a byte order mark or the letters BOM."""
    fields = [pl.when(pl.col(name) != "-").then(pl.col(name)).alias(name) for name in ("tag", "msgid")]
    return [
        *fields,
        pl.col("pid").cast(pl.Int64, strict=False),
        pl.col("said").fill_null("").str.replace("^(?:\ufeff|BOM)", "").alias("text"),
    ]


def _own_fields() -> list[pl.Expr]:
    """A program's own log names itself, if at all, in its head. CSV doubles quotes; Pacemaker 1.1 pads functions."""
    framing, said = pl.col("framing"), pl.col("said").fill_null("")
    text = (
        pl.when(framing == "postgresql_csv")
        .then(said.str.replace_all('""', '"', literal=True))
        .when(framing == "pacemaker")
        .then(said.str.replace(r"^(\w+):[ \t]+", "${1}: "))
        .otherwise(said)
    )
    return [pl.col("pid").cast(pl.Int64, strict=False), text.alias("text")]


def _read_tags(heads: pl.DataFrame) -> pl.DataFrame:
    """The program that wrote the line. Where there is none, the whole rest is the text."""
    rest = pl.col("rest").fill_null("")
    field = rest.str.extract_groups(ascii_only(TAG)).struct.field
    glued = pl.col("host").str.extract_groups(GLUED).struct.field
    is_glued = glued("tag").is_not_null() & rest.str.starts_with("[ID")
    return heads.with_columns(
        pl.coalesce(field("facility"), "facility").alias("facility"),
        pl.coalesce(level_of(field("level")), "level").alias("level"),
        pl.when(is_glued).then(glued("tag")).otherwise(field("tag")).alias("tag"),
        field("pid").cast(pl.Int64, strict=False).alias("pid"),
        pl.when(field("tag").is_null()).then(rest).otherwise(field("said").fill_null("")).alias("text"),
        pl.when(is_glued).then(glued("host")).otherwise(pl.col("host").str.strip_suffix(":")).alias("host"),
        pl.when((pl.col("framing") == "bsd") & field("facility").is_not_null())
        .then(pl.lit("aix"))
        .otherwise("framing")
        .alias("framing"),
    )


def _read_marks(said: pl.DataFrame) -> pl.DataFrame:
    """What is in brackets before the text."""
    text = pl.col("text").str.strip_chars_start(" \t")
    if not said["text"].str.contains(r"^[ \t]*\[").any():
        return said.with_columns(text.alias("text"))
    solaris = text.str.extract_groups(ascii_only(SOLARIS)).struct.field
    uptime = text.str.extract_groups(ascii_only(UPTIME)).struct.field
    heartbeat = text.str.extract_groups(ascii_only(HEARTBEAT)).struct.field
    is_postgres = pl.col("tag").str.contains(POSTGRESQL_TAG).fill_null(value=False)
    postgres = pl.when(is_postgres).then(text).str.extract_groups(ascii_only(POSTGRESQL)).struct.field
    is_bsd = pl.col("framing") == "bsd"
    texts = [solaris("said"), uptime("said"), heartbeat("said"), *(postgres(part) for part in ("said", "note", "rest"))]
    return said.with_columns(
        pl.coalesce(*texts, text).alias("text"),
        pl.coalesce(solaris("msgid"), postgres("msgid"), "msgid").alias("msgid"),
        pl.coalesce(solaris("facility"), "facility").alias("facility"),
        pl.coalesce(level_of(solaris("level")), level_of(postgres("level")), "level").alias("level"),
        pl.coalesce(uptime("uptime_s").cast(pl.Float64, strict=False), "uptime_s").alias("uptime_s"),
        pl.coalesce("pid", heartbeat("pid").cast(pl.Int64, strict=False)).alias("pid"),
        pl.when(is_bsd & solaris("msgid").is_not_null())
        .then(pl.lit("solaris"))
        .when(is_bsd & uptime("said").is_not_null())
        .then(pl.lit("linux_kernel"))
        .otherwise("framing")
        .alias("framing"),
    )


def _read_levels(said: pl.DataFrame) -> pl.DataFrame:
    """The level that a program puts before its text, where the head has none: `notice: Quorum acquired`."""
    groups = pl.col("text").str.strip_chars_start(" ").str.extract_groups(LEVEL).struct.field
    keeps = pl.col("text").str.contains(ascii_only(KEEPS_LEVEL)) | pl.col("tag").str.starts_with("vx").fill_null(
        value=False
    )
    takes = pl.col("level").is_null() & groups("level").is_not_null() & ~keeps
    return said.with_columns(
        pl.when(takes).then(level_of(groups("level"))).otherwise("level").alias("level"),
        pl.when(takes).then(groups("said")).otherwise("text").alias("text"),
    )
