"""One configuration against another: compare."""

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from haledger.options import AsJson, Database
from haledger.terminal import page_width, show_result


class ComparisonFormat(StrEnum):
    """How `haledger compare` writes what it found."""

    TABLE = "table"
    MD = "md"
    JSON = "json"


def compare(
    a: Annotated[str, typer.Argument(metavar="A", help="A configuration, or FILE:CONFIGURATION, or FILE.")],
    b: Annotated[str, typer.Argument(metavar="B", help="What A is compared with, named likewise.")],
    *,
    db: Database = None,
    margin: Annotated[
        float | None,
        typer.Option(
            help="Differences up to so many percent are of no account. Default: margin_pct of study.toml.",
            min=0,
            max=99.9,
        ),
    ] = None,
    format_: Annotated[ComparisonFormat, typer.Option("--format", "-f", help="How it is written.")] = (
        ComparisonFormat.TABLE
    ),
    as_json: AsJson = False,
) -> None:
    """Compare configuration A with B.

    Every milestone, phase and measurement that both have, and their parameters.

    A and B are configurations of one store by name or label; or FILE, a store or report folder with one configuration;
    or FILE:CONFIGURATION. Ratios are A over B.

    Example: haledger compare tuned default

    Example: haledger compare before-report/haledger.duckdb:tuned after-report:tuned --format md
    """
    from pipeline.compare import compare as run_comparison
    from pipeline.compare_sides import sides
    from reports.comparison import lines, markdown

    found = run_comparison(*sides(a, b, db, Path.cwd()), margin)
    if format_ is ComparisonFormat.MD and not as_json:
        sys.stdout.write(markdown(found))
        return
    show_result(found.to_dict(), list(lines(found, page_width())), as_json=as_json or format_ is ComparisonFormat.JSON)
