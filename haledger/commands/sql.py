"""haledger sql: read-only queries on a store."""

import sys
from collections.abc import Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from haledger.command import Command
from haledger.options import Database, found_store
from haledger.terminal import Talk, page_width, terminal_width
from pipeline.errors import UsageError

if TYPE_CHECKING:
    from pipeline.query.sandbox import Result

LEAST_MEMORY = 32_000_000
SHOWN_ROWS = 1000
"""Rows that the prompt shows without --max-rows."""

EXAMPLE = 'example: haledger sql "select * from run"'


class QueryFormat(StrEnum):
    """How `haledger sql` writes rows."""

    TABLE = "table"
    CSV = "csv"
    JSON = "json"
    JSONL = "jsonl"
    MD = "md"
    TEX = "tex"
    HTML = "html"
    PARQUET = "parquet"
    XLSX = "xlsx"


def sql(
    query: Annotated[
        str | None,
        typer.Argument(
            metavar="QUERY",
            help="One SQL statement, or @FILE to read it from, or .tables, or .schema NAME. "
            "Default: a prompt on a terminal, else standard input.",
        ),
    ] = None,
    *,
    db: Database = None,
    file: Annotated[Path | None, typer.Option("--file", metavar="FILE", help="Read the statement from a file.")] = None,
    format_: Annotated[QueryFormat, typer.Option("--format", "-f", help="Output format.")] = QueryFormat.TABLE,
    as_json: Annotated[bool, typer.Option("--json", help="Same as --format json.")] = False,
    output: Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write rows to a file.")] = None,
    parameter: Annotated[
        list[str] | None, typer.Option("--param", "-p", metavar="NAME=VALUE", help="Value for $NAME in the query.")
    ] = None,
    timeout: Annotated[
        float, typer.Option(metavar="SECONDS", help="When to stop the query.", min=0.01, max=86_400)
    ] = 20.0,
    memory: Annotated[str, typer.Option(metavar="SIZE", help="Memory limit of the query, e.g. 500MB.")] = "1GB",
    max_rows: Annotated[
        int | None, typer.Option(metavar="COUNT", help="Maximum number of rows. Default: all.", min=0)
    ] = None,
) -> None:
    """Run a SQL query on the store.

    The query is read-only, has no access to files or the network, and is limited in time and memory.
    """
    from pipeline.query import bounded
    from pipeline.query.sandbox import Limits, parse_size
    from pipeline.store.description import described
    from reports.typeset.escape import visible

    if format_ in (QueryFormat.PARQUET, QueryFormat.XLSX) and output is None and sys.stdout.isatty():
        raise UsageError(f"{format_} is binary; name a file with -o FILE")
    statement = _statement(query, file)
    if statement is None and max_rows is None:
        max_rows = SHOWN_ROWS
    limits = Limits(timeout_s=timeout, memory_bytes=_memory(parse_size(memory)), max_rows=max_rows)
    kind = QueryFormat.JSON if as_json else format_
    store = found_store(db)
    if output is not None and output.exists() and output.samefile(store):
        raise UsageError(f"{output} is the store being read; name another file with -o")
    values = _parameters(parameter or ())
    with bounded.session(store, limits) as session:
        if statement is None:
            from haledger.prompt import prompt

            prompt.talk(session, store, kind, values)
            return
        if statement.startswith("."):
            from haledger.prompt.dot_commands import obeyed

            for line in obeyed(statement, described(session.connection), page_width()):
                typer.echo(visible(line))
            return
        result = session.run(statement, values)
    _show(result, kind, output)


def _show(result: "Result", kind: QueryFormat, output: Path | None) -> None:
    from reports.answers.rows import write_rows

    write_rows(result.frame, kind, output, width=terminal_width())
    if result.is_cut:
        Talk.say(f"Cut after {result.frame.height} rows (--max-rows).")


def _statement(query: str | None, file: Path | None) -> str | None:
    """The statement to run; None opens the prompt on a terminal."""
    if query is not None and file is not None:
        raise UsageError("both a query and --file given; give one of them")
    if query is not None and query.startswith("@"):
        file = Path(query[1:])
    if file is not None:
        return _read(file)
    if query is not None:
        return query
    if sys.stdin is None:
        raise UsageError(f"no query given; {EXAMPLE}")
    if not sys.stdin.isatty():
        return sys.stdin.read()
    if not sys.stdout.isatty():
        raise UsageError(f"no query: give one as an argument or on standard input; {EXAMPLE}")
    return None


def _memory(size: int) -> int:
    if size < LEAST_MEMORY:
        raise UsageError(f"--memory: at least {LEAST_MEMORY // 1_000_000}MB, because opening the store needs some")
    return size


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not UTF-8"
        raise UsageError(f"{file}: the query cannot be read: {reason}") from error


def _parameters(pairs: Sequence[str]) -> Mapping[str, str]:
    values = {}
    for pair in pairs:
        name, separator, value = pair.partition("=")
        if not separator or not name.isidentifier():
            raise UsageError(f"--param {pair}: expected NAME=VALUE")
        values[name] = value
    return values


COMMAND = Command(
    sql, place=40, examples=('haledger sql "select configuration, milestone, mean_s from milestone_stats"',)
)
