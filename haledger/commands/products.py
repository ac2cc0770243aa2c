"""What the report is made of, each piece on its own: tables, figures."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from haledger.options import AsJson, Database, found_store, writing
from haledger.terminal import Talk, show_result, show_summary

if TYPE_CHECKING:
    from reports.products import Kind


class TableFormat(StrEnum):
    """How `haledger tables` writes a publication table."""

    CSV = "csv"
    MD = "md"
    TEX = "tex"
    HTML = "html"
    JSON = "json"
    PARQUET = "parquet"


class FigureFormat(StrEnum):
    """How `haledger figures` writes a figure."""

    SVG = "svg"
    PNG = "png"
    CSV = "csv"
    JSON = "json"


@dataclass(frozen=True, slots=True)
class _Target:
    """Where products come from and go to, and whether they are only listed."""

    db: Path | None
    folder: Path
    is_listing: bool
    as_json: bool


def tables(
    names: Annotated[list[str] | None, typer.Argument(help="Tables to write, by name or number. Default: all.")] = None,
    *,
    db: Database = None,
    format_: Annotated[
        list[TableFormat] | None, typer.Option("--format", "-f", help="May be given several times. Default: all.")
    ] = None,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="DIR", help="Folder to write to.")] = Path("tables"),
    list_: Annotated[bool, typer.Option("--list", help="List the tables instead.")] = False,
    as_json: AsJson = False,
) -> None:
    """Write publication tables again, each on its own.

    With the numbers of the report.

    Example: haledger tables table-3-7 --format tex
    """
    target = _Target(db, output, is_listing=list_, as_json=as_json)
    _produce("tables", names or [], [each.value for each in format_ or list(TableFormat)], target)


def figures(
    names: Annotated[
        list[str] | None, typer.Argument(help="Figures to write, by name or number. Default: all.")
    ] = None,
    *,
    db: Database = None,
    format_: Annotated[
        list[FigureFormat] | None, typer.Option("--format", "-f", help="May be given several times. Default: all.")
    ] = None,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="DIR", help="Folder to write to.")] = Path(
        "figures"
    ),
    list_: Annotated[bool, typer.Option("--list", help="List the figures instead.")] = False,
    as_json: AsJson = False,
) -> None:
    """Write figures again, each on its own.

    With the data behind it.

    Example: haledger figures figure-3-8 --format svg
    """
    target = _Target(db, output, is_listing=list_, as_json=as_json)
    _produce("figures", names or [], [each.value for each in format_ or list(FigureFormat)], target)


def _produce(kind: "Kind", names: Sequence[str], formats: Sequence[str], target: _Target) -> None:
    from reports.products import products, write_products

    store = found_store(target.db)
    if target.is_listing:
        found = products(store, kind)
        lines = [f"{each.name:24}  {each.label}: {each.caption}" for each in found]
        show_result([each.to_dict() for each in found], lines, as_json=target.as_json)
        is_any = bool(found)
    else:
        with writing(target.folder):
            written = [str(path) for path in write_products(store, kind, names, formats, target.folder)]
        show_summary(written, written, as_json=target.as_json)
        is_any = bool(written)
    if not is_any:
        Talk.say(f"This study has no {kind}.")
