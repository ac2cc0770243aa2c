"""Heads of syslog lines: when, which host, which program, which message.

Syslog has no single grammar; the head is chosen line by line:

framing        head
bsd            `Mar  7 04:02:16 host tag[pid]: text`: no year, no zone; day padded with a blank, a zero or not at all
solaris        bsd, then `[ID 702911 daemon.warning]` before the text
linux_kernel   bsd, then the kernel's uptime: `kernel: [7705431.110245] text`
aix            bsd, then facility and level before the tag: `auth|security:info sshd[1]: text`
iso            `2019-03-22T10:45:37.687203+08:00 host tag[pid]: text`
rfc5424        `<34>1 2003-10-11T22:14:15.003Z host app procid msgid [data] text`
collector      `- 1131566461 2005.11.09 source`, then a bsd line

Each of them may carry `<PRI>` in front. The patterns here read any head; `parsers.syslog_plain` reads the common ones
several times faster, with the same result.
"""

import polars as pl

MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
MONTH = "(?:" + "|".join(MONTHS) + ")"

FACILITIES = (
    *("kern", "user", "mail", "daemon", "auth", "syslog", "lpr", "news", "uucp", "cron", "authpriv", "ftp"),
    *("ntp", "audit", "alert", "clock"),
    *(f"local{number}" for number in range(8)),
)
"""Facility of a PRI by number (RFC 5424, table 1; short names of syslog.h)."""

LEVELS = ("emerg", "alert", "crit", "err", "warning", "notice", "info", "debug")
"""Level of a PRI by number (RFC 5424, table 2)."""

LEVEL_WORDS = {
    **{level: level for level in LEVELS},
    "panic": "emerg",
    "critical": "crit",
    "fatal": "crit",
    "fatal error": "crit",
    "error": "err",
    "warn": "warning",
}
"""Level by the word printed, lower case: syslogd's own, Heartbeat's, Pacemaker's, Veritas'."""

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
    "uptime_s": pl.Float64(),
    "text": pl.String(),
}
"""A line with a syslog head, taken apart."""

LEVEL_WORD = (
    r"(?:emerg|alert|crit|err|error|warn|warning|notice|info|debug"
    r"|EMERG|ALERT|CRIT|CRITICAL|ERR|ERROR|WARN|WARNING|NOTICE|INFO|DEBUG)"
)
PROGRAM_WORD = r"(?:LOG|INFO|WARN|WARNING|ERROR|DEBUG|FATAL|TRACE|NOTICE|CRITICAL|info|warn|warning|error|debug|trace)"
"""What stands in place of a host where a program writes its own log."""

PRI = r"(?:(?:\d{1,6} )?<(?P<pri>\d{1,5})>)?"  # after the byte count of a captured stream
HOST = r"[^\s\[\]()=^]*[^\s\[\]()=^\d][^\s\[\]()=^]*"  # one word that is not a number

# REAL: <165>1 2003-08-24T05:14:15.000003-07:00 192.0.2.1 myproc 8710 - - %% It's time to make the do-nuts.
RFC5424 = (
    r"^(?:\d{1,6} )?<(?P<pri>\d{1,5})>[1-9]\d? "  # priority and version
    r"(?:-|(?P<date>\d{4}-\d\d-\d\d)T(?P<time>\d\d:\d\d:\d\d)"  # nil, or the date and time
    r"(?:\.(?P<fraction>\d{1,9}))?(?P<offset>Z|[+-]\d\d:\d\d)) "  # fraction and zone
    r"(?P<host>\S{1,255}) (?P<tag>\S{1,48}) (?P<pid>\S{1,128}) (?P<msgid>\S{1,32}) "
    r'(?:-|(?:\[(?:[^\]\\"]|\\.|"(?:[^"\\]|\\.)*")*\])+)'  # structured data
    r"(?: (?P<rest>.*))?$"
)

# REAL: <34>Oct 11 22:14:15 mymachine su: 'su root' failed for lonvick on /dev/pts/8
# REAL: Oct   10 18:35:20 fleur Cluster.Framework: [ID 801593 daemon.notice] stdout:   becoming primary for dsk/d16
# ADAPTED: Feb 317:09:16 cedar unix: [ID 676400 kern.notice]
# REAL: Sep 22 10:11:56 Message forwarded from cdaix66: sshd[679960]: Accepted ...
BSD_HEAD = (
    rf"(?P<month>{MONTH}) {{1,3}}(?P<day>\d{{1,2}})(?: (?P<year>\d{{4}}))?"  # date, blanks as copies have them
    r" ?(?P<time>\d\d:\d\d:\d\d)(?:\.(?P<fraction>\d{1,9}))?"  # hours have two digits: the blank may be lost
    r"(?: (?P<year_after>\d{4}))? +"  # some writers put the year last
    rf"(?:(?:Message forwarded from|From) (?P<relayed>{HOST}):|(?P<host>{HOST}))"  # AIX: passed on for that host
    r"(?:(?: |\^M)(?P<rest>.*))?$"  # a carriage return as a copy prints it
)
BSD = f"^{PRI}{BSD_HEAD}"

