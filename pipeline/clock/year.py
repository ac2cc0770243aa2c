"""Which year a file's lines are of, where they print none, and what shows it.

The sources are in the order of `pipeline/clock/file_clock.py`. A year belongs to a line on which it begins:
New Years within a file were found before (`pipeline/reading/stamps.py`); here the year of its first line is found.
"""

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import pairwise
from typing import Literal

from pipeline.clock.rotation import Chain, chains
from pipeline.local_time import as_utc
from pipeline.reading.stamps import ROLLOVER_DAYS, StampFacts
from pipeline.reading.weekdays import NAMES as WEEKDAYS
from pipeline.study.manifest import Manifest

Days = Sequence[tuple[int, date]]
Kinship = Literal["host", "run", "folder", "strangers"]
"""Logs of the same host, of other hosts in the same run or in a folder without runs, any other logs."""

MOST_YEARS = 12
"""A weekday falls on a day of the year again after five to twelve years."""

DATE = re.compile(
    r"(?<![0-9])(?P<year>(?:19|20)[0-9][0-9])(?P<dash>[-_.]?)(?P<month>0[1-9]|1[0-2])(?P=dash)(?P<day>0[1-9]|[12][0-9]|3[01])"
    r"(?=[0-9]{4}(?:[0-9][0-9])?(?![0-9])|(?![0-9]))",  # a time may follow: 20030728102704
    re.ASCII,
)


@dataclass(frozen=True, slots=True)
class Years:
    """The year of the lines of one file that print none, from which line on."""

    source: str | None
    years: tuple[tuple[int, int], ...] = ()
    doubt: str | None = None


def resolved_years(files: Sequence[StampFacts], manifest: Manifest, now: datetime) -> dict[str, Years]:
    """The years of every file by its path. `now`, naive UTC, is the last resort."""
    resolved: dict[str, Years] = {}
    waiting: list[StampFacts] = []
    for each in files:
        declared = manifest.file_override(each.path).year
        if each.stamps is None:
            resolved[each.path] = Years(None)
        elif not each.bare_days():
            resolved[each.path] = Years("in_line")
        elif declared is not None:
            chain = Chain((each,), (0,))
            resolved |= _years_of_chain(chain, declared - chain.last()[0], "explicit", None)
        elif each.dated_days():
            resolved[each.path] = Years("in_line", _years_by_nearest_line(each))
        else:
            waiting.append(each)
    siblings = _Siblings.of(files)
    for chain in chains(waiting):
        resolved |= _resolved_chain(chain, siblings, manifest.study.year, now)
    return resolved


def _resolved_chain(chain: Chain, siblings: "_Siblings", declared: int | None, now: datetime) -> dict[str, Years]:
    """Ask the sources in their order."""
    if declared is not None:
        anchors = next(iter(siblings.of_chain(chain)), ([], "strangers"))[0]
        return _years_of_chain(chain, _declared_base(chain, declared, anchors), "explicit", None)
    found = _found(chain, siblings, now)
    return _years_of_chain(chain, *(_by_weekday(chain, found) if chain.weekdays() else found))


def _found(chain: Chain, siblings: "_Siblings", now: datetime) -> tuple[int, str, str | None]:
    """The year of the first line, its source and a doubt, by other files, a date in a name, or a file's time."""
    named = _named_base(chain)
    relatives = [each for each in siblings.of_chain(chain) if each[1] != "strangers" or named is None]
    if near := [each for each in relatives if _is_witness(chain, *each)]:
        return _by_relatives(chain, near)
    if named is not None:
        return named, "filename", None
    newest = chain.files[-1]
    if newest.modified_at is not None and _is_plausible(as_utc(newest.modified_at), now):
        base = _latest_base(chain, as_utc(newest.modified_at) + timedelta(days=1))
        if newest.is_dated_within:
            return base, "archive", None
        return base, "mtime", "the year is that of the file's time, which a copy may have changed"
    base = _latest_base(chain, now + timedelta(days=1))
    return base, "now", "no file shows the year: the most recent one was taken (declare it in study.toml)"


def _is_witness(chain: Chain, anchors: Sequence[date], kinship: Kinship) -> bool:
    """Whether other files tell of the year: those of the host or the run; strangers only with a day in common."""
    if kinship in {"host", "run"}:
        return True
    return _fit(chain.days(), _base_by_siblings(chain, anchors)[0], anchors)[0] > 0


def _by_weekday(chain: Chain, found: tuple[int, str, str | None]) -> tuple[int, str, str | None]:
    """The year of the first line on whose days the printed weekdays fall, nearest to what else shows one.

    That is proof where both agree, or where other files tell of about the time; a file's time alone is the latest that
    it may be.
    """
    base, source, doubt = found
    is_latest = source in {"mtime", "now", "archive"}
    years = _possible(chain, range(base - MOST_YEARS, base + 1 if is_latest else base + MOST_YEARS))
    if not years:
        return found
    nearest = min(years, key=lambda year: abs(year - base))
    if source != "now" and (nearest == base or not is_latest):
        return nearest, source if doubt is None and nearest == base else "weekday", None
    others = ", ".join(map(str, years[-2:]))
    return nearest, "weekday", f"weekdays leave the years {others}: {nearest} was taken (declare it in study.toml)"


