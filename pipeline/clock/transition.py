"""Days on which the wall clock of a zone is set: the hour that occurs twice, the hour that is left out."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Literal

import polars as pl

from pipeline.local_time import local, utc

NOON = time(12)
MIDNIGHT = time(0)
DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Transition:
    """The wall clock times from `start` until before `end` that a zone shows twice, or never.

    `east_before` and `east_after` are the zone's offsets from UTC before and after the clock is set.
    """

    kind: Literal["twice", "left_out"]
    start: datetime
    end: datetime
    east_before: timedelta
    east_after: timedelta

    def holds(self, wall: datetime) -> bool:
        """Whether a wall clock time is one of those."""
        return self.start <= wall < self.end

    def shown(self) -> str:
        """Name the hour, as in `01:00 to 02:00 on 2003-10-26`."""
        return f"{self.start:%H:%M} to {self.end:%H:%M} on {self.start:%Y-%m-%d}"


Transitions = Mapping[tuple[str, date], Transition]
"""By zone and by each day that has wall clock times of the transition."""


def transitions(days: Iterable[tuple[str, date]]) -> Transitions:
    """The transitions of zones with rules on some days; few days have any."""
    found: dict[tuple[str, date], Transition] = {}
    by_zone: dict[str, set[date]] = defaultdict(set)
    for zone, day in days:
        if date.min + 3 * DAY < day < date.max - 3 * DAY:
            by_zone[zone].add(day)
    for zone, wanted in sorted(by_zone.items()):
        for day in _days_of_change(zone, sorted(wanted)):
            for each in _of_day(zone, day):
                found[zone, day] = each
    return found


def _days_of_change(zone: str, days: list[date]) -> Iterator[date]:
    """Days around which the offset differs."""
    noons = [datetime.combine(day + around, NOON) for day in days for around in (-DAY, DAY)]
    offsets = _offsets(zone, noons)
    for number, day in enumerate(days):
        if offsets[2 * number] != offsets[2 * number + 1]:
            yield day


def _of_day(zone: str, day: date) -> Iterator[Transition]:
    """Look at every minute in UTC around a day for the one at which the offset changes."""
    start = datetime.combine(day - DAY, MIDNIGHT)
    minutes = pl.DataFrame(
        {"at": pl.datetime_range(start, start + 3 * DAY, "1m", time_unit="us", eager=True)},
        schema={"at": pl.Datetime("us")},
    )
    east = minutes.with_columns(east=local(pl.col("at"), zone) - pl.col("at"))
    east = east.with_columns(before=pl.col("east").shift(1)).filter(pl.col("east") != pl.col("before"))
    for at, after, before in east.select("at", "east", "before").iter_rows():
        first, last = sorted((at + before, at + after))
        if first.date() <= day <= (last - timedelta(microseconds=1)).date():
            yield Transition("twice" if after < before else "left_out", first, last, before, after)


def _offsets(zone: str, walls: list[datetime]) -> list[timedelta]:
    frame = pl.DataFrame({"wall": walls}, schema={"wall": pl.Datetime("us")})
    return frame.select(pl.col("wall") - utc(pl.col("wall"), zone)).to_series().to_list()
