"""Which zone a file's wall clock is of, and how one knows.

The sources are in the order of `pipeline/clock/file_clock.py`. Offsets that lines state are sightings: what
is seen of a host's zone on some lines holds for its lines around them.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import cache
from itertools import pairwise

import polars as pl

from parsers.format import formats
from pipeline.clock.year import Years, in_year, value_at
from pipeline.local_time import local, refused_zone
from pipeline.reading.stamps import StampFacts
from pipeline.study.manifest import Manifest

BEGINNING = datetime(1, 1, 1)  # noqa: DTZ001  a wall clock
UTC_OFFSETS = ((BEGINNING, 0),)


@dataclass(frozen=True, slots=True)
class _Sighting:
    """An offset in minutes as lines give it, from the first to the last of them (naive UTC)."""

    first: datetime
    last: datetime
    offset_min: int
    rows: int


@dataclass(frozen=True, slots=True)
class Zone:
    """What stands for a file's zone: offsets seen on lines, or a name."""

    source: str
    offsets: tuple[tuple[datetime, int], ...] = ()
    name: str | None = None

    def shown(self) -> str:
        """For `source_file.timezone`: a zone's name, or offsets in order of time."""
        if self.name is not None:
            return self.name
        return ", ".join(dict.fromkeys(_shown_offset(offset) for _, offset in self.offsets))


def resolved_zones(files: Sequence[StampFacts], years: Mapping[str, Years], manifest: Manifest) -> dict[str, Zone]:
    """The zone of every file with dated rows, by its path."""
    seen = {each.path: _sightings(each, years[each.path].years) for each in files}
    dated = {each.path: seen[each.path] for each in files if not _counts_seconds(each, seen[each.path])}
    by_file: dict[str, list[Sequence[_Sighting]]] = defaultdict(list)
    for each in files:
        if each.node is not None:
            by_file[each.node.lower()].append(dated.get(each.path, []))
    by_node = {node: _of_host(group) for node, group in by_file.items()}
    names = _named_by_node(files)
    beside = _Beside.of(files, years, dated, manifest)

    @cache
    def of_node(node: str) -> Zone | None:
        """That of files which show none: once for a node, as each needs all that was seen of it."""
        declared, named = manifest.zone_of(node), names[node.lower()]
        if by_node[node.lower()]:
            return _sighted_zone("node", by_node[node.lower()], declared or named)
        return None if named is None else _declared_zone("node", named)

    def zone_of(file: StampFacts) -> Zone:
        override = manifest.file_override(file.path).timezone
        declared = manifest.zone_of(file.node)
        named = None if file.node is None else names[file.node.lower()]
        if seen[file.path]:
            return _sighted_zone("line", seen[file.path], override or declared or named)
        if override is not None:  # written for this very file
            return _declared_zone("manifest", override)
        seen_of_node = None if file.node is None else of_node(file.node)
        if seen_of_node is not None:
            return seen_of_node
        if declared is not None:
            return _declared_zone("manifest", declared)
        return beside.zone_of(file) or Zone("assumed", UTC_OFFSETS, "UTC")

    return {each.path: zone_of(each) for each in files if each.stamps is not None}


def _sightings(file: StampFacts, years: Sequence[tuple[int, int]]) -> list[_Sighting]:
    found = []
    for day in file.stamps.days if file.stamps else ():
        if day.offset_min is None:
            continue
        if day.year_no is None:
            first, last = day.first, day.last
        else:
            year = value_at(years, day.first_line)
            if in_year(day.first.date(), year) is None:
                continue
            first, last = day.first.replace(year=year), day.last.replace(year=year)
        try:
            east = timedelta(minutes=day.offset_min)
            found.append(_Sighting(first - east, last - east, day.offset_min, day.rows))
        except OverflowError:  # year 1 or 9999
            continue
    return found


