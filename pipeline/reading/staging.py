"""Parsed rows between parsing and writing: in memory, and beyond a budget on disk.

They have to wait because year and zone of a file are known only once all files were read. What lines say is kept apart
from the lines, and each different thing gets its number at the end.
"""

import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Protocol

import polars as pl

from parsers.format import Table
from parsers.star import NUMBER, Rows, Star, hashes, known, number_column
from pipeline.memory import MEBIBYTE
from pipeline.reading.dimensions import final_numbers, uses

STAGE_BYTES = 48 * MEBIBYTE
"""Parsed rows held in memory; further ones wait on disk beside the store."""

WAITING_BYTES = 8 * MEBIBYTE
"""The same of one file, until all of it was read."""

TEXT_PLACE_BYTES = 16

ROW_GROUP = 122_880
"""Of DuckDB, which would compress groups that are not whole a second time. Rows are given in multiples of it."""

GIVEN_GROUPS = (1, 4)
GIVEN_BYTES = 32 * MEBIBYTE
"""Given at a time: the more groups the better, but of wide rows one, which takes 200 MiB less than two."""


def condensed(frame: pl.DataFrame) -> pl.DataFrame:
    """The columns of a frame that have a value, the first one in any case, for rows that wait.

    Their texts are apart from those that they were cut from: a few words would keep all lines of a chunk in memory.
    """
    filled = frame.select([each for each in frame if each.null_count() < frame.height] or frame.columns[:1])
    return filled.with_columns(pl.col(pl.String).str.pad_end(0))  # copies each text


def held_bytes(frame: pl.DataFrame) -> int:
    """The memory that a frame takes: Polars does not count what holds the place of each text."""
    texts = sum(each.dtype == pl.String for each in frame)
    return int(frame.estimated_size()) + TEXT_PLACE_BYTES * texts * frame.height


@dataclass(frozen=True, slots=True)
class Spilled:
    """A frame that waits in a file."""

    file: Path
    columns: tuple[str, ...]
    height: int

    def frame(self, *columns: str) -> pl.DataFrame:
        """Read these columns of it; none named: all."""
        return pl.read_ipc(self.file, columns=[*columns] or None)


