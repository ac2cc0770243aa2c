"""Rows of batches in a folder or at an address that all workers of a cluster see, until times and numbers are known.

A worker that read a batch leaves its rows here as files, and an account that names them (`StagedBatch`). Files of each
attempt have names of their own, so that a batch that is read twice is taken once, whole. The account has the name of
the batch: who finds it in a later ingest need not read the batch again.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from io import BytesIO
from uuid import uuid4

import polars as pl

from parsers.star import Rows, Star, number_column, numbered
from pipeline.discovery import written_files
from pipeline.discovery.written_files import Folder
from pipeline.errors import StoreError
from pipeline.reading.dimensions import uses
from pipeline.reading.file_facts import FileFacts
from pipeline.reading.frames import Frames, in_memory
from pipeline.reading.staging import Stage, uses_name
from pipeline.values import as_data, from_data

ATTEMPT_DIGITS = 12

LEFT_GROUP = 65_536
"""Rows that are read to find some of them."""

COMPRESSION_LEVEL = 1
"""Of zstd. These files are read once, soon."""


@dataclass(frozen=True, slots=True)
class RowsPlace:
    """Where the rows of a batch are left. `name`: of the batch, the same for the same files and program."""

    folder: Folder
    name: str


@dataclass(frozen=True, slots=True)
class DimensionRows:
    """What the lines of a table say, of one dimension: files with its different rows and with their first uses."""

    rows: str
    uses: str
    count: int


@dataclass(frozen=True, slots=True)
class StagedTable:
    """Rows of a table: the file with its lines, and what these say by dimension."""

    name: str
    lines: str
    rows: int
    dimensions: Mapping[str, DimensionRows] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class StagedBatch:
    """What came of a batch. `frames`: further rows as (name, file); `sizes`: the bytes of all its files."""

    facts: Mapping[int, FileFacts]
    tables: Sequence[StagedTable]
    frames: Sequence[tuple[str, str]]
    sizes: Mapping[str, int]


class RowFiles:
    """Takes the rows of a batch and leaves them as files in a place."""

    def __init__(self, place: RowsPlace) -> None:
        self._place = place
        self._attempt = uuid4().hex[:ATTEMPT_DIGITS]
        self._rows: dict[str, list[Rows]] = defaultdict(list)
        self._frames: dict[str, list[pl.DataFrame]] = defaultdict(list)
        self._sizes: dict[str, int] = {}

    def add_rows(self, name: str, rows: Rows) -> None:
        """Take rows of a table."""
        self._rows[name].append(rows)

    def add(self, name: str, frame: pl.DataFrame) -> None:
        """Take a frame as it is."""
        self._frames[name].append(frame)

    def waiting(self) -> Frames:
        """A place where rows of one file wait: a worker has memory for a batch."""
        return in_memory()

    def write(self, facts: Mapping[int, FileFacts], *, is_whole: bool) -> StagedBatch:
        """Write all that was taken. `is_whole`: a later ingest may take it for the batch. Raises OSError."""
        tables = [self._table(name, self._rows.pop(name)) for name in sorted(self._rows)]
        frames = [(name, self._file(pl.concat(self._frames.pop(name)))) for name in sorted(self._frames)]
        batch = StagedBatch(facts, tables, frames, self._sizes)
        if is_whole:
            self._put(f"{self._place.name}.json", as_data(batch))
        return batch

    def _table(self, name: str, rows: Sequence[Rows]) -> StagedTable:
        stars = [each for each in rows if isinstance(each, Star)]
        flat = [each for each in rows if isinstance(each, pl.DataFrame)]
        if not stars:
            lines = pl.concat(flat)
            return StagedTable(name, self._file(lines), lines.height)
        lines, different = _joined(stars)
        dimensions = {}
        for dimension, own in different.items():
            column = number_column(dimension)
            first_uses = uses(lines, column, "file_id").rename({"number": column})
            dimensions[dimension] = DimensionRows(self._file(own), self._file(first_uses), own.height)
        return StagedTable(name, self._file(lines), lines.height, dimensions)

    def _file(self, frame: pl.DataFrame) -> str:
        name = f"{self._place.name}-{self._attempt}-{len(self._sizes)}.parquet"
        file = _as_file(frame, None)
        self._sizes[name] = self._put(name, file.getbuffer())
        return name

    def _put(self, name: str, content: bytes | memoryview) -> int:
        size, _ = written_files.put(self._place.folder, name, content, begun=self._place.folder)
        return size


def _joined(stars: Sequence[Star]) -> tuple[pl.DataFrame, dict[str, pl.DataFrame]]:
    """The lines of some stars, and by dimension the different rows that they say, each once."""
    lines = pl.concat(each.lines for each in stars)
    different = {}
    for dimension in stars[0].dimensions:
        own, column = [each.dimensions[dimension] for each in stars], number_column(dimension)
        firsts = [sum(each.height for each in own[:number]) for number in range(len(own))]
        different[dimension], numbers = numbered(pl.concat(own))
        held = pl.concat(each.lines[column] + first for each, first in zip(stars, firsts, strict=True))
        lines = lines.with_columns(numbers.gather(held).alias(column))
    return lines, different


def _as_file(frame: pl.DataFrame, group: int | None) -> BytesIO:
    file = BytesIO()
    frame.write_parquet(
        file, compression="zstd", compression_level=COMPRESSION_LEVEL, statistics=False, row_group_size=group
    )
    return file


def read(folder: Folder, file: str) -> pl.DataFrame:
    """The rows of one file. Raises StoreError where it is not there, or not whole."""
    with _reading(folder):
        return pl.read_parquet(written_files.readable(folder / file), memory_map=False)


@contextmanager
def _reading(folder: Folder) -> Iterator[None]:
    try:
        yield
    except (OSError, pl.exceptions.ComputeError) as error:
        raise StoreError(f"{folder}: cannot be read: {getattr(error, 'strerror', None) or error}") from error


def accounts(folder: Folder) -> dict[str, int]:
    """The batches of which there is an account in a folder, with the time when it was written."""
    with _reading(folder):
        found = written_files.files(folder)
    return {name.removesuffix(".json"): at for name, (_, at) in found.items() if name.endswith(".json")}


def account(place: RowsPlace) -> StagedBatch | None:
    """What an earlier ingest left of a batch; None where it is not whole."""
    try:
        batch: StagedBatch = from_data(written_files.content(place.folder / f"{place.name}.json"))
        is_there = all(written_files.state(place.folder / name)[0] == size for name, size in batch.sizes.items())
    except (OSError, ValueError, AttributeError):  # cut, or by another program
        return None
    return batch if is_there else None


@dataclass(frozen=True, slots=True)
class Piece:
    """Some rows of a file in the folder."""

    file: str
    first: int
    count: int

    def read(self, folder: Folder) -> pl.DataFrame:
        """The rows. Raises StoreError as `read` does."""
        with _reading(folder):
            return pl.scan_parquet(written_files.readable(folder / self.file)).slice(self.first, self.count).collect()


def write_rows(folder: Folder, frame: pl.DataFrame) -> str:
    """Leave rows in a folder, for tasks that read some of them; give the name of the file. Raises StoreError."""
    name, file = f"{uuid4().hex}.parquet", _as_file(frame, LEFT_GROUP)
    try:
        written_files.put(folder, name, file.getbuffer(), begun=folder)
    except OSError as error:
        raise StoreError(f"{folder}: cannot be written: {error.strerror or error}") from error
    return name


@dataclass(frozen=True, slots=True)
class RemoteBatch:
    """A batch whose rows lie in a folder. `size`: the bytes of its lines.

    By table and dimension, once they are known: `firsts`, the provisional numbers of its first rows in the stage that
    holds what it says; `numbers`, where the numbers of its rows lie that workers gave.
    """

    folder: Folder
    file_ids: tuple[int, ...]
    tables: Sequence[StagedTable]
    size: int
    firsts: dict[tuple[str, str], int] = field(default_factory=dict)
    numbers: dict[tuple[str, str], Piece] = field(default_factory=dict)

    def dimensions(self, table: str) -> Mapping[str, DimensionRows]:
        """What the lines of a table say, by dimension."""
        return next((each.dimensions for each in self.tables if each.name == table), {})


def register_batch(stage: Stage, folder: Folder, batch: StagedBatch) -> RemoteBatch:
    """Let a stage know a batch: it holds its further rows, but no lines."""
    for name, file in batch.frames:
        stage.add(name, read(folder, file))
    size = sum(batch.sizes[each.lines] for each in batch.tables)
    return RemoteBatch(folder, tuple(batch.facts), batch.tables, size)


def add_dimensions(stage: Stage, batch: RemoteBatch, table: str) -> None:
    """Let a stage hold what the lines of a table say in a batch, and where each file says it first."""
    for dimension, files in batch.dimensions(table).items():
        rows, first_uses = read(batch.folder, files.rows), read(batch.folder, files.uses)
        batch.firsts[table, dimension] = add_dimension(stage, table, dimension, rows, first_uses)


def add_dimension(stage: Stage, table: str, dimension: str, rows: pl.DataFrame, first_uses: pl.DataFrame) -> int:
    """Let a stage hold rows of a dimension, and lines that use one first; gives the provisional number of the first."""
    first = stage.dimensions.add_rows(table, dimension, rows)
    stage.add(uses_name(table, dimension), first_uses.with_columns(pl.col(number_column(dimension)) + first))
    return first
