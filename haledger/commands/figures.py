"""haledger figures: the figures of the report as files."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from haledger.command import Command
from haledger.export import Target, export
from haledger.options import AsJson, Database, PaperStyle
from haledger.store_names import complete_figures
from reports.typeset.paper_styles import Style


class FigureFormat(StrEnum):
    """How `haledger figures` writes a figure."""

    SVG = "svg"
    PNG = "png"
    CSV = "csv"
    JSON = "json"
    PDF = "pdf"
    TEX = "tex"


OF_PAPERS = (FigureFormat.PDF, FigureFormat.TEX)


def figures(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="NAME",
            help="Figures to export, by name or number. Default: all.",
            autocompletion=complete_figures,
        ),
    ] = None,
    *,
    db: Database = None,
    format_: Annotated[
        list[FigureFormat] | None, typer.Option("--format", "-f", help="Output format; may be repeated. Default: all.")
    ] = None,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="DIR", help="Folder to write to.")] = Path(
        "figures"
    ),
    column: Annotated[
        bool, typer.Option("--column", help="Draw for one column of two: 84 mm wide, not 160 (178 with --style).")
    ] = False,
    style: PaperStyle = None,
    list_: Annotated[bool, typer.Option("--list", help="Only list the figures.")] = False,
    as_json: AsJson = False,
) -> None:
    """Export figures of the report.

    As images, or as the data behind them (csv, json). pdf is the drawing alone with its fonts inside, tex places it
    with its caption. With --style, these two are the default formats; else all others are.
    """
    target = Target(db, output, is_listing=list_, as_json=as_json, is_column=column, style=style or Style.PLAIN)
    formats = format_ or [each for each in FigureFormat if (each in OF_PAPERS) == bool(style)]
    export("figures", names or [], [each.value for each in formats], target)


COMMAND = Command(
    figures, place=60, examples=("haledger figures figure-3-8 --format svg", "haledger figures --style ieee --column")
)
