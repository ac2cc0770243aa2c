"""Questions to a store: sql."""

import sys
from collections.abc import Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from haledger.options import Database, found_store
from haledger.terminal import Talk, terminal_width
from pipeline.errors import UsageError


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


def sql(
    query: Annotated[str | None, typer.Argument(help="One SQL statement. Default: standard input.")] = None,
    *,
    db: Database = None,
    format_: Annotated[QueryFormat, typer.Option("--format", "-f", help="How rows are written.")] = QueryFormat.TABLE,
    output: Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write rows to a file.")] = None,
    parameter: Annotated[
        list[str] | None, typer.Option("--param", "-p", metavar="NAME=VALUE", help="Value for $NAME in the query.")
    ] = None,
    timeout: Annotated[float, typer.Option(help="Seconds before the query is stopped.", min=0.01)] = 20.0,
    memory: Annotated[str, typer.Option(help="Memory the query may use, e.g. 500MB.")] = "1GB",
    max_rows: Annotated[int | None, typer.Option(help="Rows to return at most. Default: all.", min=0)] = None,
) -> None:
    """Query the store: read-only, no files, no network, bounded in time and memory.

    Example: haledger sql "select configuration, milestone, mean_s from milestone_stats"
    """
    from pipeline.sandbox import Limits, parse_size
    from pipeline.sandbox import query as run_query
    from reports.rows import write_rows

    statement = query if query is not None else _standard_input()
    limits = Limits(timeout_s=timeout, memory_bytes=parse_size(memory), max_rows=max_rows)
    result = run_query(found_store(db), statement, parameters=_parameters(parameter or ()), limits=limits)
    if format_ is QueryFormat.PARQUET and output is None and sys.stdout.isatty():
        raise UsageError("parquet is binary; name a file with -o FILE")
    write_rows(result.frame, format_, output, width=terminal_width())
    if result.is_cut:
        Talk.say(f"Cut after {max_rows} rows (--max-rows).")


def _standard_input() -> str:
    if sys.stdin is None or sys.stdin.isatty():
        raise UsageError('no query given; example: haledger sql "select * from run"')
    return sys.stdin.read()


def _parameters(pairs: Sequence[str]) -> Mapping[str, str]:
    values = {}
    for pair in pairs:
        name, separator, value = pair.partition("=")
        if not separator or not name.isidentifier():
            raise UsageError(f"--param {pair}: expected NAME=VALUE")
        values[name] = value
    return values
