"""The lines of simhadr other than distributions: what each looks like, and where in a run it is.

A `Line` says to which stage of a run it belongs. A run goes through the stages once, so that a line of an earlier stage
begins the next run even where its command line is missing. Lines of stderr are anywhere: they have no stage.
"""

import re
from dataclasses import dataclass
from enum import IntEnum, StrEnum

from parsers.hadr_tools.sheet import NUMBER

WHOLE = r"[0-9]{1,18}"
MODE = r"SYNC|NEARSYNC|ASYNC|SUPERASYNC|RCU"


class Stage(IntEnum):
    """Parts of a run's output in their order. A disk test has some of them."""

    PREFACE = 1
    HOSTS = 2
    CONNECTION = 3
    HANDSHAKE = 4
    TRAFFIC = 5
    RESULT = 6
    TOTALS = 7
    DISTRIBUTIONS = 8


class Subject(StrEnum):
    """What a line is about, for the reader to act upon."""

    FIGURES = "figures"
    HOST = "host"
    HOST_PART = "host part"
    SOCKET = "socket"
    SOCKET_PART = "socket part"
    HANDSHAKE = "handshake"
    HANDSHAKE_PART = "handshake part"
    SETTING = "setting"
    SLEEP = "sleep"
    STEP = "step"
    TRACE = "trace"
    ERROR = "error"
    HELP = "help"


@dataclass(frozen=True, slots=True)
class Line:
    """One kind of line. `role` is the role that prints it, where only one does."""

    subject: Subject
    pattern: re.Pattern[str]
    stage: Stage | None = None
    role: str | None = None


def _figures(pattern: str, stage: Stage, role: str | None = None) -> Line:
    """A line of numbers: `<name>` stands for a decimal, `<name:i>` for a whole number."""
    wholes = re.sub(r"<(\w+):i>", rf"(?P<\1>{WHOLE})", pattern)
    return Line(Subject.FIGURES, re.compile(re.sub(r"(?<!\?P)<(\w+)>", rf"(?P<\1>{NUMBER})", wholes)), stage, role)


def _line(subject: Subject, pattern: str, stage: Stage | None = None, role: str | None = None) -> Line:
    return Line(subject, re.compile(pattern), stage, role)


