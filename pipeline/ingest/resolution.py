"""What all files together show: the place, the dates and the clock of each. Works on facts alone; nothing is read."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta

import polars as pl

from pipeline.clock import date_order_inference, file_clock
from pipeline.clock.file_clock import FileClock
from pipeline.ingest.ledger import clock_key
from pipeline.local_time import as_utc
from pipeline.memory import without_collector
from pipeline.reading.date_order import PrintedDates
from pipeline.reading.file_facts import File
from pipeline.reading.stamps import StampFacts, Stamps
from pipeline.study.manifest import Manifest
from pipeline.study.places.assignment import Place, assign, hosts_in
from pipeline.study.places.known_hosts import Hosts
from pipeline.study.places.path_reading import FileHosts


@without_collector()
def places(files: Iterable[File], manifest: Manifest) -> dict[str, Place]:
    """The place of every file by its path; recognised or not, but readable text."""
    return assign(manifest.name, [_hosts(each) for each in files if _is_readable(each)], manifest)


def shared_hosts(files: Iterable[File], manifest: Manifest) -> frozenset[str]:
    """The short names that several hosts of the study have, in small letters."""
    return frozenset(Hosts.of(hosts_in(each.facts for each in files if _is_readable(each)), manifest).shared)


def configurations(files: Sequence[File], places: Mapping[str, Place]) -> frozenset[str]:
    """The configurations of what was read; a file above the runs, which is of several, says none."""
    read = (places[each.source.path] for each in files if each.facts.status == "parsed")
    return frozenset(each.configuration for each in read if "scope" not in each.sources)


@without_collector()
def clocks(
    files: Iterable[File], places: Mapping[str, Place], manifest: Manifest, now: datetime
) -> tuple[dict[int, FileClock], pl.DataFrame]:
    """The clock of every parsed file, by its number; and the rows of `log.clock_step`."""
    printed = [_stamp_facts(each, places[each.source.path]) for each in files if each.facts.status == "parsed"]
    facts = date_order_inference.in_resolved_order(printed)
    by_path = file_clock.resolve(facts, manifest, now)
    return {each.file_id: by_path[each.path] for each in facts}, file_clock.clock_steps(facts, by_path)


def machine_time(clock: datetime, files: Sequence[File]) -> datetime:
    """What the machine's clock shows; the time of the newest file where most are newer, as that clock is wrong then."""
    times, now = sorted(each.source.modified_at for each in files), as_utc(clock)
    is_wrong = bool(times) and times[(len(times) - 1) // 2] > now + timedelta(days=1)
    return times[-1] if is_wrong else now


def kept_and_lost(
    files: Sequence[File], clocks: Mapping[int, FileClock], moved: Collection[int]
) -> tuple[list[File], list[File]]:
    """The known files whose rows in the old store hold still, and those whose rows have to be read again.

    They hold as long as the same lines are counted and dated alike. `moved`: old numbers of files with times that were
    moved by what other files showed.
    """
    known = [each for each in files if each.old is not None]
    kept = [each for each in known if _keeps_rows(each, clocks.get(each.file_id), moved)]
    kept_ids = {each.file_id for each in kept}
    return kept, [each for each in known if each.file_id not in kept_ids]


def _keeps_rows(file: File, own: FileClock | None, moved: Collection[int]) -> bool:
    old = file.old
    return (
        old is not None
        and old.file_id not in moved
        and old.clock == clock_key(own)
        and old.duplicate_ranges.lines() == file.duplicate_ranges.lines()
    )


def _is_readable(file: File) -> bool:
    return file.facts.status in {"parsed", "unrecognised"}


def _hosts(file: File) -> FileHosts:
    facts = file.facts
    return FileHosts(
        file.source.path,
        facts.format,
        facts.writers(),
        frozenset(facts.named_hosts),
        None if facts.stamps is None else Stamps.span_in(facts.stamps),
        facts.sha256,
    )


def _stamp_facts(file: File, place: Place) -> StampFacts:
    counted = file.counted
    return StampFacts(
        file_id=file.file_id,
        path=file.source.path,
        configuration=place.configuration,
        run=place.run,
        node=place.node,
        format=file.facts.format,
        modified_at=file.source.modified_at,
        is_dated_within=file.source.is_dated_within,
        stamps=None if counted.stamps is None else Stamps.from_json(counted.stamps),
        dates=None if counted.dates is None else PrintedDates.from_json(counted.dates),
        zones=tuple(counted.zones),
        weekdays=tuple(counted.weekdays),
    )
