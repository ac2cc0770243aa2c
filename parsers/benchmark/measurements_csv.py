"""Tables of measurements that people and scripts write: CSV, TSV or semicolons, with a header.

Written by  anybody; the table to write by hand is `config,run,clients,duration_s,tps`, one row a run
One row     per value of a row. With a column of time the rows are points of a series, unless a column of runs makes
            each row a run; else they are runs
Columns     recognised by their names in any order (`parsers/benchmark/measurement_columns.py`); others are left alone
Time        ISO 8601, seconds, milliseconds or microseconds since 1970 (recognised by size), or seconds from the start
Runs        where no column names them, rows are counted per configuration, load and label
Events      `queues,events,start,end` gives events per hour: events / (end - start) * 3600
"""

import polars as pl

from parsers.benchmark.measurement_columns import Layout, Part, ValueColumn, layout_of
from parsers.delimited import Grid, Header, cell_of, duration, grid_of, header_of, number, set_aside, time_columns
from parsers.division import divided
from parsers.format import Format, Parsed, Recognition, Refusal
from parsers.line_verdict import NEVER, is_in, verdicts
from parsers.measurement import MEASUREMENT_POINT, MEASUREMENT_VALUE, PER_HOUR, tables_of

SAMPLE = 50
"""Rows below the header that recognition looks at."""
SUBJECT = ("file_id", "configuration", "run", "clients", "label")


def recognise(head: pl.Series) -> Recognition | Refusal:
    """Claim a table whose header names a value and what distinguishes its rows, with numbers below."""
    header = header_of(head)
    if header is None:
        return Refusal("no header of several named columns", 1)
    layout = layout_of(header.names)
    if layout is None:
        return Refusal("no column is named as a value, beside one of time, run, configuration or load", header.line_no)
    lines = pl.DataFrame({"text": head}).with_row_index("line_no", 1).with_columns(pl.lit(1).alias("file_id"))
    rows, problems = _rows(grid_of(lines.head(header.line_no + SAMPLE), header), layout)
    if 2 * rows["line_no"].n_unique() < max(len(problems), 1):
        return Refusal("few rows below the header hold numbers where it names values", header.line_no)
    names = ", ".join(header.names[each.place] for each in layout.values)
    read = {*layout.parts.values(), *(each.place for each in layout.values)}
    rest = ", ".join(name for place, name in enumerate(header.names) if place not in read)
    left = f"; not read: {rest}" if rest else ""
    return Recognition(0.55 if layout.is_wide else 0.75, f"header with values ({names}){left}", header.line_no)


def parse(lines: pl.DataFrame) -> Parsed:
    """Turn rows into values of runs or points of series, file by file."""
    if lines.is_empty():
        return Parsed({}, verdicts(lines, NEVER, ""))
    read = [_file(each) for each in lines.partition_by("file_id", maintain_order=True)]
    rows = [each for each, _ in read if not each.is_empty()]
    values = [each for each in rows if not each["is_point"][0]]
    points = [each for each in rows if each["is_point"][0]]
    tables: dict[str, pl.DataFrame] = {}
    if values:
        tables |= tables_of(values=(MEASUREMENT_VALUE, pl.concat(values, how="diagonal_relaxed")))
    if points:
        tables |= tables_of(points=(MEASUREMENT_POINT, pl.concat(points, how="diagonal_relaxed")))
    return Parsed(tables, pl.concat([line_verdicts for _, line_verdicts in read]))


NO_ROWS = pl.DataFrame(schema={"file_id": pl.Int32(), "line_no": pl.Int32()})


