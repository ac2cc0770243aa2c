"""haledger trace: the log lines behind a printed number."""

import shlex
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from haledger.command import Command
from haledger.options import AsJson, Database, found_store
from haledger.store_names import complete_traced
from haledger.terminal import painted_line, show_result
from pipeline.errors import UsageError

Logs = Annotated[
    Path | None,
    typer.Option(
        "--study", metavar="DIR", help="Where the logs are now. Default: where they were read.", readable=False
    ),
]


def trace(
    table: Annotated[
        str,
        typer.Argument(
            metavar="TABLE",
            help="A table of the report by name or number, or a relation.",
            autocompletion=complete_traced,
        ),
    ],
    row: Annotated[
        str | None,
        typer.Argument(
            metavar="ROW",
            help="A row by label, configuration or number; or column=value,column=value.",
            show_default=False,
        ),
    ] = None,
    column: Annotated[
        str | None,
        typer.Argument(metavar="COLUMN", help="A column by heading, data name or number.", show_default=False),
    ] = None,
    *,
    db: Database = None,
    study: Logs = None,
    context: Annotated[
        int, typer.Option("--context", "-C", metavar="COUNT", help="Lines of context around each line.", min=0, max=100)
    ] = 1,
    all_: Annotated[bool, typer.Option("--all", help="Also show lines that only confirm the decisive ones.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show the log lines behind one printed number.

    Shows its runs, each line with its file and number, the SHA-256 of the files, and the SQL. Without COLUMN or ROW it
    lists what can be named.
    """
    from pipeline.ask.trace.lines import Study
    from pipeline.store.locate import find_study
    from pipeline.store.store import info, opened
    from reports.answers.trace_choices import choices
    from reports.answers.trace_question import trace_number
    from reports.answers.trace_text import lines

    if study is not None and not study.exists():
        raise UsageError(f"{study}: no such file or folder; give the folder of logs that the store was read from")
    store = found_store(db)
    if row is None or column is None:
        known = choices(store, table, row)
        ending = "" if db is None else f" --db {shlex.quote(str(db))}"
        show_result(asdict(known), known.lines(ending), as_json=as_json)
        return
    with opened(store) as con:
        near = (store.parent, Path.cwd())
        logs = Study(study or find_study(info(con, store), near), context)
    found = trace_number(store, (table, row, column), logs)
    if as_json:
        show_result(found.to_dict(), [], as_json=True)
        return
    for line in lines(found, is_full=all_):
        typer.echo(painted_line(line))


COMMAND = Command(
    trace,
    place=70,
    examples=(
        "haledger trace table-3-7",
        "haledger trace table-3-7 tuned complete",
        "haledger trace milestone_stats configuration=tuned,milestone=complete mean_s",
    ),
)
