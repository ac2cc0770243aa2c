"""Lines in the hour that occurs twice: of which of the two they are, and how one knows.

The stamps do not tell. What does, in this order: the file's own clock stepped back within the hour; what the other
logs of the node in the run, else of the run, show for certain lies around the one and not around the other. Otherwise
the first of the two is taken, and the file is remembered as one that may be an hour off.
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from pipeline.clock.transition import Transition, Transitions, transitions
from pipeline.clock.year import Years, in_year, value_at
from pipeline.clock.zone import Zone
from pipeline.local_time import as_utc
from pipeline.reading.stamps import Day, StampFacts, Step

NEAR = timedelta(minutes=10)
"""Logs of one run go on so long before and after what others of it show. Less than half an hour: never near both."""

Span = tuple[datetime, datetime]
Kin = tuple[str | None, ...]
"""Configuration and run of logs, or these with their node."""


@dataclass(frozen=True, slots=True)
class Hours:
    """What is known of one file's lines around summer time.

    `folds`: lines (with month and day) from which on a time that occurs twice is the later one. `doubtful`: times at
    which the file may have lines that are an hour off, or that no clock can have shown. `by_others`: derived from other
    logs, with the word for the hour that was taken.
    """

    folds: tuple[tuple[int, int], ...] = ()
    doubtful: tuple[Transition, ...] = ()
    by_others: tuple[tuple[Transition, str], ...] = ()


def resolved_hours(
    files: Sequence[StampFacts], years: Mapping[str, Years], zones: Mapping[str, Zone]
) -> dict[str, Hours]:
    """What is known of every file that has lines around a transition of its zone, by its path."""
    logs = [_Log(each, years[each.path], zones[each.path]) for each in files if each.stamps is not None]
    found = transitions((zone, day) for log in logs if (zone := log.ruling_zone()) for day in log.days())
    touched = {log.file.path: list(log.touched(found)) for log in logs}
    if not any(touched.values()):
        return {}
    around = _Around(logs, found)
    return {log.file.path: _hours(log, touched[log.file.path], around) for log in logs if touched[log.file.path]}


def _hours(log: "_Log", touched: Iterable[Transition], around: "_Around") -> Hours:
    folds: list[tuple[int, int]] = []
    doubtful: list[Transition] = []
    by_others: list[tuple[Transition, str]] = []
    for each in touched:
        own = log.steps_within(each)
        later = None if own or each.kind == "left_out" else around.is_later(log, each)
        folds += [(step.line_no, 100 * landing.month + landing.day) for step, landing in own]
        if own:
            continue
        if later is None:
            doubtful.append(each)
            continue
        by_others.append((each, "second" if later else "first"))
        if later:
            folds.append((0, 100 * each.start.month + each.start.day))
    return Hours(tuple(sorted(folds)), tuple(doubtful), tuple(by_others))


@dataclass(frozen=True, slots=True)
class _Log:
    """A file with its year and zone."""

    file: StampFacts
    years: Years
    zone: Zone

    def ruling_zone(self) -> str | None:
        """The zone by whose rules the file's stamps are placed; None if offsets place them."""
        return None if self.zone.offsets else self.zone.name

    def spans(self) -> Iterator[tuple[Day, datetime, datetime]]:
        """First and last wall clock time of each day, with the year; days without a date are left out."""
        for day in self.file.stamps.days if self.file.stamps else ():
            if day.year_no is None:
                yield day, day.first, day.last
                continue
            year = value_at(self.years.years, day.first_line)
            if in_year(day.first.date(), year) is not None:
                yield day, day.first.replace(year=year), day.last.replace(year=year)

    def days(self) -> set[date]:
        """The days with lines that state no offset."""
        return {first.date() for day, first, _ in self.spans() if day.offset_min is None}

    def touched(self, found: Transitions) -> Iterator[Transition]:
        """The transitions in whose hour the file may have lines."""
        zone = self.ruling_zone()
        if zone is None:
            return
        for day in sorted(self.days()):
            each = found.get((zone, day))
            if each is not None and self.within(each) is not None:
                yield each

    def within(self, transition: Transition) -> Span | None:
        """The part of the hour between the first and the last line of its day; lines that state an offset need none."""
        parts = [
            (max(first, transition.start), min(last, transition.end))
            for day, first, last in self.spans()
            if day.offset_min is None and first < transition.end and last >= transition.start
        ]
        return (min(first for first, _ in parts), max(last for _, last in parts)) if parts else None

    def steps_within(self, transition: Transition) -> list[tuple[Step, datetime]]:
        """Steps back that begin the hour again, with the time they landed on: by an hour at most, within it."""
        if transition.kind != "twice" or self.file.stamps is None:
            return []
        longest = (transition.end - transition.start).total_seconds()
        found = []
        for step in self.file.stamps.steps:
            landing = self._landing(step)
            if landing is None or not -longest <= step.step_s <= -60:
                continue
            if transition.holds(landing) and transition.holds(landing - timedelta(seconds=step.step_s)):
                found.append((step, landing))
        return found

    def _landing(self, step: Step) -> datetime | None:
        if step.has_year:
            return step.stamp
        day = in_year(step.stamp.date(), value_at(self.years.years, step.line_no))
        return None if day is None else datetime.combine(day, step.stamp.time())

    def certain(self, found: Transitions, near: date) -> Iterator[datetime]:
        """Instants (naive UTC) around a day that the file shows beyond doubt."""
        zone = self.ruling_zone()
        for day, first, last in self.spans():
            if abs((first.date() - near).days) > 1:
                continue
            if day.offset_min is not None:
                east = timedelta(minutes=day.offset_min)
                yield from (first - east, last - east)
            elif zone is None:
                yield from (first - self._east(first), last - self._east(last))
            elif (transition := found.get((zone, first.date()))) is not None:
                yield from self._certain_around(transition, first, last)
            else:
                yield from (as_utc(first, zone), as_utc(last, zone))

    def _certain_around(self, transition: Transition, first: datetime, last: datetime) -> Iterator[datetime]:
        before, after = transition.east_before, transition.east_after
        yield from (wall - before for wall in (first, last) if wall < transition.start)
        yield from (wall - after for wall in (first, last) if wall >= transition.end)
        for step, landing in self.steps_within(transition):
            yield from (landing - timedelta(seconds=step.step_s) - before, landing - after)

    def _east(self, wall: datetime) -> timedelta:
        at = bisect_right(self.zone.offsets, wall, key=lambda each: each[0])
        return timedelta(minutes=self.zone.offsets[max(0, at - 1)][1])


