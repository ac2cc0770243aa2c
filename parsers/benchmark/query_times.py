"""Tables of query times: one row per query with its mean, and often the least, greatest and spread of its repetitions.

Written by  scripts around a benchmark such as TPC-H
One row     per query: metric `query <name>`, the mean in seconds
Columns     known by their names: query; avg, mean, time or seconds; min; max; stddev, or STDDEV% (percent of the mean).
            A name that ends in `_ms` states milliseconds
"""

import polars as pl

from parsers.delimited import Header, duration, grid_of, header_of, number, set_aside
from parsers.division import divided
from parsers.format import Format, Parsed, Recognition, Refusal
from parsers.line_verdict import NEVER, is_in, verdicts
from parsers.measurement import MEASUREMENT_VALUE, SECONDS, tables_of

QUERIES = ("query", "query_no", "query_id", "query_number", "sql", "statement", "q")
MEANS = ("avg", "mean", "average", "time", "seconds", "elapsed", "avg_time", "elapsed_time", "duration", "secs")
LEAST, GREATEST = ("min", "min_time"), ("max", "max_time")
SPREADS, PERCENT_SPREADS = ("stddev", "sd", "std"), ("stddev%", "cv%", "stddev_%", "cv_%", "cv_pct")
REPETITIONS = ("n", "count", "runs", "repetitions")
SAMPLE = 50
NO_NUMBER = pl.lit(None, pl.Float64)


def recognise(head: pl.Series) -> Recognition | Refusal:
    """Claim a table whose first column is the query and another its time, with numbers below."""
    header = header_of(head, may_be_blanks=True)
    if header is None or not _is_own(header):
        return Refusal("no header that begins with a query and names its time", 1)
    lines = pl.DataFrame({"text": head}).with_row_index("line_no", 1).with_columns(pl.lit(1).alias("file_id"))
    rows, bad = _rows(lines.head(header.line_no + SAMPLE), header)
    if len(rows) <= len(bad):
        return Refusal("few rows below the header hold a time", header.line_no)
    return Recognition(0.9, "header with a query and its time", header.line_no)


def parse(lines: pl.DataFrame) -> Parsed:
    """Turn rows into values, file by file."""
    read = [_file(each) for each in lines.partition_by("file_id", maintain_order=True)]
    if not read:
        return Parsed({}, verdicts(lines, NEVER, ""))
    rows = [each for each, _ in read if not each.is_empty()]
    tables = tables_of(values=(MEASUREMENT_VALUE, pl.concat(rows))) if rows else {}
    return Parsed(tables, pl.concat([line_verdicts for _, line_verdicts in read]))


def _file(lines: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    header = header_of(lines["text"], may_be_blanks=True)
    if header is None or not _is_own(header):
        nothing = pl.DataFrame(schema={"file_id": pl.Int32(), "line_no": pl.Int32()})
        return nothing, verdicts(lines, NEVER, "below no header of query times")
    rows, _ = _rows(lines, header)
    return rows, verdicts(lines, is_in(lines, rows), "no query with a time", ignored=set_aside(header))


def _rows(lines: pl.DataFrame, header: Header) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Values, and the lines below the header that give none."""
    grid = grid_of(lines, header)
    mean = _time(header, MEANS)
    share = divided(_number(header, PERCENT_SPREADS), 100)
    rows = grid.cells.select(
        "file_id",
        "line_no",
        pl.lit(1).alias("summary_no"),
        pl.format("query {}", pl.col("c0").str.replace(r"^[Qq](?:uery)?[ _-]?([0-9])", "$1")).alias("metric"),
        pl.lit(SECONDS).alias("unit"),
        mean.alias("value"),
        _number(header, REPETITIONS).alias("repetitions"),
        _time(header, LEAST).alias("low"),
        _time(header, GREATEST).alias("high"),
        pl.coalesce(_time(header, SPREADS), share * mean).alias("spread"),
    ).filter(pl.col("value").is_not_null() & (pl.col("metric") != "query "))
    missing = grid.cells.join(rows, on="line_no", how="anti").select("line_no")
    return rows, pl.concat([missing, grid.bad.select("line_no")])


def _is_own(header: Header) -> bool:
    return header.names[0] in QUERIES and _place(header, MEANS) is not None


def _place(header: Header, names: tuple[str, ...]) -> int | None:
    """The first column of these names, no matter what unit follows them."""
    return next((place for place, name in enumerate(header.names) if _bare(name) in names), None)


def _bare(name: str) -> str:
    return name.removesuffix("_ms").removesuffix("_s")


def _number(header: Header, names: tuple[str, ...]) -> pl.Expr:
    place = _place(header, names)
    return NO_NUMBER if place is None else number(pl.col(f"c{place}"), header)


def _time(header: Header, names: tuple[str, ...]) -> pl.Expr:
    """Seconds."""
    place = _place(header, names)
    is_ms = place is not None and header.names[place].endswith("_ms")
    return NO_NUMBER if place is None else duration(pl.col(f"c{place}"), header, 0.001 if is_ms else 1.0)


FORMAT = Format(
    name="query_times",
    title="table of query times",
    tables=(MEASUREMENT_VALUE,),
    recognise=recognise,
    parse=parse,
    file_names=("*timing*",),
    role="measurement",
)
