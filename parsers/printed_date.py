"""Dates as a tool prints them in the language of its session: 07-28-2003, 28.07.2003, 2003-07-28.

Which of day and month comes first is not guessed. It is known from, in this order: the year standing first, or a month
by name; dots, with which no language puts the month first; seconds since 1970 printed beside the date; a number above
12 in any date of the file that has the same sign between its numbers. What all of this leaves open is read only in the
order that study.toml declares.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

import polars as pl

# REAL: 07-28-2003 10:27:04.5        03/14/2016 15:48:05.953771        2024-07-04-06.30.52.620854
DATE = re.compile(
    r"(?=[0-9]{4}[-/.]|[0-9]{1,2}[-/.][0-9]{1,2}[-/.][0-9]{4})"  # one of the numbers is a year
    r"(?P<first>[0-9]{1,4})(?P<sign>[-/.])(?P<second>[0-9]{1,2})(?P=sign)(?P<third>[0-9]{1,4})"
    r"[ T-](?P<hour>[0-9]{1,2})[.:](?P<minute>[0-9]{2})[.:](?P<whole>[0-9]{2})(?:[.:](?P<fraction>[0-9]{1,9}))?"
)
# REAL: Thu Aug 5 20:33:00 2010        and, as `date` prints it: Thu Aug  5 20:33:00 EDT 2010
CTIME = re.compile(
    r"(?:[A-Z][a-z]{2},? +)?(?P<month>[A-Z][a-z]{2}) +(?P<day>[0-9]{1,2}) (?P<clock>[0-9]{2}:[0-9]{2}:[0-9]{2})"
    r"(?: (?:[A-Z]{2,5}|[+-][0-9]{2,4}))? (?P<year>[0-9]{4})(?![0-9])"
)
# REAL: 04-07-2024 06:30:46.823373 (1720099846)
EPOCH = re.compile(r"^(?P<text>.*?\S) *\((?P<epoch>[0-9]{1,11})\)$")
MAX_OFFSET_MIN = 14 * 60
UNIX = datetime(1970, 1, 1)  # noqa: DTZ001 - wall clocks are naive, and compared with the naive UTC of the epoch
LAST_MONTH = 12
YEAR_DIGITS = 4


class Order(StrEnum):
    """Which part of a date comes first."""

    YEAR = "ymd"
    MONTH = "mdy"
    DAY = "dmy"


@dataclass(frozen=True, slots=True)
class Orders:
    """The order of dates by the sign between their numbers, and how it is known; a sign that is open is left out."""

    by_sign: dict[str, Order]
    reasons: dict[str, str]

    def read(self, text: str) -> datetime | None:
        """The wall clock that a text begins with; null where its order is open or there is no such day."""
        found = DATE.match(text)
        if found is None:
            return _named(text)
        order = _evident(found) or self.by_sign.get(found["sign"])
        return None if order is None else _in_order(found, order)

    def reason(self, text: str) -> str | None:
        """How the order of a date is known: iso, name, dots, epoch, day; `open` where it is not; null: no date."""
        found = DATE.match(text)
        if found is None:
            return "name" if CTIME.match(text) else None
        evident = _evident(found)
        if evident is not None:
            return "iso" if evident is Order.YEAR else "dots"
        return self.reasons.get(found["sign"], "open")


def orders_of(texts: Iterable[str]) -> Orders:
    """What the dates of one file say about their order; a date may be followed by seconds since 1970 in parentheses."""
    by_epoch: dict[str, set[Order]] = {}
    by_day: dict[str, set[Order]] = {}
    for text in texts:
        found = DATE.match(text)
        if found is None or _evident(found) is not None:
            continue
        if epoch := epoch_of(text):
            fitting = {
                order for order in (Order.MONTH, Order.DAY) if _offset(_in_order(found, order), epoch) is not None
            }
            if len(fitting) == 1:
                by_epoch.setdefault(found["sign"], set()).update(fitting)
        if int(found["first"]) > LAST_MONTH:
            by_day.setdefault(found["sign"], set()).add(Order.DAY)
        elif int(found["second"]) > LAST_MONTH:
            by_day.setdefault(found["sign"], set()).add(Order.MONTH)
    by_sign, reasons = {}, {}
    for known, reason in ((by_day, "day"), (by_epoch, "epoch")):
        for sign, orders in known.items():
            if len(orders) == 1:  # a file whose dates contradict each other shows nothing
                by_sign[sign], reasons[sign] = next(iter(orders)), reason
    return Orders(by_sign, reasons)


def epoch_of(text: str) -> datetime | None:
    """The UTC time of the seconds since 1970 that a text ends with."""
    found = EPOCH.match(text)
    return UNIX + timedelta(seconds=int(found["epoch"])) if found else None


def offset_min(text: str, orders: Orders) -> int | None:
    """Minutes east of UTC of a text with both a wall clock and seconds since 1970; null where the two do not agree."""
    wall, epoch = orders.read(text), epoch_of(text)
    return None if wall is None or epoch is None else _offset(wall, epoch)


def _evident(found: re.Match[str]) -> Order | None:
    """The order that a date shows by itself."""
    if len(found["first"]) == YEAR_DIGITS:
        return Order.YEAR
    return Order.DAY if found["sign"] == "." else None


def _named(text: str) -> datetime | None:
    """The wall clock of a date with the name of its month."""
    found = CTIME.match(text)
    if found is None:
        return None
    spelt = f"{found['year']} {found['month']} {found['day']} {found['clock']}"
    try:
        return datetime.strptime(spelt, "%Y %b %d %H:%M:%S")  # noqa: DTZ007 - the wall clock of the writer
    except ValueError:
        return None


def _in_order(found: re.Match[str], order: Order) -> datetime | None:
    first, second, third = (int(found[name]) for name in ("first", "second", "third"))
    year, month, day = {
        Order.YEAR: (first, second, third),
        Order.MONTH: (third, first, second),
        Order.DAY: (third, second, first),
    }[order]
    micro = int((found["fraction"] or "0").ljust(6, "0")[:6])
    clock = int(found["hour"]), int(found["minute"]), int(found["whole"]), micro
    if year < UNIX.year:
        return None
    try:
        return datetime(year, month, day, *clock)  # noqa: DTZ001 - the wall clock of the writer
    except ValueError:
        return None


def _offset(wall: datetime | None, epoch: datetime) -> int | None:
    """Minutes between them, if they can be those of a zone: whole quarters of an hour, at most 14 hours."""
    if wall is None:
        return None
    minutes = (wall.replace(microsecond=0) - epoch).total_seconds() / 60
    is_zone = minutes % 15 == 0 and abs(minutes) <= MAX_OFFSET_MIN
    return int(minutes) if is_zone else None


def in_declared_order(frame: pl.DataFrame, declared: Mapping[int, str]) -> pl.DataFrame:
    """Rows with `printed_at` and `date_order`, open dates read in the declared order: mdy or dmy by file_id."""
    orders = {file_id: Order(name) for file_id, name in declared.items() if name in {Order.MONTH, Order.DAY}}
    if not orders:
        return frame
    is_open = (pl.col("date_order") == "open") & pl.col("file_id").is_in(list(orders))
    dates = frame.filter(is_open).select("file_id", "printed_at").unique()
    read = [
        (file_id, printed, Orders(dict.fromkeys("-/", orders[file_id]), {}).read(printed))
        for file_id, printed in dates.iter_rows()
    ]
    schema = {"file_id": pl.Int32(), "printed_at": pl.String(), "resolved": pl.Datetime("us")}
    known = pl.DataFrame(read, schema, orient="row").drop_nulls("resolved")
    is_resolved = pl.col("resolved").is_not_null() & is_open
    return (
        frame.join(known, on=["file_id", "printed_at"], how="left", maintain_order="left")
        .with_columns(
            pl.when(is_resolved).then("resolved").otherwise("stamp").alias("stamp"),
            pl.when(is_resolved).then(pl.lit(True)).otherwise("has_year").alias("has_year"),
            pl.when(is_resolved).then(pl.lit("stated")).otherwise("date_order").alias("date_order"),
        )
        .drop("resolved")
    )
