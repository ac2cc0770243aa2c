"""Parsed rows between parsing and writing: in memory, and beyond a budget on disk.

They have to wait because year and zone of a file are known only once all files were read.
"""

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import polars as pl

from pipeline.reading import MEBIBYTE

STAGE_BYTES = 256 * MEBIBYTE
"""Parsed rows held in memory; further ones wait on disk beside the store."""

GIVEN_ROWS = 4 * 122_880
"""Rows given at a time: whole row groups of DuckDB, as it would compress those that are not whole a second time."""


class Stage:
    """Frames per table, in order; those beyond the budget wait in a folder. Columns without a value are not kept."""

    def __init__(self, folder: Path, budget_bytes: int) -> None:
        self._folder = folder
        self._budget_bytes = budget_bytes
        self._held_bytes = 0
        self._spilled_count = 0
        self._frames: dict[str, list[pl.DataFrame | Path]] = defaultdict(list)
        self._schemas: dict[str, pl.Schema] = {}

    def add(self, name: str, frame: pl.DataFrame) -> None:
        """Hold a frame of a table; all frames of one have the same columns."""
        self._schemas[name] = frame.schema
        filled = frame.select(each for each in frame if each.null_count() < frame.height)
        size = int(filled.estimated_size())
        if self._held_bytes + size <= self._budget_bytes:
            self._held_bytes += size
            self._frames[name].append(filled)
            return
        self._spilled_count += 1
        path = self._folder / f"{self._spilled_count}.arrow"
        filled.write_ipc(path)
        self._frames[name].append(path)

    def take(self, name: str, multiple: int = GIVEN_ROWS) -> Iterator[pl.DataFrame]:
        """Give the rows of a table and let go of them: frames of at least so many rows, and of a multiple of it.

        Only the last one is of any size.
        """
        schema = self._schemas.get(name, pl.Schema())
        waiting = pl.DataFrame(schema=schema)
        for frame in self._release(name):
            missing = [pl.lit(None, dtype).alias(each) for each, dtype in schema.items() if each not in frame.columns]
            waiting = pl.concat([waiting, frame.with_columns(missing).select(schema.names())])
            cut = waiting.height - waiting.height % multiple
            if cut:
                yield waiting[:cut]
                waiting = waiting[cut:]
        if waiting.height:
            yield waiting

    def _release(self, name: str) -> Iterator[pl.DataFrame]:
        held = self._frames.pop(name, [])
        while held:
            next_one = held.pop(0)
            if isinstance(next_one, Path):
                yield pl.read_ipc(next_one)
                next_one.unlink()
            else:
                yield next_one

    def names(self) -> list[str]:
        """The tables that have frames."""
        return sorted(self._frames)
