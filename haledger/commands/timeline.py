"""haledger timeline: one failover, line by line."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from haledger.command import Command
from haledger.options import Database, found_store, write_or_print
from haledger.store_names import ConfigurationName
from haledger.terminal import painted
from reports.typeset.escape import visible


class Form(StrEnum):
    """What a timeline is written as."""

    TEXT = "text"
    HTML = "html"
    PERFETTO = "perfetto"


def timeline(
    configuration: ConfigurationName,
    run: Annotated[str, typer.Argument(metavar="RUN", help="A run of it, by name or number.")],
    *,
    db: Database = None,
    form: Annotated[
        Form, typer.Option("--format", help="Text; a page with lanes that zoom; or a trace for Perfetto.")
    ] = Form.TEXT,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write this file. Default: the terminal.")
    ] = None,
) -> None:
    """Show one failover: its phases and every log line.

    Nodes and sources are lanes, times are seconds after the fault. The page is one file that needs no network; the
    trace opens in Perfetto and in Chrome's tracing page.
    """
    from reports.answers.timeline.page import page
    from reports.answers.timeline.text import lines
    from reports.timeline.perfetto import perfetto
    from reports.timeline.run_timeline import run_timeline

    found = run_timeline(found_store(db), configuration, run)
    if form is Form.TEXT:
        shown = [[(visible(span.text), span.style) for span in line] for line in lines(found)]
        content = "".join(f"{''.join(text for text, _ in line).rstrip()}\n" for line in shown)
        if output is None:
            for line in shown:
                typer.echo("".join(painted(text, style) for text, style in line).rstrip())
            return
    else:
        content = page(found) if form is Form.HTML else perfetto(found)
    write_or_print(content, output)


COMMAND = Command(
    timeline,
    place=75,
    examples=(
        "haledger timeline tuned run03",
        "haledger timeline tuned run03 --format html -o run03.html",
    ),
)