def _possible(chain: Chain, bases: Iterable[int]) -> list[int]:
    """The years of the first line on whose days the printed weekdays fall; all where none is printed."""
    weekdays = chain.weekdays()
    return [base for base in bases if all(_falls_on(each, chain.days(), base) for each in weekdays)]


def _falls_on(weekday: str, days: Days, base: int) -> bool:
    """Whether a day such as `Thu 10-09` has its weekday; one that no line is stamped with says nothing."""
    name, _, printed = weekday.partition(" ")
    dates = [in_year(day, base + year_no) for year_no, day in days if f"{day:%m-%d}" == printed]
    return not dates or any(each is not None and WEEKDAYS[each.weekday()] == name for each in dates)


def _by_relatives(chain: Chain, relatives: Sequence[tuple[Sequence[date], Kinship]]) -> tuple[int, str, str | None]:
    """The year of the first line, its source and a doubt: by the nearest relatives, or those that leave no doubt."""
    found = []
    for anchors, kinship in relatives:
        base, doubt = _base_by_siblings(chain, anchors)
        found.append((base, "sibling", _doubt_of_hosts(chain, base, anchors, kinship) or doubt))
        if found[-1][2] is None:
            return found[-1]
    return found[0]


def _declared_base(chain: Chain, declared: int, anchors: Sequence[date]) -> int:
    """The given year is the last line's, unless other files show that an earlier line is meant (New Year within)."""
    days = chain.days()
    bases = [declared - year_no for year_no in sorted({year_no for year_no, _ in days}, reverse=True)]
    fits = [_fit(days, base, anchors) for base in bases] if anchors else []
    return max(zip(fits, bases, strict=True))[1] if fits and max(fits)[0] > 0 else declared - chain.last()[0]


def _named_base(chain: Chain) -> int | None:
    """By the date in a path: a folder's is the run's, a rotated file's is its end.

    The lines lie before it or within a month.
    """
    for each, shift in zip(reversed(chain.files), reversed(chain.shifts), strict=True):
        named = date_in(each.path)
        if named is not None:
            latest = datetime(named.year, named.month, named.day) + timedelta(days=31)  # noqa: DTZ001  a wall clock
            return _latest_base(Chain((each,), (shift,)), latest)
    return None


def _years_of_chain(chain: Chain, base: int, source: str, doubt: str | None) -> dict[str, Years]:
    found = {}
    for each, shift in zip(chain.files, chain.shifts, strict=True):
        turns = each.stamps.turns if each.stamps else ()
        years = [(0, base + shift), *((line, base + shift + year_no) for line, year_no in turns)]
        found[each.path] = Years(source, tuple(_without_repeats(years)), doubt)
    return found


