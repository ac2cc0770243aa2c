"""haledger tables: the tables of the report as files."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from haledger.command import Command
from haledger.export import Target, export
from haledger.options import AsJson, Database, PaperStyle
from haledger.store_names import complete_tables
from reports.typeset.paper_styles import Style


class TableFormat(StrEnum):
    """How `haledger tables` writes a publication table."""

    CSV = "csv"
    MD = "md"
    TEX = "tex"
    TYP = "typ"
    HTML = "html"
    JSON = "json"
    PARQUET = "parquet"
    XLSX = "xlsx"
    DOCX = "docx"


def tables(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="NAME",
            help="Tables to export, by name or number. Default: all.",
            autocompletion=complete_tables,
        ),
    ] = None,
    *,
    db: Database = None,
    format_: Annotated[
        list[TableFormat] | None, typer.Option("--format", "-f", help="Output format; may be repeated. Default: all.")
    ] = None,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="DIR", help="Folder to write to.")] = Path("tables"),
    style: PaperStyle = None,
    list_: Annotated[bool, typer.Option("--list", help="Only list the tables.")] = False,
    as_json: AsJson = False,
) -> None:
    """Export tables of the report.

    They have the same numbers as in the report. Each is a file; xlsx is one workbook with a sheet for each table. With
    --style, the default format is tex alone; the paper loads booktabs, longtable, array and siunitx.
    """
    target = Target(db, output, is_listing=list_, as_json=as_json, style=style or Style.PLAIN)
    formats = format_ or ([TableFormat.TEX] if style else list(TableFormat))
    export("tables", names or [], [each.value for each in formats], target)


COMMAND = Command(tables, place=50, examples=("haledger tables table-3-7 --format tex", "haledger tables --style acm"))
