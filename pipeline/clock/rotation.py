"""Rotated copies of one log (messages.2, messages.1, messages), dated together where they have no years."""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from itertools import pairwise

from parsers.format import formats
from pipeline.discovery.compression import without_suffix
from pipeline.reading.stamps import ROLLOVER_DAYS, StampFacts

MAX_DAYS = 2000
"""Days of a chain that are compared with others'."""

# messages.2; messages-20190322, maybe with an hour or the seconds since 1970 behind
COPY = re.compile(
    r"(?:\.(?P<number>[0-9]{1,3})|[.-](?P<day>(?:19|20)[0-9]{6})(?:[-_.]?(?P<time>[0-9]{2,10}))?)$", re.ASCII
)


@dataclass(frozen=True, slots=True)
class Chain:
    """Files of one log without years, oldest first: one file, or one with its rotated copies.

    `shifts` are the New Years before each file's first line.
    """

    files: tuple[StampFacts, ...]
    shifts: tuple[int, ...]

    def days(self) -> list[tuple[int, date]]:
        """Relative year and calendar day (of the year 2000) of lines without a year, in file order.

        Of more than MAX_DAYS, the first and the last ones: they decide as well.
        """
        days = [
            (shift + day.year_no, day.first.date())
            for each, shift in zip(self.files, self.shifts, strict=True)
            for day in each.bare_days()
            if day.year_no is not None
        ]
        return [*days[: MAX_DAYS // 2], *days[MAX_DAYS // 2 :][-MAX_DAYS // 2 :]]

    def weekdays(self) -> frozenset[str]:
        """Weekdays that lines print beside their day, as `Thu 10-09`."""
        return frozenset(weekday for each in self.files for weekday in each.weekdays)

    def last(self) -> tuple[int, date]:
        """Relative year and day of the last line."""
        newest = max(self.files[-1].bare_days(), key=lambda day: day.last_line)
        return self.shifts[-1] + (newest.year_no or 0), newest.last.date()


def chains(files: Iterable[StampFacts]) -> list[Chain]:
    """Files without years, rotated copies of one log together: messages.2, messages.1, messages."""
    logs: dict[tuple[str | None, ...], list[tuple[tuple[int, int], str, StampFacts]]] = defaultdict(list)
    for each in files:
        stem, age = rotation(each.path)
        logs[stem, each.configuration, each.run, each.node].append((age, each.path, each))
    return [_chained([file for _, _, file in sorted(log, key=lambda each: each[:2])]) for log in logs.values()]


def _chained(files: Sequence[StampFacts]) -> Chain:
    shifts = [0]
    for earlier, later in pairwise(files):
        newest = max(earlier.bare_days(), key=lambda day: day.last_line)
        oldest = min(later.bare_days(), key=lambda day: day.first_line)
        is_new_year = (newest.last - oldest.first).days > ROLLOVER_DAYS
        shifts.append(shifts[-1] + (newest.year_no or 0) + is_new_year)
    return Chain(tuple(files), tuple(shifts))


@cache
def _counted_upwards() -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(each.counts_up, re.ASCII) for each in formats().values() if each.counts_up is not None)


def rotation(path: str) -> tuple[str, tuple[int, int]]:
    """A path without what compression and rotation add to it, and a key that sorts the copies oldest first."""
    name = without_suffix(path)
    upwards = next(filter(None, (pattern.search(name) for pattern in _counted_upwards())), None)
    if upwards is not None:
        return name[: upwards.start()] + name[upwards.end() :], (1, int(upwards["number"]))
    match = COPY.search(name)
    if match is None:
        return name, (2, 0)
    if match["number"]:
        return name[: match.start()], (1, -int(match["number"]))
    return name[: match.start()], (0, int(match["day"] + (match["time"] or "").ljust(10, "0")))