class Frames:
    """Frames by name, in order; those beyond the budget wait in a folder. Columns without a value are not kept."""

    def __init__(self, folder: Path, budget_bytes: int) -> None:
        self._folder = folder
        self._budget_bytes = budget_bytes
        self._held_bytes = 0
        self._spilled_count = 0
        self._frames: dict[str, list[pl.DataFrame | Spilled]] = defaultdict(list)
        self._schemas: dict[str, pl.Schema] = {}

    def add(self, name: str, frame: pl.DataFrame) -> None:
        """Hold a frame; all frames of one name have the same columns."""
        self._schemas[name] = frame.schema
        filled = condensed(frame)
        size = held_bytes(filled)
        if self._held_bytes + size <= self._budget_bytes:
            self._held_bytes += size
            self._frames[name].append(filled)
            return
        self._spilled_count += 1
        path = self._folder / f"{self._spilled_count}.arrow"
        filled.write_ipc(path)
        self._frames[name].append(Spilled(path, tuple(filled.columns), filled.height))

    def take(self, name: str, row_group: int = ROW_GROUP) -> Iterator[pl.DataFrame]:
        """Give the rows of a name and let go of them: frames of whole groups of rows; the last is of any size."""
        waiting = pl.DataFrame(schema=self._schemas.get(name, pl.Schema()))
        for frame in self._release(name):
            of_group = row_group * (held_bytes(frame) // max(1, frame.height) + 1)
            least, most = GIVEN_GROUPS
            given = row_group * max(least, min(most, GIVEN_BYTES // of_group))
            waiting = pl.concat([waiting, self._whole(name, frame)])
            while waiting.height >= given:
                yield waiting[:given]
                waiting = waiting[given:]
        if waiting.height:
            yield waiting

    def look(self, name: str) -> Iterator[pl.DataFrame]:
        """The frames of a name, that stay where they are."""
        for each in self._frames.get(name, ()):
            yield self._whole(name, each.frame() if isinstance(each, Spilled) else each)

    def columns(self, name: str) -> Iterator[pl.Series]:
        """The columns of a name that have a value, over all its frames; one after the other is in memory."""
        frames = self._frames.get(name, [])
        for column, dtype in self._schemas.get(name, pl.Schema()).items():
            if any(column in each.columns for each in frames):
                parts = [_column(each, column, dtype) for each in frames]
                if any(each.null_count() < len(each) for each in parts):
                    yield pl.concat(parts)

    def in_memory(self, name: str) -> list[pl.DataFrame | None]:
        """The frames of a name with those of their columns that have a value; None for one that waits in a file."""
        return [None if isinstance(each, Spilled) else each for each in self._frames.get(name, ())]

    def _whole(self, name: str, frame: pl.DataFrame) -> pl.DataFrame:
        """A frame with all its columns."""
        schema = self._schemas[name]
        missing = [pl.lit(None, dtype).alias(each) for each, dtype in schema.items() if each not in frame.columns]
        return frame.with_columns(missing).select(schema.names())

    def _release(self, name: str) -> Iterator[pl.DataFrame]:
        held = self._frames.pop(name, [])
        while held:
            next_one = held.pop(0)
            if isinstance(next_one, Spilled):
                yield next_one.frame()
                next_one.file.unlink()
            else:
                yield next_one

    def release(self, name: str) -> Iterator[pl.DataFrame]:
        """The frames of a name, of which it lets go."""
        for frame in self._release(name):
            yield self._whole(name, frame)

    def drop(self) -> None:
        """Let go of all frames."""
        for name in self.names():
            for each in self._frames.pop(name):
                if isinstance(each, Spilled):
                    each.file.unlink()

    def names(self) -> list[str]:
        """The names that have frames."""
        return sorted(self._frames)


def _column(frame: pl.DataFrame | Spilled, name: str, dtype: pl.DataType) -> pl.Series:
    """One column of a frame, of nulls where it has none; of a file nothing else is read."""
    if name not in frame.columns:
        return pl.repeat(None, frame.height, dtype=dtype, eager=True).alias(name)
    return (frame.frame(name) if isinstance(frame, Spilled) else frame).get_column(name)


class Dimensions:
    """What lines say: rows of the dimensions of all tables; in the end, their numbers.

    Lines that say what a row in memory says get the number of that one: a long log says the same in each of its chunks.
    What waits on disk is not looked at, and so is kept as often as it is added.
    """

    def __init__(self, folder: Path, budget_bytes: int) -> None:
        self._frames = Frames(folder, budget_bytes)
        self._hashes: dict[str, list[pl.Series]] = defaultdict(list)
        self._counts: dict[str, int] = defaultdict(int)
        self._numbers: dict[str, pl.Series] = {}

    def add(self, table: str, rows: Star) -> pl.DataFrame:
        """Keep the dimensions of some rows; give their lines with provisional numbers."""
        return rows.lines.with_columns(
            self._added(f"{table} {name}", frame).gather(rows.lines.get_column(column)).alias(column)
            for name, frame in rows.dimensions.items()
            for column in [number_column(name)]
        )

    def add_rows(self, table: str, dimension: str, rows: pl.DataFrame) -> int:
        """Keep rows of one dimension; give the provisional number of the first."""
        return self._kept(f"{table} {dimension}", rows, hashes(rows))

    def _kept(self, key: str, rows: pl.DataFrame, hashed: pl.Series) -> int:
        first = self._counts[key]
        self._counts[key] += rows.height
        self._hashes[key].append(hashed)
        self._frames.add(key, rows)
        return first

    def _added(self, key: str, rows: pl.DataFrame) -> pl.Series:
        """Keep the rows that are not kept yet; give the provisional number of each."""
        hashed = hashes(rows)
        found = self._known(key, rows, hashed)
        is_new = found.is_null()
        new = rows.filter(is_new)
        is_kept = new.height or key not in self._hashes  # the columns are of interest even where no row is
        first = self._kept(key, new, hashed.filter(is_new)) if is_kept else 0
        places = is_new.cum_sum().cast(NUMBER) - 1 + first
        return places.zip_with(is_new, found)

    def _known(self, key: str, rows: pl.DataFrame, hashed: pl.Series) -> pl.Series:
        """The provisional number of an equal row for each of some rows, null where there is none in memory."""
        frames, numbers, held = [], [], []
        first = 0
        for frame, own in zip(self._frames.in_memory(key), self._hashes.get(key, ()), strict=True):
            if frame is not None:
                frames.append(frame)
                held.append(own)
                numbers.append(pl.int_range(first, first + len(own), dtype=NUMBER, eager=True))
            first += len(own)
        if not frames:
            return pl.repeat(None, rows.height, dtype=NUMBER, eager=True)
        columns = (pl.concat(_column(each, name, dtype) for each in frames) for name, dtype in rows.schema.items())
        return pl.concat(numbers).gather(known(rows, hashed, pl.concat(held), columns))

    def number(self, table: Table, lines: Iterable[pl.DataFrame]) -> None:
        """Number what these lines say: all lines of the table that are to be stored, or its first uses."""
        found: dict[str, list[pl.DataFrame]] = {name: [] for name in table.dimensions}
        for frame in lines:
            for name, each in found.items():
                if number_column(name) in frame.columns:
                    each.append(uses(frame, number_column(name)))
        for name, each in found.items():
            key = f"{table.name} {name}"
            content = partial(self._frames.columns, key)
            final, kept = final_numbers(pl.concat(each), pl.concat(self._hashes.pop(key)), content)
            self._numbers[key] = final
            is_kept = pl.repeat(value=False, n=len(final), eager=True).scatter(kept, values=True)
            self._numbers[f"{key} kept"] = final.zip_with(
                is_kept, pl.repeat(None, len(final), dtype=final.dtype, eager=True)
            )

    def numbered(self, table: Table, lines: pl.DataFrame) -> pl.DataFrame:
        """Lines with the final numbers in place of the provisional ones."""
        return lines.with_columns(
            self._numbers[f"{table.name} {name}"]
            .gather(lines.get_column(number_column(name)))
            .alias(number_column(name))
            for name in table.dimensions
        )

    def final(self, table: Table, dimension: str) -> pl.Series:
        """The number of each row that was kept of a dimension, by its provisional number; null for what no line has."""
        return self._numbers[f"{table.name} {dimension}"]

    def take(self, table: Table, dimension: str) -> Iterator[pl.DataFrame]:
        """Give the different rows of a dimension that lines have, with their numbers, and let go of them."""
        key, column = f"{table.name} {dimension}", number_column(dimension)
        numbers, first = self._numbers.pop(f"{key} kept"), 0
        for frame in self._frames.take(key):
            with_numbers = frame.with_columns(numbers.slice(first, frame.height).alias(column))
            first += frame.height
            yield with_numbers.drop_nulls(column)


def in_memory() -> Frames:
    """A place where frames wait that all fit into memory."""
    return Frames(Path(), sys.maxsize)


class Sink(Protocol):
    """Takes the rows of files that are read."""

    def add_rows(self, name: str, rows: Rows) -> None:
        """Take rows of a table."""

    def add(self, name: str, frame: pl.DataFrame) -> None:
        """Take a frame as it is."""

    def waiting(self) -> Frames:
        """A place where rows of one file wait until all of it was read."""


class Stage(Frames):
    """The rows of tables. What they say goes to `dimensions`, which several stages may share."""

    def __init__(self, folder: Path, budget_bytes: int, dimensions: Dimensions) -> None:
        super().__init__(folder, budget_bytes)
        self._waiting_count = 0
        self.dimensions = dimensions

    def add_rows(self, name: str, rows: Rows) -> None:
        """Hold rows of a table."""
        self.add(name, self.dimensions.add(name, rows) if isinstance(rows, Star) else rows)

    def waiting(self) -> Frames:
        """A place where rows of one file wait."""
        self._waiting_count += 1
        folder = self._folder / f"waiting-{self._waiting_count}"
        folder.mkdir()
        return Frames(folder, WAITING_BYTES)

    def take_uses(self, table: Table) -> Iterator[pl.DataFrame]:
        """Of rows that are not held here: the first lines of each file that say something, for each dimension."""
        for dimension in table.dimensions:
            name = uses_name(table.name, dimension)
            for frame in self._release(name):
                yield self._whole(name, frame)


def uses_name(table: str, dimension: str) -> str:
    """Under which name the first lines that say something wait of rows that are not held here."""
    return f"{table} says {dimension}"
