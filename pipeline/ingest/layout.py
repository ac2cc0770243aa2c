"""Where the lines of a store go: into its own file, or into Parquet parts beside it."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

import duckdb

from pipeline.discovery import written_files
from pipeline.discovery.written_files import Folder, folder_at
from pipeline.errors import MachineError, StoreError, UsageError
from pipeline.progress import Watch
from pipeline.reading.file_facts import File
from pipeline.store import part, store
from pipeline.store.lines import InStore, Lines

if TYPE_CHECKING:  # what one process does not need is not imported
    from pipeline.cluster import Cluster

DUCKDB, PARQUET = "duckdb", "parquet"

PATTERN = frozenset("*?[]{}")
"""DuckDB would treat a path with one of these as a pattern of paths."""


@dataclass(frozen=True, slots=True)
class Layout:
    """What is asked for. `name` empty: as the store has it. `parts`: their folder; None: as the store has them.

    `place`: where the store is going to be; None: where it is built.
    """

    name: str = ""
    parts: Folder | None = None
    place: Path | None = None

    def folder(self, db: Path, previous: str) -> str:
        """The folder of the store's own parts; empty: none. `previous`: that of the old store."""
        if self.name == DUCKDB or not (self.name or previous):
            return ""
        above = self.parts or (folder_at(previous).parent if previous else None)
        if above is None:
            raise UsageError("--store-layout parquet needs --parts DIR, the folder or address for its Parquet files")
        folder = str(part.own_folder(above, self.place or db))
        if PATTERN & {*folder} or not folder.isprintable():
            raise UsageError(f"{above}: DuckDB cannot read files under this name; choose another folder for --parts")
        return folder

    def clean(self, db: Path, *folders: Folder) -> None:
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


@contextmanager
def shared_rows(parts: str, cluster: "Cluster | None") -> Iterator[Folder | None]:
    """The folder in which workers leave rows for the parts of a store; None: there are no workers, or no parts.

    Where the cluster fails, or this process ends without notice, it stays: the next ingest takes its rows.
    """
    if cluster is None or not parts:
        yield None
        return
    folder = folder_at(parts) / part.ROWS
    try:
        written_files.make(folder)
    except OSError as error:
        raise StoreError(f"{folder}: cannot be written: {error.strerror or error}") from error
    try:
        _refuse_unwritable(folder, cluster)
        yield folder
    except MachineError:
        raise
    except BaseException:
        written_files.remove_folder(folder)
        raise
    written_files.remove_folder(folder)


def refuse_unwritable_address(parts: str) -> None:
    """Refuse an address for parts to which nothing can be written, before all files are read. Raises StoreError."""
    folder = folder_at(parts) if parts else None
    if folder is not None and not isinstance(folder, Path) and (problem := try_to_write(folder)) is not None:
        raise StoreError(f"{folder}: cannot be written: {problem}")


def _refuse_unwritable(folder: Folder, cluster: "Cluster") -> None:
    for worker, problem in cluster.on_each(try_to_write, folder).items():
        if problem is not None:
            raise UsageError(
                f"the worker {worker} cannot write to {folder.parent.parent}: {problem}; workers need the folder of "
                "--parts under the same path, as a shared folder, or its address, with the right to write"
            )


def try_to_write(folder: Folder) -> str | None:
    """Why a worker cannot write to a folder; None: it can."""
    name = f"{written_files.BEGUN}{uuid4().hex}"
    try:
        written_files.put(folder, name, b"", begun=folder)
    except (OSError, UsageError) as error:
        return (getattr(error, "strerror", None) or str(error)).lower()
    written_files.remove_file(folder / name)
    return None


def lines_of(con: duckdb.DuckDBPyConnection, parts: str, kept: Sequence[File]) -> Lines:
    """Where the lines of a store being built go. `kept`: the files whose rows the old store, attached, holds."""
    if not parts:
        return InStore(con)
    from pipeline.ingest.part_writing import Parts

    return Parts(con, folder_at(parts), kept)


def filled_on_workers(  # noqa: PLR0913, PLR0917  what rows are filled from, by whom, and what that may take
    con: duckdb.DuckDBPyConnection,
    lines: Lines,
    shared: Folder | None,
    cluster: "Cluster | None",
    watch: Watch,
    more_memory: Sequence[int] | None = None,
) -> frozenset[str]:
    """Let workers fill the relations that they can from the parts of a store; give their names.

    `shared`: the folder in which they leave rows. `more_memory`: as `relations.fill` takes it.
    """
    if cluster is None or shared is None:
        return frozenset()
    from pipeline.ingest.distributed_relations import fill_on_workers
    from pipeline.ingest.part_writing import Parts

    if not isinstance(lines, Parts):
        return frozenset()
    label = cluster.label
    return fill_on_workers(
        con, lines, shared, cluster, lambda share: watch.step("views", 0.9 + 0.04 * share, label), more_memory
    )
