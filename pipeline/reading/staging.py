"""Parsed rows between parsing and writing.

They have to wait because year and zone of a file are known only once all files were read. What lines say is kept apart
from the lines, and each different thing gets its number at the end.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Protocol

import polars as pl

from parsers.format import Table
from parsers.star import NUMBER, Rows, Star, hashes, known, number_column
from pipeline.memory import MEBIBYTE
from pipeline.reading.dimensions import FirstUses, final_numbers, uses
from pipeline.reading.frames import Frames, column_of

STAGE_BYTES = 48 * MEBIBYTE
"""Parsed rows held in memory; further ones wait on disk beside the store."""

WAITING_BYTES = 8 * MEBIBYTE
"""The same of one file, until all of it was read."""

USES_BYTES = 16 * MEBIBYTE
"""The same of the first lines that say something, while what they say is numbered."""


class Dimensions:
    """What lines say: rows of the dimensions of all tables; in the end, their numbers.

    Lines that say what a row in memory says get the number of that one: a long log says the same in each of its chunks.
    What waits on disk is not looked at, and so is kept as often as it is added.
    """

    def __init__(self, folder: Path, budget_bytes: int) -> None:
        self._folder = folder
        self._frames = Frames(folder, budget_bytes)
        self._hashes: dict[str, list[pl.Series]] = defaultdict(list)
        self._counts: dict[str, int] = defaultdict(int)
        self._numbers: dict[str, pl.Series] = {}
        self._is_first: dict[str, pl.Series] = {}

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
        columns = (pl.concat(column_of(each, name, dtype) for each in frames) for name, dtype in rows.schema.items())
        return pl.concat(numbers).gather(known(rows, hashed, pl.concat(held), columns))

    def number(self, table: Table, lines: Iterable[pl.DataFrame]) -> None:
        """Number what these lines say: all lines of the table that are to be stored, or its first uses."""
        found = {name: FirstUses(Frames(self._folder_of_uses(name), USES_BYTES)) for name in table.dimensions}
        for frame in lines:
            for name, each in found.items():
                if number_column(name) in frame.columns:
                    each.add(uses(frame, number_column(name)))
        for name, each in found.items():
            key = f"{table.name} {name}"
            hashed = pl.concat(self._hashes.pop(key))
            numbers, is_first = final_numbers(each.numbers(len(hashed)), hashed, partial(self._frames.gather, key))
            self._numbers[key], self._is_first[key] = numbers, is_first

    def _folder_of_uses(self, dimension: str) -> Path:
        folder = self._folder / f"uses-{dimension}"
        folder.mkdir(exist_ok=True)
        return folder

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
        numbers, is_first, first = self._numbers[key], self._is_first.pop(key), 0
        for frame in self._frames.take(key):
            own, is_own = (each.slice(first, frame.height) for each in (numbers, is_first))
            first += frame.height
            yield frame.with_columns(own.alias(column)).filter(is_own)


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
