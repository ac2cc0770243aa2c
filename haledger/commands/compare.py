"""haledger compare: one configuration against another."""

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from haledger.command import Command
from haledger.options import AsJson, Database, Labels
from haledger.store_names import complete_configurations
from haledger.terminal import page_width, show_result


class ComparisonFormat(StrEnum):
    """Output formats of `haledger compare`."""

    TABLE = "table"
    MD = "md"
    JSON = "json"


def compare(
    a: Annotated[
        str,
        typer.Argument(
            metavar="A", help="A configuration, or FILE:CONFIGURATION, or FILE.", autocompletion=complete_configurations
        ),
    ],
    b: Annotated[
        str,
        typer.Argument(
            metavar="B", help="What to compare A with, named in the same way.", autocompletion=complete_configurations
        ),
    ],
    *,
    db: Database = None,
    margin: Annotated[
        float | None,
        typer.Option(
            metavar="PERCENT",
            help="Ignore differences of up to this many percent. Default: margin_pct of study.toml.",
            min=0,
            max=99.9,
        ),
    ] = None,
    format_: Annotated[ComparisonFormat, typer.Option("--format", "-f", help="Output format.")] = (
        ComparisonFormat.TABLE
    ),
    label: Labels = None,
    as_json: AsJson = False,
) -> None:
    """Compare configuration A with B.

    Compares every milestone, phase, measurement and disk that both have, and their parameters.

    A and B are configurations of one store by name or label; or FILE, a store or report folder with one configuration;
    or FILE:CONFIGURATION. Ratios are A over B.
    """
    from pipeline.ask.compare.compare import common
    from pipeline.ask.compare.sides import labelled, sides
    from reports.answers.comparison import lines, markdown

    found = common(*labelled(sides(a, b, db, Path.cwd()), label or ()), margin)
    if format_ is ComparisonFormat.MD and not as_json:
        sys.stdout.write(markdown(found))
        return
    show_result(found.to_dict(), list(lines(found, page_width())), as_json=as_json or format_ is ComparisonFormat.JSON)


COMMAND = Command(
    compare,
    place=80,
    examples=(
        "haledger compare tuned default",
        "haledger compare before-report/haledger.duckdb:tuned after-report:tuned --format md",
    ),
)
