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
from pipeline.ingest.part_writing import Parts, Written, write_said
from pipeline.ingest.parts_apart import MOST_ROWS, WAITING_BYTES
from pipeline.ingest.staged_rows import StagedRows, without
from pipeline.reading import staging
from pipeline.reading.shared_rows import Apart, Piece, Said, hold, leave, read
from pipeline.reading.staging import Dimensions, Stage
from pipeline.scratch import scratch_folder
from pipeline.store.lines import Lines

ROW_BYTES = 100
"""Of what a line says, about: for the time that numbering may take."""


@dataclass(frozen=True, slots=True)
class NumberJob:
    """What a table says. `staged`: the folder with the rows of its batches; `folder`: that of the store's parts.

    `said`: by dimension, what each batch says, with the files of which no row counts.
    """

    staged: Folder
    folder: Folder
    table: str
    said: Mapping[str, Sequence[tuple[Said, frozenset[int]]]]

    @property
    def budget_bytes(self) -> int:
        """What its budget goes by."""
        rows = sum(said.count for batches in self.said.values() for said, _ in batches)
        return WAITING_BYTES + ROW_BYTES * rows


@dataclass(frozen=True, slots=True)
class Numbered:
    """The parts that hold the rows of a table; by dimension, the file with the number of each row of each batch."""

    written: Sequence[Written]
    files: Mapping[str, str]


def number_apart(lines: Lines, rows: StagedRows, kept: Collection[str], cluster: Cluster) -> frozenset[str]:
    """Let workers number what lines say in the tables of which they alone have rows; gives the names of these.

    `kept`: tables with rows that are copied. Raises StoreError where a worker cannot.
    """
    if not isinstance(lines, Parts):
        return frozenset()
    found = sorted(rows.apart(), key=lambda pair: pair[0].file_ids)  # parts follow the files
    batches = {
        name: own
        for name, table in tables().items()
        if name not in kept and rows.is_apart(table) and (own := [each for each in found if each[0].said(name)])
    }
    jobs = [_job(tables()[name], lines.folder, own) for name, own in batches.items()]
    for job, numbered in zip(jobs, cluster.fan(number_table, jobs, attrgetter("budget_bytes")), strict=True):
        if isinstance(numbered, Failure):
            raise StoreError(f"{lines.folder}: a worker cannot number what lines say: {numbered.reason}")
        for each in numbered.written:
            lines.take(each)
        for dimension, file in numbered.files.items():
            _take_numbers(job.table, dimension, file, (batch for batch, _ in batches[job.table]))
    return frozenset(batches)


def _job(table: Table, folder: Folder, found: Sequence[tuple[Apart, frozenset[int]]]) -> NumberJob:
    said = {
        dimension: [(own[dimension], passed) for batch, passed in found if dimension in (own := batch.said(table.name))]
        for dimension in table.dimensions
    }
    return NumberJob(found[0][0].folder, folder, table.name, said)


def _take_numbers(table: str, dimension: str, file: str, batches: Iterable[Apart]) -> None:
    """Let batches know where the numbers of their rows lie."""
    first = 0
    for batch in batches:
        if said := batch.said(table).get(dimension):
            batch.numbers[table, dimension] = Piece(file, first, said.count)
            first += said.count


def number_table(job: NumberJob) -> Numbered:
    """Number what a table says, write it as parts, and leave the number of each row of each batch, on a worker."""
    table, files, written = tables()[job.table], {}, list[Written]()
    with scratch_folder() as scratch:
        folder = scratch / "said"
        folder.mkdir()
        stage = Stage(scratch, staging.STAGE_BYTES // 4, Dimensions(folder, staging.STAGE_BYTES // 2))
        for dimension, batches in job.said.items():
            for said, passed in batches:
                first_uses = without(read(job.staged, said.uses), passed)
                hold(stage, table.name, dimension, read(job.staged, said.rows), first_uses)
        stage.dimensions.number(table, stage.take_uses(table))
        for dimension in table.dimensions:
            numbers = stage.dimensions.final(table, dimension).alias("number").to_frame()
            files[dimension] = leave(job.staged, numbers)
            for frame in _in_parts(stage.dimensions.take(table, dimension)):
                written.append(write_said(job.folder, table, dimension, frame, job.staged))
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