# REAL: - 1131566461 2005.11.09 dn228 Nov 9 12:01:01 dn228/dn228 crond(pam_unix)[2915]: session closed for user root
COLLECTOR = (
    r"^(?:-|[A-Z_]+) (?P<epoch>\d{9,10}) "  # alert category, seconds since 1970 UTC
    r"(?P<received>\d{4}\.\d\d)\.\d\d \S+ "  # year and month of receipt, source
    + BSD_HEAD.replace("(?P<host>", r"(?:\S*/)?(?P<host>")  # relay/host
)

# REAL: 2019-03-22T11:36:57+0800 15sp1-1 kernel: systemd-journal   360     34476.363433       713   120
ISO = (
    rf"^{PRI}(?P<date>\d{{4}}-\d\d-\d\d)(?P<separator>[T ])"  # date
    r"(?P<time>\d\d:\d\d:\d\d)(?:[.,](?P<fraction>\d{1,9}))?(?P<offset>Z|[+-]\d\d:?\d\d)? "  # time, zone
    rf"(?P<host>{HOST})(?: (?P<rest>.*))?$"
)
FRAMINGS = {"rfc5424": RFC5424, "collector": COLLECTOR, "iso": ISO, "bsd": BSD}

# REAL: external/libvirt(s-libvirt)[24525]: [24540]: notice: ...
# REAL: auth|security:info sshd[348394]: Invalid user admin from x.x.x.x
TAG = (
    r"^(?:(?P<facility>[a-z0-9]+(?:\|[a-z0-9]+)*):"  # AIX: facility ...
    r"(?P<level>emerg|alert|crit|err|error|warn|warning|notice|info|debug) )?"  # ... and level
    r"(?P<tag>\[[^\]\s]+\]|vxvm:\w+|[^\s:\[]+(?:\([^)]*\))?(?: \([^)]*\))?)"  # program
    r"(?:\[(?P<pid>\d{1,18})\](?:\[\d+\])?)?:"  # process id, with logd a second one
    r"(?:[ \t](?P<said>.*)|$)"
)
# ADAPTED: [ID676452 kern.notice] and [ID 125212kern.notice]: copies lose blanks
SOLARIS = r"^\[ID ?(?P<msgid>\d+) ?(?P<facility>[a-z]\w*)\.(?P<level>[a-z]+)\]\s?(?P<said>.*)$"
UPTIME = r"^\[ *(?P<uptime_s>\d{1,9}\.\d{3,9})\] ?(?P<said>.*)$"
# REAL: crmd: [24228]: notice: te_fence_node: Executing reboot fencing operation (12) on xen-d (timeout=60000)
HEARTBEAT = r"^\[(?P<pid>\d{1,18})\]: (?P<said>.*)$"
LEVEL = rf"^(?P<level>{LEVEL_WORD}): +(?P<said>.*)$"
# ADAPTED: WARNING: msgcnt 3: vxfs: mesg 019: ...: a severity that is part of the message stays in the text
KEEPS_LEVEL = r"^\w+: +(?:msgcnt|VxVM|vxfs|vxvm|(?:--- )?(?:last )?message repeated )"
# ADAPTED: maplegab: [ID 112206 kern.notice]
GLUED = r"^(?P<host>.+?)(?P<tag>llt|gab|vxfen|unix|genunix|vxfs|vxio):$"

# REAL: ARPING 10.10.10.123 from 10.10.10.123 eth1#012Sent 5 probes
ESCAPES = {f"#{code:03o}": chr(code) for code in (*range(1, 32), 127)}
"""How rsyslog writes control bytes. NUL stays escaped: it is no text."""

