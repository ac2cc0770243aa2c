"""Parsed rows between parsing and writing: in memory, and beyond a budget on disk.

They have to wait because year and zone of a file are known only once all files were read.
"""

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import polars as pl

from pipeline.reading import MEBIBYTE

STAGE_BYTES = 192 * MEBIBYTE
"""Parsed rows held in memory; further ones wait on disk beside the store."""


class Stage:
    """Frames per table, in order; those beyond the budget wait in a folder."""

    def __init__(self, folder: Path, budget_bytes: int) -> None:
        self._folder = folder
        self._budget_bytes = budget_bytes
        self._held_bytes = 0
        self._spilled_count = 0
        self._frames: dict[str, list[pl.DataFrame | Path]] = defaultdict(list)

    def add(self, name: str, frame: pl.DataFrame) -> None:
        """Hold a frame of a table."""
        size = int(frame.estimated_size())
        if self._held_bytes + size <= self._budget_bytes:
            self._held_bytes += size
            self._frames[name].append(frame)
            return
        self._spilled_count += 1
        path = self._folder / f"{self._spilled_count}.arrow"
        frame.write_ipc(path)
        self._frames[name].append(path)

    def take(self, name: str) -> Iterator[pl.DataFrame]:
        """Give the frames of a table and let go of them."""
        for held in self._frames.pop(name, []):
            if isinstance(held, Path):
                yield pl.read_ipc(held)
                held.unlink()
            else:
                yield held

    def names(self) -> list[str]:
        """The tables that have frames."""
        return sorted(self._frames)
