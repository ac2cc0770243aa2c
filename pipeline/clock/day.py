"""Which day a log is of whose lines print a time of day alone, and how one knows.

Its stamps count days from `parsers.format.DAYLESS`. The first day is declared (`[[files]] start`), or named by the file
or its folder, or that of the other logs of its run, if these are of one day and of the same hours. Else its lines have
no time: neither the time of the file nor that of the ingest shows when they were written.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

from parsers.format import DAYLESS, formats
from pipeline.clock.year import Years, date_in, in_year, value_at
from pipeline.reading.stamps import Day, StampFacts, Stamps, Step
from pipeline.study.manifest import Manifest

AROUND = timedelta(minutes=15)
"""The other logs of a run begin and end within so much of each other."""

JUST_MIDNIGHT = timedelta(minutes=1)
"""A log that begins so soon after midnight may count from a start."""


ROTATED = re.compile(r"\.log-[0-9]{8}[^/]*$", re.ASCII)
"""The date of a rotation, which follows the lines."""


@dataclass(frozen=True, slots=True)
class FirstDay:
    """The day of the first line, and what shows it, as `year_source` names it."""

    day: date
    source: str

    @property
    def shift(self) -> timedelta:
        """What has to be added to the stamps."""
        return self.day - DAYLESS


def is_dayless(file: StampFacts) -> bool:
    """Whether lines of a file print a time of day alone."""
    return any(_is_dayless(day) for day in (file.stamps.days if file.stamps else ()))


def first_days(
    files: Sequence[StampFacts], dated: Iterable[StampFacts], years: Mapping[str, Years], manifest: Manifest
) -> dict[str, FirstDay]:
    """The first day of those files without days of which it shows, by path. `dated`: the files with days."""
    logs = [_Days(each, tuple(_spans(each, years[each.path]))) for each in dated if _is_log(each)]
    found = {each.path: _first_day(each, logs, manifest) for each in files}
    return {path: day for path, day in found.items() if day is not None}


def in_days(file: StampFacts, first: FirstDay | None) -> StampFacts:
    """The file with stamps of the days that it is of; without those of which no day is known."""
    if file.stamps is None or not is_dayless(file):
        return file
    if first is None:
        known = tuple(day for day in file.stamps.days if not _is_dayless(day))
        return replace(file, stamps=replace(file.stamps, days=known, turns=(), steps=()) if known else None)
    days = tuple(_moved_day(day, first.shift) if _is_dayless(day) else day for day in file.stamps.days)
    steps = tuple(_moved_step(step, first.shift) for step in file.stamps.steps)
    return replace(file, stamps=Stamps(file.stamps.first_line, days, (), steps))


@dataclass(frozen=True, slots=True)
class _Days:
    """A log with days: the first and the last line of each, by its own clock."""

    file: StampFacts
    spans: tuple[tuple[datetime, datetime], ...]


def _is_dayless(day: Day) -> bool:
    return day.year_no is not None and day.first.year == DAYLESS.year


def _moved_day(day: Day, shift: timedelta) -> Day:
    return replace(day, year_no=None, first=day.first + shift, last=day.last + shift)


def _moved_step(step: Step, shift: timedelta) -> Step:
    if step.has_year or step.stamp.year != DAYLESS.year:
        return step
    return replace(step, has_year=True, stamp=step.stamp + shift)


def _is_log(file: StampFacts) -> bool:
    form = formats().get(file.format or "")
    return file.stamps is not None and (form is None or form.role == "log")


def _spans(file: StampFacts, years: Years) -> Iterable[tuple[datetime, datetime]]:
    for day in file.stamps.days if file.stamps else ():
        if day.year_no is None:
            yield day.first, day.last
            continue
        own = in_year(day.first.date(), value_at(years.years, day.first_line))
        if own is not None:
            yield day.first.replace(year=own.year), day.last.replace(year=own.year)


def _first_day(file: StampFacts, logs: Sequence[_Days], manifest: Manifest) -> FirstDay | None:
    if (start := manifest.file_override(file.path).start) is not None:
        return FirstDay(start.date(), "explicit")
    days = sorted(
        (day for day in (file.stamps.days if file.stamps else ()) if _is_dayless(day)), key=lambda day: day.first
    )
    first, last = days[0].first, max(day.last for day in days)
    others = [span for log in logs if _is_beside(log.file, file) for span in log.spans]
    named = date_in(file.path)
    is_start = first - datetime.combine(first.date(), datetime.min.time()) < JUST_MIDNIGHT
    is_contradicted = bool(others) and named not in {span[0].date() for span in others}
    if named is not None and not (is_start or is_contradicted or ROTATED.search(file.path)):
        return FirstDay(named, "filename")
    return _day_of_others(first, last, others)


def _day_of_others(first: datetime, last: datetime, spans: Sequence[tuple[datetime, datetime]]) -> FirstDay | None:
    """The only day of the other logs of the run, or of the folder, where they are of the same hours."""
    days = {span[0].date() for span in spans}
    if len(days) != 1 or first.date() != last.date():
        return None
    (day,) = days
    shift = day - DAYLESS
    begin, end = min(span[0] for span in spans), max(span[1] for span in spans)
    is_within = begin - AROUND <= first + shift and last + shift <= end + AROUND
    return FirstDay(day, "sibling") if is_within else None


def _is_beside(log: StampFacts, file: StampFacts) -> bool:
    if file.run is not None:
        return (log.configuration, log.run) == (file.configuration, file.run)
    return log.path.rpartition("/")[0] == file.path.rpartition("/")[0]
