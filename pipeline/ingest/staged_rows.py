"""The rows of files that were read, until all files together show the time of each: where they are found, and taken."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from parsers.format import Table, tables
from pipeline.clock.file_clock import FileClock
from pipeline.discovery.written_files import Folder
from pipeline.progress import Watch
from pipeline.reading import staging
from pipeline.reading.date_order import PrintedDates, in_order_name, without_doubt
from pipeline.reading.duplicates import is_whole
from pipeline.reading.file_facts import DuplicateRanges, File, FileFacts
from pipeline.reading.file_reading import FileToRead, read_files
from pipeline.reading.report_clock import is_of_marks
from pipeline.reading.staging import Dimensions, Stage

if TYPE_CHECKING:  # what one process does not need is not imported
    from pipeline.cluster import Cluster
    from pipeline.reading.shared_rows import RemoteBatch


@dataclass(frozen=True, slots=True)
class ResolvedOrders:
    """In which order dates are read in which it does not show. `others`: by file, where it is not the file's own.

    `sure`: files whose order was shown by something.
    """

    others: Mapping[int, str]
    sure: tuple[int, ...]

    def of(self, file_ids: Iterable[int]) -> "ResolvedOrders":
        """Those of some files."""
        own = frozenset(file_ids)
        others = {number: order for number, order in self.others.items() if number in own}
        return ResolvedOrders(others, tuple(number for number in self.sure if number in own))

    def rows(self, name: str, take: Callable[[str], Iterable[pl.DataFrame]]) -> Iterator[pl.DataFrame]:
        """The rows of a table; `take` gives the rows that wait under a name."""
        if not (self.others or self.sure) or not is_of_marks(name):
            yield from take(name)
            return
        for frame in take(name):
            yield without_doubt(frame.filter(~pl.col("file_id").is_in(list(self.others))), self.sure)
        for order in sorted(set(self.others.values())):
            of_order = [number for number in self.others if self.others[number] == order]
            for frame in take(in_order_name(name, order)):
                yield frame.filter(pl.col("file_id").is_in(of_order))


class StagedRows:
    """Rows of whole files; and, apart from them, of files of which some lines are counted elsewhere.

    `cluster`: whose workers read; `shared`: the folder in which these leave rows, None: they answer with them.
    `keeps_verdicts`: `take("line_verdict")` gives what became of each line.
    """

    def __init__(  # noqa: PLR0913  what is read, by whom, and where rows wait
        self,
        files: Sequence[File],
        folder: Path,
        watch: Watch,
        cluster: "Cluster | None" = None,
        shared: Folder | None = None,
        *,
        keeps_verdicts: bool = False,
    ) -> None:
        parts, dimensions = folder / "parts", folder / "dimensions"
        parts.mkdir()
        dimensions.mkdir()
        self._files = files
        self._keeps_verdicts = keeps_verdicts
        self._watch = watch
        self._cluster = cluster
        self._read_files = _here if cluster is None else _on_workers(cluster, shared)
        self.dimensions = Dimensions(dimensions, staging.STAGE_BYTES // 2)
        self._whole = Stage(folder, staging.STAGE_BYTES // 2, self.dimensions)
        self._parts = Stage(parts, staging.STAGE_BYTES // 4, self.dimensions)
        self._whole_batches: list[RemoteBatch] = []
        self._part_batches: list[RemoteBatch] = []
        self._read_in_part: set[int] = set()
        self._read_bytes = 0
        self._all_bytes = 1 + sum(each.source.bytes for each in files if each.old is None)

    def read(self, files: Sequence[File]) -> None:
        """Read files: fills in their facts."""
        if files:
            self._watch.step("recognising", 0.0)
        found = self._read_files([self._to_read(each) for each in files], self._whole, self._whole_batches, self._step)
        for file in files:
            file.facts = found[file.file_id]

    def read_parts(self, files: Sequence[File]) -> None:
        """Read files without the lines that are counted elsewhere: fills in what the others show."""
        found = self._read_files([self._to_read(each) for each in files], self._parts, self._part_batches, self._step)
        for file in files:
            counted = found[file.file_id]
            self._read_in_part.add(file.file_id)
            if counted.status == "parsed":
                file.duplicate_ranges = replace(file.duplicate_ranges, counted=counted)
            else:
                file.facts, file.duplicate_ranges = counted, DuplicateRanges()

    def read_again(self, files: Sequence[File]) -> None:
        """Read files whose rows are not in the old store as they have to be."""
        left = [each for each in files if each.file_id not in self._read_in_part]
        self.read([each for each in left if not each.duplicate_ranges.ranges])
        in_part = [each for each in left if each.duplicate_ranges.ranges]
        self.read_parts([each for each in in_part if not is_whole(each.duplicate_ranges.ranges, each.facts.lines)])

    def names(self) -> list[str]:
        """The tables that have rows, here or in the shared folder."""
        on_workers = (table.name for batch in (*self._whole_batches, *self._part_batches) for table in batch.tables)
        names = {*self._whole.names(), *self._parts.names(), *on_workers}
        return sorted(names & tables().keys())

    def take(self, name: str) -> Iterator[pl.DataFrame]:
        """The rows of a table that count: no line twice, and none of a file that turned out to be of no format."""
        yield from self._counted(self._whole.take(name), self._parts.take(name))

    def is_on_workers(self, table: Table) -> bool:
        """Whether all rows of a table lie in the shared folder."""
        return table.name not in {*self._whole.names(), *self._parts.names()}

    def look(self, table: Table) -> Iterator[pl.DataFrame]:
        """The same rows, that stay where they are; of those in the shared folder what each file says first, once."""
        for stage, batches in ((self._whole, self._whole_batches), (self._parts, self._part_batches)):
            for each in batches:
                from pipeline.reading.shared_rows import add_dimensions

                add_dimensions(stage, each, table.name)
        yield from self._counted(self._whole.look(table.name), self._parts.look(table.name))
        yield from self._counted(self._whole.take_uses(table), self._parts.take_uses(table))

    def batches(self) -> Iterator[tuple["RemoteBatch", frozenset[int]]]:
        """The batches whose rows lie in the shared folder, and the files of which none of these rows count."""
        for batches, passed in ((self._whole_batches, self._passed()), (self._part_batches, self._unread())):
            for each in batches:
                yield each, passed.intersection(each.file_ids)

    def _unread(self) -> frozenset[int]:
        return frozenset(each.file_id for each in self._files if each.facts.status != "parsed")

    def _passed(self) -> frozenset[int]:
        """The files of which no row counts that was read of the whole file."""
        return self._unread() | {each.file_id for each in self._files if each.duplicate_ranges.ranges}

    def _counted(self, whole: Iterable[pl.DataFrame], parts: Iterable[pl.DataFrame]) -> Iterator[pl.DataFrame]:
        for frames, passed in ((whole, self._passed()), (parts, self._unread())):
            yield from map(partial(without, file_ids=passed), frames)

    def resolved_orders(self, clocks: Mapping[int, FileClock]) -> ResolvedOrders:
        """In which order dates are read."""
        orders = {number: each.date_order for number, each in clocks.items() if each.date_order is not None}
        if not orders:
            return ResolvedOrders({}, ())
        texts = {each.file_id: each.counted.dates for each in self._files}
        own = {number: PrintedDates.from_json(text).order.name for number, text in texts.items() if text is not None}
        others = {number: order for number, order in orders.items() if order != own.get(number)}
        return ResolvedOrders(
            others, tuple(number for number in orders if clocks[number].date_order_source != "assumed")
        )

    def _step(self, more_bytes: int) -> None:
        self._read_bytes += more_bytes
        where = "" if self._cluster is None else self._cluster.label
        self._watch.step("reading", 0.7 * min(1.0, self._read_bytes / self._all_bytes), where)

    def _to_read(self, file: File) -> FileToRead:
        without = file.duplicate_ranges.ranges
        return FileToRead(file.file_id, file.source, file.declared, without, keeps_verdicts=self._keeps_verdicts)


def without(frame: pl.DataFrame, file_ids: Collection[int]) -> pl.DataFrame:
    """The rows of a frame but those of some files."""
    return frame.filter(~pl.col("file_id").is_in(sorted(file_ids))) if file_ids else frame


def _here(
    files: Sequence[FileToRead], stage: Stage, _batches: list["RemoteBatch"], step: Callable[[int], None]
) -> dict[int, FileFacts]:
    return read_files(files, stage, step)


def _on_workers(cluster: "Cluster", shared: Folder | None) -> Callable[..., dict[int, FileFacts]]:
    from pipeline.reading.distributed_reading import Reader

    return Reader(cluster, shared).read
