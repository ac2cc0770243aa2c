"""The rows of files that were read, until all files together show the time of each: where they are found, and taken."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from parsers.format import tables
from pipeline.clock.file_clock import FileClock
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


class StagedRows:
    """Rows of whole files; and, apart from them, of files of which some lines are counted elsewhere.

    `keeps_verdicts`: `take("line_verdict")` gives what became of each line.
    """

    def __init__(
        self,
        files: Sequence[File],
        folder: Path,
        watch: Watch,
        cluster: "Cluster | None" = None,
        *,
        keeps_verdicts: bool = False,
    ) -> None:
        parts, said = folder / "parts", folder / "said"
        parts.mkdir()
        said.mkdir()
        self._files = files
        self._keeps_verdicts = keeps_verdicts
        self._watch = watch
        self._cluster = cluster
        self._read_files = read_files if cluster is None else _apart(cluster)
        self.dimensions = Dimensions(said, staging.STAGE_BYTES // 2)
        self._whole = Stage(folder, staging.STAGE_BYTES // 2, self.dimensions)
        self._parts = Stage(parts, staging.STAGE_BYTES // 4, self.dimensions)
        self._read_in_part: set[int] = set()
        self._read_bytes = 0
        self._all_bytes = 1 + sum(each.source.bytes for each in files if each.old is None)

    def read(self, files: Sequence[File]) -> None:
        """Read files: fills in their facts."""
        if files:
            self._watch.step("recognising", 0.0)
        found = self._read_files([self._to_read(each) for each in files], self._whole, self._step)
        for file in files:
            file.facts = found[file.file_id]

    def read_parts(self, files: Sequence[File]) -> None:
        """Read files without the lines that are counted elsewhere: fills in what the others show."""
        found = self._read_files([self._to_read(each) for each in files], self._parts, self._step)
        for file in files:
            counted = found[file.file_id]
            self._read_in_part.add(file.file_id)
            if counted.status == "parsed":
                file.duplicate_ranges = file.duplicate_ranges.with_counted(counted)
            else:
                file.facts, file.duplicate_ranges = counted, DuplicateRanges()

    def read_again(self, files: Sequence[File]) -> None:
        """Read files whose rows are not in the old store as they have to be."""
        left = [each for each in files if each.file_id not in self._read_in_part]
        self.read([each for each in left if not each.duplicate_ranges.ranges])
        in_part = [each for each in left if each.duplicate_ranges.ranges]
        self.read_parts([each for each in in_part if not is_whole(each.duplicate_ranges.ranges, each.facts.lines)])

    def names(self) -> list[str]:
        """The tables that have rows."""
        known = tables()
        return [name for name in sorted({*self._whole.names(), *self._parts.names()}) if name in known]

    def take(self, name: str) -> Iterator[pl.DataFrame]:
        """The rows of a table that count: no line twice, and none of a file that turned out to be of no format."""
        yield from self._counted(self._whole.take(name), self._parts.take(name))

    def look(self, name: str) -> Iterator[pl.DataFrame]:
        """The same rows, that stay where they are."""
        return self._counted(self._whole.look(name), self._parts.look(name))

    def _counted(self, whole: Iterable[pl.DataFrame], parts: Iterable[pl.DataFrame]) -> Iterator[pl.DataFrame]:
        unread = {each.file_id for each in self._files if each.facts.status != "parsed"}
        in_part = {each.file_id for each in self._files if each.duplicate_ranges.ranges}
        for frames, passed in ((whole, unread | in_part), (parts, unread)):
            for frame in frames:
                yield frame.filter(~pl.col("file_id").is_in(sorted(passed))) if passed else frame

    def take_in_order(self, name: str, clocks: Mapping[int, FileClock]) -> Iterator[pl.DataFrame]:
        """The same, dates read in the order that was resolved for their file."""
        orders = {number: each.date_order for number, each in clocks.items() if each.date_order is not None}
        if not orders or not is_of_marks(name):
            yield from self.take(name)
            return
        texts = {each.file_id: each.counted.dates for each in self._files}
        own = {number: PrintedDates.from_json(text).order.name for number, text in texts.items() if text is not None}
        others = {number: order for number, order in orders.items() if order != own.get(number)}
        sure = [number for number in orders if clocks[number].date_order_source != "assumed"]
        for frame in self.take(name):
            yield without_doubt(frame.filter(~pl.col("file_id").is_in(list(others))), sure)
        for order in sorted(set(others.values())):
            of_order = [number for number in others if others[number] == order]
            for frame in self.take(in_order_name(name, order)):
                yield frame.filter(pl.col("file_id").is_in(of_order))

    def _step(self, more_bytes: int) -> None:
        self._read_bytes += more_bytes
        where = "" if self._cluster is None else self._cluster.label
        self._watch.step("reading", 0.7 * min(1.0, self._read_bytes / self._all_bytes), where)

    def _to_read(self, file: File) -> FileToRead:
        without = file.duplicate_ranges.ranges
        return FileToRead(file.file_id, file.source, file.declared, without, keeps_verdicts=self._keeps_verdicts)


def _apart(cluster: "Cluster") -> Callable[..., dict[int, FileFacts]]:
    from pipeline.reading.apart import read_files_apart

    return partial(read_files_apart, cluster=cluster)