# REAL: Mar 22 10:34:48 15sp1-1 pacemakerd          [1761] (main)    notice: Starting Pacemaker 2.0.1
PACEMAKER_OWN = rf"^{MONTH} +\d{{1,2}} \d\d:\d\d:\d\d(?:\.\d+)? \S+ [\w.-]+ *\[\d+\] \([^)]*\)"
# RECONSTRUCTED: Mar 22 10:34:48 corosync [TOTEM ] A processor failed, forming new configuration.
COROSYNC_OWN = rf"^{MONTH} +\d{{1,2}} \d\d:\d\d:\d\d(?:\.\d+)? (?:\[\d+\] \S+ )?(?:corosync|openais) (?:\w+ +)?\["
# ADAPTED: Sep 16 2003 12:00:00 VCS ERROR V-16-2-13066 ...: a date of VCS, not of syslog
VCS_GUIDE = rf"^{MONTH} +\d{{1,2}} \d{{4}} \d\d:\d\d:\d\d +VCS "
# REAL: ResourceManager[14385][14395]: 2009/12/01_14:52:04 info: Acquiring resource group: ...
HEARTBEAT_OWN = r"^[A-Za-z/][\w./-]*(?:\([^)]*\))?(?:\[\d+\]){0,2}:\s+\d{4}/\d\d/\d\d_\d\d:\d\d:\d\d\s"
# REAL: [335776.845165] drbd fastexport: BAD! BarrierAck #24834877 received, expected #24834876!
UPTIME_ONLY = r"^(?:<\d{1,3}>)?\[ *\d{1,9}\.\d{3,9}\] "
# REAL: 2025-08-13 01:45:01.123 PDT [12345] LOG:  starting PostgreSQL 15.4
PROGRAM_OWN = r"^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d"

OTHER_LOGS = {
    "Pacemaker's own log, not syslog": PACEMAKER_OWN,
    "corosync's own log, not syslog": COROSYNC_OWN,
    "a line of VCS, not of syslog": VCS_GUIDE,
    "Heartbeat's own log, not syslog": HEARTBEAT_OWN,
    "kernel text with uptime only, without date and host": UPTIME_ONLY,
}
"""Reasons why a line that looks like syslog is none. The first three look like a BSD head."""
PROGRAM_OWN_REASON = "a program's own log: a time, but no host"
NO_HEAD_REASON = "no syslog head"


def read_heads(lines: pl.DataFrame) -> pl.DataFrame:
    """Any lines through the patterns: `framing` is null where there is no head, `fault` says what is wrong with a line.

    A line without a head has a fault, and so has one whose date, zone or PRI cannot be.
    """
    cleaned = lines.with_columns(pl.col("text").str.strip_chars_start("\0\ufeff").alias("line"))
    kinds = cleaned.with_columns(_other_log().alias("fault"))
    left = kinds.filter(pl.col("fault").is_null())
    found = [kinds.filter(pl.col("fault").is_not_null()).select("row", "file_id", "line_no", "fault")]
    for name, pattern in FRAMINGS.items():
        groups = left.with_columns(pl.col("line").str.extract_groups(pattern).alias("groups"))
        field = pl.col("groups").struct.field
        hosts = ("host", "relayed") if "relayed" in pattern else ("host",)
        matched = pl.coalesce(field(each) for each in hosts).is_not_null()
        if name == "iso":
            matched &= ~_is_program_log(field("separator"), field("host"), field("rest"))
        heads = groups.filter(matched).unnest("groups").with_columns(pl.lit(name).alias("framing"))
        left = groups.filter(~matched).drop("groups")
        if heads.height:
            found.append(_read_messages(_complete(heads)))
    reason = pl.when(pl.col("line").str.contains(PROGRAM_OWN)).then(pl.lit(PROGRAM_OWN_REASON))
    found.append(
        left.select("row", "file_id", "line_no", reason.otherwise(pl.lit(NO_HEAD_REASON)).alias("fault")),
    )
    empty = pl.DataFrame(schema={**MESSAGE_SCHEMA, "fault": pl.String()})
    return pl.concat([empty, *found], how="diagonal").sort("row")


def is_head() -> pl.Expr:
    """Whether a line, column `line`, has a syslog head."""
    line = pl.col("line")
    heads = [line.str.contains(pattern) for name, pattern in FRAMINGS.items() if name != "iso"]
    groups = line.str.extract_groups(ISO)
    separator, host, rest = (groups.struct.field(name) for name in ("separator", "host", "rest"))
    iso = host.is_not_null() & ~_is_program_log(separator, host, rest)
    return _other_log().is_null() & (iso | pl.any_horizontal(heads))


def _other_log() -> pl.Expr:
    """Which other log a line belongs to, null if to none."""
    reason: pl.Expr = pl.lit(None, pl.String)
    for text, pattern in reversed(OTHER_LOGS.items()):
        reason = pl.when(pl.col("line").str.contains(pattern)).then(pl.lit(text)).otherwise(reason)
    return reason