class _Around:
    """The logs of a node in a run, and those of the run: what they show for certain."""

    def __init__(self, logs: Sequence[_Log], found: Transitions) -> None:
        self._found = found
        self._groups: dict[Kin, list[_Log]] = defaultdict(list)
        self._spans: dict[tuple[Kin, date], Span | None] = {}
        for log in logs:
            for key in self._keys(log.file):
                self._groups[key].append(log)

    def _certain(self, key: Kin, near: date) -> Span | None:
        """First and last instant around a day that logs of a kin show beyond doubt; asked for each of them."""
        if (key, near) not in self._spans:
            shown = [instant for each in self._groups[key] for instant in each.certain(self._found, near)]
            self._spans[key, near] = (min(shown), max(shown)) if shown else None
        return self._spans[key, near]

    @staticmethod
    def _keys(file: StampFacts) -> list[Kin]:
        """From the nearest relatives on."""
        run = (file.configuration, file.run)
        return [(*run, file.node.lower()), run] if file.node else [run]

    def is_later(self, log: _Log, transition: Transition) -> bool | None:
        """Whether a file's lines in the hour are of the second one; None if its relatives do not tell."""
        part = log.within(transition)
        if part is None:
            return None
        for key in self._keys(log.file):
            certain = self._certain(key, transition.start.date())
            if certain is None:
                continue
            low, high = certain[0] - NEAR, certain[1] + NEAR
            fits = [
                low <= part[0] - east and part[1] - east <= high
                for east in (transition.east_before, transition.east_after)
            ]
            if fits[0] != fits[1]:
                return fits[1]
        return None
