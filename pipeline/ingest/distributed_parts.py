"""Workers write the rows that they left in the folder which they share as parts of the store: with times and numbers.

One job for each batch. A job that is run twice writes the same parts, whose names are those of their content.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter

import polars as pl

from parsers.format import tables
from parsers.star import number_column
from pipeline.clock import file_clock
from pipeline.clock.file_clock import FileClock
from pipeline.cluster import Cluster
from pipeline.discovery.written_files import Folder
from pipeline.errors import StoreError
from pipeline.failure import Failure
from pipeline.ingest.part_writing import Parts, Written, write_part
from pipeline.ingest.staged_rows import ResolvedOrders, StagedRows, without
from pipeline.memory import MEBIBYTE
from pipeline.reading.shared_rows import Piece, RemoteBatch, StagedTable, read
from pipeline.store.lines import Lines

MOST_ROWS = 491_520
"""Of a part: no more are copied where one file changes."""

WAITING_BYTES = 64 * MEBIBYTE

FileSpan = tuple[int, datetime | None, datetime | None]


@dataclass(frozen=True, slots=True)
class PartsJob:
    """A batch, and what is known of it by now. `staged`: the folder with its rows, `folder`: that of the store's parts.

    `numbers`: by table and dimension, those that parts have for what lines say, or where these lie. `files`: those for
    files, None: the same. `passed`: files of which no row counts.
    """

    staged: Folder
    folder: Folder
    tables: Sequence[StagedTable]
    size: int
    numbers: Mapping[tuple[str, str], pl.Series | Piece]
    clocks: Mapping[int, FileClock]
    orders: ResolvedOrders
    files: Mapping[int, int] | None
    passed: frozenset[int]

    @property
    def budget_bytes(self) -> int:
        """What its budget goes by: a folder on another machine may keep a worker waiting for minutes."""
        return WAITING_BYTES + self.size


@dataclass(frozen=True, slots=True)
class PartsOfBatch:
    """The parts of a batch, and which times their rows span by file."""

    written: Sequence[Written]
    spans: Sequence[FileSpan]


def write_parts_on_workers(
    lines: Lines, rows: StagedRows, clocks: Mapping[int, FileClock], cluster: Cluster
) -> Iterator[tuple[float, Sequence[FileSpan]]]:
    """Let workers write the rows that lie in the shared folder; gives the share that is done, and times of files.

    All dimensions are numbered by now. Raises StoreError where a worker cannot write.
    """
    if not isinstance(lines, Parts):
        return
    orders = rows.resolved_orders(clocks)
    batches = list(rows.batches())
    jobs = (_job(lines, rows, batch, passed, clocks, orders) for batch, passed in batches)
    for number, found in enumerate(cluster.run_parallel(write_parts, jobs, attrgetter("budget_bytes")), 1):
        if isinstance(found, Failure):
            raise StoreError(f"{lines.folder}: a worker cannot write parts there: {found.reason}")
        for each in found.written:
            lines.take(each)
        yield number / len(batches), found.spans


def _job(  # noqa: PLR0913, PLR0917  a batch, and what all files together show
    lines: Parts,
    rows: StagedRows,
    batch: RemoteBatch,
    passed: frozenset[int],
    clocks: Mapping[int, FileClock],
    orders: ResolvedOrders,
) -> PartsJob:
    known = tables()
    numbers: dict[tuple[str, str], pl.Series | Piece] = {}
    for table in batch.tables:
        for dimension, files in table.dimensions.items():
            if found := batch.numbers.get((table.name, dimension)):
                numbers[table.name, dimension] = found
                continue
            final = rows.dimensions.final(known[table.name], dimension)
            own = final.slice(batch.firsts[table.name, dimension], files.count)
            numbers[table.name, dimension] = lines.stored_numbers(known[table.name], dimension, own)
    with_rows = [each for each in batch.file_ids if each not in passed]
    return PartsJob(
        batch.folder,
        lines.folder,
        batch.tables,
        batch.size,
        numbers,
        {each: clocks[each] for each in with_rows if each in clocks},
        orders.of(with_rows),
        lines.stored_files(with_rows),
        passed,
    )


def write_parts(job: PartsJob) -> PartsOfBatch:
    """Write the rows of a batch, on a worker."""
    staged = {each.name: each for each in job.tables}
    numbers = {
        key: each.read(job.staged).to_series() if isinstance(each, Piece) else each for key, each in job.numbers.items()
    }
    written: list[Written] = []
    spans: list[FileSpan] = []

    def take(name: str) -> Iterator[pl.DataFrame]:
        if name in staged:
            yield without(read(job.staged, staged[name].lines), job.passed)

    for name, table in tables().items():
        if name not in staged:
            continue
        for frame in job.orders.rows(name, take):
            if frame.is_empty():
                continue
            resolved = frame.with_columns(
                numbers[name, dimension].gather(frame[number_column(dimension)]).alias(number_column(dimension))
                for dimension in table.dimensions
            )
            if table.is_dated:
                resolved = file_clock.apply(resolved, job.clocks)
                spans += file_clock.spans(resolved)
            written += [
                write_part(job.folder, table, each, job.files, begun=job.staged)
                for each in resolved.iter_slices(MOST_ROWS)
            ]
    return PartsOfBatch(written, spans)