def _is_program_log(separator: pl.Expr, host: pl.Expr, rest: pl.Expr) -> pl.Expr:
    """Whether what looks like a host is a level, a zone or a number: PostgreSQL, Patroni, MySQL, Python programs."""
    is_word = host.str.contains(rf"^{PROGRAM_WORD}$|:$")
    is_zone = host.str.contains(r"^[A-Z]{2,5}$")
    return is_word | ((separator == " ") & (is_zone | ~rest.str.contains(TAG).fill_null(value=False)))


def _complete(heads: pl.DataFrame) -> pl.DataFrame:
    """All groups that any framing has; stamp, host and the faults of the head."""
    names = [
        *("pri", "date", "month", "day", "year", "year_after", "received", "epoch", "time", "fraction", "offset"),
        *("separator", "relayed", "host", "rest", "tag", "pid", "msgid"),
    ]
    missing = [pl.lit(None, pl.String).alias(name) for name in names if name not in heads.columns]
    full = heads.with_columns(missing)
    day = pl.col("day").str.zfill(2)
    month = pl.col("month").replace_strict({name: f"{no:02}" for no, name in enumerate(MONTHS, 1)}, default=None)
    year = pl.coalesce("year", "year_after", _year_received(month))
    date = pl.coalesce("date", pl.concat_str(year.fill_null("2000"), month, day, separator="-"))
    stamped = full.with_columns(
        instant(date, pl.col("time"), pl.col("fraction")).alias("stamp"),
        (pl.col("date").is_not_null() | year.is_not_null()).alias("has_year"),
        offset_min(pl.col("offset")).alias("utc_offset_min"),
        pl.coalesce("relayed", "host").alias("host"),
        pl.col("rest").fill_null("").str.strip_prefix("^M").alias("rest"),
        pl.col("pri").cast(pl.Int32, strict=False),
    )
    return stamped.with_columns(
        pl.coalesce("utc_offset_min", _offset_by_epoch()).alias("utc_offset_min"),
        _fault().alias("fault"),
    )


def _fault() -> pl.Expr:
    """What is wrong with a head, null if nothing."""
    return (
        pl.when(pl.col("pri") > 191)
        .then(pl.lit("PRI is above 191"))
        .when(pl.col("stamp").is_null() & pl.col("time").is_not_null())
        .then(pl.lit("impossible date or time"))
        .when(pl.col("offset").is_not_null() & pl.col("utc_offset_min").is_null())
        .then(pl.lit("impossible zone"))
    )


def _year_received(month: pl.Expr) -> pl.Expr:
    """Year of a collector's line: that of receipt, or the one before if a December line came in January."""
    year = pl.col("received").str.slice(0, 4).cast(pl.Int32, strict=False)
    came_late = (pl.col("received").str.slice(5, 2) == "01") & (month == "12")
    return (year - came_late.cast(pl.Int32)).cast(pl.String).str.zfill(4)


def _offset_by_epoch() -> pl.Expr:
    """Zone of a collector's line: its stamp less the epoch seconds, if that is near a quarter of an hour."""
    ahead_s = (pl.col("stamp").dt.epoch("s") - pl.col("epoch").cast(pl.Int64, strict=False)).cast(pl.Float64)
    quarters = (ahead_s / 900).round()
    is_zone = ((ahead_s - quarters * 900).abs() <= 120) & (quarters.abs() <= 14 * 4)
    return pl.when(is_zone).then((quarters * 15).cast(pl.Int16, strict=False))


def instant(date: pl.Expr, time: pl.Expr, fraction: pl.Expr) -> pl.Expr:
    """Wall clock of `2000-02-29`, `10:27:04` and the digits of a fraction, cut to microseconds."""
    whole = (date + " " + time).str.to_datetime("%Y-%m-%d %H:%M:%S", time_unit="us", strict=False)
    micros = fraction.str.slice(0, 6).str.pad_end(6, "0").cast(pl.Int64, strict=False).fill_null(0)
    return whole + pl.duration(microseconds=micros, time_unit="us")


def offset_min(offset: pl.Expr) -> pl.Expr:
    """Minutes east of UTC of `Z`, `+08:00` or `+0800`; null where no zone is so far away."""
    digits = offset.str.replace(":", "", literal=True)
    hours = digits.str.slice(1, 2).cast(pl.Int16, strict=False)
    minutes = digits.str.slice(3, 2).cast(pl.Int16, strict=False)
    east = hours * 60 + minutes
    signed = pl.when(offset.str.starts_with("-")).then(-east).otherwise(east)
    possible = (hours <= 15) & (minutes < 60)
    return pl.when(offset == "Z").then(pl.lit(0, pl.Int16)).when(possible).then(signed).cast(pl.Int16)


