"""Where the lines of a store go: into its own file, or into Parquet parts beside it."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import duckdb

from pipeline.errors import UsageError
from pipeline.reading.file_facts import File
from pipeline.store import part, store
from pipeline.store.lines import InStore, Lines

DUCKDB, PARQUET = "duckdb", "parquet"

PATTERN = frozenset("*?[]{}")
"""DuckDB would treat a path with one of these as a pattern of paths."""


@dataclass(frozen=True, slots=True)
class Layout:
    """What is asked for. `name` empty: as the store has it. `parts`: the folder; None: where the store has them.

    `place`: where the store is going to be; None: where it is built.
    """

    name: str = ""
    parts: Path | None = None
    place: Path | None = None

    def folder(self, db: Path, previous: str) -> str:
        """The folder of the store's own parts; empty: none. `previous`: that of the old store."""
        if self.name == DUCKDB or not (self.name or previous):
            return ""
        above = self.parts or (Path(previous).parent if previous else None)
        if above is None:
            raise UsageError("--store-layout parquet needs --parts DIR, the folder for its Parquet files")
        folder = str(part.own_folder(above, self.place or db))
        if PATTERN & {*folder} or not folder.isprintable():
            raise UsageError(f"{above}: DuckDB cannot read files under this name; choose another folder for --parts")
        return folder

    def clean(self, db: Path, *folders: Path) -> None:
        """Remove what these folders hold of parts that do not belong to the store which is in its place now.

        Parts of a store that was copied or moved are those of another place, and stay. So do all where the store is
        still to be moved to its place.
        """
        own = [each for each in folders if each == part.own_folder(each.parent, db)]
        if not own or self.place is not None:
            return
        with store.opened(db) as con:
            parts = part.listed(con)
        for each in own:
            part.remove_strays(each, parts)


AS_BEFORE = Layout()


def lines_of(con: duckdb.DuckDBPyConnection, parts: str, kept: Sequence[File]) -> Lines:
    """Where the lines of a store being built go. `kept`: the files whose rows the old store, attached, holds."""
    if not parts:
        return InStore(con)
    from pipeline.ingest.part_writing import Parts

    return Parts(con, Path(parts), kept)