LINES = (
    # REAL: Requested sleep 0.010327 second, actual 0.010332 second
    _line(
        Subject.SLEEP,
        rf"Requested sleep (?P<sleep_requested_s>{NUMBER}) second, actual (?P<sleep_actual_s>{NUMBER}) second",
        Stage.TRAFFIC,
    ),
    _line(Subject.SLEEP, r"Warning: inaccurate sleep time\.", Stage.TRAFFIC),
    _line(
        Subject.TRACE,
        rf"{WHOLE} bytes (?:sent|received)|(?:Sending|Writing|Reading) {WHOLE} pages"
        rf"|(?:Sending|Receiving) ack message\.|Receiving handshake message\."
        rf"|A flush of {WHOLE} pages has been received\.|Log shipping took {NUMBER} seconds\."
        rf"|Writing {WHOLE} pages\. Write time = {NUMBER} second\.|Log shipping took longer than writing\. .{{0,40}}"
        rf"|Sleeping {NUMBER} second|Congestion (?:starts|ends, duration {NUMBER} second)",
    ),
    # REAL: NEARSYNC: Total 410255360 bytes in 4.000821 seconds, 102.542793 MBytes/sec
    _figures(rf"(?P<mode>{MODE}): Total <bytes:i> bytes in <seconds> seconds, <mb_s> MBytes/sec", Stage.RESULT),
    # REAL: Total 9409 writes in 4.000160 seconds, 0.000425 sec/write, 1 pages/write
    _figures(
        r"Total <calls:i> writes in <seconds> seconds, <sec_per_call> sec/write, <pages:i> pages/write",
        Stage.RESULT,
        "write",
    ),
    _figures(
        r"Total <calls:i> reads in <seconds> seconds, <sec_per_call> sec/read, <pages:i> pages/read",
        Stage.RESULT,
        "read",
    ),
    # REAL: Total 38.539264 MBytes written in 4.000160 seconds. 9.634431 MBytes/sec
    _figures(r"Total <mbytes> MBytes written in <mbytes_s> seconds\. <mb_s> MBytes/sec", Stage.TOTALS, "write"),
    _figures(r"Total <mbytes> MBytes read in <mbytes_s> seconds\. <mb_s> MBytes/sec", Stage.TOTALS, "read"),
    # REAL: targetRate 10.000000 MBytes/sec, totalIdleTime 2.838221 second (95% idle)
    _figures(
        r"targetRate <target_mb_s> MBytes/sec, totalIdleTime <idle_s> second \(<idle_pct>% idle\)",
        Stage.TOTALS,
        "primary",
    ),
    # REAL: Total 3130 flushes, 0.001278 sec/flush, 32 pages (131072 bytes)/flush
    _figures(
        r"Total <flushes:i> flushes, <sec_per_flush> sec/flush, <pages:i> pages \(<bytes_per_flush:i> bytes\)/flush",
        Stage.TOTALS,
    ),
    # REAL: disk speed: 50.000000 MB/second, overhead: 0.010000 second/write
    _figures(r"disk speed: <disk_mb_s> MB/second, overhead: <disk_overhead_s> second/write", Stage.TOTALS),
    # REAL: Total 49152 bytes written in 0.030981 seconds. 1.586521 MBytes/sec
    _figures(r"Total <written_bytes:i> bytes written in <write_s> seconds\. <write_mb_s> MBytes/sec", Stage.TOTALS),
    # REAL: Total 3 write calls, 16.384 kBytes/write, 0.010327 sec/write
    _figures(
        r"Total <write_calls:i> write calls, <kb_per_write> [kK]Bytes/write, <sec_per_write> sec/write", Stage.TOTALS
    ),
    # REAL: Total 410255360 bytes sent in 4.000821 seconds. 102.542793 MBytes/sec
    _figures(r"Total <sent_bytes:i> bytes sent in <sent_s> seconds\. <sent_mb_s> MBytes/sec", Stage.TOTALS),
    # REAL: Total 10893 send calls, 37.662 KBytes/send,
    _figures(r"Total <send_calls:i> send calls, <kb_per_send> KBytes/send,?", Stage.TOTALS),
    # REAL: Total 3136 congestions, 0.848714 seconds, 0.000270 second/congestion
    _figures(
        r"Total <congestions:i> congestions, <congestion_s> seconds, <sec_per_congestion> second/congestion",
        Stage.TOTALS,
    ),
    # REAL: Total 150240 bytes recv in 4.000821 seconds. 0.037552 MBytes/sec
    _figures(r"Total <recv_bytes:i> bytes recv in <recv_s> seconds\. <recv_mb_s> MBytes/sec", Stage.TOTALS),
    # REAL: Total 3130 recv calls, 0.048 KBytes/recv
    _figures(r"Total <recv_calls:i> recv calls, <kb_per_recv> KBytes/recv", Stage.TOTALS),
    # REAL: Measured sleep overhead: 0.003608 second, using spin time 0.004329 second.
    _figures(r"Measured sleep overhead: <sleep_overhead_s> second, using spin time <spin_s> second\.", Stage.PREFACE),
    # REAL: Standby receive buffer size 64 pages (262144 bytes)
    _figures(
        r"Standby receive buffer size <buffer_pages:i> pages \(<buffer_bytes:i> bytes\)", Stage.TRAFFIC, "standby"
    ),
    # REAL: SyncMode = NEARSYNC
    _line(Subject.SETTING, rf"SyncMode = (?P<asked_syncmode>{MODE})", Stage.PREFACE),
    _line(Subject.SETTING, rf"flushSize = (?P<asked_pages>{WHOLE}) pages", Stage.PREFACE),
    _line(Subject.SETTING, rf"Simulation run time = (?P<asked_s>{NUMBER}) seconds", Stage.PREFACE),
    _line(Subject.SETTING, r"use file system cache = (?P<is_cached>true|false)", Stage.PREFACE),
    _line(Subject.STEP, r"write behind caching = (?:true|false)", Stage.PREFACE),
    # REAL: Resolving local host brant via gethostbyname()
    _line(Subject.HOST, r"Resolving (?P<side>local|remote) host (?P<queried>\S{1,255}) via \w{1,40}\(\)", Stage.HOSTS),
    _line(Subject.HOST_PART, r"hostname=(?P<hostname>\S{1,255})", Stage.HOSTS),
    _line(Subject.HOST_PART, r"alias: (?P<alias>\S{1,255})", Stage.HOSTS),
    _line(Subject.HOST_PART, r"address_type=[0-9]+ address_length=[0-9]+", Stage.HOSTS),
    _line(Subject.HOST_PART, r"address: (?P<address>\S{1,64})", Stage.HOSTS),
    _line(Subject.SOCKET, r"Socket property upon (?P<stage>creation|buffer resizing|connection)", Stage.CONNECTION),
    _line(Subject.SOCKET_PART, r"BlockingIO=(?P<is_blocking>true|false)", Stage.CONNECTION),
    _line(Subject.SOCKET_PART, r"NAGLE=(?P<has_nagle>true|false)", Stage.CONNECTION),
    _line(Subject.SOCKET_PART, rf"SO_SNDBUF=(?P<sndbuf_bytes>{WHOLE})", Stage.CONNECTION),
    _line(Subject.SOCKET_PART, rf"SO_RCVBUF=(?P<rcvbuf_bytes>{WHOLE})", Stage.CONNECTION),
    _line(Subject.SOCKET_PART, rf"SO_LINGER: onoff=(?P<lingers>[0-9]), length=(?P<linger_s>{WHOLE})", Stage.CONNECTION),
    _line(Subject.STEP, r"Calling (?:setsockopt|fcntl|ioctl\w*)\(\w+\)", Stage.CONNECTION),
    _line(Subject.STEP, r"Binding socket to local address\.", Stage.CONNECTION),
    _line(Subject.STEP, r"Listening on local host TCP port [0-9]+", Stage.CONNECTION, "primary"),
    _line(Subject.STEP, r"Connecting to remote host TCP port [0-9]+", Stage.CONNECTION, "standby"),
    _line(Subject.STEP, r"Retrying\.\.", Stage.CONNECTION, "standby"),
    _line(Subject.STEP, r"Connected\.", Stage.CONNECTION),
    _line(Subject.HANDSHAKE, r"(?P<direction>Sending) handshake message:", Stage.HANDSHAKE, "primary"),
    _line(Subject.HANDSHAKE, r"(?P<direction>Received) handshake message:", Stage.HANDSHAKE, "standby"),
    _line(Subject.HANDSHAKE_PART, rf"syncMode=(?P<syncmode>{MODE})", Stage.HANDSHAKE),
    _line(Subject.HANDSHAKE_PART, rf"flushSize=(?P<flush_pages>{WHOLE})", Stage.HANDSHAKE),
    # REAL: connTime=2008-07-09_17:12:25_PDT
    _line(Subject.HANDSHAKE_PART, r"connTime=(?P<conn_time>\S.{0,79})", Stage.HANDSHAKE),
    _line(Subject.STEP, r"Sending log flushes\. Press Ctrl-C to stop\.", Stage.TRAFFIC, "primary"),
    _line(Subject.STEP, r"Receiving log flushes\. Press Ctrl-C on primary to stop\.", Stage.TRAFFIC, "standby"),
    _line(Subject.STEP, r"Zero byte received\. Remote end closed connection\.", Stage.TRAFFIC, "standby"),
    _line(Subject.STEP, r"Writing to file .{1,1000}", Stage.TRAFFIC, "write"),
    _line(Subject.STEP, r"Reading from file .{1,1000}", Stage.TRAFFIC, "read"),
    _line(Subject.STEP, r"Press Ctrl-C to stop\.", Stage.TRAFFIC),
    _line(Subject.STEP, r"End of file reached", Stage.TRAFFIC, "read"),
    # REAL: Using spin time 0.000084 second to compensate for sleep overhead.
    _line(
        Subject.STEP,
        rf"Using spin time {NUMBER} second to compensate for sleep overhead\.",
        Stage.PREFACE,
        "test_sleep",
    ),
    # REAL (stderr of disk tests): bytesPerFlush=65536, bytesWritten=65536
    _line(Subject.STEP, rf"bytesPerFlush={WHOLE}, bytes(?:Written|Read)={WHOLE}"),
    # REAL: connect() failed. errno=111, Connection refused
    _line(Subject.ERROR, r"[a-z]\w{1,40}\([^()]{0,255}\) (?:failed|errno)\b.{0,255}"),
    _line(Subject.ERROR, r"h_err: .{0,255}"),
    _line(Subject.ERROR, r"simhadr: .{0,1000}"),
    _line(Subject.ERROR, rf"Error: totalBytesWritten {WHOLE} != totalBytesSent {WHOLE}"),
    _line(Subject.ERROR, r"Unknown option .{0,255}"),
    # DOC: the first line of the help text is a box; |  Version 2.1, 64 bit. ...
    _line(Subject.HELP, r"\+-{4,}\+?|\|.*\bVersion (?P<version>[0-9.]{1,10}),.*"),
)

# What begins like a line of simhadr, and is none of the above, is damaged.
DAMAGED = re.compile(
    rf"\+ simh|(?:{MODE}): Tot|Total [0-9]|Distribution of |Exactly\s+[0-9]|From [0-9]+ to |targetRate |disk speed: "
    r"|Measured sleep|SyncMode = |flushSize ?=|syncMode=|connTime=|Socket property|BlockingIO=|NAGLE=|SO_[A-Z]+[=:]"
    r"|Resolving |hostname=|address(?:_type=|: )|Standby receive buffer|Requested sleep|Warning: inaccurate"
)
