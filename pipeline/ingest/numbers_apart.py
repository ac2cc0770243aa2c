"""Workers number what the lines of a table say, where all these lines lie in the folder that they share.

Hashes deal out what is said to shares. For each share a worker finds the different rows, and which line says each
first. For each span of files a worker then puts the first lines of all shares in order, which gives the numbers. Last,
for each share, rows are written as parts of the store, and the number of each row of each batch is left in the folder.
So nothing passes the machine that gives the command, and more data are more tasks, up to the number of buckets.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import attrgetter
from typing import Any, TypeVar

import polars as pl

from parsers.format import Table, tables
from parsers.star import NUMBER, number_column
from pipeline.cluster import Cluster
from pipeline.discovery.written_files import Folder
from pipeline.errors import StoreError
from pipeline.failure import Failure
from pipeline.ingest.part_writing import Parts, Written, write_said
from pipeline.ingest.parts_apart import MOST_ROWS, WAITING_BYTES
from pipeline.ingest.staged_rows import StagedRows, without
from pipeline.reading import staging
from pipeline.reading.dimensions import USE
from pipeline.reading.shared_rows import BUCKETS, Apart, Piece, hold, leave, numbers_of, read
from pipeline.reading.staging import Dimensions, Stage
from pipeline.scratch import scratch_folder
from pipeline.store.lines import Lines

ROW_BYTES = 100
"""Of what a line says, about: for the time that numbering may take."""

SHARE_ROWS = 200_000
"""Of what batches say: a share has half of this at least, unless it is the only one."""

LISTED = {
    "dimension": pl.String(),
    "rows": pl.String(),
    "uses": pl.String(),
    "row_starts": pl.List(pl.UInt32()),
    "use_starts": pl.List(pl.UInt32()),
    "passed": pl.List(pl.Int32()),
}
"""Columns of the list of what batches say, which lies in the folder: `passed`, the files of which no row counts."""

Job = TypeVar("Job", bound="ShareJob | SpanJob | WriteJob")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class ShareJob:
    """A share of what a table says. `staged`: the folder with the rows, and with `listed`, the list of the batches.

    `buckets`: from the first to before the last. `span_starts`: the files with which all spans but the first begin.
    """

    staged: Folder
    table: str
    listed: str
    buckets: tuple[int, int]
    span_starts: Sequence[int]
    budget_bytes: int


@dataclass(frozen=True, slots=True)
class Different:
    """The different rows of a share, numbered from 1 in the order of the lines that say them first.

    `numbers`: the file with the number of each row of each batch. `firsts`: that with the first lines; `counts`: how
    many of them are in each span.
    """

    numbers: str
    firsts: str
    counts: Sequence[int]


@dataclass(frozen=True, slots=True)
class SpanJob:
    """The first lines in some files, share by share, and how many there are in the files before; both by dimension."""

    staged: Folder
    firsts: Mapping[str, Sequence[Piece]]
    before: Mapping[str, int]
    budget_bytes: int


@dataclass(frozen=True, slots=True)
class WriteJob:
    """A share whose rows are numbered. `folder`: that of the store's parts.

    By dimension: `own`, the numbers within the share of each row of each batch; `final`, where the final ones of these
    lie, one after the other.
    """

    share: ShareJob
    folder: Folder
    own: Mapping[str, str]
    final: Mapping[str, Sequence[Piece]]

    @property
    def budget_bytes(self) -> int:
        """What its budget goes by."""
        return self.share.budget_bytes


@dataclass(frozen=True, slots=True)
class Numbered:
    """The parts that hold the rows of a share; by dimension, the file with the number of each row of each batch."""

    written: Sequence[Written]
    files: Mapping[str, str]


def number_apart(lines: Lines, rows: StagedRows, kept: Collection[str], cluster: Cluster) -> frozenset[str]:
    """Let workers number what lines say in the tables of which they alone have rows; gives the names of these.

    `kept`: tables with rows that are copied. Raises StoreError where a worker cannot.
    """
    if not isinstance(lines, Parts):
        return frozenset()
    found = sorted(rows.apart(), key=lambda pair: pair[0].file_ids)  # parts follow the files
    numbered = set()
    for name, table in tables().items():
        own = [(batch, passed) for batch, passed in found if batch.said(name)]
        if own and name not in kept and rows.is_apart(table):
            _number(table, lines, own, cluster)
            numbered.add(name)
    return frozenset(numbered)


def _number(table: Table, lines: Parts, found: Sequence[tuple[Apart, frozenset[int]]], cluster: Cluster) -> None:
    """Let workers number what a table says in some batches."""
    jobs = _shares(table, found)
    shares = _asked(lines, cluster, different_rows, jobs)
    spans = range(len(jobs[0].span_starts) + 1)
    files = _asked(lines, cluster, final_numbers, [_span(table, jobs[0].staged, shares, span) for span in spans])
    writing = []
    for place, (job, share) in enumerate(zip(jobs, shares, strict=True)):
        final = {
            dimension: [
                Piece(files[span][dimension], sum(each[dimension].counts[span] for each in shares[:place]), count)
                for span, count in enumerate(own.counts)
            ]
            for dimension, own in share.items()
        }
        writing.append(WriteJob(job, lines.folder, {name: each.numbers for name, each in share.items()}, final))
    written = _asked(lines, cluster, write_share, writing)
    for each in (each for one in written for each in one.written):
        lines.take(each)
    for dimension in table.dimensions:
        _take_numbers(table, dimension, [batch for batch, _ in found], jobs, written)


def _take_numbers(
    table: Table, dimension: str, batches: Iterable[Apart], jobs: Sequence[ShareJob], written: Sequence[Numbered]
) -> None:
    """Let batches know where the numbers of their rows lie."""
    firsts = [0] * len(jobs)
    for batch in batches:
        said = batch.said(table.name).get(dimension)
        if said is None:
            continue
        pieces = []
        for place, (job, share) in enumerate(zip(jobs, written, strict=True)):
            low, high = (said.row_starts[each] for each in job.buckets)
            pieces.append(Piece(share.files[dimension], firsts[place], high - low))
            firsts[place] += high - low
        batch.numbers[table.name, dimension] = pieces


def _shares(table: Table, found: Sequence[tuple[Apart, frozenset[int]]]) -> list[ShareJob]:
    """What a table says, in shares of buckets, and in as many spans of files."""
    said = [
        (dimension, each, sorted(passed))
        for batch, passed in found
        for dimension, each in batch.said(table.name).items()
    ]
    listed = [
        (dimension, each.rows, each.uses, each.row_starts, each.use_starts, passed) for dimension, each, passed in said
    ]
    staged, rows = found[0][0].folder, sum(each.count for _, each, _ in said)
    count = min(BUCKETS, 1 << max(0, rows // SHARE_ROWS).bit_length())
    files = sorted(file_id for batch, _ in found for file_id in batch.file_ids)
    starts = sorted({files[len(files) * each // count] for each in range(1, count)})
    name = leave(staged, pl.DataFrame(listed, schema=LISTED, orient="row"))
    edges = [BUCKETS * each // count for each in range(count + 1)]
    budget = WAITING_BYTES + ROW_BYTES * rows // count
    return [ShareJob(staged, table.name, name, pair, starts, budget) for pair in pairwise(edges)]


def _span(table: Table, staged: Folder, shares: Sequence[Mapping[str, Different]], span: int) -> SpanJob:
    pieces = {
        name: [Piece(own.firsts, sum(own.counts[:span]), own.counts[span]) for own in (each[name] for each in shares)]
        for name in table.dimensions
    }
    before = {name: sum(sum(each[name].counts[:span]) for each in shares) for name in table.dimensions}
    rows = sum(each.count for own in pieces.values() for each in own)
    return SpanJob(staged, pieces, before, WAITING_BYTES + ROW_BYTES * rows)


_SIZE: Callable[["ShareJob | SpanJob | WriteJob"], int] = attrgetter("budget_bytes")


def _asked(lines: Parts, cluster: Cluster, function: Callable[[Job], Result], jobs: Sequence[Job]) -> list[Result]:
    """What workers answer to some jobs."""
    found = []
    for each in cluster.fan(function, jobs, _SIZE):
        if isinstance(each, Failure):
            raise StoreError(f"{lines.folder}: a worker cannot number what lines say: {each.reason}")
        found.append(each)
    return found


def different_rows(job: ShareJob) -> dict[str, Different]:
    """Find the different rows of a share, on a worker; by dimension."""
    table = tables()[job.table]
    firsts: dict[str, list[pl.DataFrame]] = {dimension: [] for dimension in table.dimensions}
    with scratch_folder() as scratch:
        folder = scratch / "said"
        folder.mkdir()
        stage = Stage(scratch, staging.STAGE_BYTES // 4, Dimensions(folder, staging.STAGE_BYTES // 2))
        for each in _listed(job):
            hold(stage, table.name, each["dimension"], _rows(job, each), _first_uses(job, each))

        def kept_uses() -> Iterator[pl.DataFrame]:
            for frame in stage.take_uses(table):
                for dimension, frames in firsts.items():
                    if number_column(dimension) in frame.columns:
                        frames.append(frame)
                yield frame

        stage.dimensions.number(table, kept_uses())
        return {
            dimension: _different(job, stage.dimensions.final(table, dimension), dimension, firsts[dimension])
            for dimension in table.dimensions
        }


def _listed(job: ShareJob) -> Iterator[dict[str, Any]]:
    """What each batch says of each dimension, in the columns of `LISTED`."""
    return read(job.staged, job.listed).iter_rows(named=True)


def _rows(job: ShareJob, listed: Mapping[str, Any]) -> pl.DataFrame:
    """The rows of a share."""
    first, last = (listed["row_starts"][each] for each in job.buckets)
    return Piece(listed["rows"], first, last - first).read(job.staged)


def _first_uses(job: ShareJob, listed: Mapping[str, Any]) -> pl.DataFrame:
    """The lines that use a row of a share first, with its number from 0."""
    first, last = (listed["use_starts"][each] for each in job.buckets)
    uses = Piece(listed["uses"], first, last - first).read(job.staged)
    of_share = pl.col(number_column(listed["dimension"])) - listed["row_starts"][job.buckets[0]]
    return without(uses, listed["passed"]).with_columns(of_share)


def _different(job: ShareJob, numbers: pl.Series, dimension: str, frames: Sequence[pl.DataFrame]) -> Different:
    """Leave the numbers of a share, and the first lines in the order of these."""
    lines = pl.concat(frames)
    lines = lines.select(*USE, numbers.gather(lines[number_column(dimension)]).alias("number"))
    firsts = lines.sort(USE).unique("number", keep="first", maintain_order=True).select(USE)
    ends = firsts["file_id"].search_sorted(pl.Series(job.span_starts, dtype=pl.Int32)).to_list()
    edges = [0, *ends, firsts.height]
    counts = [after - before for before, after in pairwise(edges)]
    return Different(leave(job.staged, numbers.to_frame()), leave(job.staged, firsts), counts)


def final_numbers(job: SpanJob) -> dict[str, str]:
    """Number the first lines in some files, on a worker; gives the files with the numbers, share by share."""
    files = {}
    for dimension, pieces in job.firsts.items():
        lines = pl.concat(each.read(job.staged) for each in pieces)
        order = lines.select(pl.arg_sort_by(USE)).to_series()
        places = pl.int_range(lines.height, dtype=NUMBER, eager=True)
        numbers = places.scatter(order, places + (job.before[dimension] + 1))
        files[dimension] = leave(job.staged, numbers.alias("number").to_frame())
    return files


def write_share(job: WriteJob) -> Numbered:
    """Write the rows of a share as parts, and leave the number of each row of each batch, on a worker."""
    share, table = job.share, tables()[job.share.table]
    files, written = {}, list[Written]()
    for dimension in table.dimensions:
        own = read(share.staged, job.own[dimension]).to_series()
        final = numbers_of(share.staged, job.final[dimension])
        numbers = final.gather(own - 1)
        files[dimension] = leave(share.staged, numbers.alias("number").to_frame())
        is_written = own.is_first_distinct() & own.is_not_null()
        for frame in _in_parts(_numbered(job, dimension, numbers, is_written)):
            written.append(write_said(job.folder, table, dimension, frame, share.staged))
    return Numbered(written, files)


def _numbered(job: WriteJob, dimension: str, numbers: pl.Series, is_written: pl.Series) -> Iterator[pl.DataFrame]:
    """The rows of a share that are written, with their numbers, batch by batch."""
    first = 0
    for each in _listed(job.share):
        if each["dimension"] == dimension:
            rows = _rows(job.share, each)
            own, is_own = (column.slice(first, rows.height) for column in (numbers, is_written))
            first += rows.height
            yield rows.with_columns(own.alias(number_column(dimension))).filter(is_own)


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