def _years_by_nearest_line(file: StampFacts) -> tuple[tuple[int, int], ...]:
    """A line takes the year of the nearest line that has one; New Years between the two count."""
    bare = sorted((line, day) for day in file.bare_days() for line in {day.first_line, day.last_line})
    lines = [line for line, _ in bare]
    bases: list[tuple[int, int]] = []  # line of an anchor, year of the file's first line by it
    for day in file.dated_days():
        for line in {day.first_line, day.last_line}:
            at = bisect_left(lines, line)
            _, nearest = min(bare[max(0, at - 1) : at + 1], key=lambda each: abs(each[0] - line))
            bases.append((line, _nearest_year(nearest.first.date(), day.first.date()) - (nearest.year_no or 0)))
    bases.sort()
    by_base = [(0, bases[0][1]), *(((a + b) // 2 + 1, base) for (a, _), (b, base) in pairwise(bases))]
    turns = [(0, 0), *(file.stamps.turns if file.stamps else ())]
    starts = sorted({line for line, _ in (*by_base, *turns)})
    return tuple(_without_repeats([(line, value_at(by_base, line) + value_at(turns, line)) for line in starts]))


def _base_by_siblings(chain: Chain, anchors: Sequence[date]) -> tuple[int, str | None]:
    """The year of the first line with which most days are days of the anchors too, else the nearest to them."""
    days = chain.days()
    deepest = max(year_no for year_no, _ in days)
    lowest, highest = anchors[0].year - deepest - 3, anchors[-1].year + 3
    bases = list(range(max(lowest, highest - 400), highest + 1))
    bases = _possible(chain, bases) or bases
    fits = {base: _fit(days, base, anchors) for base in bases}
    best = max(bases, key=lambda base: (fits[base], base))
    common = fits[best][0]
    if common:
        rivals = [str(base) for base in bases if fits[base] == fits[best]]
        doubt = f"the first line may be of the years {', '.join(rivals)}: {best} was taken (declare it in study.toml)"
        return best, doubt if len(rivals) > 1 else None
    leaps = [base for base in bases if abs(base - best) <= 3 and not _lost_days(days, base)]
    return (max(leaps, key=lambda base: (fits[base], base)) if leaps else best), None


def _doubt_of_hosts(chain: Chain, base: int, anchors: Sequence[date], kinship: Kinship) -> str | None:
    """What is doubtful about a year that only other hosts show.

    Those of a run are evidence if all of them are of one year; those of a folder without runs also need a common day.
    """
    is_one_year = (anchors[-1] - anchors[0]).days <= ROLLOVER_DAYS or anchors[0].year == anchors[-1].year
    has_common_day = _fit(chain.days(), base, anchors)[0] > 0
    if kinship == "host" or (is_one_year and (kinship == "run" or (kinship == "folder" and has_common_day))):
        return None
    return f"only logs of other hosts show a year: {base} was taken (declare it in study.toml)"


def _fit(days: Days, base: int, anchors: Sequence[date]) -> tuple[int, int]:
    """How well a year of the first line fits: days in common, and minus the days to the nearest anchor."""
    common, gap = 0, 10**6
    for year_no, day in days:
        found = in_year(day, base + year_no)
        if found is None:
            continue
        at = bisect_left(anchors, found)
        distance = min(abs((anchor - found).days) for anchor in anchors[max(0, at - 1) : at + 1])
        common += distance == 0
        gap = min(gap, distance)
    return common, -gap


def _latest_base(chain: Chain, latest: datetime) -> int:
    """The most recent year of the first line with which the last line is not after a day and 29 February exists."""
    year_no, day = chain.last()
    year = latest.year - ((day.month, day.day) > (latest.month, latest.day))
    days = chain.days()
    bases = [year - year_no - back for back in range(4)]
    return next((base for base in bases if not _lost_days(days, base)), bases[0])


def _lost_days(days: Days, base: int) -> int:
    """How many days (29 February) do not exist with this year of the first line."""
    return sum(in_year(day, base + year_no) is None for year_no, day in days)


@dataclass(frozen=True, slots=True)
class _Siblings:
    """Days of lines that have a year: by host and run, by host, by run, by configuration, and of the study."""

    days: Mapping[tuple[str | None, ...], Sequence[date]]

    @classmethod
    def of(cls, files: Iterable[StampFacts]) -> "_Siblings":
        found: dict[tuple[str | None, ...], set[date]] = defaultdict(set)
        for each in files:
            own = {day.first.date() for day in each.dated_days()}
            for key in cls.keys(each):
                found[key] |= own
        return cls({key: sorted(days) for key, days in found.items()})

    @staticmethod
    def keys(file: StampFacts) -> dict[tuple[str | None, ...], Kinship]:
        """From the nearest relatives to the farthest."""
        run = (file.configuration, file.run)
        found: dict[tuple[str | None, ...], Kinship] = {}
        if file.node:
            found[*run, file.node.lower()] = "host"
        found[run] = "folder" if file.run is None else "run"
        if file.node:
            found |= {(file.configuration, None, file.node.lower()): "host", (None, None, file.node.lower()): "host"}
        return {**found, (file.configuration,): "strangers", (): "strangers"}

    def of_chain(self, chain: Chain) -> list[tuple[Sequence[date], Kinship]]:
        """The days of all relatives that have any, the nearest first, and what relatives they are."""
        keys = self.keys(chain.files[-1])
        return [(days, kinship) for key, kinship in keys.items() if (days := self.days.get(key))]


def date_in(path: str) -> date | None:
    """The date in a file's name, else in the deepest folder that has one."""
    for part in reversed(re.split(r"[/\\]", path)):
        for match in DATE.finditer(part):
            try:
                return date(int(match["year"]), int(match["month"]), int(match["day"]))
            except ValueError:  # 2003-02-30
                continue
    return None


def _is_plausible(modified: datetime, now: datetime) -> bool:
    """Not the zero of some clock (1970; zip: 1980), not in the future."""
    return datetime(1980, 1, 2) < modified <= now + timedelta(days=1)  # noqa: DTZ001  naive UTC


def in_year(day: date, year: int) -> date | None:
    """A calendar day in a year; None where it does not exist."""
    try:
        return day.replace(year=year)
    except ValueError:  # 29 February, or out of the calendar
        return None


def _nearest_year(day: date, anchor: date) -> int:
    """The year that brings a calendar day nearest to a date."""
    safe = day.replace(day=min(day.day, 28))
    years = [year for year in (anchor.year, anchor.year - 1, anchor.year + 1) if 1 <= year <= 9999]
    return min(years, key=lambda year: abs((safe.replace(year=year) - anchor).days))


def value_at(steps: Sequence[tuple[int, int]], line: int) -> int:
    """The value of the last step at or before a line; the first step's for lines before it."""
    at = bisect_right(steps, line, key=lambda step: step[0])
    return steps[max(0, at - 1)][1]


def _without_repeats(steps: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    previous = None
    for line, value in steps:
        if value != previous:
            yield line, value
        previous = value
