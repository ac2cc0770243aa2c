"""Drives the way from a folder of logs to a store: files are read, resolved and written.

read    each file by itself (`pipeline/reading/file_reading.py`): its format, its rows, which are staged, and its facts
resolve all files together, by their facts alone (`resolution.py`): place, copies, order of dates, year and zone
write   rows with their times, and accounts, in one transaction into a new file that takes the old one's place

A second ingest reads only what changed. The ledger keeps for each file what a first one found; rows of a file whose
content and clock are the same are copied from the old store. Either way the store is what a first ingest would write.
"""

import dataclasses
import os
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb
import polars as pl

from parsers.format import formats
from pipeline.clock import correction
from pipeline.clock.file_clock import FileClock
from pipeline.discovery.address import Address
from pipeline.discovery.entry_names import MANIFEST_NAMES, is_misplaced_manifest
from pipeline.discovery.walk import NOTHING_REMEMBERED, Discovery, discover
from pipeline.discovery.written_files import Folder, folder_at
from pipeline.errors import HaledgerError, StoreError, UsageError
from pipeline.ingest import contract, ledger, resolution, store_template, writing
from pipeline.ingest.copying import KeptRows
from pipeline.ingest.cut import cut
from pipeline.ingest.deduplication import find_duplicates
from pipeline.ingest.layout import (
    AS_BEFORE,
    Layout,
    filled_on_workers,
    lines_of,
    refuse_unwritable_address,
    shared_rows,
)
from pipeline.ingest.ledger import (
    Previous,
    file_numbers,
    files_to_read,
    forget,
    known_manifest,
    previous_store,
    take_over,
)
from pipeline.ingest.staged_rows import StagedRows
from pipeline.ingest.unchanged import Asked, Standing, standing
from pipeline.ingest.window import Instants, Window, stored_span
from pipeline.memory import free_bytes
from pipeline.progress import Progress, Resumed, Watch
from pipeline.reading.file_facts import File
from pipeline.store import part, relations, store
from pipeline.store.fingerprint import own_info
from pipeline.store.lines import Lines
from pipeline.store.relations import RelationError
from pipeline.store.sole_writer import sole_writer
from pipeline.study.manifest import Declared, Manifest, declared
from pipeline.study.places.assignment import Place

if TYPE_CHECKING:  # what one process does not need is not imported
    from pipeline.cluster import Cluster

MOST_LINES_ALONE = 300_000
"""Of a study whose relations one thread fills: to share out what is done in a moment costs a tenth more."""


@dataclass(frozen=True, slots=True)
class IngestResult:
    """What an ingest did. `seconds` per step; `reused_count`: files that were not read again.

    `remarks`: what is wrong with the place or name of a study.toml, in sentences.
    """

    file_count: int
    status_counts: Mapping[str, int]
    format_counts: Mapping[str, int]
    lines: int
    rejected_lines: int
    rows: int
    read_count: int
    reused_count: int
    vanished_count: int
    is_unchanged: bool
    nothing_recognised: bool
    seconds: Mapping[str, float]
    remarks: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, object]:
        """For JSON."""
        return asdict(self)


