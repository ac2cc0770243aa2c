"""The table of what monitors say of HADR: `db2pd -hadr` of every release, MON_GET_HADR, `HADR Status` of a snapshot.

Names are those of V10.1 and later (HADR_STATE, LOG_HADR_WAIT_CUR, ...); older layouts are given them. A value of
several parts is taken apart: PRIMARY_LOG_FILE,PAGE,POS into PRIMARY_LOG_FILE, PRIMARY_LOG_PAGE and PRIMARY_LOG_POS.
"""

import re
from collections.abc import Iterator
from datetime import datetime

import polars as pl

from parsers.format import Column, Table
from parsers.printed_date import Orders, epoch_of, offset_min

HADR_STATUS = Table(
    name="hadr_status_value",
    grain="One row per value that a monitor (db2pd -hadr, snapshot) shows of HADR, by the names of V10.1 and later.",
    subject="DB2",
    part="number within the line, from 1",
    columns=(
        Column("status_no", pl.Int32(), "number of the standby's block within the file, from 1"),
        Column("host", pl.String(), "host that was asked, where the values name it", host="own", is_public=False),
        Column("database", pl.String(), "database"),
        Column("member", pl.Int32(), "database partition or member that was asked"),
        Column("name", pl.String(), "what is shown: HADR_ROLE, HADR_STATE, LOG_HADR_WAIT_CUR, ..."),
        Column("value", pl.String(), "value as printed; null for NULL"),
        Column("number", pl.Float64(), "the value as a number, in the unit"),
        Column("unit", pl.String(), "seconds, bytes, pages; null where none is printed"),
        Column("shown_at", pl.Datetime("us"), "time that the value states, UTC; from the seconds since 1970 beside it"),
        Column("doubt", pl.String(), "what is wrong about the value, or null"),
    ),
)

OLD_NAMES = {
    # db2pd to V9.7
    "Role": "HADR_ROLE",
    "State": "HADR_STATE",
    "SyncMode": "HADR_SYNCMODE",
    "HeartBeatsMissed": "HEARTBEAT_MISSED",
    "LogGapRunAvg": "HADR_LOG_GAP",
    "ConnectStatus": "HADR_CONNECT_STATUS",
    "ConnectTime": "HADR_CONNECT_STATUS_TIME",
    "Timeout": "HADR_TIMEOUT",
    "PeerWindowEnd": "PEER_WINDOW_END",
    "PeerWindow": "PEER_WINDOW",
    "LocalHost": "LOCAL_HOST",
    "LocalService": "LOCAL_SERVICE",
    "RemoteHost": "REMOTE_HOST",
    "RemoteService": "REMOTE_SERVICE",
    "RemoteInstance": "REMOTE_INSTANCE",
    "PrimaryFile": "PRIMARY_LOG_FILE",
    "PrimaryPg": "PRIMARY_LOG_PAGE",
    "PrimaryLSN": "PRIMARY_LOG_POS",
    "StandByFile": "STANDBY_LOG_FILE",
    "StandByPg": "STANDBY_LOG_PAGE",
    "StandByLSN": "STANDBY_LOG_POS",
    "StandByRcvBufUsed": "STANDBY_RECV_BUF_PERCENT",
    # snapshot
    "Synchronization mode": "HADR_SYNCMODE",
    "Connection status": "HADR_CONNECT_STATUS,STATUS_TIME",
    "Peer window end": "PEER_WINDOW_END",
    "Peer window": "PEER_WINDOW",
    "Heartbeats missed": "HEARTBEAT_MISSED",
    "Heartbeat missed": "HEARTBEAT_MISSED",
    "Local host": "LOCAL_HOST",
    "Local service": "LOCAL_SERVICE",
    "Remote host": "REMOTE_HOST",
    "Remote service": "REMOTE_SERVICE",
    "Remote instance": "REMOTE_INSTANCE",
    "timeout": "HADR_TIMEOUT",
    "Primary log position": "PRIMARY_LOG_FILE,PAGE,POS",
    "Standby log position": "STANDBY_LOG_FILE,PAGE,POS",
    "Log gap running average": "HADR_LOG_GAP",
    # MON_GET_HADR
    "LOG_HADR_WAIT_TIME": "LOG_HADR_WAIT_ACCUMULATED",
    "LOG_HADR_WAITS_TOTAL": "LOG_HADR_WAIT_COUNT",
}
# REAL: SOCK_SEND_BUF_REQUESTED,ACTUAL(bytes)        Primary log position(file, page, LSN)        timeout(seconds)
LABEL = re.compile(
    r"^(?P<name>[A-Za-z](?:[A-Za-z0-9_, ]*[A-Za-z0-9_,])?) *(?:\((?P<unit>[a-z]+)\)|\((?:[A-Za-z]+, )+[A-Za-z]+\))?$"
)
NUMBER = re.compile(r"^[+-]?(?:0|[1-9][0-9]{0,17})(?:\.[0-9]{1,18})?$")
"""No leading zeros: a log position of hexadecimal digits may happen to hold no letter."""
Value = dict[str, object]


def values_of(label: str, printed: str, orders: Orders) -> Iterator[Value]:
    """The values of a label, without the columns that say whose they are."""
    found = LABEL.match(label)
    name = found["name"].strip() if found else label
    names = list(_names(OLD_NAMES.get(name, name)))
    values = [part.strip() for part in printed.split(",", len(names) - 1)] if len(names) > 1 else [printed.strip()]
    for each, value in zip(names, [*values, *[""] * len(names)], strict=False):
        is_null = value.upper() in {"NULL", "NULL (0)"}
        yield {
            "name": each,
            "value": None if is_null else value,
            "number": float(value) if NUMBER.match(value) else None,
            "unit": found["unit"] if found else None,
            **({} if is_null else _time(value, orders)),
        }


def own_host(values: dict[str, str | None], member: int | None) -> str | None:
    """The host that was asked, by a block's values; addresses are no names of hosts."""
    role = (values.get("HADR_ROLE") or "").upper()
    host = values.get("LOCAL_HOST")
    if role in {"PRIMARY", "STANDBY"} and host is None:
        asked = values.get(f"{role}_MEMBER")
        host = values.get(f"{role}_MEMBER_HOST") if asked is None or member is None or asked == str(member) else None
    return host if host and re.search(r"[A-Za-z]", host) and ":" not in host else None


def _names(name: str) -> Iterator[str]:
    """`SOCK_SEND_BUF_REQUESTED,ACTUAL` names two values of one stem."""
    first, *others = name.split(",")
    yield first
    stem = first.rpartition("_")[0]
    for other in others:
        yield f"{stem}_{other.strip()}" if stem else other.strip()


def _time(value: str, orders: Orders) -> Value:
    """The time that a value states, with the fraction that only its text has."""
    epoch = epoch_of(value)
    if epoch is None:
        return {}
    if offset_min(value, orders) is None:
        return {"shown_at": epoch, "doubt": "the date and the seconds since 1970 beside it disagree"}
    wall = orders.read(value)
    return {"shown_at": epoch.replace(microsecond=wall.microsecond if isinstance(wall, datetime) else 0)}
