"""The one module that resolves year and zone, and records where it took them.

A parser prints the wall clock as it found it. `facts_of` condenses the stamps of a file (or of a chunk: `merge` joins
chunks), `settle` decides with the facts of all files, `apply` turns stamps into `at` (UTC) and `local_at`.

year_source      explicit (study.toml), in_line (years in the same file), sibling (other files: of the node and run,
                 of the run, of the configuration, of the study), filename (a date in the name of the file or of a
                 folder), archive (a member's time), mtime (the file's time), now (a guess, to be told loudly)
timezone_source  line (an offset beside the stamp), node (another file of the node), manifest (study.toml), study (the
                 only zone known in it), assumed (wall clock stored as UTC: only durations hold)
"""

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from typing import Literal

import polars as pl

from parsers.format import KEY_SCHEMA, STAMP_SCHEMA
from pipeline.manifest import Manifest
from pipeline.stamps import ROLLOVER_DAYS, Day, Stamps, Step, facts_of, merge, stamps_of
from pipeline.wall_clock import utc

__all__ = [
    "FileClock",
    "StampFacts",
    "Stamps",
    "apply",
    "clock_steps",
    "date_in",
    "doubts",
    "facts_of",
    "merge",
    "settle",
    "stamps_of",
]

AMBIGUOUS: tuple[Literal["earliest"], Literal["latest"]] = ("earliest", "latest")

STEP_SCHEMA: dict[str, pl.DataType] = {
    "file_id": pl.Int32(),
    "line_no": pl.Int32(),
    "step_s": pl.Float64(),
    "is_dst": pl.Boolean(),
}
"""`log.clock_step`: one row per step back of more than 2 s inside one file; `is_dst`: the end of summer time."""


@dataclass(frozen=True, slots=True)
class StampFacts:
    """A file as `settle` needs it. `modified_at` is the file's or member's time in UTC; `stamps` None: no dated row."""

    file_id: int
    path: str
    configuration: str
    run: str | None
    node: str | None
    format: str | None
    modified_at: datetime | None
    stamps: Stamps | None


@dataclass(frozen=True, slots=True)
class FileClock:
    """Year and zone of one file, with their source.

    `years`: the year of the lines without one, each from a line on. `offsets`: minutes east of UTC, each from a wall
    clock time on, for lines that state none; empty where `zone` is a zone with summer time. `folds`: lines (with month
    and day) after which an ambiguous hour is the later one. `clock_offset_s`: the clock was ahead by so much.
    `doubt`: a sentence for the report.
    """

    timezone: str | None
    timezone_source: str | None
    year_source: str | None
    first_year: int | None
    years: tuple[tuple[int, int], ...] = ()
    zone: str | None = None
    offsets: tuple[tuple[datetime, int], ...] = ()
    folds: tuple[tuple[int, int], ...] = ()
    clock_offset_s: float = 0.0
    doubt: str | None = None


# --- settling --------------------------------------------------------------------------------------------------------


def settle(files: Sequence[StampFacts], manifest: Manifest, now: datetime) -> dict[str, FileClock]:
    """The clock of every file by its path. `now` serves as the last resort for a year."""
    years = _settled_years(files, manifest, _naive(now))
    return _with_zones(files, years, manifest)


def clock_steps(files: Sequence[StampFacts], clocks: Mapping[str, FileClock]) -> pl.DataFrame:
    """The rows of `log.clock_step` (`STEP_SCHEMA`)."""
    rows = [
        (each.file_id, step.line_no, step.step_s, step.line_no in {line for line, _ in clocks[each.path].folds})
        for each in files
        if each.stamps is not None
        for step in each.stamps.steps
    ]
    return pl.DataFrame(rows, schema=STEP_SCHEMA, orient="row")


# --- year ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Years:
    """The year of the lines of one file that state none, from which line on."""

    source: str | None
    years: tuple[tuple[int, int], ...] = ()
    doubt: str | None = None


Days = Sequence[tuple[int, date]]
MAX_DAYS = 2000