def ingest(  # noqa: PLR0913  each is a choice of its own
    study: Path | Address,
    db: Path,
    *,
    replace: bool = False,
    progress: Progress | None = None,
    now: datetime | None = None,
    own: Collection[Path] = (),
    wait_s: float = 0.0,
    reference: str = "",
    cluster: "Cluster | None" = None,
    memory_bytes: int | None = None,
    since: str = "",
    until: str = "",
    layout: Layout = AS_BEFORE,
) -> IngestResult:
    """Read a study into a store; a store of the same study is brought up to date.

    `own`: further files to pass over. `wait_s`: how long to wait for another program that writes the same store. A link
    is followed, and the file that it leads to is written. `reference`: the configuration that all are compared with,
    before those that study.toml names; empty: none. `cluster`: whose workers read files; None: this process does.
    `memory_bytes`: what building the store may take; None: what fits the machine, and where that is not enough, half of
    its free memory. `since`, `until`: times as people write them; only lines from the first on and before the second
    count; empty: no bound. A UsageError where one is no time, where the first is not before the second, and where a
    local time has no zone. `layout`: where lines go.
    """
    window = Window.of(since, until)
    place = db.resolve() if db.is_symlink() else db
    store.refuse_name(place)
    resumed = Resumed(progress or (lambda _step, _share: None))
    study_toml, entries = None if place.is_file() else declared(study), None
    with sole_writer(place, wait_s):
        watch = Watch(resumed)
        if study_toml is None:
            watch.step("looking for files", 0.0)
            found = standing(study, place, Asked(tuple(own), reference, window, layout, now))
            if found is not None and not (replace and found.info.parts):  # whose parts may be damaged
                if found.is_current:
                    return _unchanged(place, found, layout, watch)
                entries = found.entries
            study_toml = declared(study, known_manifest(place, study) if isinstance(study, Address) else None)
        asked = _Request(
            study, place, study_toml, replace, now, tuple(own), reference, cluster, window, layout, entries
        )
        if memory_bytes is not None:
            return _ingest(asked, watch, memory_bytes)
        more = free_bytes() // 2
        try:
            return _ingest(asked, watch, None)
        except HaledgerError as error:  # DuckDB holds two thousand rows at a time, of which each may take a megabyte
            if not store.is_short_of_memory(error) or more <= store.fitting_memory(free_bytes(), os.cpu_count() or 1):
                raise
        resumed.begin_again(", again with more memory")
        return _ingest(asked, Watch(resumed), more)


@dataclass(frozen=True, slots=True)
class _Request:
    """What to ingest, and how; as `ingest` takes it. `entries`: those of the study, where it was looked through."""

    study: Path | Address
    db: Path
    study_toml: Declared
    replace: bool
    now: datetime | None
    own: tuple[Path, ...]
    reference: str
    cluster: "Cluster | None"
    window: Window
    layout: Layout
    entries: Discovery | None

    @property
    def manifest(self) -> Manifest:
        """What study.toml says."""
        return self.study_toml.manifest


@dataclass(frozen=True, slots=True)
class _Discovered:
    """What there is to read, and what the old store knows of it.

    `info`: of the new store, with the span of time as far as it is known. `parts`: the folders of both stores' parts.
    """

    info: store.StoreInfo
    parts: list[Folder]
    entries: Discovery
    numbers: Mapping[str, int]
    files: list[File]
    previous: Previous | None


@dataclass(frozen=True, slots=True)
class _Resolved:
    """What files show together. `kept`: those whose rows are in the old store as the new one needs them."""

    places: Mapping[str, Place]
    clocks: Mapping[int, FileClock]
    steps: pl.DataFrame
    info: store.StoreInfo
    span: Instants
    kept: Sequence[File]


def _ingest(asked: _Request, watch: Watch, memory_bytes: int | None) -> IngestResult:
    found = _look(asked, watch)
    files, previous = found.files, found.previous
    if previous is not None and (asked.window or previous.info.asked_span):
        forget(files)  # rows that were cut show neither clocks nor lines beyond the span
    refuse_unwritable_address(found.info.parts)
    with (
        shared_rows(found.info.parts, asked.cluster) as shared,
        store.building(
            asked.db,
            lambda new, folder: store_template.into(new, folder, _measured_bytes(files)),
            lambda: memory_bytes or store.fitting_memory(free_bytes(), os.cpu_count() or 1),
        ) as building,
    ):
        rows = StagedRows(files, building.folder, watch, asked.cluster, shared, keeps_verdicts=bool(asked.window))
        resolved = _read(asked, found, rows, watch)
        source_rows, lines = _write(asked, found, resolved, rows, building.con, watch)
        watch.step("views", 0.9)
        more = None if memory_bytes is not None else store.more_memory(free_bytes(), os.cpu_count() or 1)
        filled = filled_on_workers(building.con, lines, shared, asked.cluster, watch, more)
        _fill(building.con, source_rows, asked.study_toml, asked.reference, filled, more)
        watch.step("writing", 0.95)
    asked.layout.clean(asked.db, *found.parts)
    watch.step("done", 1.0)
    vanished = set(previous.entries) - {each.source.path for each in files} if previous else set()
    counts = _result(
        source_rows,
        watch,
        read_count=len(files) - len(resolved.kept),
        reused_count=len(resolved.kept),
        vanished_count=len(vanished),
    )
    return dataclasses.replace(counts, remarks=_remarks(found.entries, resolved.info))


