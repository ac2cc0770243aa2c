"""Frames that wait: in memory, and beyond a budget on disk."""

import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from pipeline.memory import MEBIBYTE

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

    def gather(self, name: str, places: pl.Series) -> pl.DataFrame:
        """The rows of a name at these places, from 0, which rise; a frame at a time is read."""
        found, first = [pl.DataFrame(schema=self._schemas[name])], 0
        for frame in self._frames.get(name, ()):
            begin, end = places.search_sorted(pl.Series([first, first + frame.height], dtype=places.dtype))
            if begin < end:
                whole = frame.frame() if isinstance(frame, Spilled) else frame
                found.append(self._whole(name, condensed(whole[places[begin:end] - first])))
            first += frame.height
        return pl.concat(found)

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


def column_of(frame: pl.DataFrame | Spilled, name: str, dtype: pl.DataType) -> pl.Series:
    """One column of a frame, of nulls where it has none; of a file nothing else is read."""
    if name not in frame.columns:
        return pl.repeat(None, frame.height, dtype=dtype, eager=True).alias(name)
    return (frame.frame(name) if isinstance(frame, Spilled) else frame).get_column(name)


def in_memory() -> Frames:
    """A place where frames wait that all fit into memory."""
    return Frames(Path(), sys.maxsize)
