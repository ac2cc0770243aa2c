"""Workers number what the lines of a table say, where all these lines lie in the folder that they share.

One task a table: it finds the different rows and which line says each first, writes the rows as parts of the store, and
leaves the number of each row of each batch in the folder. So nothing passes the machine that gives the command.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter

import polars as pl

from parsers.format import Table, tables
from pipeline.cluster import Cluster
from pipeline.discovery.written_files import Folder
from pipeline.errors import StoreError
from pipeline.failure import Failure
from pipeline.ingest.distributed_parts import MOST_ROWS, WAITING_BYTES
from pipeline.ingest.part_writing import Parts, Written, write_dimension
from pipeline.ingest.staged_rows import StagedRows, without
from pipeline.reading import staging
from pipeline.reading.shared_rows import DimensionRows, Piece, RemoteBatch, add_dimension, read, write_rows
from pipeline.reading.staging import Dimensions, Stage
from pipeline.scratch import scratch_folder
from pipeline.store.lines import Lines

ROW_BYTES = 100
"""Of what a line says, about: for the time that numbering may take."""


@dataclass(frozen=True, slots=True)
class NumberJob:
    """What a table says. `staged`: the folder with the rows of its batches; `folder`: that of the store's parts.

    `dimensions`: by dimension, what each batch says, with the files of which no row counts.
    """

    staged: Folder
    folder: Folder
    table: str
    dimensions: Mapping[str, Sequence[tuple[DimensionRows, frozenset[int]]]]

    @property
    def budget_bytes(self) -> int:
        """What its budget goes by."""
        rows = sum(rows.count for batches in self.dimensions.values() for rows, _ in batches)
        return WAITING_BYTES + ROW_BYTES * rows


@dataclass(frozen=True, slots=True)
class Numbered:
    """The parts that hold the rows of a table; by dimension, the file with the number of each row of each batch."""

    written: Sequence[Written]
    files: Mapping[str, str]


def number_on_workers(lines: Lines, rows: StagedRows, kept: Collection[str], cluster: Cluster) -> frozenset[str]:
    """Let workers number what lines say in the tables of which they alone have rows; gives the names of these.

    `kept`: tables with rows that are copied. Raises StoreError where a worker cannot.
    """
    if not isinstance(lines, Parts):
        return frozenset()
    found = sorted(rows.batches(), key=lambda pair: pair[0].file_ids)  # parts follow the files
    batches = {
        name: own
        for name, table in tables().items()
        if name not in kept
        and rows.is_on_workers(table)
        and (own := [each for each in found if each[0].dimensions(name)])
    }
    jobs = [_job(tables()[name], lines.folder, own) for name, own in batches.items()]
    for job, numbered in zip(jobs, cluster.run_parallel(number_table, jobs, attrgetter("budget_bytes")), strict=True):
        if isinstance(numbered, Failure):
            raise StoreError(f"{lines.folder}: a worker cannot number what lines say: {numbered.reason}")
        for each in numbered.written:
            lines.take(each)
        for dimension, file in numbered.files.items():
            _take_numbers(job.table, dimension, file, (batch for batch, _ in batches[job.table]))
    return frozenset(batches)


def _job(table: Table, folder: Folder, batches: Sequence[tuple[RemoteBatch, frozenset[int]]]) -> NumberJob:
    staged = [(batch.dimensions(table.name), passed) for batch, passed in batches]
    dimensions = {
        dimension: [(own[dimension], passed) for own, passed in staged if dimension in own]
        for dimension in table.dimensions
    }
    return NumberJob(batches[0][0].folder, folder, table.name, dimensions)


def _take_numbers(table: str, dimension: str, file: str, batches: Iterable[RemoteBatch]) -> None:
    """Let batches know where the numbers of their rows lie."""
    first = 0
    for batch in batches:
        if rows := batch.dimensions(table).get(dimension):
            batch.numbers[table, dimension] = Piece(file, first, rows.count)
            first += rows.count


def number_table(job: NumberJob) -> Numbered:
    """Number what a table says, write it as parts, and leave the number of each row of each batch, on a worker."""
    table, files, written = tables()[job.table], {}, list[Written]()
    with scratch_folder() as scratch:
        folder = scratch / "dimensions"
        folder.mkdir()
        stage = Stage(scratch, staging.STAGE_BYTES // 4, Dimensions(folder, staging.STAGE_BYTES // 2))
        for dimension, batches in job.dimensions.items():
            for rows, passed in batches:
                first_uses = without(read(job.staged, rows.uses), passed)
                add_dimension(stage, table.name, dimension, read(job.staged, rows.rows), first_uses)
        stage.dimensions.number(table, stage.take_uses(table))
        for dimension in table.dimensions:
            numbers = stage.dimensions.final(table, dimension).alias("number").to_frame()
            files[dimension] = write_rows(job.staged, numbers)
            for frame in _in_parts(stage.dimensions.take(table, dimension)):
                written.append(write_dimension(job.folder, table, dimension, frame, job.staged))
    return Numbered(written, files)


def _in_parts(frames: Iterable[pl.DataFrame]) -> Iterator[pl.DataFrame]:
    """The same rows, as many together as a part has."""
    waiting: list[pl.DataFrame] = []
    for frame in frames:
        waiting.append(frame)
        if sum(each.height for each in waiting) >= MOST_ROWS:
            yield pl.concat(waiting)
            waiting = []
    if any(each.height for each in waiting):
        yield pl.concat(waiting)