def _look(asked: _Request, watch: Watch) -> _Discovered:
    """Look for files, and take from the old store what it knows of them."""
    info = own_info(asked.study, asked.manifest, asked.reference, asked.window.asked())
    previous = previous_store(asked.db, info, replace=asked.replace)
    info, parts = _with_parts(info, asked, previous)
    watch.step("looking for files", 0.0)
    remembered = previous.remembered if previous else NOTHING_REMEMBERED
    own = [each for each in parts if isinstance(each, Path)]
    entries = asked.entries or discover(asked.study, own=(asked.db, *asked.own, *own), remembered=remembered)
    has_bound = _has_bound(info, previous)
    contract.validate_before_reading(asked.study_toml, entries.sources, has_bound=has_bound, reference=asked.reference)
    numbers = file_numbers(entries)
    files = files_to_read(entries.sources, numbers, asked.manifest)
    if previous is not None:
        take_over(files, previous, info)
    return _Discovered(info, parts, entries, numbers, files, previous)


def _read(asked: _Request, found: _Discovered, rows: StagedRows, watch: Watch) -> _Resolved:
    """Read what the old store does not hold, and resolve all files together."""
    files, manifest = found.files, asked.manifest
    rows.read([each for each in files if each.old is None])
    places = resolution.places(files, manifest)
    watch.step("comparing", 0.7)
    rows.read_parts(find_duplicates(files, places))
    watch.step("settling", 0.7)
    now = asked.now or resolution.machine_time(datetime.now(tz=UTC), files)
    clocks, steps = resolution.clocks(files, places, manifest, now)
    info, span = _with_span_of(asked.window, manifest, clocks, found.info)
    moved = correction.moved_files(asked.db) if found.previous else set()
    kept, lost = resolution.kept_and_lost(files, clocks, moved)
    rows.read_again(lost)
    return _Resolved(places, clocks, steps, info, span, kept)


def _write(  # noqa: PLR0913, PLR0917  one value for each phase before it, and where to write
    asked: _Request,
    found: _Discovered,
    resolved: _Resolved,
    rows: StagedRows,
    con: duckdb.DuckDBPyConnection,
    watch: Watch,
) -> tuple[pl.DataFrame, Lines]:
    """Write rows and accounts, but not what is computed from them; the accounts of files, and where lines lie."""
    files, manifest, places, clocks = found.files, asked.manifest, resolved.places, resolved.clocks
    paths = [each.source.path for each in files]
    writing.write_manifest(con, manifest, paths, resolution.configurations(files, places), asked.reference)
    relations.share_hosts(con, resolution.shared_hosts(files, manifest))
    watch.step("copying", 0.7)
    part.let_read(con, resolved.info.parts)
    kept_rows = KeptRows(con, asked.db, resolved.kept, rows.dimensions)
    lines = lines_of(con, resolved.info.parts, resolved.kept)
    spans = kept_rows.copy(lines) | writing.write_rows(con, lines, rows, kept_rows, clocks, watch, asked.cluster)
    watch.step("clocks", 0.89)
    corrected = writing.correct(con, lines, files, places, clocks, resolved.steps)
    spans |= dict(corrected.spans) | cut(con, lines, files, rows, resolved.span)
    lines.close()
    skipped = {found.numbers[each.path]: each for each in found.entries.skipped}
    accounts = writing.account(con, resolved.info, files, skipped, places, clocks, spans, corrected)
    ledger.remember(con, found.entries, asked.study_toml)
    return accounts, lines


def _with_parts(
    info: store.StoreInfo, asked: _Request, previous: Previous | None
) -> tuple[store.StoreInfo, list[Folder]]:
    """With the folder of the new store's parts; and all folders with parts, also those of the old store."""
    old = previous.info.parts if previous else ""
    new = asked.layout.folder(asked.db, old)
    if isinstance(asked.study, Address) and new.startswith(f"{asked.study}/"):
        raise UsageError(f"--parts {new}: lies in the study, into which nothing is written; name another address")
    return dataclasses.replace(info, parts=new), [folder_at(each) for each in sorted({new, old} - {""})]


