"""Tables of a workload's mix: how often each type of statement was executed, `sql_type,count`.

Written by  scripts that count statements; comma, semicolon, tab or blanks
One row     per type of statement
"""

import polars as pl

from parsers.delimited import Header, grid_of, header_of, number, set_aside
from parsers.format import Column, Format, Parsed, Recognition, Refusal, Table
from parsers.line_verdict import NEVER, is_in, verdicts

STATEMENT_COUNT = Table(
    name="statement_count",
    grain="One row per type of statement of a workload.",
    is_public=False,
    columns=(
        Column("sql_type", pl.String(), "type of statement as written"),
        Column("count", pl.Int64(), "statements of that type"),
    ),
    is_dated=False,
)
TYPES = ("sql_type", "statement_type", "sqltype")
COUNTS = ("count", "executions", "statements", "n")


def recognise(head: pl.Series) -> Recognition | Refusal:
    """Claim a table of a type of statement and its count."""
    header = _header(head)
    if header is None:
        return Refusal("no header of sql_type and count", 1)
    return Recognition(0.92, "header of sql_type and count", header.line_no)


def parse(lines: pl.DataFrame) -> Parsed:
    """Turn rows into counts, file by file."""
    read = [_file(each) for each in lines.partition_by("file_id", maintain_order=True)]
    if not read:
        return Parsed({}, verdicts(lines, NEVER, ""))
    rows = pl.concat([each for each, _ in read])
    return Parsed(
        {} if rows.is_empty() else {STATEMENT_COUNT.name: rows}, pl.concat([line_verdicts for _, line_verdicts in read])
    )


def _header(texts: pl.Series) -> Header | None:
    header = header_of(texts, may_be_blanks=True)
    is_own = header is not None and len(header.names) == 2 and header.names[0] in TYPES and header.names[1] in COUNTS
    return header if is_own else None


def _file(lines: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    header = _header(lines["text"])
    if header is None:
        rejection = "below no header of sql_type and count"
        return STATEMENT_COUNT.empty(), verdicts(lines, NEVER, rejection)
    count = number(pl.col("c1"), header)
    cells = grid_of(lines, header).cells.with_columns(count.alias("count"), pl.lit(1).alias("part"))
    is_count = (pl.col("count") >= 0) & (pl.col("count") < 2**53) & (pl.col("count") % 1 == 0) & (pl.col("c0") != "")
    rows = (
        cells.filter(is_count)
        .rename({"c0": "sql_type"})
        .select(pl.col(name).cast(dtype) for name, dtype in STATEMENT_COUNT.schema.items())
    )
    return rows, verdicts(lines, is_in(lines, rows), "no type with a whole count", ignored=set_aside(header))


FORMAT = Format(
    name="workload_mix",
    title="mix of a workload",
    tables=(STATEMENT_COUNT,),
    recognise=recognise,
    parse=parse,
    file_names=("*mix*",),
    role="measurement",
)
