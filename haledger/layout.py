"""Where the lines of a store go: into its own file, or into Parquet files beside it."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipeline.discovery.address import study_at
from pipeline.errors import UsageError

if TYPE_CHECKING:
    from pipeline.discovery.written_files import Folder
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
PartsPlace = Any
"""Path | Address, as `study_at` gives it: typer knows no unions."""

PartsFolder = Annotated[
    PartsPlace | None,
    typer.Option(
        "--parts",
        metavar="DIR",
        help="Folder, or s3://BUCKET/PREFIX, for the Parquet files of --store-layout parquet.",
        parser=study_at,
    ),
]


def layout(name: LayoutName | None, parts: "Folder | None", report: Path | None = None) -> "Layout":
    """The layout that options ask for. `report`: the folder in which the store is going to be."""
    from pipeline.discovery.entry_names import STORE_NAME
    from pipeline.ingest.layout import Layout

    if parts is not None and name is not LayoutName.parquet:
        raise UsageError("--parts goes with --store-layout parquet")
    if isinstance(parts, Path) and parts.exists() and not parts.is_dir():
        raise UsageError(f"{parts}: is a file; name a folder for the Parquet files with --parts DIR")
    if isinstance(parts, Path) and report is not None and parts.resolve().is_relative_to(report.resolve()):
        raise UsageError(f"--parts {parts}: lies in the report folder, which is replaced as a whole; name another")
    return Layout(name or "", parts, None if report is None else report / STORE_NAME)


def remove_old_parts(store: Path) -> None:
    """Remove the Parquet files of the store that was in this place before."""
    from pipeline.discovery.written_files import folder_at
    from pipeline.ingest.layout import AS_BEFORE
    from pipeline.store.store import info, opened

    with opened(store) as con:
        folder = info(con, store).parts
    if folder:
        AS_BEFORE.clean(store, folder_at(folder))
