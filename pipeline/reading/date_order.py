"""Which of day, month and year comes first in the dates of a file (12/11/09), as far as the file itself shows.

Source of an order, from the strongest: `stated` (study.toml), `day` (the only order in which all dates of the file
exist), `file` (other times of the file, whose order shows, lie on these days), `logs` (so do lines of the run's other
logs), `succession` (the order in which the dates run forward in the smallest steps), `reports` (other files of the
node, or the run), `half_day` (a clock with AM and PM: the month first), `assumed` (nothing shows: the month first).
What other files tell is weighed in `pipeline/clock/date_order_inference.py`.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import date
from itertools import pairwise
from typing import Self

import polars as pl

FIELDS = re.compile(r"([0-9]{1,4})[./-]([0-9]{1,2})[./-]([0-9]{1,4})")
EAST_ASIAN = re.compile(r"([0-9]{4})年([0-9]{1,2})月([0-9]{1,2})日?")
ORDERS = {"mdy": (2, 0, 1), "dmy": (2, 1, 0), "ymd": (0, 1, 2)}
"""Where year, month and day stand among the three fields."""

ORDER_NAMES = {"mdy": "month first", "dmy": "day first", "ymd": "year first"}

USUAL = ("mdy", "dmy")
"""A year of two digits in front is believed only where something supports it."""


DAILY = 3
"""This many dates of which each is a day after the one before leave no other order possible."""


@dataclass(frozen=True, slots=True)
class DateOrder:
    """The order of the dates of a file and how it is known.

    `rivals`: the others, where the evidence of other files counts. `witnesses`: paths of the files that showed it, or,
    of an assumed order, that contradict each other.
    """

    name: str
    source: str
    rivals: tuple[str, ...] = ()
    witnesses: tuple[str, ...] = ()

    @property
    def is_sure(self) -> bool:
        """Whether anything showed it."""
        return self.source != "assumed"


@dataclass(frozen=True, slots=True)
class PrintedDates:
    """The dates of a file in which their order does not show, and the order that the file itself shows.

    `first`: one of them as printed; `first_line`, `lines`: on which and how many lines times hang on them.
    `stamps`: the stamps of the file read in each of the rivals, as `Stamps.as_json` gives them.
    """

    order: DateOrder
    first: str
    first_line: int
    lines: int
    stamps: Mapping[str, str] = field(default_factory=dict)

    def as_json(self) -> str:
        """For the ledger; `from_json` reads it back."""
        return json.dumps(asdict(self), sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read what `as_json` wrote."""
        content = json.loads(text)
        named = content.pop("order")
        return cls(DateOrder(named["name"], named["source"], tuple(named["rivals"])), **content)


def date_order(
    dates: Iterable[str],
    declared: str | None = None,
    *,
    others: Iterable[date] = (),
    is_half_day: bool = False,
) -> DateOrder:
    """Which order the dates of a file have. `others`: days in the same file whose order shows.

    >>> date_order(["11/05/26", "11/13/26"])
    DateOrder(name='mdy', source='day', rivals=(), witnesses=())
    """
    different = list(dict.fromkeys(dates))
    fitting = {name: days for name in ORDERS if (days := _days(different, name)) is not None}
    if declared in fitting:
        return DateOrder(str(declared), "stated")
    if not fitting:
        return DateOrder("mdy", "assumed")
    if len(fitting) == 1:
        return DateOrder(next(iter(fitting)), "day")
    if beside := best({name: near(days, others) for name, days in fitting.items()}):
        return DateOrder(beside, "file")
    moved = {name: _moved(days) for name, days in fitting.items()}
    smoothest = [name for name in fitting if moved[name] == min(moved.values())]
    likely = [name for name in smoothest if name in USUAL] or smoothest
    is_daily = len(different) >= DAILY and moved[likely[0]] == (0, len(different) - 1)
    others_usual = any(name in USUAL for name in fitting if name != likely[0])
    rivals = () if is_daily else tuple(name for name in fitting if name != likely[0])
    if len(likely) > 1:
        return DateOrder(likely[0], "half_day" if is_half_day else "assumed", rivals)
    return DateOrder(likely[0], "succession" if others_usual else "day", rivals)


def best(hits: Mapping[str, int]) -> str | None:
    """The order with more hits than any other; a year in front needs more than the usual ones."""
    most = max(hits.values(), default=0)
    leading = [name for name, count in hits.items() if count == most]
    likely = [name for name in leading if name in USUAL] or leading
    return likely[0] if most and len(likely) == 1 else None


def near(days: Iterable[date], others: Iterable[date]) -> int:
    """How many days lie at most one day from any of the others: writers may be of different zones."""
    numbers = {each.toordinal() + step for each in others for step in (-1, 0, 1)}
    return sum(day.toordinal() in numbers for day in set(days))


def day_of(text: str | None, order: str) -> date | None:
    """The day that a printed date means; None if there is none such.

    >>> day_of("21.11.2026", "mdy"), day_of("11/05/26", "dmy")
    (datetime.date(2026, 11, 21), datetime.date(2026, 5, 11))
    """
    if text is None:
        return None
    if found := EAST_ASIAN.match(text):
        return _date(*(int(each) for each in found.groups()))
    found = FIELDS.match(text)
    if found is None:
        return None
    fields = found.groups()
    if len(fields[0]) == 4:
        order = "ymd"
    elif "." in text:
        order = "dmy"
    year, month, day = (fields[at] for at in ORDERS[order])
    return _date(_full_year(year), int(month), int(day))


def _full_year(text: str) -> int:
    if len(text) > 2:
        return int(text)
    return int(text) + (2000 if int(text) < 69 else 1900)


def _date(year: int, month: int, day: int) -> date | None:
    try:
        found = date(year, month, day)
    except ValueError:
        return None
    return found if 1970 <= found.year <= 9998 else None


def _days(dates: Iterable[str], order: str) -> list[date] | None:
    days = [day_of(text, order) for text in dates]
    return None if None in days else [day for day in days if day is not None]


def _moved(days: list[date]) -> tuple[int, int]:
    """How many days the dates of a file go back, and how many they move in all, in the order in which they come."""
    steps = [(later - earlier).days for earlier, later in pairwise(days)]
    return sum(-step for step in steps if step < 0), sum(map(abs, steps))


def in_order_name(table: str, order: str) -> str:
    """Under which name the rows of a table wait that were read in one of several orders."""
    return f"{table} in {order}"


def without_doubt(reports: pl.DataFrame, file_ids: Sequence[int]) -> pl.DataFrame:
    """Reports, those of files whose order was resolved without the mark that it is open."""
    is_resolved = pl.col("file_id").is_in(file_ids)
    return reports.with_columns(time_quality=pl.when(~is_resolved).then("time_quality"))