def _counts_seconds(file: StampFacts, sightings: Sequence[_Sighting]) -> bool:
    """Whether a file is of a benchmark in UTC: seconds since 1970, which show nothing of the host's zone."""
    form = formats().get(file.format or "")
    return form is not None and form.role == "measurement" and not any(each.offset_min for each in sightings)


def _of_host(by_file: Sequence[Sequence[_Sighting]]) -> list[_Sighting]:
    """_Sightings in the files of one host, without files in UTC only where others show its own offset that day."""
    own = {each.first.date() for sightings in by_file for each in sightings if each.offset_min}
    return [
        each
        for sightings in by_file
        for each in sightings
        if each.first.date() not in own or any(other.offset_min for other in sightings)
    ]


def _offsets_over_time(sightings: Sequence[_Sighting]) -> tuple[tuple[datetime, int], ...]:
    """The offset nearest in time to any wall clock time: each from such a time on."""
    if len(sightings) == 1:
        return ((BEGINNING, sightings[0].offset_min),)
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


def _named_by_node(files: Iterable[StampFacts]) -> dict[str, str | None]:
    """The zone that each host's files name, by the host in small letters."""
    found: dict[str, set[str]] = defaultdict(set)
    for each in files:
        if each.node is not None:
            found[each.node.lower()] |= {*each.zones}
    return {node: _named_zone(names) for node, names in found.items()}


def _named_zone(names: Collection[str]) -> str | None:
    """The only zone that files of a host call its own."""
    (name,) = names if len(names) == 1 else (None,)
    return name if name and name[0].isalpha() and refused_zone(name) is None else None


Place = tuple[str, str | None, str]
"""Configuration, run, and host; of a file without one its path."""


@dataclass(frozen=True, slots=True)
class _Shown:
    """What the files of a host and run show of a zone, and the time that they cover as printed; None: no dated line."""

    place: Place
    by_file: tuple[Sequence[_Sighting], ...]
    names: frozenset[str]
    span: tuple[datetime, datetime] | None

    def is_beside(self, place: Place, span: tuple[datetime, datetime] | None) -> bool:
        """Whether they tell of the zone of others: those of the same run, else of the same time.

        Notes, without a time or with a zone by name, tell of the logs of their configuration.
        """
        is_note = self.span is None or bool(self.names)
        if self.place[0] == place[0] and (is_note or (place[1] is not None and self.place[1] == place[1])):
            return True
        return self.span is not None and span is not None and self.span[0] <= span[1] and span[0] <= self.span[1]


@dataclass(frozen=True, slots=True)
class _Beside:
    """The zones that files show, for those of other hosts. `declared`: names that study.toml gives to nodes and files.

    A stranger's log of another time shows nothing of the study's zone.
    """

    shown: Sequence[_Shown]
    spans: Mapping[Place, tuple[datetime, datetime] | None]
    declared: frozenset[str]
    found: dict[Place, Zone | None] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        files: Iterable[StampFacts],
        years: Mapping[str, Years],
        seen: Mapping[str, Sequence[_Sighting]],
        manifest: Manifest,
    ) -> "_Beside":
        by_place: dict[Place, list[StampFacts]] = defaultdict(list)
        for each in files:
            by_place[_place_of(each)].append(each)
        spans = {
            place: _whole([span for each in group if (span := _span(each, years[each.path].years))])
            for place, group in by_place.items()
        }
        shown = [
            _Shown(
                place,
                tuple(seen[each.path] for each in group if seen.get(each.path)),
                frozenset(name for each in group for name in each.zones),
                spans[place],
            )
            for place, group in by_place.items()
        ]
        names = {each.timezone for each in manifest.nodes.values() if each.timezone}
        names |= {each.timezone for each in manifest.files if each.timezone}
        return cls([each for each in shown if each.by_file or each.names], spans, frozenset(names))

    def zone_of(self, file: StampFacts) -> Zone | None:
        """The only zone of the files beside one."""
        place = _place_of(file)
        if place not in self.found:
            span = self.spans[place]
            self.found[place] = self._only([each for each in self.shown if each.is_beside(place, span)])
        return self.found[place]

    def _only(self, shown: Sequence[_Shown]) -> Zone | None:
        """The zone, if all that is known agrees: one offset, one with its summer time, or one name."""
        of_files = _named_zone({name for each in shown for name in each.names})
        names = self.declared if of_files is None else self.declared | {of_files}
        by_file = [group for each in shown for group in each.by_file]
        sightings = [each for group in by_file for each in group]
        if len(names) > 1:
            return None
        name = next(iter(names), None)
        if name is not None:
            return _declared_zone("study", name) if _agrees(name, sightings) else None
        offsets = {each.offset_min for each in sightings}
        both = offsets in ({each.offset_min for each in group} for group in by_file)
        is_one_with_summer_time = len(offsets) == 2 and max(offsets) - min(offsets) <= 60 and both
        if len(offsets) == 1 or is_one_with_summer_time:
            return Zone("study", _offsets_over_time(sightings))
        return None


