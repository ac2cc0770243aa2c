"""One number back to its log lines: trace."""

from pathlib import Path
from typing import Annotated

import typer

from haledger.options import AsJson, Database, found_store
from haledger.terminal import painted, show_result
from pipeline.errors import UsageError
from reports.escape import visible


def trace(
    table: Annotated[
        str, typer.Argument(metavar="TABLE", help="A table of the report by name or number, or a relation.")
    ],
    row: Annotated[
        str, typer.Argument(metavar="ROW", help="Its label, configuration or number; or column=value,column=value.")
    ],
    column: Annotated[str, typer.Argument(metavar="COLUMN", help="Its heading, data name or number.")],
    *,
    db: Database = None,
    study: Annotated[
        Path | None,
        typer.Option(
            "--study", metavar="DIR", help="Where the logs are now. Default: where they were.", readable=False
        ),
    ] = None,
    context: Annotated[int, typer.Option("--context", "-C", help="Lines around each line.", min=0, max=100)] = 1,
    all_: Annotated[bool, typer.Option("--all", help="Also lines that merely agree with those that decide.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show the log lines behind one printed number.

    Its runs, file:line: text, SHA-256 of the files, and the SQL.

    Example: haledger trace table-3-7 tuned complete

    Example: haledger trace milestone_stats configuration=tuned,milestone=complete mean_s
    """
    from pipeline.trace_lines import Study, study_place
    from reports.trace import trace_number
    from reports.trace_text import lines

    if study is not None and not study.exists():
        raise UsageError(f"{study}: no such file or folder; give the folder of logs that the store was made from")
    store = found_store(db)
    logs = Study(study or study_place(store, Path.cwd()), context)
    found = trace_number(store, (table, row, column), logs)
    if as_json:
        show_result(found.to_dict(), [], as_json=True)
        return
    for line in lines(found, is_full=all_):
        typer.echo("".join(painted(visible(span.text), span.style) for span in line).rstrip())