def _file(lines: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Rows and verdicts of one file."""
    header = header_of(lines["text"])
    layout = None if header is None else layout_of(header.names)
    if header is None or layout is None:
        return NO_ROWS, verdicts(lines, NEVER, "below no header that names values")
    rows, problems = _rows(grid_of(lines, header), layout)
    rows = _numbered(rows, layout)
    is_empty = pl.when(pl.col("problem").is_null()).then(pl.lit("row without a value"))
    line_verdicts = verdicts(
        lines.join(problems, on=["file_id", "line_no"], how="left", maintain_order="left"),
        is_in(lines, rows),
        pl.col("problem"),
        ignored=pl.coalesce(set_aside(header), is_empty),
    )
    return rows, line_verdicts


def _rows(grid: Grid, layout: Layout) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Values with what distinguishes them, and why each other line gives none (file_id, line_no, problem)."""
    cells = grid.cells.with_columns(
        *_subject(layout), *_times(grid.header, layout), *_duration(grid.header, layout)
    ).with_columns(_problem(grid.header, layout).alias("problem"))
    ragged = grid.bad.select(
        "file_id",
        "line_no",
        pl.format("{} cells where the header has {}", "count", len(grid.header.names)).alias("problem"),
    )
    problems = pl.concat([cells.select("file_id", "line_no", "problem").drop_nulls(), ragged])
    good = cells.filter(pl.col("problem").is_null())
    columns = [layout.events, *(each for each in layout.values if each is not layout.events)]
    rows = pl.concat([_values(good, grid.header, layout, each) for each in columns if each is not None])
    return rows.filter(pl.col("value").is_finite()).sort("file_id", "line_no", "place"), problems


def _subject(layout: Layout) -> list[pl.Expr]:
    clients = cell_of(layout.parts, "clients").str.extract(r"^([0-9]{1,9})(?:\.0+)?$", 1)
    return [
        cell_of(layout.parts, "configuration").alias("configuration"),
        cell_of(layout.parts, "run").alias("run"),
        cell_of(layout.parts, "label").alias("label"),
        clients.cast(pl.Int32).alias("clients"),
    ]


def _times(header: Header, layout: Layout) -> list[pl.Expr]:
    """When a row stands for: its time, else its start."""
    part: Part = "time" if layout.is_series else "start"
    return time_columns(cell_of(layout.parts, part), header, layout.seconds.get(part, 1.0))


def _duration(header: Header, layout: Layout) -> list[pl.Expr]:
    """Seconds from start to end, else as the table gives them."""
    ends = [time_columns(cell_of(layout.parts, part), header) for part in ("end", "start")]
    (end, end_east, end_s), (start, start_east, start_s) = ends
    moved_us = pl.duration(minutes=(end_east - start_east).fill_null(0).cast(pl.Int64))
    between_s = divided((end - start - moved_us).dt.total_microseconds(), 1e6)
    given_s = duration(cell_of(layout.parts, "duration"), header, layout.seconds.get("duration", 1.0))
    return [pl.coalesce(between_s, end_s - start_s, given_s).alias("duration_s")]


def _problem(header: Header, layout: Layout) -> pl.Expr:
    """Why a row gives no value, or null."""
    problems = []
    if layout.is_series:
        is_timed = pl.col("stamp").is_not_null() | pl.col("offset_s").is_not_null()
        problems.append(pl.when(~is_timed).then(pl.lit(f"no time in column {header.names[layout.parts['time']]}")))
    if layout.events is not None:
        has_length = (pl.col("duration_s") > 0).fill_null(value=False)
        problems.append(pl.when(~has_length).then(pl.lit("no time from start to end, so no rate")))
    for each in layout.values:
        cell = pl.col(f"c{each.place}")
        is_bad = _value(header, each).is_null() & (cell != "")
        problems.append(pl.when(is_bad).then(pl.lit(f"no number in column {header.names[each.place]}")))
    return pl.coalesce(problems)


def _value(header: Header, column: ValueColumn) -> pl.Expr:
    """What the cells of a column of values say, in the unit of its metric."""
    cell = pl.col(f"c{column.place}")
    if column.unit_s is not None:
        return duration(cell, header, column.scale, column.unit_s)
    return number(cell.str.strip_suffix(column.metric).str.strip_chars_end(" "), header) * column.scale


def _values(cells: pl.DataFrame, header: Header, layout: Layout, column: ValueColumn) -> pl.DataFrame:
    """One column of values in long form."""
    value = _value(header, column)
    is_rate = column is layout.events
    named = pl.col("configuration") if column.configuration is None else pl.lit(column.configuration)
    return cells.select(
        "file_id",
        "line_no",
        pl.lit(column.place).alias("place"),
        named.alias("configuration"),
        "run",
        "clients",
        "label",
        "stamp",
        "utc_offset_min",
        "offset_s",
        "duration_s",
        pl.lit("events_per_hour" if is_rate else column.metric).alias("metric"),
        pl.lit(PER_HOUR if is_rate else column.unit, pl.String).alias("unit"),
        (value / pl.col("duration_s") * 3600 if is_rate else value).alias("value"),
    )


def _numbered(rows: pl.DataFrame, layout: Layout) -> pl.DataFrame:
    """Rows with their parts, reported as runs or points, runs without a name counted."""
    has_runs = "run" in layout.parts
    is_a_run_each = has_runs and not rows.select(*SUBJECT, "metric").is_duplicated().any()
    is_point = layout.is_series and not is_a_run_each
    counted = pl.lit(1) if is_point else pl.col("line_no").rank("dense").over(*SUBJECT)
    return rows.with_columns(
        (pl.int_range(pl.len()).over("file_id", "line_no") + 1).alias("part"),
        pl.when(pl.col("run").is_null()).then(counted).alias("summary_no"),
        pl.lit(is_point).alias("is_point"),
    )


FORMAT = Format(
    name="measurements_csv",
    title="table of measurements",
    tables=(MEASUREMENT_VALUE, MEASUREMENT_POINT),
    recognise=recognise,
    parse=parse,
    file_names=("*.csv", "*.tsv"),
    role="measurement",
    names_configurations=True,
)
