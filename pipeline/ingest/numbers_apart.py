"""A worker numbers what the lines of a table say, where all these lines lie in the folder that workers share.

It reads what each batch says and where each file says it first, leaves the number of each row of each batch in the
folder, and writes the different rows as parts of the store. So neither passes the machine that gives the command.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter

import polars as pl

from parsers.format import tables
from pipeline.cluster import Cluster
from pipeline.discovery.written_files import Folder
from pipeline.errors import StoreError
from pipeline.failure import Failure
from pipeline.ingest.part_writing import Parts, Written, write_said
from pipeline.ingest.parts_apart import WAITING_BYTES
from pipeline.ingest.staged_rows import StagedRows, without
from pipeline.reading import staging
from pipeline.reading.shared_rows import Apart, Numbers, add_said, write_numbers
from pipeline.reading.staging import Dimensions, Stage
from pipeline.scratch import scratch_folder
from pipeline.store.lines import Lines

ROW_BYTES = 100
"""Of what a line says, about: for the time that numbering may take."""


@dataclass(frozen=True, slots=True)
class NumbersJob:
    """A table, and the batches that have lines of it. `folder`: that of the store's parts.

    `passed`: by batch, the files of which no row counts.
    """

    folder: Folder
    table: str
    batches: Sequence[Apart]
    passed: Sequence[frozenset[int]]

    @property
    def budget_bytes(self) -> int:
        """What its budget goes by."""
        rows = sum(said.count for each in self.batches for said in each.said(self.table).values())
        return WAITING_BYTES + ROW_BYTES * rows


@dataclass(frozen=True, slots=True)
class Numbered:
    """The parts that hold what the lines of a table say; by dimension, the file with the numbers of all batches."""

    written: Sequence[Written]
    files: Mapping[str, str]


def number_apart(lines: Lines, rows: StagedRows, kept: Collection[str], cluster: Cluster) -> frozenset[str]:
    """Let workers number what lines say in the tables of which they alone have rows; gives the names of these.

    `kept`: tables with rows that are copied. Raises StoreError where a worker cannot.
    """
    if not isinstance(lines, Parts):
        return frozenset()
    found = sorted(rows.apart(), key=lambda pair: pair[0].file_ids)  # numbers follow the files, and so do parts
    jobs = []
    for name, table in tables().items():
        own = [(batch, passed) for batch, passed in found if batch.said(name)]
        if own and name not in kept and rows.is_apart(table):
            jobs.append(NumbersJob(lines.folder, name, *map(tuple, zip(*own, strict=True))))
    for job, numbered in zip(jobs, cluster.fan(number_said, jobs, _SIZE), strict=True):
        if isinstance(numbered, Failure):
            raise StoreError(f"{lines.folder}: a worker cannot number what lines say: {numbered.reason}")
        for each in numbered.written:
            lines.take(each)
        firsts = dict.fromkeys(numbered.files, 0)
        for batch in job.batches:
            for dimension, said in batch.said(job.table).items():
                first = firsts[dimension]
                batch.numbers[job.table, dimension] = Numbers(numbered.files[dimension], first, said.count)
                firsts[dimension] += said.count
    return frozenset(each.table for each in jobs)


_SIZE: Callable[[NumbersJob], int] = attrgetter("budget_bytes")


def number_said(job: NumbersJob) -> Numbered:
    """Number what the lines of a table say, on a worker."""
    table, staged = tables()[job.table], job.batches[0].folder
    with scratch_folder() as scratch:
        said = scratch / "said"
        said.mkdir()
        stage = Stage(scratch, staging.STAGE_BYTES // 4, Dimensions(said, staging.STAGE_BYTES // 2))

        def first_uses() -> Iterator[pl.DataFrame]:
            for batch, passed in zip(job.batches, job.passed, strict=True):
                add_said(stage, batch, job.table)
                for frame in stage.take_uses(table):
                    yield without(frame, passed)

        stage.dimensions.number(table, first_uses())
        files = {each: write_numbers(staged, stage.dimensions.final(table, each)) for each in table.dimensions}
        written = [
            write_said(job.folder, table, dimension, frame, staged)
            for dimension in table.dimensions
            for frame in stage.dimensions.take(table, dimension)
            if not frame.is_empty()
        ]
        return Numbered(written, files)
