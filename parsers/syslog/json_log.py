r"""Log lines that are JSON objects: what an object says, however deeply programs have wrapped it.

A container's runtime wraps the line of an operator, which wraps a record of PostgreSQL, each in an object of its own:
`{"log": "{\"msg\": \"record\", \"record\": {\"message\": ...}}", "time": ...}`. The innermost message counts.

Message    `message`, `log`, `msg`, `MESSAGE`, `textPayload`, `event`, else `handler` (of a request); the object in
           `record`, or in the message
Time       text, or a number of seconds, milliseconds, microseconds or nanoseconds since 1970; of MongoDB `t.$date`.
           The innermost one counts. One without a zone gets the zone that one further out shows: both name an instant
Host       `hostname`, `host`, `logging_pod`, `kubernetes.pod_name`, ...
The rest   belongs to the text: no text is shorter than any string of its object, times aside. Fields of a record of
           PostgreSQL are lines below the message, as it prints them (`DETAIL:  ...`); those of other objects follow as
           JSON: `Replica set state transition {"newState":"PRIMARY"}`. What shippers of logs add is left out, and so
           are threads and places in the source, unless it is longer than the text
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TypeVar

import polars as pl

from parsers.syslog.words import LEVEL_LETTERS, LEVEL_WORDS
from parsers.zone_names import SURE_MIN

Json = str | int | float | bool | None | list["Json"] | dict[str, "Json"]
Object = dict[str, Json]
Value = TypeVar("Value")

TEXT_KEYS = ("message", "log", "msg", "MESSAGE", "textPayload", "event", "handler")
OBJECT_KEYS = ("record", "jsonPayload")
WRAPPING_KEYS = (*OBJECT_KEYS, *TEXT_KEYS)
TIME_KEYS = (
    *("@timestamp", "timestamp", "time", "ts", "t", "log_time", "asctime", "datetime", "instant", "timeMillis"),
    *("eventTime", "date"),
)
LEVEL_KEYS = ("level", "levelname", "severity", "error_severity", "s", "lvl", "loglevel", "log.level")
HOST_KEYS = ("hostname", "host", "logging_pod", "pod_name", "pod", "instance", "host.name", "kubernetes.pod_name")
TAG_KEYS = ("logger", "logger_name", "loggerName", "c", "app", "program", "component")
PID_KEYS = ("pid", "process_id", "process")

SHIPPED = frozenset(
    (
        *(
            "stream",
            "kubernetes",
            "docker",
            "container",
            "agent",
            "ecs",
            "input",
            "beat",
            "prospector",
            "offset",
            "log",
        ),
        *("@version", "tags", "tag", "labels", "fields", "cloud", "orchestrator", "_p", "logtag", "flags", "svc"),
        *("caller", "ctx", "thread", "thread_name", "threadName", "threadId", "level_value", "loggerFqcn", "v"),
    )
)
"""What shippers of logs add to a message, and from which thread and place in the source it comes."""

NOTES = ("detail", "hint", "context", "internal_query", "query", "statement", "location")
"""Fields of a record of PostgreSQL that its log on standard error has as lines of their own."""
SESSION = frozenset(
    (
        *("session_id", "session_start", "session_start_time", "session_line_num", "line_num", "vxid", "txid", "ps"),
        *("virtual_transaction_id", "transaction_id", "state_code", "sql_state_code", "query_id", "backend_type"),
        *("user", "user_name", "dbname", "database_name", "remote_host", "remote_port", "connection_from"),
        *("application_name", "command_tag", "leader_pid", "cursor_position", "internal_position", "file_name"),
        *("file_line_num", "func_name"),
    )
)
"""Fields by which PostgreSQL names session and transaction."""

MONGODB_STARTING = 4615611
"""The id of `MongoDB starting`, whose `attr` names the host."""

MAX_DEPTH = 6
MAX_DELAY_S = 15.0
"""How much later than a line its wrapper is written; more would make a zone of a delay."""
QUARTER_S = 900

ZONES_MIN = frozenset(
    sign * minutes for minutes in (*range(0, 14 * 60 + 1, 30), 345, 525, 765, 825) for sign in (1, -1)
)
"""How far zones are from UTC, minutes."""

STAMP = re.compile(
    r"(?P<date>[0-9]{4}[-/][0-9]{2}[-/][0-9]{2})[T _](?P<time>[0-9]{2}:[0-9]{2}:[0-9]{2})"
    r"(?:[.,:](?P<fraction>[0-9]{1,9}))? ?"
    r"(?P<zone>Z|[A-Z]{2,5}|[+-][0-9][0-9](?::?[0-9][0-9])?)?",
    re.ASCII,
)
NUMBER = re.compile(r"[0-9]{9,19}(?:\.[0-9]{1,9})?", re.ASCII)
HOST = re.compile(r"(?=.*[A-Za-z])[\w.-]{1,255}", re.ASCII)
NUMBERS = {10: "debug", 20: "debug", 30: "info", 40: "warning", 50: "err", 60: "crit"}
"""Levels of programs that print numbers (Bunyan, Pino)."""


@dataclass(frozen=True, slots=True)
class Time:
    """A wall clock, and the minutes east of UTC where they are printed."""

    stamp: datetime
    offset_min: int | None


@dataclass(frozen=True, slots=True)
class LoggedFields:
    """What an object says: its text, and what a head would tell. `time` is that of the innermost object with one."""

    text: str
    time: Time | None = None
    host: str | None = None
    tag: str | None = None
    pid: str | None = None
    level: str | None = None
    message_id: str | None = None


def read(line: str, outer: Time | None = None) -> LoggedFields | None:
    """Read a line; None where it is no object with a message. `outer`: the time of what the line was wrapped in."""
    found = _object(line)
    try:
        said = None if found is None else _said(found, MAX_DEPTH)
    except RecursionError:  # far too deep for a message
        return None
    if said is None:
        return None
    if outer is not None:
        said = replace(said, time=dated(said.time, outer))
    return _cleaned(said) if "\\u" in line else said


def dated(inner: Time | None, outer: Time | None) -> Time | None:
    """The inner time, with the zone that the outer one shows if both name the same instant; else the outer time."""
    if inner is None or outer is None:
        return inner or outer
    if inner.offset_min is not None or outer.offset_min is None:
        return inner
    ahead_s = (inner.stamp - outer.stamp).total_seconds() + outer.offset_min * 60
    quarters = round((ahead_s + 1) / QUARTER_S)
    is_zone = -MAX_DELAY_S <= ahead_s - quarters * QUARTER_S <= 1 and quarters * 15 in ZONES_MIN
    return Time(inner.stamp, quarters * 15) if is_zone else inner


def time_of(value: Json) -> Time | None:
    """The time that a value of an object states."""
    if isinstance(value, dict):
        if "epochSecond" in value:
            return _since_1970(value.get("epochSecond"), value.get("nanoOfSecond"))
        return time_of(value.get("$date", value.get("$numberLong")))
    if isinstance(value, int | float):
        return _since_1970(value)
    if not isinstance(value, str):
        return None
    text = value.strip()
    if NUMBER.fullmatch(text):
        return _since_1970(float(text) if "." in text else int(text))
    found = STAMP.fullmatch(text)
    return None if found is None else _printed(found)


def _printed(found: re.Match[str]) -> Time | None:
    try:
        stamp = datetime.fromisoformat(f"{found['date'].replace('/', '-')} {found['time']}")
    except ValueError:
        return None
    micros = int((found["fraction"] or "0")[:6].ljust(6, "0"))
    return Time(stamp + timedelta(microseconds=micros), _offset_min(found["zone"]))


def _offset_min(zone: str | None) -> int | None:
    if zone is None or zone[0] not in "+-":
        return SURE_MIN.get(zone or "")
    digits = zone[1:].replace(":", "").ljust(4, "0")
    minutes = int(digits[:2]) * 60 + int(digits[2:])
    return None if minutes > 15 * 60 or int(digits[2:]) > 59 else (-minutes if zone[0] == "-" else minutes)


def _since_1970(number: Json, nanos: Json = None) -> Time | None:
    """Seconds, or what has as many digits more as milli-, micro- and nanoseconds have."""
    if isinstance(number, bool) or not isinstance(number, int | float) or not 1e8 <= number < 1e19:
        return None
    units = next(units for limit, units in ((1e11, 1), (1e14, 10**3), (1e17, 10**6), (1e20, 10**9)) if number < limit)
    micros = number * 10**6 // units if isinstance(number, int) else round(number * 1e6 / units)
    if isinstance(nanos, int) and 0 <= nanos < 10**9:
        micros += nanos // 1000
    return Time(datetime(1970, 1, 1) + timedelta(microseconds=micros), 0)  # noqa: DTZ001  naive UTC


def _object(text: str) -> Object | None:
    """The object that a text is; None for any other text."""
    if "{" not in text[:8]:  # blanks and marks before it, as in a stream
        return None
    try:
        found = json.loads(text.strip())
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _said(found: Object, depth: int) -> LoggedFields | None:
    """What an object and those within it say."""
    key = next((key for key in TEXT_KEYS if isinstance(found.get(key), str)), None)
    inner_key, inner = _wrapped(found, key, depth)
    if key is None and inner is None:
        return None
    left = {name: value for name, value in found.items() if name != inner_key}
    label = left.pop(key) if key in left else None
    if inner is not None and label not in (None, inner_key):
        left[str(key)] = label
    if left.get("stream") in ("stdout", "stderr"):
        del left["stream"]
    outer = _fields(left)
    if inner is not None:
        heads = zip(_head(inner), _head(outer), strict=True)
        return LoggedFields(
            _with_rest(inner.text, left), dated(inner.time, outer.time), *(own or more for own, more in heads)
        )
    message = str(label).rstrip("\r\n")
    if "error_severity" not in found:
        return LoggedFields(_with_rest(message, left), outer.time, *_head(outer))
    record = "\n".join((message, *_notes(left)))
    return LoggedFields(_with_rest(record, left, SHIPPED | SESSION, "\n"), outer.time, *_head(outer))


def _wrapped(found: Object, key: str | None, depth: int) -> tuple[str | None, LoggedFields | None]:
    """The message within this object that is an object itself, and its key."""
    if depth <= 0:
        return None, None
    for each in WRAPPING_KEYS:
        if each not in found:
            continue
        value = found[each]
        candidate = value if isinstance(value, dict) else None
        if isinstance(value, str) and each in (key, *OBJECT_KEYS):
            candidate = _object(value)
        inner = _said(candidate, depth - 1) if candidate is not None else None
        if inner is not None:
            return each, inner
    return None, None


def _head(said: LoggedFields) -> Sequence[str | None]:
    return said.host, said.tag, said.pid, said.level, said.message_id


def _fields(left: Object) -> LoggedFields:
    """What an object says beside its message. Fields that were understood are taken out of `left`."""
    return LoggedFields(
        text="",
        time=_taken(left, TIME_KEYS, time_of),
        level=_taken(left, LEVEL_KEYS, _level) or _level_within(left),
        host=_taken(left, HOST_KEYS, _host) or _host_of_pod(left) or _host_of_start(left),
        tag=_taken(left, TAG_KEYS, _word),
        pid=_taken(left, PID_KEYS, _pid),
        message_id=str(left.pop("id")) if {"id", "ctx"} <= left.keys() and isinstance(left["id"], int) else None,
    )


def _taken(left: Object, keys: Sequence[str], understood: Callable[[Json], Value | None]) -> Value | None:
    """Take the first of these fields whose value is understood."""
    for key in keys:
        value = understood(left[key]) if key in left else None
        if value is not None:
            del left[key]
            return value
    return None


def _level(value: Json) -> str | None:
    if isinstance(value, str):
        word = value.strip()
        return LEVEL_WORDS.get(word.lower()) or LEVEL_LETTERS.get(word.rstrip("12345"))
    return NUMBERS.get(value) if isinstance(value, int) else None


def _host_of_start(left: Object) -> str | None:
    """The host that MongoDB names when it starts; its other lines name others there, if anybody."""
    about = left.get("attr")
    return _host(about.get("host")) if left.get("id") == MONGODB_STARTING and isinstance(about, dict) else None


def _level_within(left: Object) -> str | None:
    around = left.get("log")
    return _level(around.get("level")) if isinstance(around, dict) else None


def _host(value: Json) -> str | None:
    if isinstance(value, dict):
        return _host(value.get("name", value.get("hostname")))
    return value if isinstance(value, str) and HOST.fullmatch(value) else None


def _host_of_pod(left: Object) -> str | None:
    around = left.get("kubernetes")
    if not isinstance(around, dict):
        return None
    pod = around.get("pod")
    return _host(around.get("pod_name", pod.get("name") if isinstance(pod, dict) else pod))


def _word(value: Json) -> str | None:
    return value if isinstance(value, str) and value and " " not in value else None


def _pid(value: Json) -> str | None:
    digits = str(value)
    return digits if digits.isascii() and digits.isdigit() and len(digits) <= 18 else None


def _notes(left: Object) -> Iterator[str]:
    """What a record of PostgreSQL says below its message, as its log on standard error does."""
    for name in NOTES:
        value = left.pop(name, None)
        if isinstance(value, str) and value:
            yield f"{name.upper()}:  {value}"


def _with_rest(text: str, left: Object, around: frozenset[str] = SHIPPED, separator: str = " ") -> str:
    """A text with the fields of its object that nothing else shows; those `around` it where they are longer."""
    kept: Object = {
        name: value for name, value in left.items() if name not in around and value not in (None, "", [], {})
    }
    hidden = {name: value for name, value in left.items() if name in around}
    attributes = kept.get("attr")
    if isinstance(attributes, dict):
        kept = attributes | {name: value for name, value in kept.items() if name != "attr"}
    said = _joined(text, kept, separator)
    is_longer = max(map(len, _strings(hidden)), default=0) > len(said)
    return _joined(text, kept | hidden, separator) if is_longer else said


def _joined(text: str, fields: Object, separator: str) -> str:
    if not fields:
        return text
    shown = json.dumps(fields, ensure_ascii=False, separators=(",", ":"))
    return f"{text}{separator}{shown}" if text else shown


def _strings(value: Json) -> Iterator[str]:
    """All strings within a value but times."""
    if isinstance(value, str):
        if not STAMP.fullmatch(value):
            yield value
    elif isinstance(value, list | dict):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _strings(each)


def _cleaned(said: LoggedFields) -> LoggedFields:
    """Without halves of characters, which JSON may hold and UTF-8 may not."""
    head = (each and _whole(each) for each in _head(said))
    return LoggedFields(_whole(said.text), said.time, *head)


def _whole(text: str) -> str:
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


HEAD = {name: pl.String() for name in ("host", "tag", "pid", "level", "message_id")}
SAID_SCHEMA: dict[str, pl.DataType] = {
    "text": pl.String(),
    "stamp": pl.Datetime("us"),
    "utc_offset_min": pl.Int16(),
    **HEAD,
}


def frame(said: Iterable[LoggedFields | None]) -> pl.DataFrame:
    """One row for each; all null where there is no message."""
    rows = [
        (None,) * len(SAID_SCHEMA)
        if each is None
        else (each.text, *((each.time.stamp, each.time.offset_min) if each.time else (None, None)), *_head(each))
        for each in said
    ]
    return pl.DataFrame(rows, SAID_SCHEMA, orient="row")