def level_of(word: pl.Expr) -> pl.Expr:
    """The level that a word stands for."""
    return word.str.to_lowercase().replace_strict(LEVEL_WORDS, default=None, return_dtype=pl.String)


def _by_number(names: tuple[str, ...], number: pl.Expr) -> pl.Expr:
    return number.replace_strict(dict(enumerate(names)), default=None, return_dtype=pl.String)


def _read_messages(heads: pl.DataFrame) -> pl.DataFrame:
    """Tag, pid, facility, level, uptime and text out of `rest`, stage by stage."""
    by_pri = heads.with_columns(
        _by_number(FACILITIES, pl.col("pri") // 8).alias("facility"),
        _by_number(LEVELS, pl.col("pri") % 8).alias("level"),
        pl.lit(None, pl.Float64).alias("uptime_s"),
    )
    if heads["framing"][0] == "rfc5424":
        return _finish(by_pri.with_columns(*_rfc5424_fields()))
    said = _read_tags(by_pri.drop("tag", "pid", "msgid"))
    return _finish(_read_levels(_read_marks(said)))


def _rfc5424_fields() -> list[pl.Expr]:
    """Nil is `-`; a process id may be a word; the text may begin with a byte order mark or the letters BOM."""
    fields = [pl.when(pl.col(name) != "-").then(pl.col(name)).alias(name) for name in ("tag", "msgid")]
    return [
        *fields,
        pl.col("pid").cast(pl.Int64, strict=False),
        pl.col("rest").str.replace("^(?:\ufeff|BOM)", "").alias("text"),
    ]


def _read_tags(heads: pl.DataFrame) -> pl.DataFrame:
    """The program that wrote the line. Where there is none, the whole rest is the text."""
    groups = pl.col("rest").str.extract_groups(TAG)
    field = groups.struct.field
    glued = pl.col("host").str.extract_groups(GLUED)
    is_glued = glued.struct.field("tag").is_not_null() & pl.col("rest").str.starts_with("[ID")
    return heads.with_columns(
        pl.coalesce(field("facility"), "facility").alias("facility"),
        pl.coalesce(level_of(field("level")), "level").alias("level"),
        pl.when(is_glued).then(glued.struct.field("tag")).otherwise(field("tag")).alias("tag"),
        field("pid").cast(pl.Int64, strict=False).alias("pid"),
        pl.when(field("tag").is_null()).then("rest").otherwise(field("said").fill_null("")).alias("text"),
        pl.when(is_glued)
        .then(glued.struct.field("host"))
        .otherwise(pl.col("host").str.strip_suffix(":"))
        .alias("host"),
        pl.when((pl.col("framing") == "bsd") & field("facility").is_not_null())
        .then(pl.lit("aix"))
        .otherwise("framing")
        .alias("framing"),
    )


def _read_marks(said: pl.DataFrame) -> pl.DataFrame:
    """What stands in brackets before the text: Solaris' message id, the kernel's uptime, Heartbeat's process id."""
    text = pl.col("text").str.strip_chars_start(" ")
    solaris = text.str.extract_groups(SOLARIS).struct.field
    uptime = text.str.extract_groups(UPTIME).struct.field
    heartbeat = text.str.extract_groups(HEARTBEAT).struct.field
    is_bsd = pl.col("framing") == "bsd"
    return said.with_columns(
        pl.coalesce(solaris("said"), uptime("said"), heartbeat("said"), text).alias("text"),
        solaris("msgid").alias("msgid"),
        pl.coalesce(solaris("facility"), "facility").alias("facility"),
        pl.coalesce(level_of(solaris("level")), "level").alias("level"),
        uptime("uptime_s").cast(pl.Float64, strict=False).alias("uptime_s"),
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
    keeps = pl.col("text").str.contains(KEEPS_LEVEL) | pl.col("tag").str.starts_with("vx").fill_null(value=False)
    takes = pl.col("level").is_null() & groups("level").is_not_null() & ~keeps
    return said.with_columns(
        pl.when(takes).then(level_of(groups("level"))).otherwise("level").alias("level"),
        pl.when(takes).then(groups("said")).otherwise("text").alias("text"),
    )


def _finish(said: pl.DataFrame) -> pl.DataFrame:
    """The columns of a message, escaped bytes decoded."""
    if said["text"].str.contains("#(?:0[0-3][0-7]|177)").any():
        said = said.with_columns(pl.col("text").str.replace_many(list(ESCAPES), list(ESCAPES.values())))
    return said.select(*(pl.col(name).cast(dtype) for name, dtype in MESSAGE_SCHEMA.items()), "fault")
