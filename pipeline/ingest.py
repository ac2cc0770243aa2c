"""Drives the way from a folder of logs to a store.

Discovery, reading and recognition say what each file is; files of one format are parsed together in chunks; what the
parsers give is staged until assignment and clock, which need all files, have been settled; then all of it is written
in one transaction into a new file that takes the old one's place.

A second ingest reads only what changed. The ledger keeps for each file what a first one learnt; rows of a file whose
content and clock are the same are copied from the old store. Either way the store is what a first ingest would write.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import polars as pl

from parsers.format import tables
from parsers.iostat_tables import IOSTAT_MARK
from pipeline import (
    accounts,
    blank,
    clock,
    clock_correction,
    clock_doubt,
    clock_shift,
    date_witness,
    relations,
    rules,
    staging,
    store,
)
from pipeline.assignment import FileFacts, Place, assign
from pipeline.clock import FileClock
from pipeline.copies import is_whole
from pipeline.counted_once import find_copies
from pipeline.date_order import PrintedDates, in_order_name, without_doubt
from pipeline.discovery import NOTHING_REMEMBERED, Skipped, discover
from pipeline.fingerprint import own_info
from pipeline.ledger import (
    File,
    Learnt,
    clock_key,
    file_numbers,
    files_to_learn,
    is_unchanged,
    previous_store,
    take_over,
)
from pipeline.manifest import Manifest, load
from pipeline.parsing import Parsing
from pipeline.progress import Progress, Watch
from pipeline.stamps import StampFacts, Stamps


@dataclass(frozen=True, slots=True)
class IngestResult:
    """What an ingest did. `seconds` per step; `reused_count`: files that were not read again."""

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

    def to_dict(self) -> dict[str, object]:
        """For JSON."""
        return asdict(self)


def ingest(  # noqa: PLR0913  each is a choice of its own
    study: Path,
    db: Path,
    *,
    replace: bool = False,
    progress: Progress | None = None,
    now: datetime | None = None,
    own: Collection[Path] = (),
) -> IngestResult:
    """Read a study into a store; a store of the same study is brought up to date. `own`: further files to pass over."""
    watch = Watch(progress or (lambda _step, _share: None))
    manifest = load(study)
    info = own_info(study, manifest)
    previous = previous_store(db, info, replace=replace)
    watch.step("looking for files", 0.0)
    found = discover(study, own=(db, *own), remembered=previous.remembered if previous else NOTHING_REMEMBERED)
    numbers = file_numbers(found)
    files = files_to_learn(found.sources, numbers, manifest)
    if previous is not None:
        take_over(files, previous, info)
        if is_unchanged(files, found, previous, info):
            return _unchanged(db, files, watch)
    with store.building(db, blank.into) as building:
        work = _Work(building, files, manifest, watch)
        work.learn()
        places = work.places()
        work.count_once(places)
        clocks = work.settle(places, now or datetime.now(tz=UTC))
        work.write_manifest()
        copied = work.copy(db, clocks)
        work.write_rows(clocks)
        doubts = work.correct(places, clocks)
        skipped = {numbers[each.path]: each for each in found.skipped}
        source_rows = work.account(info, skipped, places, clocks, doubts)
        accounts.write_archives(building.con, found.archives)
        watch.step("views", 0.9)
        relations.fill(building.con)
        watch.step("writing", 0.95)
    watch.step("done", 1.0)
    vanished = set(previous.entries) - {each.source.path for each in files} if previous else set()
    read_count = len(files) - len(copied)
    return _result(source_rows, watch, _Extent(read_count, len(copied), len(vanished), is_unchanged=False))


def _unchanged(db: Path, files: Sequence[File], watch: Watch) -> IngestResult:
    with store.opened(db) as con:
        rows = store.frame(con, "select status, format, lines, rejected_lines, rows from main.source_file")
    watch.step("done", 1.0)
    return _result(rows, watch, _Extent(0, len(files), 0, is_unchanged=True))


@dataclass(frozen=True, slots=True)
class _Extent:
    """How much of a study an ingest had to look at."""

    read_count: int
    reused_count: int
    vanished_count: int
    is_unchanged: bool


def _result(rows: pl.DataFrame, watch: Watch, extent: _Extent) -> IngestResult:
    statuses = Counter(rows.get_column("status").to_list())
    return IngestResult(
        file_count=rows.height,
        status_counts=dict(sorted(statuses.items())),
        format_counts=dict(sorted(Counter(rows.get_column("format").drop_nulls().to_list()).items())),
        lines=int(rows.get_column("lines").sum()),
        rejected_lines=int(rows.get_column("rejected_lines").sum()),
        rows=int(rows.get_column("rows").sum()),
        read_count=extent.read_count,
        reused_count=extent.reused_count,
        vanished_count=extent.vanished_count,
        is_unchanged=extent.is_unchanged,
        nothing_recognised=statuses["parsed"] == 0,
        seconds=watch.seconds(),
    )


class _Work:
    """One build: the files, what is staged of them, and the store that they go into."""

    def __init__(self, building: store.Building, files: Sequence[File], manifest: Manifest, watch: Watch) -> None:
        self._con = building.con
        self._manifest = manifest
        self._watch = watch
        self._stage = staging.Stage(building.folder, staging.STAGE_BYTES)
        self._parsing = Parsing(files, manifest, self._stage, watch)
        rests = building.folder / "rests"
        rests.mkdir()
        self._rests = staging.Stage(rests, staging.STAGE_BYTES // 4)
        self._rest_ids: set[int] = set()
        self._spans: dict[int, accounts.Span] = {}
        self._files = files

    def learn(self) -> None:
        """Read the files that the ledger does not know."""
        self._watch.step("recognising", 0.0)
        self._parsing.read([each for each in self._files if each.old is None])

    def places(self) -> dict[str, Place]:
        """The place of every file by its path; recognised or not, but readable text."""
        readable = [each for each in self._files if each.learnt.status in {"parsed", "unrecognised"}]
        return assign(self._manifest.name, [_hosts(each) for each in readable], self._manifest)

    def count_once(self, places: Mapping[str, Place]) -> None:
        """Find the lines that stand in several files; read files without those that are counted elsewhere."""
        self._watch.step("comparing", 0.7)
        self._read_rest(find_copies(self._files, places))

    def _read_rest(self, files: Sequence[File]) -> None:
        """Read files without the lines that are counted elsewhere."""
        rest = [replace(each, learnt=Learnt("new")) for each in files]
        if not rest:
            return
        Parsing(rest, self._manifest, self._rests, self._watch).read(rest)
        for file, own in zip(files, rest, strict=True):
            file.elsewhere = replace(file.elsewhere, counted=own.learnt)
            self._rest_ids.add(file.file_id)

    def settle(self, places: Mapping[str, Place], now: datetime) -> dict[int, FileClock]:
        """The clock of every file, by its number."""
        self._watch.step("settling", 0.7)
        parsed = [each for each in self._files if each.learnt.status == "parsed"]
        facts = date_witness.in_settled_order([_stamp_facts(each, places[each.source.path]) for each in parsed])
        by_path = clock.settle(facts, self._manifest, now)
        self._stage.add("clock_step", clock.clock_steps(facts, by_path))
        return {each.file_id: by_path[each.path] for each in facts}

    def write_manifest(self) -> None:
        """Write what study.toml states, and the rules."""
        stated = self._manifest.tables() | rules.study_tables(self._manifest.milestones)
        for name, content in stated.items():
            store.insert(self._con, f"study.{store.quoted(name)}", content)

    def copy(self, db: Path, clocks: Mapping[int, FileClock]) -> list[File]:
        """Copy from the old store the rows of files that kept content and clock; parse those that lost the clock."""
        known = [each for each in self._files if each.old is not None]
        moved = clock_correction.moved_files(db) if known else set()
        kept = [
            each
            for each in known
            if _keeps_rows(each, clocks.get(each.file_id)) and each.old is not None and each.old.file_id not in moved
        ]
        kept_ids = {each.file_id for each in kept}
        lost = [each for each in known if each.file_id not in kept_ids | self._rest_ids]
        self._parsing.read([each for each in lost if not each.elsewhere.ranges])
        with_ranges = [each for each in lost if each.elsewhere.ranges]
        self._read_rest([each for each in with_ranges if not is_whole(each.elsewhere.ranges, each.learnt.lines)])
        if kept:
            self._watch.step("copying", 0.7)
            self._copy_rows(db, kept)
        return kept

    def _copy_rows(self, db: Path, kept: Sequence[File]) -> None:
        numbers = pl.DataFrame(
            [(each.old.file_id, each.file_id) for each in kept if each.old],
            schema={"old_id": pl.Int32(), "new_id": pl.Int32()},
            orient="row",
        )
        self._con.execute("create temp table file_number (old_id integer, new_id integer)")
        store.insert(self._con, "file_number", numbers)
        self._con.execute(f"attach {store.literal(str(db))} as old (read_only)")
        for name, table in tables().items():
            self._copy_table(f"log.{store.quoted(name)}", list(store.log_columns(table)))
        self._copy_table("main.rejected_line", list(accounts.REJECTED_LINE))
        ranges = self._con.execute(
            "select n.new_id, s.first_at, s.last_at from old.main.source_file as s "
            "inner join file_number as n on s.file_id = n.old_id"
        ).fetchall()
        self._spans |= {new_id: (first_at, last_at) for new_id, first_at, last_at in ranges}
        self._con.execute("drop table file_number")

    def _copy_table(self, relation: str, columns: Sequence[str]) -> None:
        names = ", ".join(store.quoted(each) for each in columns)
        values = ", ".join("n.new_id" if each == "file_id" else f"t.{store.quoted(each)}" for each in columns)
        self._con.execute(
            f"insert into {relation} ({names}) select {values} from old.{relation} as t "
            "inner join file_number as n on t.file_id = n.old_id"
        )

    def write_rows(self, clocks: Mapping[int, FileClock]) -> None:
        """Write what is staged, times settled."""
        known = tables()
        names = [name for name in sorted({*self._stage.names(), *self._rests.names()}) if name in known]
        for number, name in enumerate(names):
            self._watch.step("writing rows", 0.7 + 0.2 * number / len(names))
            for frame in self._in_settled_order(name, clocks):
                settled = frame
                if known[name].is_dated:
                    settled = clock.apply(frame, clocks)
                    self._learn_times(settled)
                store.insert(self._con, f"log.{store.quoted(name)}", settled)

    def _in_settled_order(self, name: str, clocks: Mapping[int, FileClock]) -> Iterator[pl.DataFrame]:
        """What is staged of a table, dates read in the order that was settled for their file."""
        orders = {number: each.date_order for number, each in clocks.items() if each.date_order is not None}
        if name != IOSTAT_MARK.name or not orders:
            yield from self._take(name)
            return
        own = {each.file_id: dates.order.name for each in self._files if (dates := _dates(each)) is not None}
        others = {number: order for number, order in orders.items() if order != own.get(number)}
        sure = [number for number in orders if clocks[number].date_order_source != "assumed"]
        for frame in self._take(name):
            yield without_doubt(frame.filter(~pl.col("file_id").is_in(list(others))), sure)
        for order in sorted(set(others.values())):
            of_order = [number for number in others if others[number] == order]
            for frame in self._take(in_order_name(name, order)):
                yield frame.filter(pl.col("file_id").is_in(of_order))

    def _take(self, name: str) -> Iterator[pl.DataFrame]:
        """What is staged of a table: of files with lines counted elsewhere, only what was read without them."""
        parts = [each.file_id for each in self._files if each.elsewhere.ranges]
        for frame in self._stage.take(name):
            yield frame.filter(~pl.col("file_id").is_in(parts)) if parts else frame
        yield from self._rests.take(name)

    def _learn_times(self, frame: pl.DataFrame) -> None:
        spans = frame.group_by("file_id").agg(first=pl.col("at").min(), last=pl.col("at").max())
        for file_id, first, last in spans.iter_rows():
            old_first, old_last = self._spans.get(file_id, (None, None))
            self._spans[file_id] = (
                min(filter(None, (old_first, first)), default=None),
                max(filter(None, (old_last, last)), default=None),
            )

    def correct(
        self, places: Mapping[str, Place], clocks: Mapping[int, FileClock]
    ) -> dict[int, list[clock_doubt.Doubt]]:
        """Put times on one scale where clocks were set, or files bear another zone; give the doubts about files."""
        self._watch.step("clocks", 0.89)
        steps = pl.concat([pl.DataFrame(schema=clock.STEP_SCHEMA), *self._stage.take("clock_step")])
        accounts.write_clock_step(self._con, [steps])
        parsed = [each for each in self._files if each.learnt.status == "parsed"]
        rows = [
            (
                each.file_id,
                each.source.path,
                each.learnt.format,
                (place := places[each.source.path]).configuration,
                place.run,
                place.node,
                clocks[each.file_id].timezone_source,
            )
            for each in parsed
        ]
        doubts = clock_shift.corrected(self._con, rows, steps.get_column("file_id").unique().to_list())
        self._spans |= doubts.spans
        return doubts.by_file

    def account(
        self,
        info: store.StoreInfo,
        skipped: Mapping[int, Skipped],
        places: Mapping[str, Place],
        clocks: Mapping[int, FileClock],
        further: Mapping[int, Sequence[clock_doubt.Doubt]],
    ) -> pl.DataFrame:
        """Write the tables that account for files and lines; give the rows of `main.source_file`.

        `further`: doubts about files besides those of their clocks.
        """
        doubts = {number: (*each.doubts, *further.get(number, ())) for number, each in clocks.items()}
        told = clock_doubt.write(self._con, doubts)
        counted = {number: replace(each, doubts=tuple(told.get(number, ()))) for number, each in clocks.items()}
        source_rows = accounts.source_rows(self._files, skipped, places, counted, self._spans)
        accounts.write_source_file(self._con, source_rows)
        for frame in self._take("rejected_line"):
            store.insert(self._con, "main.rejected_line", frame)
        accounts.write_file_ledger(self._con, accounts.ledger_rows(self._files, places, clocks))
        accounts.write_store_info(self._con, info)
        return source_rows


def _hosts(file: File) -> FileFacts:
    learnt = file.learnt
    return FileFacts(file.source.path, learnt.format, learnt.writers(), frozenset(learnt.named_hosts))


def _stamp_facts(file: File, place: Place) -> StampFacts:
    return StampFacts(
        file_id=file.file_id,
        path=file.source.path,
        configuration=place.configuration,
        run=place.run,
        node=place.node,
        format=file.learnt.format,
        modified_at=file.source.modified_at,
        is_dated_within=file.source.is_dated_within,
        stamps=None if file.counted.stamps is None else Stamps.from_json(file.counted.stamps),
        dates=_dates(file),
    )


def _dates(file: File) -> PrintedDates | None:
    text = file.counted.dates
    return None if text is None else PrintedDates.from_json(text)


def _keeps_rows(file: File, own: FileClock | None) -> bool:
    """Whether the rows in the old store are those of the file still: the same lines, dated alike."""
    old = file.old
    return old is not None and old.clock == clock_key(own) and old.elsewhere.lines() == file.elsewhere.lines()