@dataclass(frozen=True, slots=True)
class _Chain:
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
            for day in _bare_days(each)
            if day.year_no is not None
        ]
        return [*days[: MAX_DAYS // 2], *days[MAX_DAYS // 2 :][-MAX_DAYS // 2 :]]

    def last(self) -> tuple[int, date]:
        """Relative year and day of the last line."""
        newest = max(_bare_days(self.files[-1]), key=lambda day: day.last_line)
        return self.shifts[-1] + (newest.year_no or 0), newest.last.date()


def _settled_years(files: Sequence[StampFacts], manifest: Manifest, now: datetime) -> dict[str, _Years]:
    settled: dict[str, _Years] = {}
    waiting: list[StampFacts] = []
    for each in files:
        stated = manifest.file_override(each.path).year
        if each.stamps is None:
            settled[each.path] = _Years(None)
        elif not _bare_days(each):
            settled[each.path] = _Years("in_line")
        elif stated is not None:
            chain = _Chain((each,), (0,))
            settled |= _years_of_chain(chain, stated - chain.last()[0], "explicit", None)
        elif _dated_days(each):
            settled[each.path] = _Years("in_line", _years_by_nearest_line(each))
        else:
            waiting.append(each)
    siblings = _Siblings.of(files)
    for chain in _chains(waiting):
        settled |= _settled_chain(chain, siblings, manifest.study.year, now)
    return settled


def _settled_chain(chain: _Chain, siblings: "_Siblings", stated: int | None, now: datetime) -> dict[str, _Years]:
    """Ask the sources in their order."""
    anchors = siblings.of_chain(chain)
    days = chain.days()
    if stated is not None:
        # The stated year is the last line's, unless other files show that an earlier line is meant (New Year within)
        bases = [stated - year_no for year_no in sorted({year_no for year_no, _ in days}, reverse=True)]
        fits = [_fit(days, base, anchors) for base in bases] if anchors else []
        last = stated - chain.last()[0]
        base = max(zip(fits, bases, strict=True))[1] if fits and max(fits)[0] > 0 else last
        return _years_of_chain(chain, base, "explicit", None)
    if anchors:
        base, doubt = _base_by_siblings(chain, anchors)
        return _years_of_chain(chain, base, "sibling", doubt)
    for each in reversed(chain.files):
        named = date_in(each.path)
        if named is not None:
            # A folder's date is the run's, a rotated file's is its end: the lines lie before it or within a month
            latest = datetime(named.year, named.month, named.day) + timedelta(days=31)  # noqa: DTZ001  a wall clock
            base = _latest_base(_Chain((each,), (chain.shifts[chain.files.index(each)],)), latest)
            return _years_of_chain(chain, base, "filename", None)
    modified = chain.files[-1].modified_at
    if modified is not None and _is_plausible(_naive(modified), now):
        source = "archive" if "!/" in chain.files[-1].path else "mtime"
        base = _latest_base(chain, _naive(modified) + timedelta(days=1))
        doubt = f"{chain.files[-1].path}: the year is that of the file's time, which a copy may have changed"
        return _years_of_chain(chain, base, source, None if source == "archive" else doubt)
    base = _latest_base(chain, now + timedelta(days=1))
    doubt = f"{chain.files[-1].path}: no file tells the year; assumed to be the most recent one. State it in study.toml"
    return _years_of_chain(chain, base, "now", doubt)


def _years_of_chain(chain: _Chain, base: int, source: str, doubt: str | None) -> dict[str, _Years]:
    found = {}
    for each, shift in zip(chain.files, chain.shifts, strict=True):
        turns = each.stamps.turns if each.stamps else ()
        years = [(0, base + shift), *((line, base + shift + year_no) for line, year_no in turns)]
        found[each.path] = _Years(source, tuple(_without_repeats(years)), doubt)
    return found


def _years_by_nearest_line(file: StampFacts) -> tuple[tuple[int, int], ...]:
    """A line takes the year of the nearest line that bears one; New Years between the two count."""
    bare = sorted((line, day) for day in _bare_days(file) for line in {day.first_line, day.last_line})
    lines = [line for line, _ in bare]
    bases: list[tuple[int, int]] = []  # line of an anchor, year of the file's first line by it
    for day in _dated_days(file):
        for line in {day.first_line, day.last_line}:
            at = bisect_left(lines, line)
            _, nearest = min(bare[max(0, at - 1) : at + 1], key=lambda each: abs(each[0] - line))
            bases.append((line, _nearest_year(nearest.first.date(), day.first.date()) - (nearest.year_no or 0)))
    bases.sort()
    by_base = [(0, bases[0][1]), *(((a + b) // 2 + 1, base) for (a, _), (b, base) in pairwise(bases))]
    turns = [(0, 0), *(file.stamps.turns if file.stamps else ())]
    starts = sorted({line for line, _ in (*by_base, *turns)})
    return tuple(_without_repeats([(line, _value_at(by_base, line) + _value_at(turns, line)) for line in starts]))


def _base_by_siblings(chain: _Chain, anchors: Sequence[date]) -> tuple[int, str | None]:
    """The year of the first line with which most days are days of the anchors too, else the nearest to them."""
    days = chain.days()
    deepest = max(year_no for year_no, _ in days)
    lowest, highest = anchors[0].year - deepest - 3, anchors[-1].year + 3
    bases = list(range(max(lowest, highest - 400), highest + 1))
    fits = {base: _fit(days, base, anchors) for base in bases}
    best = max(bases, key=lambda base: (fits[base], base))
    common = fits[best][0]
    if common:
        rivals = [str(base) for base in bases if fits[base] == fits[best]]
        doubt = f"{chain.files[-1].path}: the first line may be of the years {', '.join(rivals)}; {best} was taken"
        return best, doubt if len(rivals) > 1 else None
    leaps = [base for base in bases if abs(base - best) <= 3 and not _lost_days(days, base)]
    return (max(leaps, key=lambda base: (fits[base], base)) if leaps else best), None


def _fit(days: Days, base: int, anchors: Sequence[date]) -> tuple[int, int]:
    """How well a year of the first line fits: days in common, and minus the days to the nearest anchor."""
    common, gap = 0, 10**6
    for year_no, day in days:
        found = _in_year(day, base + year_no)
        if found is None:
            continue
        at = bisect_left(anchors, found)
        distance = min(abs((anchor - found).days) for anchor in anchors[max(0, at - 1) : at + 1])
        common += distance == 0
        gap = min(gap, distance)
    return common, -gap


def _latest_base(chain: _Chain, latest: datetime) -> int:
    """The most recent year of the first line with which the last line is not after a day and 29 February exists."""
    year_no, day = chain.last()
    year = latest.year - ((day.month, day.day) > (latest.month, latest.day))
    days = chain.days()
    bases = [year - year_no - back for back in range(4)]
    return next((base for base in bases if not _lost_days(days, base)), bases[0])


def _lost_days(days: Days, base: int) -> int:
    """How many days (29 February) do not exist with this year of the first line."""
    return sum(_in_year(day, base + year_no) is None for year_no, day in days)


@dataclass(frozen=True, slots=True)
class _Siblings:
    """Days of lines that bear a year: by node and run, by run, by configuration, and of the study."""

    days: Mapping[tuple[str | None, ...], Sequence[date]]

    @classmethod
    def of(cls, files: Iterable[StampFacts]) -> "_Siblings":
        found: dict[tuple[str | None, ...], set[date]] = defaultdict(set)
        for each in files:
            own = {day.first.date() for day in _dated_days(each)}
            for key in cls.keys(each):
                found[key] |= own
        return cls({key: sorted(days) for key, days in found.items()})

    @staticmethod
    def keys(file: StampFacts) -> list[tuple[str | None, ...]]:
        """From the nearest relatives to the farthest."""
        run = (file.configuration, file.run)
        return [*([(*run, file.node.lower())] if file.node else []), run, (file.configuration,), ()]

    def of_chain(self, chain: _Chain) -> Sequence[date]:
        """The days of the nearest relatives that have any."""
        return next((days for key in self.keys(chain.files[-1]) if (days := self.days.get(key))), [])


def _chains(files: Iterable[StampFacts]) -> list[_Chain]:
    """Files without years, rotated copies of one log together: messages.2, messages.1, messages."""
    logs: dict[tuple[str | None, ...], list[tuple[tuple[int, int], str, StampFacts]]] = defaultdict(list)
    for each in files:
        stem, age = _rotation(each.path)
        logs[stem, each.configuration, each.run, each.node].append((age, each.path, each))
    return [_chained([file for _, _, file in sorted(log, key=lambda each: each[:2])]) for log in logs.values()]


def _chained(files: Sequence[StampFacts]) -> _Chain:
    shifts = [0]
    for earlier, later in pairwise(files):
        newest = max(_bare_days(earlier), key=lambda day: day.last_line)
        oldest = min(_bare_days(later), key=lambda day: day.first_line)
        is_new_year = (newest.last - oldest.first).days > ROLLOVER_DAYS
        shifts.append(shifts[-1] + (newest.year_no or 0) + is_new_year)
    return _Chain(tuple(files), tuple(shifts))


_COPY = re.compile(r"(?:\.(?P<number>\d{1,3})|[.-](?P<day>(?:19|20)\d{6}))(?:\.(?:gz|bz2|xz|zst))?$", re.ASCII)
_DATE = re.compile(
    r"(?<!\d)(?P<year>(?:19|20)\d\d)(?P<dash>[-_.]?)(?P<month>0[1-9]|1[0-2])(?P=dash)(?P<day>0[1-9]|[12]\d|3[01])"
    r"(?=\d{4}(?:\d\d)?(?!\d)|(?!\d))",  # a time may follow: 20030728102704
    re.ASCII,
)


def _rotation(path: str) -> tuple[str, tuple[int, int]]:
    """A path without its rotation suffix, and a key that sorts copies oldest first."""
    match = _COPY.search(path)
    if match is None:
        return re.sub(r"\.(?:gz|bz2|xz|zst)$", "", path), (2, 0)
    age = (1, -int(match["number"])) if match["number"] else (0, int(match["day"]))
    return path[: match.start()], age


def date_in(path: str) -> date | None:
    """The date that a file's name states, else the deepest folder that states one."""
    for part in reversed(re.split(r"[/\\]", path)):
        for match in _DATE.finditer(part):
            try:
                return date(int(match["year"]), int(match["month"]), int(match["day"]))
            except ValueError:  # 2003-02-30
                continue
    return None


def _is_plausible(modified: datetime, now: datetime) -> bool:
    """Not the zero of some clock (1970; zip: 1980), not in the future."""
    return datetime(1980, 1, 2) < modified <= now + timedelta(days=1)  # noqa: DTZ001  naive UTC


def _bare_days(file: StampFacts) -> list[Day]:
    return [day for day in (file.stamps.days if file.stamps else ()) if day.year_no is not None]


def _dated_days(file: StampFacts) -> list[Day]:
    return [day for day in (file.stamps.days if file.stamps else ()) if day.year_no is None]


def _in_year(day: date, year: int) -> date | None:
    try:
        return day.replace(year=year)
    except ValueError:  # 29 February, or out of the calendar
        return None


def _nearest_year(day: date, anchor: date) -> int:
    """The year that brings a calendar day nearest to a date."""
    safe = day.replace(day=min(day.day, 28))
    years = [year for year in (anchor.year, anchor.year - 1, anchor.year + 1) if 1 <= year <= 9999]
    return min(years, key=lambda year: abs((safe.replace(year=year) - anchor).days))


def _value_at(steps: Sequence[tuple[int, int]], line: int) -> int:
    """The value of the last step at or before a line; the first step's for lines before it."""
    at = bisect_right(steps, line, key=lambda step: step[0])
    return steps[max(0, at - 1)][1]


def _without_repeats(steps: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    previous = None
    for line, value in steps:
        if value != previous:
            yield line, value
        previous = value


def _naive(instant: datetime) -> datetime:
    """An instant as naive UTC."""
    return instant if instant.tzinfo is None else instant.astimezone(UTC).replace(tzinfo=None)


# --- zone ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Sighting:
    """An offset in minutes as lines state it, from the first to the last of them (naive UTC)."""

    first: datetime
    last: datetime
    offset_min: int
    rows: int


@dataclass(frozen=True, slots=True)
class _Zone:
    """What stands for a file's zone: offsets seen on lines, or a name."""

    source: str
    offsets: tuple[tuple[datetime, int], ...] = ()
    name: str | None = None

    def shown(self) -> str:
        """For `source_file.timezone`: a zone's name, or offsets in order of time."""
        if self.name is not None:
            return self.name
        return ", ".join(dict.fromkeys(_shown_offset(offset) for _, offset in self.offsets))


BEGINNING = datetime(1, 1, 1)  # noqa: DTZ001  a wall clock
UTC_OFFSETS = ((BEGINNING, 0),)


def _with_zones(files: Sequence[StampFacts], years: Mapping[str, _Years], manifest: Manifest) -> dict[str, FileClock]:
    seen = {each.path: _sightings(each, years[each.path].years) for each in files}
    by_file: dict[str, list[Sequence[_Sighting]]] = defaultdict(list)
    for each in files:
        if each.node is not None:
            by_file[each.node.lower()].append(seen[each.path])
    by_node = {node: _of_host(group) for node, group in by_file.items()}
    only = _only_zone(seen, manifest)

    def zone_of(file: StampFacts) -> _Zone:
        override = manifest.file_override(file.path).timezone
        stated = manifest.zone_of(file.node)
        if seen[file.path]:
            return _Zone("line", _offsets_over_time(seen[file.path]))
        if override is not None:  # written for this very file
            return _stated_zone("manifest", override)
        if file.node is not None and by_node[file.node.lower()]:
            return _Zone("node", _offsets_over_time(by_node[file.node.lower()]))
        if stated is not None:
            return _stated_zone("manifest", stated)
        return only or _Zone("assumed", UTC_OFFSETS, "UTC")

    zones = {each.path: zone_of(each) for each in files if each.stamps is not None}
    folds = _folds(files, years, zones)
    return {each.path: _clock(each, years[each.path], zones.get(each.path), folds, manifest) for each in files}


def _clock(
    file: StampFacts,
    years: _Years,
    zone: _Zone | None,
    folds: Mapping[str, tuple[tuple[int, int], ...]],
    manifest: Manifest,
) -> FileClock:
    if zone is None or file.stamps is None:
        return FileClock(timezone=None, timezone_source=None, year_source=None, first_year=None)
    node = manifest.node_entry(file.node)
    first = min(file.stamps.days, key=lambda day: day.first_line)
    return FileClock(
        timezone=zone.shown(),
        timezone_source=zone.source,
        year_source=years.source,
        first_year=first.first.year if first.year_no is None else _value_at(years.years, first.first_line),
        years=years.years,
        zone=None if zone.offsets else zone.name,
        offsets=zone.offsets,
        folds=folds.get(file.path, ()),
        clock_offset_s=(node.clock_offset_s or 0.0) if node else 0.0,
        doubt=years.doubt,
    )


def _sightings(file: StampFacts, years: Sequence[tuple[int, int]]) -> list[_Sighting]:
    found = []
    for day in file.stamps.days if file.stamps else ():
        if day.offset_min is None:
            continue
        if day.year_no is None:
            first, last = day.first, day.last
        else:
            year = _value_at(years, day.first_line)
            if _in_year(day.first.date(), year) is None:
                continue
            first, last = day.first.replace(year=year), day.last.replace(year=year)
        try:
            east = timedelta(minutes=day.offset_min)
            found.append(_Sighting(first - east, last - east, day.offset_min, day.rows))
        except OverflowError:  # year 1 or 9999
            continue
    return found


def _of_host(by_file: Sequence[Sequence[_Sighting]]) -> list[_Sighting]:
    """Sightings in the files of one host, without files in UTC only where others show its own offset that day."""
    own = {each.first.date() for sightings in by_file for each in sightings if each.offset_min}
    return [
        each
        for sightings in by_file
        for each in sightings
        if each.first.date() not in own or any(other.offset_min for other in sightings)
    ]


def _offsets_over_time(sightings: Iterable[_Sighting]) -> tuple[tuple[datetime, int], ...]:
    """The offset nearest in time to any wall clock time: each from such a time on."""
    kept: list[_Sighting] = []
    for each in sorted(sightings, key=lambda each: (each.first, each.last, each.offset_min)):
        if kept and kept[-1].offset_min == each.offset_min:
            last = kept[-1]
            kept[-1] = replace(last, last=max(last.last, each.last), rows=last.rows + each.rows)
        elif kept and each.first <= kept[-1].last:
            # Two offsets at one time: a stamp in UTC (Z) says less about the host's clock than another offset
            kept[-1] = max(kept[-1], each, key=lambda rival: (rival.offset_min != 0, rival.rows))
        else:
            kept.append(each)
    changes = [
        (earlier.last + (later.first - earlier.last) / 2 + timedelta(minutes=earlier.offset_min), later.offset_min)
        for earlier, later in pairwise(kept)
    ]
    return ((BEGINNING, kept[0].offset_min), *changes)


def _only_zone(seen: Mapping[str, Sequence[_Sighting]], manifest: Manifest) -> _Zone | None:
    """The zone of the study, if all that is known agrees: one offset, one with its summer time, or one name."""
    names = {each.timezone for each in manifest.nodes if each.timezone}
    names |= {each.timezone for each in manifest.files if each.timezone}
    sightings = [each for group in seen.values() for each in group]
    offsets = {each.offset_min for each in sightings}
    if len(names) > 1:
        return None
    name = next(iter(names), None)
    if name is not None:
        agrees = all(offset is None or offset == each.offset_min for each, offset in _offsets_in(name, sightings))
        return _stated_zone("study", name) if agrees else None
    by_file = [{each.offset_min for each in group} for group in seen.values()]
    is_one_with_summer_time = len(offsets) == 2 and max(offsets) - min(offsets) <= 60 and offsets in by_file
    if len(offsets) == 1 or is_one_with_summer_time:
        return _Zone("study", _offsets_over_time(sightings))
    return None


def _offsets_in(zone: str, sightings: Sequence[_Sighting]) -> Iterator[tuple[_Sighting, int | None]]:
    """The offset in minutes that a named zone had when each sighting began."""
    fixed = _fixed_offset(zone)
    if fixed is not None:
        yield from ((each, fixed) for each in sightings)
        return
    instants = pl.DataFrame({"at": [each.first for each in sightings]}, schema={"at": pl.Datetime("us")})
    wall = pl.col("at").dt.replace_time_zone("UTC").dt.convert_time_zone(zone).dt.replace_time_zone(None)
    minutes = instants.select((wall - pl.col("at")).dt.total_minutes()).to_series().to_list()
    yield from zip(sightings, minutes, strict=True)


def _stated_zone(source: str, zone: str) -> _Zone:
    fixed = _fixed_offset(zone)
    return _Zone(source, () if fixed is None else ((BEGINNING, fixed),), zone)


def _fixed_offset(zone: str) -> int | None:
    """Minutes east of UTC of a zone such as `-04:00` or `UTC`; None for one with rules."""
    if zone.upper() in {"UTC", "Z", "ETC/UTC"}:
        return 0
    match = re.fullmatch(r"([+-])(\d\d):?(\d\d)", zone, re.ASCII)
    return None if match is None else (-1 if match[1] == "-" else 1) * (60 * int(match[2]) + int(match[3]))


def _shown_offset(minutes: int) -> str:
    sign = "-" if minutes < 0 else "+"
    return f"{sign}{abs(minutes) // 60:02d}:{abs(minutes) % 60:02d}"


def _folds(
    files: Sequence[StampFacts], years: Mapping[str, _Years], zones: Mapping[str, _Zone]
) -> dict[str, tuple[tuple[int, int], ...]]:
    """Lines (and month and day) on which an ambiguous hour begins anew: a step back of up to 60 minutes within it."""
    rows = [
        (each.path, zone.name, step.line_no, landing, landing - timedelta(seconds=step.step_s))
        for each in files
        if each.stamps and (zone := zones[each.path]).name and not zone.offsets
        for step in each.stamps.steps
        if -3600 <= step.step_s <= -60 and (landing := _with_year(step, years[each.path].years)) is not None
    ]
    schema = {
        "path": pl.String(),
        "zone": pl.String(),
        "line": pl.Int32(),
        "after": pl.Datetime("us"),
        "before": pl.Datetime("us"),
    }
    found: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for (zone,), group in pl.DataFrame(rows, schema=schema, orient="row").partition_by("zone", as_dict=True).items():
        inside = group.filter(_is_ambiguous(pl.col("after"), zone) & _is_ambiguous(pl.col("before"), zone))
        for path, line, after in inside.select("path", "line", "after").iter_rows():
            found[path].append((line, 100 * after.month + after.day))
    return {path: tuple(lines) for path, lines in found.items()}


def _with_year(step: Step, years: Sequence[tuple[int, int]]) -> datetime | None:
    if step.has_year:
        return step.stamp
    day = _in_year(step.stamp.date(), _value_at(years, step.line_no))
    return None if day is None else datetime.combine(day, step.stamp.time())


def _is_ambiguous(wall: pl.Expr, zone: str) -> pl.Expr:
    """Whether a wall clock time occurs twice in a zone."""
    earliest, latest = (wall.dt.replace_time_zone(zone, ambiguous=each, non_existent="null") for each in AMBIGUOUS)
    return earliest != latest


# --- applying --------------------------------------------------------------------------------------------------------


def apply(frame: pl.DataFrame, clocks: Mapping[int, FileClock]) -> pl.DataFrame:
    """Replace the stamp columns by `at` (naive UTC) and `local_at` (wall clock with its year), in the rows' order.

    Both are null where the year is one in which the day does not exist. `clocks` are by file_id. Any part of a file
    gives the same as the whole.
    """
    placed = _placed(frame, clocks)
    columns = [name for name in frame.columns if name not in STAMP_SCHEMA and name not in KEY_SCHEMA]
    return frame.with_columns(placed.get_column("at"), placed.get_column("local_at")).select(
        *KEY_SCHEMA, "at", "local_at", *columns
    )


def doubts(frame: pl.DataFrame, clocks: Mapping[int, FileClock]) -> pl.DataFrame:
    """Rows per file_id that the clock could not place exactly, files with such rows only.

    undated_rows: the day does not exist in the year; gap_rows: skipped by summer time, shifted forward; ambiguous_rows:
    in an hour that occurs twice.
    """
    placed = _placed(frame, clocks)
    counts = placed.group_by("file_id").agg(
        undated_rows=(pl.col("stamp").is_not_null() & pl.col("local_at").is_null()).sum(),
        gap_rows=pl.col("is_in_gap").sum(),
        ambiguous_rows=pl.col("is_ambiguous").sum(),
    )
    return counts.filter(pl.sum_horizontal(pl.exclude("file_id")) > 0).sort("file_id")


def _placed(frame: pl.DataFrame, clocks: Mapping[int, FileClock]) -> pl.DataFrame:
    """Key and stamp columns with local_at, at, is_in_gap, is_ambiguous, in the frame's order."""
    rows = frame.select("file_id", "line_no", *STAMP_SCHEMA).with_row_index("row")
    rows = _with_local_at(rows.with_columns(pl.col("has_year").fill_null(value=True)), clocks)
    rows = _with_offset(rows, clocks)
    rows = _with_fold(rows, clocks)
    flat = {
        "file_id": list(clocks),
        "zone": [clock.zone for clock in clocks.values()],
        "ahead_us": [round(clock.clock_offset_s * 1e6) for clock in clocks.values()],
    }
    schema = {"file_id": pl.Int32(), "zone": pl.String(), "ahead_us": pl.Int64()}
    rows = rows.join(pl.DataFrame(flat, schema=schema), on="file_id", how="left")
    by_rule = [
        _by_rules(group, str(zone))
        for (zone,), group in rows.partition_by("zone", as_dict=True).items()
        if zone is not None
    ]
    by_offset = rows.filter(pl.col("zone").is_null()).with_columns(
        at=pl.col("local_at") - pl.duration(minutes=pl.col("offset")), is_in_gap=False, is_ambiguous=False
    )
    placed = pl.concat([by_offset, *by_rule], how="vertical").sort("row")
    return placed.with_columns(pl.col("at") - pl.duration(microseconds=pl.col("ahead_us")))


def _by_rules(rows: pl.DataFrame, zone: str) -> pl.DataFrame:
    """UTC by a zone with summer time, where the line states no offset."""
    wall = pl.when(pl.col("utc_offset_min").is_null()).then(pl.col("local_at"))
    in_zone = wall.dt.replace_time_zone(zone, ambiguous=pl.col("fold"), non_existent="null")
    is_in_gap = wall.is_not_null() & in_zone.is_null()
    by_rule = (
        pl.when(is_in_gap)
        .then(utc(wall, zone))
        .otherwise(in_zone.dt.convert_time_zone("UTC").dt.replace_time_zone(None))
    )
    stated = pl.col("local_at") - pl.duration(minutes=pl.col("utc_offset_min"))
    return rows.with_columns(
        at=pl.coalesce(stated, by_rule),
        is_in_gap=is_in_gap,
        is_ambiguous=_is_ambiguous(wall, zone).fill_null(value=False),
    )


def _with_local_at(rows: pl.DataFrame, clocks: Mapping[int, FileClock]) -> pl.DataFrame:
    years = [(file_id, *year) for file_id, clock in clocks.items() for year in clock.years]
    schema = {"file_id": pl.Int32(), "line_no": pl.Int32(), "year": pl.Int32()}
    rows = _latest(rows, pl.DataFrame(years, schema=schema, orient="row"), "line_no", ["file_id"])
    day, year = pl.col("stamp"), pl.col("year")
    is_leap = (year % 4 == 0) & ((year % 100 != 0) | (year % 400 == 0))
    exists = year.is_between(1, 9998) & (is_leap | (day.dt.ordinal_day() != 60))  # in 2000: 29 February
    with_year = day.dt.replace(year=pl.when(exists).then(year).otherwise(2000))
    local_at = pl.when(pl.col("has_year")).then(day).when(exists).then(with_year)
    return rows.with_columns(local_at=local_at).drop("year")


def _with_offset(rows: pl.DataFrame, clocks: Mapping[int, FileClock]) -> pl.DataFrame:
    """Minutes east of UTC: the line's own, else the file's at that wall clock time."""
    offsets = [(file_id, *offset) for file_id, clock in clocks.items() for offset in clock.offsets]
    schema = {"file_id": pl.Int32(), "local_at": pl.Datetime("us"), "offset": pl.Int16()}
    rows = _latest(rows, pl.DataFrame(offsets, schema=schema, orient="row"), "local_at", ["file_id"])
    return rows.with_columns(offset=pl.coalesce("utc_offset_min", "offset"))


def _with_fold(rows: pl.DataFrame, clocks: Mapping[int, FileClock]) -> pl.DataFrame:
    """Which of the two an ambiguous time is: the earlier until the clock stepped back within the hour."""
    folds = [(file_id, line, day, line) for file_id, clock in clocks.items() for line, day in clock.folds]
    schema = {"file_id": pl.Int32(), "line_no": pl.Int32(), "day": pl.Int32(), "step_line": pl.Int32()}
    day = pl.col("local_at").dt.month().cast(pl.Int32) * 100 + pl.col("local_at").dt.day()
    rows = _latest(
        rows.with_columns(day=day), pl.DataFrame(folds, schema=schema, orient="row"), "line_no", ["file_id", "day"]
    )
    fold = pl.when(pl.col("step_line").is_null()).then(pl.lit(AMBIGUOUS[0])).otherwise(pl.lit(AMBIGUOUS[1]))
    return rows.with_columns(fold=fold).drop("day", "step_line")


def _latest(rows: pl.DataFrame, values: pl.DataFrame, on: str, by: list[str]) -> pl.DataFrame:
    """Join the last value at or before each row. Both sides are sorted here, which Polars cannot check by group."""
    known = rows.filter(pl.col(on).is_not_null()).sort(*by, on)
    joined = known.join_asof(values.sort(*by, on), on=on, by=by, strategy="backward", check_sortedness=False)
    return pl.concat([joined, rows.filter(pl.col(on).is_null())], how="diagonal")
