"""Where the lines of a store go: into its own file, or into Parquet files beside it."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pipeline.errors import UsageError

if TYPE_CHECKING:
    from pipeline.ingest.layout import Layout


class LayoutName(StrEnum):
    """What holds the lines."""

    duckdb = "duckdb"
    parquet = "parquet"


StoreLayout = Annotated[
    LayoutName | None,
    typer.Option(
        "--store-layout",
        show_default=False,
        help="Keep the lines in the store's own file, or in Parquet files beside it. Default: as the store has them, "
        "and duckdb for a new one.",
    ),
]
PartsFolder = Annotated[
    Path | None,
    typer.Option("--parts", metavar="DIR", help="Folder for the Parquet files of --store-layout parquet."),
]


def layout(name: LayoutName | None, parts: Path | None, report: Path | None = None) -> "Layout":
    """The layout that options ask for. `report`: the folder in which the store is going to be."""
    from pipeline.discovery.entry_names import STORE_NAME
    from pipeline.ingest.layout import Layout

    if parts is not None and name is not LayoutName.parquet:
        raise UsageError("--parts goes with --store-layout parquet")
    if parts is not None and parts.exists() and not parts.is_dir():
        raise UsageError(f"{parts}: is a file; name a folder for the Parquet files with --parts DIR")
    if parts is not None and report is not None and parts.resolve().is_relative_to(report.resolve()):
        raise UsageError(f"--parts {parts}: lies in the report folder, which is replaced as a whole; name another")
    return Layout(name or "", parts, None if report is None else report / STORE_NAME)


def remove_old_parts(store: Path) -> None:
    """Remove the Parquet files of the store that was in this place before."""
    from pipeline.ingest.layout import AS_BEFORE
    from pipeline.store.store import info, opened

    with opened(store) as con:
        folder = info(con, store).parts
    if folder:
        AS_BEFORE.clean(store, Path(folder))
