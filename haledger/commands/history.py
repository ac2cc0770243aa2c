"""haledger history: one point per study."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from haledger.command import Command
from haledger.options import AsJson, Labels, found_store, write_or_print
from haledger.store_names import complete_configurations, complete_measured
from haledger.terminal import Talk, show_result


class HistoryFormat(StrEnum):
    """What a history is written as."""

    TABLE = "table"
    CSV = "csv"
    JSON = "json"
    SVG = "svg"
    HTML = "html"


def history(
    stores: Annotated[
        list[Path], typer.Argument(metavar="STORE", help="Stores or report folders, one per study.", readable=False)
    ],
    *,
    item: Annotated[
        str,
        typer.Option(
            "--of",
            metavar="NAME",
            help="A milestone or a measurement. Default: time to recovery, or all where there is none.",
            autocompletion=complete_measured,
        ),
    ] = "",
    configuration: Annotated[
        str,
        typer.Option(
            "--configuration",
            metavar="NAME",
            help="Only this configuration. Default: all.",
            autocompletion=complete_configurations,
        ),
    ] = "",
    format_: Annotated[HistoryFormat, typer.Option("--format", "-f", help="Output format.")] = HistoryFormat.TABLE,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write this file. Default: the terminal.")
    ] = None,
    label: Labels = None,
    as_json: AsJson = False,
) -> None:
    """Show how studies changed over time: one point per study.

    Studies are ordered by their first runs. Each is compared with the first one and with the one before it.
    Configurations are matched by name; if each store has only one, these are matched. A copy of a study is left out.
    """
    import json

    from pipeline.ask.compare.history import history as run_history
    from reports.answers import history as written

    answer = run_history([found_store(each) for each in stores], item, configuration, label or ())
    for note in answer.notes:
        Talk.say(f"haledger: {note}")
    found = answer.series
    data = [each.to_dict() for each in found]
    if output is None and (as_json or format_ in (HistoryFormat.TABLE, HistoryFormat.JSON)):
        show_result(data, list(written.lines(found)), as_json=as_json or format_ is HistoryFormat.JSON)
        return
    contents = {
        HistoryFormat.TABLE: lambda: "".join(f"{line}\n" for line in written.lines(found)),
        HistoryFormat.CSV: lambda: written.csv(found),
        HistoryFormat.JSON: lambda: json.dumps(data, indent=2, default=str) + "\n",
        HistoryFormat.SVG: lambda: written.picture(found),
        HistoryFormat.HTML: lambda: written.page(found),
    }
    write_or_print(contents[format_](), output)


COMMAND = Command(
    history,
    place=85,
    examples=(
        "haledger history nightly/*-report --of tps",
        "haledger history monday-report tuesday-report --format html -o history.html",
    ),
)