def _place_of(file: StampFacts) -> Place:
    return file.configuration, file.run, file.path if file.node is None else file.node.lower()


def _span(file: StampFacts, years: Sequence[tuple[int, int]]) -> tuple[datetime, datetime] | None:
    """First and last time of a file as printed, in its years."""
    ends = []
    for day in file.stamps.days if file.stamps else ():
        year = None if day.year_no is None else value_at(years, day.first_line)
        if year is None:
            ends += [day.first, day.last]
        elif in_year(day.first.date(), year) is not None:
            ends += [day.first.replace(year=year), day.last.replace(year=year)]
    return (min(ends), max(ends)) if ends else None


def _whole(spans: Sequence[tuple[datetime, datetime]]) -> tuple[datetime, datetime] | None:
    return (min(first for first, _ in spans), max(last for _, last in spans)) if spans else None


def _sighted_zone(source: str, sightings: Sequence[_Sighting], declared: str | None) -> Zone:
    """The offsets that lines give; where all of them agree with the given zone, its rules, which tell more."""
    if declared is not None and _fixed_offset(declared) is None and _agrees(declared, sightings):
        return Zone(source, (), declared)
    return Zone(source, _offsets_over_time(sightings))


def _agrees(zone: str, sightings: Sequence[_Sighting]) -> bool:
    return all(offset is None or offset == each.offset_min for each, offset in _offsets_in(zone, sightings))


def _offsets_in(zone: str, sightings: Sequence[_Sighting]) -> Iterator[tuple[_Sighting, int | None]]:
    """The offset in minutes that a named zone had when each sighting began."""
    fixed = _fixed_offset(zone)
    if fixed is not None:
        yield from ((each, fixed) for each in sightings)
        return
    instants = pl.DataFrame({"at": [each.first for each in sightings]}, schema={"at": pl.Datetime("us")})
    minutes = instants.select((local(pl.col("at"), zone) - pl.col("at")).dt.total_minutes()).to_series().to_list()
    yield from zip(sightings, minutes, strict=True)


def _declared_zone(source: str, zone: str) -> Zone:
    fixed = _fixed_offset(zone)
    return Zone(source, () if fixed is None else ((BEGINNING, fixed),), zone)


def _fixed_offset(zone: str) -> int | None:
    """Minutes east of UTC of a zone such as `-04:00` or `UTC`; None for one with rules."""
    if zone.upper() in {"UTC", "Z", "ETC/UTC"}:
        return 0
    match = re.fullmatch(r"([+-])([0-9][0-9]):?([0-9][0-9])", zone, re.ASCII)
    return None if match is None else (-1 if match[1] == "-" else 1) * (60 * int(match[2]) + int(match[3]))


def _shown_offset(minutes: int) -> str:
    sign = "-" if minutes < 0 else "+"
    return f"{sign}{abs(minutes) // 60:02d}:{abs(minutes) % 60:02d}"