def _fill(  # noqa: PLR0913, PLR0917  what relations rest on, and what they may take
    con: duckdb.DuckDBPyConnection,
    source_rows: pl.DataFrame,
    study_toml: Declared,
    reference: str,
    filled: Collection[str],
    more_memory: Sequence[int] | None,
) -> None:
    """Compute the relations but for those that workers filled, and hold study.toml against them."""
    if source_rows.get_column("lines").sum() <= MOST_LINES_ALONE:
        con.execute("set threads = 1")
    try:
        relations.fill(con, done=filled, more_memory=more_memory)
    except RelationError as error:
        if more_memory is None or not store.is_short_of_memory(error):
            raise
        # with all that it may take: to read the study again would end the same way
        raise StoreError(f"half of the free memory is not enough: {error}") from None
    contract.validate_against_store(study_toml, con, reference)


def _with_span_of(
    window: Window, manifest: Manifest, clocks: Mapping[int, FileClock], info: store.StoreInfo
) -> tuple[store.StoreInfo, Instants]:
    """With the span that counts; and this span."""
    span = window.instants(manifest.study.timezone)
    span = window.instants_of_logs(clocks.values()) if span is None else span
    since, until = span.texts()
    return dataclasses.replace(info, since=since, until=until), span


def _measured_bytes(files: Sequence[File]) -> int:
    """Bytes of the files that hold rows of numbers."""
    measured = {name for name, each in formats().items() if each.role == "measurement"}
    return sum(each.source.bytes for each in files if each.facts.format in measured)


def _remarks(found: Discovery, info: store.StoreInfo) -> tuple[str, ...]:
    misplaced = [each for each in found.skipped if is_misplaced_manifest(each.path)]
    remarks = [f"{each.path} is {each.reason}" for each in misplaced]
    if info.asked_span:
        remarks.append(f"only lines {stored_span(info.since, info.until)} count (--since, --until)")
    return tuple(remarks)


def _has_bound(info: store.StoreInfo, previous: Previous | None) -> bool:
    """Whether the statements of study.toml are those that the old store was built with, by this version."""
    if previous is None:
        return False
    old = previous.info
    return (old.manifest_key, old.program_key) == (info.manifest_key, info.program_key)


def _unchanged(db: Path, found: Standing, layout: Layout, watch: Watch) -> IngestResult:
    store.remove_leftovers(db)
    layout.clean(db, *([folder_at(found.info.parts)] if found.info.parts else []))
    with store.opened(db) as con:
        rows = store.frame(con, "select path, status, format, lines, rejected_lines, rows from main.source_file")
    watch.step("done", 1.0)
    counts = _result(rows, watch, read_count=0, reused_count=len(found.entries.sources), is_unchanged=True)
    return dataclasses.replace(counts, remarks=_remarks(found.entries, found.info))


def _result(  # noqa: PLR0913  what only the caller counts
    rows: pl.DataFrame,
    watch: Watch,
    *,
    read_count: int,
    reused_count: int,
    vanished_count: int = 0,
    is_unchanged: bool = False,
) -> IngestResult:
    rows = rows.filter(~pl.col("path").is_in([*MANIFEST_NAMES]))  # what describes the study is none of its logs
    statuses = Counter(rows.get_column("status").to_list())
    return IngestResult(
        file_count=rows.height,
        status_counts=dict(sorted(statuses.items())),
        format_counts=dict(sorted(Counter(rows.get_column("format").drop_nulls().to_list()).items())),
        lines=int(rows.get_column("lines").sum()),
        rejected_lines=int(rows.get_column("rejected_lines").sum()),
        rows=int(rows.get_column("rows").sum()),
        read_count=read_count,
        reused_count=reused_count,
        vanished_count=vanished_count,
        is_unchanged=is_unchanged,
        nothing_recognised=statuses["parsed"] == 0,
        seconds=watch.seconds(),
    )
