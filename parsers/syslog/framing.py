r"""Heads of log lines: when, which host, which program. One list of framings, which all formats of messages share.

There is no single grammar; the head is chosen line by line, as real files mix several:

framing          head
rfc5424          `<34>1 2003-10-11T22:14:15.003Z host app procid msgid [data] text`
heartbeat        `heartbeat[13209]: 2013/01/23_04:09:36 info: text`: year, no zone, no host
pacemaker        `Mar 22 10:34:48 host pacemakerd  [1761] (main) notice: text`; 1.1: `... [2796] host attrd: info: text`
agent            `Nov 21 12:02:26  pgsql(database)[283]:    INFO: text`, of a resource agent in Pacemaker's log: no host
corosync         `Feb 20 03:29:11 [1155] node2 corosync notice  [TOTEM ] text`
corosync_undated `[27935] host corosyncnotice  [MAIN  ] text`: no time at all
date             `Wed Dec 4 03:25:57 GMT 2013 text`: the output of `date`, then a text
collector        `- 1131566461 2005.11.09 source`, then a bsd line
short_full       `Fri 2019-03-22 11:01:02 CST host tag[pid]: text`, of journalctl
python           `2020-05-29 12:59:39,513 INFO: text`: no host; zone, process id and logger if a site asks for them
klog             `I0405 07:42:07.749214      11 file.go:684] text`, of Kubernetes: no year, no zone, no host
logrus           `time="2019-02-04T19:18:12Z" level=info msg="text" key=value`
postgresql       `2025-08-13 01:45:01.123 PDT [12345] LOG:  text`: zone by name, no host
postgresql_own   `[12345] app@db 2025-08-13 01:45:01.123 PDT LOG:  text`: any prefix that holds a time, in its own log
postgresql_undated  `LOG:  text`: a prefix without a time
postgresql_csv   `2025-08-13 01:45:01.123 PDT,"user","db",12345,...,LOG,00000,"text",...`
program          `2021-05-04 08:10:11,836: text`: a time and no host, of any program, between lines of syslog
iso              `2019-03-22T10:45:37.687203+08:00 host tag[pid]: text`
bsd              `Mar  7 04:02:16 host tag[pid]: text`: no year, no zone; day padded with a blank, a zero or not at all
solaris          bsd, then `[ID 702911 daemon.warning]` before the text
linux_kernel     bsd, then the kernel's uptime: `kernel: [7705431.110245] text`
aix              bsd, then facility and level before the tag: `auth|security:info sshd[1]: text`
unix             `1553223662.123456 host tag[pid]: text`: seconds since 1970
ctime            `[Fri Nov  8 17:41:18 2019] text`, of `dmesg -T`
monotonic        `[   12.345678] host tag[pid]: text`: the uptime in a journal
uptime           `[335791.633014] text`: the kernel's uptime and no host
bare             text of the kernel that somebody freed of time and host: `drbd r1 s1: ...`, `GAB INFO V-15-1-20036 ...`
journal_json, postgresql_json, json, cri  a message in JSON or of a container's runtime, see `parsers.syslog.wrapping`

Many of them may carry `<PRI>` in front. The patterns here read any head; `parsers.syslog.plain` reads the common ones
several times faster, with the same result.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import polars as pl

from parsers.ascii_pattern import ASCII_BOUNDARY, ascii_only
from parsers.syslog import postgresql_prefix
from parsers.syslog.locale import in_english
from parsers.syslog.markdown import bare
from parsers.syslog.stamps import GROUPS, fault, stamp_columns
from parsers.syslog.text import MESSAGE_SCHEMA, TAG, messages
from parsers.syslog.words import LEVEL_LETTERS, LEVEL_WORD, MONTH, MONTHS, NO_HOST, PROGRAM_WORD, WEEKDAY
from parsers.syslog.wrapping import (
    BEFORE_OBJECT,
    CRI,
    CRI_BOUNDARY,
    CRI_MARK,
    JOURNAL_JSON,
    JSON,
    JSON_BOUNDARY,
    POSTGRESQL_JSON,
    journal_heads,
    postgresql_heads,
    rewrap,
    unwrap,
    with_parts,
)

PRI = r"(?:(?:[0-9]{1,6} )?<(?P<pri>[0-9]{1,5})>)?"  # after the byte count of a captured stream
HOST = r"[^\s\[\]()=^]*[^\s\[\]()=^0-9][^\s\[\]()=^]*"  # one word that is not a number
TIME = r"(?P<time>[0-9][0-9]:[0-9][0-9]:[0-9][0-9])"
DATE = r"(?P<date>[0-9]{4}-[0-9][0-9]-[0-9][0-9])"
DAY = rf"(?P<month>{MONTH}) {{1,3}}(?P<day>[0-9]{{1,2}})"
FRACTION = r"(?:\.(?P<fraction>[0-9]{1,9}))?"
BSD_STAMP = rf"{DAY} {TIME}{FRACTION}"

# REAL: <165>1 2003-08-24T05:14:15.000003-07:00 192.0.2.1 myproc 8710 - - %% It's time to make the do-nuts.
RFC5424 = (
    r"^(?:[0-9]{1,6} )?<(?P<pri>[0-9]{1,5})>[1-9][0-9]? "  # priority and version
    rf"(?:-|{DATE}T{TIME}{FRACTION}(?P<offset>Z|[+-][0-9][0-9]:[0-9][0-9])) "  # nil, or date, time and zone
    r"(?P<host>\S{1,255}) (?P<tag>\S{1,48}) (?P<pid>\S{1,128}) (?P<msgid>\S{1,32}) "
    r'(?:-|(?:\[(?:[^\]\\"]|\\.|"(?:[^"\\]|\\.)*")*\])+)'  # structured data
    r"(?: (?P<said>.*))?$"
)

# REAL: ResourceManager[14385][14395]: 2009/12/01_14:52:04 info: Acquiring resource group: ...
# REAL: ip-request-resp[29696]:   2009/06/30_13:46:13 received ip-request-resp xendomainsHA2 OK yes
HEARTBEAT = (
    r"^(?P<tag>[A-Za-z/][\w./-]*(?:\([^)]*\))?)(?:\[(?P<pid>[0-9]{1,18})\](?:\[[0-9]+\])?)?:\s+"  # with logd two pids
    rf"(?P<date>[0-9]{{4}}/[0-9][0-9]/[0-9][0-9])_{TIME}\s+"
    rf"(?:(?P<level>{LEVEL_WORD}): ?)?(?P<said>.*)$"
)

# REAL: Mar 22 10:34:48 15sp1-1 pacemakerd          [1761] (main)    notice: Starting Pacemaker 2.0.1
# REAL: Feb 14 23:30:37 [27960] smc40-m09 pacemakerd:     info: pcmk_quorum_notification:      Quorum retained
PACEMAKER = (
    rf"^{BSD_STAMP} (?:(?P<host>\S+) (?P<tag>[\w.-]+) *\[(?P<pid>[0-9]{{1,18}})\] \([^)]*\)"  # function in parentheses
    rf"|\[(?P<pid_first>[0-9]{{1,18}})\] (?P<host_second>{HOST}) +(?P<tag_last>[\w.-]+):)"  # 1.1
    rf"\s+(?P<level>{LEVEL_WORD}|trace): *(?P<said>.*)$"
)

# REAL: Nov 21 12:02:26  pgsql(database)[283]:    INFO: PostgreSQL is started.
AGENT = (
    rf"^{BSD_STAMP}  (?P<tag>[A-Za-z/][\w./:-]*\([^)\s]+\))\[(?P<pid>[0-9]{{1,18}})\]:\s+"  # no host
    rf"(?P<level>{LEVEL_WORD}): ?(?P<said>.*)$"
)

# REAL: Feb 20 03:29:11 [1155] node2 corosync notice  [TOTEM ] A new membership (1.116fc) was formed. Members joined: 1
# RECONSTRUCTED: Mar 22 10:34:48 corosync [TOTEM ] A processor failed, forming new configuration.
SUBSYSTEM = rf" ?(?P<level>{LEVEL_WORD})? *(?P<said>\[[A-Z][A-Za-z]{{0,7}} *\].*)$"
COROSYNC = rf"^{BSD_STAMP} (?:\[(?P<pid>[0-9]{{1,18}})\] (?:(?P<host>{HOST}) )?)?(?P<tag>corosync|openais)?{SUBSYSTEM}"
# REAL: [27935] smc40-m09.colo.seagate.com corosyncnotice  [MAIN  ] Completed service synchronization, ready to ...
COROSYNC_UNDATED = rf"^\[(?P<pid>[0-9]{{1,18}})\] (?P<host>{HOST}) (?P<tag>corosync|openais){SUBSYSTEM}"

# REAL: Wed Dec 4 03:25:57 GMT 2013 Invoked vxfen. Starting
DATED = rf"^{WEEKDAY} {DAY} {TIME} (?P<offset>[A-Z]{{2,5}}|[+-][0-9][0-9][0-9][0-9]) (?P<year>[0-9]{{4}}) (?P<said>.*)$"

# REAL: <34>Oct 11 22:14:15 mymachine su: 'su root' failed for lonvick on /dev/pts/8
# REAL: Oct   10 18:35:20 fleur Cluster.Framework: [ID 801593 daemon.notice] stdout:   becoming primary for dsk/d16
# ADAPTED: Feb 317:09:16 cedar unix: [ID 676400 kern.notice]
# REAL: Sep 22 10:11:56 Message forwarded from cdaix66: sshd[679960]: Accepted ...
BSD_HEAD = (
    rf"{DAY}(?: (?P<year>[0-9]{{4}}))?"  # date, blanks as copies have them
    rf" ?{TIME}{FRACTION}"  # hours have two digits: the blank may be lost
    r"(?: (?P<year_after>[0-9]{4}))? +"  # some writers put the year last
    rf"(?:(?:Message forwarded from|From) (?P<relayed>{HOST}):|(?P<host>{HOST}))"  # AIX: passed on for that host
    r"(?:(?: |\^M)(?P<rest>.*))?$"  # a carriage return as a copy prints it
)
BSD = f"^{PRI}{BSD_HEAD}"

# REAL: - 1131566461 2005.11.09 dn228 Nov 9 12:01:01 dn228/dn228 crond(pam_unix)[2915]: session closed for user root
COLLECTOR = (
    r"^(?:-|[A-Z_]+) (?P<epoch>[0-9]{9,10}) "  # alert category, seconds since 1970 UTC
    r"(?P<received>[0-9]{4}\.[0-9][0-9])\.[0-9][0-9] \S+ "  # year and month of receipt, source
    + BSD_HEAD.replace("(?P<host>", r"(?:\S*/)?(?P<host>")  # relay/host
)

# RECONSTRUCTED: Fri 2019-03-22 11:01:02 CST 15sp1-1 kernel: sd 2:0:0:0: [sda] Attached SCSI disk
SHORT_FULL = (
    rf"^{WEEKDAY} {DATE} {TIME}{FRACTION} (?P<offset>[A-Z]{{2,5}}|[+-][0-9][0-9](?::?[0-9][0-9])?) (?P<host>{HOST})"
    r"(?: (?P<rest>.*))?$"
)

# REAL: 2023-12-10 00:00:19,349 INFO: Software Watchdog activated with 25 second timeout, timing slack 15 seconds
# REAL: [patroni] 2026-11-22 14:15:22,935 WARNING: ...
# REAL: 2026-11-22T14:23:36.611 12448 WARNING patroni.ha: ...
# REAL: 2024-08-07 07:02:09 UTC [16]: INFO: ...
PYTHON = (
    rf"^(?:\[[A-Za-z][\w./ -]{{0,40}}\] )?{DATE}[ T]{TIME}(?:[.,](?P<fraction>[0-9]{{3,6}}))?"
    r"(?: (?P<offset>[+-][0-9]{4}|[A-Z]{3,5}))?(?: \[?(?P<pid>[0-9]{1,18})\]?:?)?"  # by log.format and log.dateformat
    r" (?P<level>[A-Z]{4,8})(?: (?P<tag>[a-z_][\w.]*))?: (?P<said>.*)$"
)

# REAL: I0405 07:42:07.749214      11 node_lifecycle_controller.go:684] "Controller observed a Node deletion" ...
KLOG = (
    r"^ {0,4}(?P<letter>[IWEF])(?P<month_no>[0-9]{2})(?P<day>[0-9]{2}) (?P<time>[0-9]{2}:[0-9]{2}:[0-9]{2})\."
    r"(?P<fraction>[0-9]{6})"
    r" +(?P<pid>[0-9]{1,18}) (?P<said>[\w./-]+:[0-9]+\] .*)$"
)
# REAL: time="2019-02-04T19:18:12Z" level="info" msg="Started proxy" name="resiliencyTestProxy" upstream="ms2:9090"
LOGRUS = (
    rf'^time="{DATE}[T ]{TIME}{FRACTION} ?(?P<offset>Z|[A-Z]{{2,5}}|[+-][0-9][0-9]:?[0-9][0-9])?"'
    r' level="?(?P<level>[a-z]+)"? msg=(?:"(?P<quoted>(?:[^"\\]|\\.)*)"|(?P<word>\S*))(?P<fields>(?: .*)?)$'
)

# REAL: 2025-08-13 01:45:01.123 PDT [12345] LOG:  starting PostgreSQL 15.4 on x86_64-pc-linux-gnu, ...
# REAL: 2025-08-13 01:46:12.212 PDT [12389] STATEMENT:  SELECT * FROM nonexistent_table;
POSTGRESQL_LEVEL = postgresql_prefix.LEVELS
POSTGRESQL_STAMP = rf"{DATE} {TIME}{FRACTION} (?P<offset>[A-Z]{{2,5}}|[+-][0-9][0-9](?::?[0-9][0-9])?)"
POSTGRESQL = (
    rf"^(?:< ?)?{POSTGRESQL_STAMP}"
    r"(?:[^\[]{0,120}\[(?P<pid>[0-9]{1,18})(?:-[0-9]+)?\])?.{0,200}?"  # log_line_prefix: whatever the site likes
    rf"(?:\b(?P<level>{POSTGRESQL_LEVEL}):  (?P<said>.*)"
    rf"|\b(?P<note>(?:{postgresql_prefix.NOTES}):  .*))$"
)
CSV = r'(?:"(?:[^"]|"")*"|[^",]*)'
POSTGRESQL_CSV = (
    rf"^{POSTGRESQL_STAMP},{CSV},{CSV},(?P<pid>[0-9]{{1,18}}),"  # user, database
    rf"(?:{CSV},){{7}}"  # client, session, line of the session, command, start, transactions
    rf'(?P<level>{POSTGRESQL_LEVEL}),[0-9A-Z]{{5}},(?:"(?P<said>(?:[^"]|"")*)(?:".*)?|.*)$'
)

# REAL: 2019-03-22T11:36:57+0800 15sp1-1 kernel: systemd-journal   360     34476.363433       713   120
ISO = (
    rf"^{PRI}{DATE}(?P<separator>[T ])"  # date
    rf"{TIME}(?:[.,](?P<fraction>[0-9]{{1,9}}))?(?P<offset>Z|[+-][0-9][0-9]:?[0-9][0-9])? "  # time, zone
    rf"(?P<host>{HOST})(?: (?P<rest>.*))?$"
)

# ADAPTED: 2021-05-04 08:10:11,836: toold pid=10 INFO RunCmd new-resource r6
PROGRAM = (
    rf"^\[?{DATE}[T ]{TIME}(?:[.,](?P<fraction>[0-9]{{1,9}}))?(?: ?(?P<offset>Z|[+-][0-9][0-9]:?[0-9][0-9]))?\]?"
    r"[:,]?[ \t]+(?P<said>.*)$"
)

# RECONSTRUCTED: 1553223662.123456 15sp1-1 kernel: sd 2:0:0:0: [sda] Attached SCSI disk
UNIX = rf"^(?P<seconds>[0-9]{{9,10}})\.(?P<fraction>[0-9]{{6}}) (?P<host>{HOST}) (?P<rest>.*)$"
# RECONSTRUCTED: [   12.345678] 15sp1-1 kernel: sd 2:0:0:0: [sda] Attached SCSI disk
MONOTONIC = rf"^\[ *(?P<uptime_s>[0-9]{{1,9}}\.[0-9]{{6}})\] (?P<host>{HOST}) (?P<rest>[^\s:\[]+(?:\[[0-9]+\])?:.*)$"
# RECONSTRUCTED: [Fri Nov  8 17:41:18 2019] drbd r0: conn( Connected -> Timeout )
CTIME = (
    rf"^\[{WEEKDAY} (?P<month>{MONTH}) {{1,2}}(?P<day>[1-9]|[12][0-9]|3[01]) {TIME} (?P<year>[0-9]{{4}})\] "  # no zero
    r"(?P<said>.*)$"
)
# REAL: [Sun Dec 04 04:47:44 2005] [notice] workerEnv.init() ok
WEB_SERVER = (
    r"^\[[^\]]*\] (?:\[(?:[\w-]+:)?(?:emerg|alert|crit|error|warn|notice|info|debug|trace[1-8])\]"
    r"|\[pid [0-9]|\[client |\[[0-9]+:[0-9]+\]|PHP |[0-9]+\.[0-9]+\.[0-9]+\.[0-9]+[: ])"
)
# REAL: [335776.845165] drbd fastexport: BAD! BarrierAck #24834877 received, expected #24834876!
# RECONSTRUCTED: kern  :info  : [    0.000000][    T0] Linux version ...
UPTIME = (
    r"^(?:\S+@\S+[^\]]*\][$#] ?)?(?:(?:<(?P<pri>[0-9]{1,3})>)|\w+ *:(?P<level>\w+) *: )?"  # prompt, dmesg -r, dmesg -x
    r"\[ *(?P<uptime_s>[0-9]{1,9}\.[0-9]{3,9})(?: <[ 0-9.]+>)?\]"  # dmesg -d
    r"(?:\[ *[TC][0-9]+\])? (?P<said>.*)$"  # thread or processor
)
# REAL: drbd r1 s1: conn( Connected -> ProtocolError ) peer( Primary -> Unknown )
# ADAPTED: GAB WARNING V-15-1-20057 Port h process 1 inactive 7 sec
BARE = (
    r"^(?P<said>(?:block )?drbd(?:[0-9]+|[ ][^:]{1,200}): .*"
    r"|(?:LLT|GAB|V[Xx]FEN|VxVM vx\w+) (?:FATAL ERROR|PANIC|CRITICAL|ERROR|WARNING|NOTICE|INFO) ?V-[0-9]+-.*)$"
)


@dataclass(frozen=True, slots=True)
class Framing:
    """One shape of a head. `tag`: whose lines these are, where the head does not say.

    `mark`: a short pattern of what is in all of them, sought first, as their own takes long to compile.
    `read`: reads the groups where one pattern cannot. `variant_of`: name of the shape that it is a kind of.
    """

    name: str
    pattern: str
    tag: str | None = None
    mark: str = ""
    read: Callable[[pl.DataFrame], pl.DataFrame] | None = None
    variant_of: str | None = None

    @property
    def groups(self) -> set[str]:
        """What the pattern captures."""
        return set(re.findall(r"\(\?P<(\w+)>", self.pattern))


def _read_klog(lines: pl.DataFrame) -> pl.DataFrame:
    """Level by its letter, and month by its number."""
    groups = lines.with_columns(pl.col("line").str.extract_groups(KLOG).alias("groups")).unnest("groups")
    months = {f"{number:02}": name for number, name in enumerate(MONTHS, 1)}
    return groups.with_columns(
        pl.col("letter").replace_strict(LEVEL_LETTERS, default=None, return_dtype=pl.String).alias("level"),
        pl.col("month_no").replace_strict(months, default="?", return_dtype=pl.String).alias("month"),
    )


def _read_logrus(lines: pl.DataFrame) -> pl.DataFrame:
    """The message, with the fields behind it."""
    groups = lines.with_columns(pl.col("line").str.extract_groups(LOGRUS).alias("groups")).unnest("groups")
    quoted = pl.col("quoted").str.replace_many(['\\"', "\\\\", "\\n", "\\t"], ['"', "\\", "\n", "\t"])
    return groups.with_columns(pl.concat_str(pl.coalesce(quoted, "word"), "fields").alias("said"))


FRAMINGS = {
    each.name: replace(each, pattern=ascii_only(each.pattern))
    for each in (
        Framing("journal_json", JOURNAL_JSON, mark='"__REALTIME_TIMESTAMP"'),
        Framing("postgresql_json", POSTGRESQL_JSON, mark='"error_severity"'),
        Framing("json", JSON, mark=r"\{"),
        Framing("cri", CRI, mark=CRI_MARK),
        Framing("rfc5424", RFC5424, mark=">"),
        Framing("heartbeat", HEARTBEAT, mark="/"),
        Framing("pacemaker", PACEMAKER, mark=r"\["),
        Framing("agent", AGENT, mark=r"\)\["),
        Framing("corosync", COROSYNC, "corosync", mark=r"\[[A-Z]"),
        Framing("corosync_undated", COROSYNC_UNDATED, mark=r"^\["),
        Framing("date", DATED, mark="^[A-Z][a-z]{2} [A-Z]"),
        Framing("collector", COLLECTOR, mark="^(?:-|[A-Z_]+) [0-9]{9}"),
        Framing("short_full", SHORT_FULL, mark="^[A-Z][a-z]{2} [0-9]{4}-"),
        Framing("postgresql", POSTGRESQL, "postgres", mark=":  "),
        Framing("postgresql_csv", POSTGRESQL_CSV, "postgres", mark="^[0-9]{4}-[^,]*,"),
        Framing(
            "postgresql_own",
            postgresql_prefix.PREFIXED,
            "postgres",
            ":  ",
            postgresql_prefix.groups,
            "postgresql",
        ),
        Framing("postgresql_undated", postgresql_prefix.UNDATED, "postgres", ":  ", postgresql_prefix.groups),
        Framing("python", PYTHON, mark=r"^(?:\[|[0-9]{4}-)"),
        Framing("klog", KLOG, mark="] ", read=_read_klog),
        Framing("logrus", LOGRUS, mark='time="', read=_read_logrus),
        Framing("iso", ISO, mark="[0-9]{4}-"),
        Framing("bsd", BSD),
        Framing("program", PROGRAM, mark="[0-9]{4}-"),
        Framing("unix", UNIX, mark="^[0-9]{9}"),
        Framing("ctime", CTIME, "kernel", mark=r"^\["),
        Framing("monotonic", MONOTONIC, mark=r"^\["),
        Framing("uptime", UPTIME, "kernel", mark=r"\[ *[0-9]"),
        Framing("bare", BARE, "kernel", mark="drbd|[A-Z] ?V-"),
    )
}
"""In the order in which they are tried: the first that fits a line is it."""

JSON_HEADS = {"journal_json": journal_heads, "postgresql_json": postgresql_heads}
"""What reads the framings that are objects with all that a head says."""

WRAPPERS = ("json", "cri")
"""Framings of lines that hold another line."""

WHOLE_SECONDS = ("bsd", "solaris", "linux_kernel", "aix", "collector", "heartbeat", "date", "ctime")
"""Framings of heads that print whole seconds. A finer stamp of such a line is from its text."""

COMMON = tuple(
    name for name in FRAMINGS if name not in {"monotonic", "bare", "program", "postgresql_own", "postgresql_undated"}
)
"""What may occur in any file. The uptime of a journal looks like that of dmesg, and so is read in journals only; text
without any head is one only where most lines are so, PostgreSQL's level may be anywhere in its own log only, and
lines of any program are read between those of syslog."""

# ADAPTED: Sep 16 2003 12:00:00 VCS ERROR V-16-2-13066 ...: a date of VCS, not of syslog
VCS_GUIDE = ascii_only(rf"^{MONTH} +[0-9]{{1,2}} [0-9]{{4}} [0-9][0-9]:[0-9][0-9]:[0-9][0-9] +VCS ")
VCS_REASON = "a line of VCS, not of syslog"
# REAL: 2020-05-29T12:59:39Z INFO foo: bar
PROGRAM_OWN = ascii_only(r"^[0-9]{4}-[0-9][0-9]-[0-9][0-9][T ][0-9][0-9]:[0-9][0-9]:[0-9][0-9]")
PROGRAM_OWN_REASON = "a program's own log: a time, but no host"
# RECONSTRUCTED: <34>1 2003-10-11T22:14:15.003Z host app 12 ID47 [data@1        heartbeat[1]: 2009/12/01_14:52:04
CUT = ascii_only(
    r"^(?:<[0-9]{1,5}>[1-9][0-9]? [0-9]{4}-[0-9][0-9]-[0-9][0-9]T[0-9][0-9]:"
    r"|[A-Za-z/][\w./-]*(?:\([^)]*\))?(?:\[[0-9]+\])*:\s+[0-9]{4}/[0-9][0-9]/[0-9][0-9]_[0-9][0-9]:[0-9][0-9]:[0-9][0-9]"
    rf"|{WEEKDAY} {MONTH} +[0-9]{{1,2}} [0-9][0-9]:[0-9][0-9]:[0-9][0-9])"
)
CUT_REASON = "begins with a time, but the rest of its head is not on the next line"
CUT_REASONS = (PROGRAM_OWN_REASON, CUT_REASON)
NO_HEAD_REASON = "no head of a log line"
PRI_REASON = "PRI is above 191"

COLUMNS = (
    *GROUPS,
    *(
        "pri",
        "separator",
        "relayed",
        "host",
        "host_second",
        "rest",
        "tag",
        "tag_last",
        "pid",
        "pid_first",
        "msgid",
        "message_id",
    ),
    *("level", "said", "note", "uptime_s"),
)


def read_heads(lines: pl.DataFrame, framings: Sequence[str] = COMMON) -> pl.DataFrame:
    """Any lines through the patterns: `framing` is null where there is no head, `fault` says what is wrong with a line.

    A line without a head has a fault, and so has one whose date, zone or PRI cannot be.
    """
    texts = bare(lines["text"].str.strip_chars_start("\0\ufeff"))
    cleaned = lines.with_columns(in_english(texts).alias("line"))
    is_other = pl.col("line").str.contains(VCS_GUIDE)
    left = cleaned.filter(~is_other)
    found = [cleaned.filter(is_other).select("row", "file_id", "line_no", pl.lit(VCS_REASON).alias("fault"))]
    for name in framings:
        if left.is_empty():
            break
        mark = FRAMINGS[name].mark
        if mark and not left["line"].str.contains(mark).any():
            continue
        fits = left["line"].str.contains(FRAMINGS[name].pattern)
        if name in NOT_WHERE and fits.any():
            fits &= ~left.select(NOT_WHERE[name]()).to_series()
        if fits.any():
            found.append(_read(left.filter(fits), name, framings))
            left = left.filter(~fits)
    begins = pl.col("line").str.contains
    reason = pl.when(begins(PROGRAM_OWN)).then(pl.lit(PROGRAM_OWN_REASON)).when(begins(CUT)).then(pl.lit(CUT_REASON))
    found.append(
        left.select("row", "file_id", "line_no", reason.otherwise(pl.lit(NO_HEAD_REASON)).alias("fault")),
    )
    empty = pl.DataFrame(schema={**MESSAGE_SCHEMA, "fault": pl.String()})
    return pl.concat([empty, *found], how="diagonal").sort("row")


def boundary_of(*framings: str) -> str:
    """A pattern of the lines with a head of these framings, for cutting a file."""
    own = {"cri": CRI_BOUNDARY, "json": JSON_BOUNDARY}
    patterns = (own.get(name, FRAMINGS[name].pattern) for name in framings)
    nameless = "|".join(re.sub(r"\(\?P<\w+>", "(?:", pattern) for pattern in patterns)
    return nameless.replace(ASCII_BOUNDARY, r"\b")  # as Python's `re` knows it


def framings_of(lines: pl.Series, framings: Sequence[str] = COMMON) -> pl.Series:
    """The framing of each line; empty if it has no head. Marks are sought first: patterns take long to compile."""
    found = pl.repeat("", lines.len(), dtype=pl.String, eager=True)
    is_other = lines.str.contains(VCS_GUIDE)
    left = pl.DataFrame({"row": pl.int_range(lines.len(), eager=True), "line": lines}).filter(~is_other)
    for name in framings:
        if left.is_empty():
            break
        mark = FRAMINGS[name].mark
        marked = left.filter(pl.col("line").str.contains(mark)) if mark else left
        if not marked.height:
            continue
        fitting = marked.filter(marked["line"].str.contains(FRAMINGS[name].pattern))
        if name in NOT_WHERE and fitting.height:
            fitting = fitting.filter(~NOT_WHERE[name]())
        if fitting.height:
            found = found.scatter(fitting["row"], name)
            left = left.join(fitting, on="row", how="anti", maintain_order="left")
    return found


def _is_program_log() -> pl.Expr:
    """Whether what looks like a host is a level, a zone or a number: MySQL, programs of many kinds."""
    groups = pl.col("line").str.extract_groups(FRAMINGS["iso"].pattern).struct.field
    separator, host, rest = groups("separator"), groups("host"), groups("rest")
    is_word = host.str.contains(rf"{NO_HOST}|:$")
    is_zone = host.str.contains(r"^[A-Z]{2,5}$")
    is_tagged = rest.str.contains(TAG).fill_null(value=False)
    is_thread = host.str.contains(r"^[0-9a-f]{10,16}$") & ~is_tagged  # Ceph
    is_own = is_word | is_thread | ((separator == " ") & (is_zone | ~is_tagged))
    return is_own.fill_null(value=False)


def _is_level_for_host() -> pl.Expr:
    """Whether what looks like a host is a level, or a program with a level behind it: its own log with an old date."""
    groups = pl.col("line").str.extract_groups(FRAMINGS["bsd"].pattern).struct.field
    host, rest = groups("host"), groups("rest")
    is_program = host.str.ends_with(":") & rest.str.contains(rf"^{PROGRAM_WORD}: ")  # Dovecot
    return (host.str.contains(NO_HOST) | is_program).fill_null(value=False)


def _is_of_web_server() -> pl.Expr:
    """Whether a severity or a client follows the date: Apache prints the date that dmesg prints."""
    return pl.col("line").str.contains(WEB_SERVER)


NOT_WHERE = {"iso": _is_program_log, "bsd": _is_level_for_host, "ctime": _is_of_web_server}
"""What lines of other logs have that fit the pattern of a framing."""


def _read(lines: pl.DataFrame, name: str, framings: Sequence[str]) -> pl.DataFrame:
    """`MESSAGE_SCHEMA` and `fault` of lines that all have this framing."""
    if name in JSON_HEADS:
        objects = lines.with_columns(pl.col("line").str.replace(BEFORE_OBJECT, ""))
        heads = _filled(JSON_HEADS[name](objects)).with_columns(framing=pl.lit(name), is_tagged=pl.lit(value=False))
        return _with_lines_below(messages(_first_lines(heads, "said")), heads, "said")
    if name in WRAPPERS:
        whole, later = with_parts(lines, name)
        outer = unwrap(whole, name)
        inner = outer.select("row", "file_id", "line_no", pl.col("text").fill_null(""))
        heads = read_heads(_first_lines(inner, "text"), [each for each in framings if each not in WRAPPERS])
        said = _with_lines_below(rewrap(heads, _first_lines(outer, "text"), name), inner, "text")
        return pl.concat([said, later.select("row", "file_id", "line_no", "fault")], how="diagonal")
    framing = FRAMINGS[name]
    if framing.read is not None:
        return messages(_complete(framing.read(lines), framing))
    groups = lines.with_columns(pl.col("line").str.extract_groups(framing.pattern).alias("groups"))
    return messages(_complete(groups.unnest("groups"), framing))


def _first_lines(frame: pl.DataFrame, column: str) -> pl.DataFrame:
    return frame.with_columns(pl.col(column).str.extract(r"^([^\r\n]*)", 1))


def _with_lines_below(read: pl.DataFrame, whole: pl.DataFrame, column: str) -> pl.DataFrame:
    """The texts, of which only the first line was read, with the lines below it."""
    below = pl.col(column).str.extract(r"^[^\r\n]*\r?\n((?s:.+))$", 1)
    found = whole.select("row", below.alias("below")).drop_nulls()
    if not found.height:
        return read
    joined = read.join(found, on="row", how="left", maintain_order="left")
    text = pl.concat_str("text", "below", separator="\n")
    return joined.with_columns(pl.coalesce(text, "text").alias("text")).drop("below")


def _filled(heads: pl.DataFrame) -> pl.DataFrame:
    """All groups that any framing has."""
    return heads.with_columns(pl.lit(None, pl.String).alias(name) for name in COLUMNS if name not in heads.columns)


def _complete(heads: pl.DataFrame, framing: Framing) -> pl.DataFrame:
    """Stamp, host and the faults of the head, beside all groups."""
    stamped = _filled(heads).with_columns(
        pl.lit(framing.variant_of or framing.name).alias("framing"),
        *stamp_columns(),
        pl.coalesce("relayed", "host", "host_second").alias("host"),
        pl.coalesce("tag", "tag_last", pl.lit(framing.tag)).alias("tag"),
        pl.coalesce("pid", "pid_first").alias("pid"),
        pl.coalesce("said", "note").alias("said"),
        pl.col("rest").str.strip_prefix("^M").alias("rest"),
        pl.lit("rest" in framing.groups).alias("is_tagged"),
    )
    of_pri = pl.when(pl.col("pri").cast(pl.Int32, strict=False) > 191).then(pl.lit(PRI_REASON))
    return stamped.with_columns(pl.coalesce(of_pri, fault()).alias("fault"))
