"""HADR as `db2pd -db X -hadr` shows it, once or again and again into one file, or a query of MON_GET_HADR.

Written by  db2pd; the command line of DB2
One row     per value, in the table hadr_status_value
Layouts     V10.1 and later: `KEY = value`, a block per log stream and standby. To V9.7: heads of columns and a line of
            values below, which copies collapse to single blanks. A query: heads of columns over lines of dashes as
            wide as the columns, and a line of values a standby; its waits are in milliseconds
Time        the Date of the headline, from V10.1 on; before, a `date` printed above it. The zone is that in which dates
            agree with the seconds since 1970 beside them, and these resolve the order of day and month
Doubts      a date that no zone makes agree with its seconds keeps both, with a remark
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial

import polars as pl

from parsers.by_line import LineVerdict, ignored, parse_by_line, parsed, rejected
from parsers.db2.hadr_status import HADR_STATUS, OLD_NAMES, Value, own_host, values_of
from parsers.format import Format, Hint, Recognition, Refusal
from parsers.printed_date import CTIME, Orders, epoch_of, offset_min, orders_of

# REAL: Database Member 0 -- Database SAMPLE -- Active -- Up 0 days 00:00:41 -- Date 2024-07-04-06.30.52.620854
HEAD = re.compile(
    r"^Database (?:Member|Partition) (?P<member>[0-9]{1,5}) -- Database (?P<database>\S+) -- "
    r"(?P<status>[A-Za-z ]{1,40}) -- "  # Active, Standby, Active Standby
    r"Up (?P<days>[0-9]{1,6}) days (?P<hours>[0-9][0-9]):(?P<minutes>[0-9][0-9]):(?P<seconds>[0-9][0-9])"
    r"(?: -- Date (?P<date>\S+(?: \S+)?))?$"
)
# REAL:                   HADR_CONNECT_STATUS_TIME = 04-07-2024 06:30:46.823373 (1720099846)
PAIR = re.compile(r"^(?P<label>[A-Z][A-Z0-9_,]+(?:\([a-z]+\))?) =(?: (?P<value>.*))?$")
HEAD_SIGNATURE = r"^\W*(?:<b>)?Database (?:Member|Partition) [0-9]+ -- Database \S+ -- "
QUERIED = frozenset({"HADR_ROLE", "HADR_STATE", "HADR_SYNCMODE", "HADR_CONNECT_STATUS"})
HADR_SIGNATURE = (
    r"^\W*(?:<b>)?(?:HADR_ROLE = |HADR Information:|HADR is not active)"
    rf"|^[A-Z0-9_ ]*\b(?:{'|'.join(sorted(QUERIED))})(?: [A-Z0-9_ ]*)?$"
)
DASHES = re.compile(r"-+(?: -+)*")
IN_MILLISECONDS = frozenset({"LOG_HADR_WAIT_CUR", "LOG_HADR_WAIT_TIME"})
"""Columns of MON_GET_HADR; db2pd prints the same in seconds."""
PREFIX = re.compile(r"^(?:[#>|]\s*)+")
TAG = re.compile(r"</?[a-z]{1,4}>")
COLUMN = re.compile(r"(?P<name>[A-Za-z]+)(?:\((?P<unit>[a-z]+)\))?")
# REAL: Mon Sep 05 14:05:09 2006 (1158008709)
TIME = (
    r"[A-Z][a-z]{2} [A-Z][a-z]{2} +[0-9]{1,2} [0-9]{2}:[0-9]{2}:[0-9]{2} [0-9]{4}(?: \([0-9]{1,11}\))?"
    r"|Null \(0\)|\S+"
)
WORD = r"\S+"
CELLS = {"ConnectTime": TIME, "PeerWindowEnd": TIME, "State": r"\S+(?: [a-z]+){0,3}"}
MAX_LINE = 1000


@dataclass(slots=True)
class _Section:
    """What a headline begins: whose values, when, and the blocks of values of each standby."""

    member: int | None = None
    database: str | None = None
    stamp: datetime | None = None
    blocks: list[list[Value]] = field(default_factory=lambda: [[]])


def recognise(head: pl.Series) -> Recognition | Refusal:
    """Claim what shows HADR in one of the layouts."""
    is_head, is_hadr = head.str.contains(HEAD_SIGNATURE), head.str.strip_chars().str.contains(HADR_SIGNATURE)
    if is_hadr.any():
        return Recognition(0.95 if is_head.any() else 0.9, "HADR as db2pd shows it", (is_hadr.arg_max() or 0) + 1)
    if is_head.any():
        return Refusal("output of db2pd, but not of its option -hadr", (is_head.arg_max() or 0) + 1)
    return Refusal("no headline of db2pd and no key of HADR", 0 if head.is_empty() else 1)


def read(texts: list[str]) -> list[LineVerdict]:
    """Classify the lines of one file; time and subject of a value are added once its section is complete."""
    plain = [_plain(text) for text in texts]
    pairs = [PAIR.match(text) for text in plain]
    orders = orders_of(pair["value"] or "" for pair in pairs if pair)
    sections = [_Section()]
    found: list[LineVerdict] = []
    columns: list[tuple[str, str | None]] = []
    date: datetime | None = None
    tables = _tables(texts)
    for at, (text, pair) in enumerate(zip(plain, pairs, strict=True)):
        if at in tables:
            values = [value for label, cell in tables[at] for value in _queried(label, cell, orders)]
            found.append(_kept(sections[-1], values, is_block=True) if values else ignored("heads of columns"))
        elif head := HEAD.match(text):
            sections.append(_begun(head, orders, date))
            found.append(_kept(sections[-1], [_status(head), _uptime(head)]))
            columns, date = [], None
        elif pair:
            found.append(_kept(sections[-1], list(values_of(pair["label"], pair["value"] or "", orders))))
        elif columns and (row := _row(text, columns, orders)):
            found.append(_kept(sections[-1], row))
            columns = []
        elif columns := _columns(text):
            found.append(ignored("heads of columns"))
        else:
            date = orders.read(text) if CTIME.fullmatch(text) else date
            found.append(_other(text))
    _complete(sections, orders)
    return found


def _plain(text: str) -> str:
    """A line without what copies put before it."""
    bare = TAG.sub("", text[:MAX_LINE].strip()).strip()
    return PREFIX.sub("", bare)


def _begun(head: re.Match[str], orders: Orders, date: datetime | None) -> _Section:
    stamp = orders.read(head["date"]) if head["date"] else date
    return _Section(int(head["member"]), head["database"], stamp)


def _status(head: re.Match[str]) -> Value:
    return {"name": "DATABASE_STATUS", "value": head["status"].strip()}


def _uptime(head: re.Match[str]) -> Value:
    days, hours, minutes, seconds = (int(head[name]) for name in ("days", "hours", "minutes", "seconds"))
    up_s = ((days * 24 + hours) * 60 + minutes) * 60 + seconds
    return {"name": "UPTIME", "value": str(up_s), "number": float(up_s), "unit": "seconds"}


def _kept(section: _Section, values: list[Value], *, is_block: bool = False) -> LineVerdict:
    """Rows of a line, in the block of the standby that they are of; `is_block`: they are all of one."""
    is_next = values[0]["name"] == "HADR_ROLE" and any(row["name"] == "HADR_ROLE" for row in section.blocks[-1])
    if is_next or is_block:
        section.blocks.append([])
    section.blocks[-1].extend(values)
    return parsed(*values)


def _tables(texts: list[str]) -> dict[int, list[tuple[str, str]]]:
    """Of the lines of tables that a query prints the heads and cells; heads and dashes themselves have none."""
    found: dict[int, list[tuple[str, str]]] = {}
    for at in range(1, len(texts)):
        if not DASHES.fullmatch(texts[at].rstrip()) or not QUERIED & {*texts[at - 1].split()}:
            continue
        places = [each.span() for each in re.finditer("-+", texts[at])]
        labels = [texts[at - 1][low:high].strip() for low, high in places]
        found[at - 1] = found[at] = []
        for below in range(at + 1, len(texts)):
            if not texts[below].strip() or (cells := _cells(texts[below], places)) is None:
                break
            found[below] = [each for each in zip(labels, cells, strict=True) if each[1] not in {"", "-"}]
    return found


def _cells(text: str, places: list[tuple[int, int]]) -> list[str] | None:
    """What stands below each column; where a value is of two columns, as in a copy without its blanks, each word."""
    if all(not text[high : high + 1].strip() for _, high in places[:-1]):
        return [text[low:high].strip() for low, high in [*places[:-1], (places[-1][0], len(text))]]
    return words if len(words := text.split()) == len(places) else None


def _queried(label: str, cell: str, orders: Orders) -> Iterator[Value]:
    """The values of a column of MON_GET_HADR, in the units of db2pd."""
    for value in values_of(label, cell, orders):
        if label in IN_MILLISECONDS and isinstance(value["number"], float):
            value |= {"number": value["number"] / 1000, "unit": "seconds"}
        yield value


def _columns(text: str) -> list[tuple[str, str | None]]:
    """Names and units of heads of columns; nothing where a word is no such head."""
    found = [COLUMN.fullmatch(word) for word in text.replace(" (", "(").split()]
    return [(head["name"], head["unit"]) for head in found if head] if all(map(_is_column, found)) else []


def _is_column(head: re.Match[str] | None) -> bool:
    return head is not None and head["name"] in OLD_NAMES


def _row(text: str, columns: list[tuple[str, str | None]], orders: Orders) -> list[Value]:
    """The values below heads of columns; those at the end may be missing."""
    first, *others = (CELLS.get(name, WORD) for name, _ in columns)
    cells = re.fullmatch(f"({first})" + "".join(rf"(?:\s+({cell}))?" for cell in others), text)
    if cells is None:
        return []
    labels = [f"{name}({unit})" if unit else name for name, unit in columns]
    return [
        value
        for label, cell in zip(labels, cells.groups(), strict=True)
        if cell is not None
        for value in values_of(label, cell, orders)
    ]


def _other(text: str) -> LineVerdict:
    """A line without a value."""
    if CTIME.fullmatch(text):
        return ignored("output of date")
    if text.startswith(("HADR Information:", "HADR is not active")):
        return ignored("heading")
    if re.fullmatch(r"[0-9]+ record\(s\) selected\.", text):
        return ignored("count of rows")
    if re.search(r"\bdb2pd\b|\b(?:mon_get_hadr|MON_GET_HADR)\b", text) or re.fullmatch(r"\S*[$#>]", text):
        return ignored("command")
    return rejected("neither a headline nor a value of db2pd -hadr")


def _complete(sections: list[_Section], orders: Orders) -> None:
    """Add to every value when it was shown, by whom, and the number of its block."""
    numbers = iter(range(1, 1 + sum(len(section.blocks) for section in sections)))
    for section in sections:
        when: Value = {}
        if section.stamp is not None:
            when = {"stamp": section.stamp, "has_year": True, "utc_offset_min": _offset(section, orders)}
        for block in section.blocks:
            if not block:
                continue
            number = next(numbers)
            host = own_host({str(row["name"]): _text(row["value"]) for row in block}, section.member)
            about = {"status_no": number, "host": host, "database": section.database, "member": section.member}
            for row in block:
                row.update(about | when)


def _offset(section: _Section, orders: Orders) -> int | None:
    """Minutes east of UTC, by the latest time that is shown in both ways: an offset changes over the year."""
    shown = [
        (epoch, offset)
        for block in section.blocks
        for row in block
        if isinstance(row["value"], str)
        and (epoch := epoch_of(row["value"])) is not None
        and (offset := offset_min(row["value"], orders)) is not None
    ]
    return max(shown)[1] if shown else None


def _text(value: object) -> str | None:
    return None if value is None else str(value)


FORMAT = Format(
    name="db2_pd",
    title="HADR status of db2pd",
    tables=(HADR_STATUS,),
    recognise=recognise,
    parse=partial(parse_by_line, read=read, table=HADR_STATUS),
    file_names=("*db2pd*",),
    role="measurement",
    needs="Database|HADR",
    hints=(Hint(r"^Database (?:Member|Partition) [0-9]+ -- ", "the output of db2pd"),),
)
