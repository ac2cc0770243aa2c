"""Counters of DB2's monitor functions (MON_GET_DATABASE and its like) as a table over time.

Written by  a query, exported with its header; columns are recognised by their names
One row     per line and column of numbers; the columns that name a database, a table space, a buffer pool or a member
            say whose they are
Time        a column of time stamps, without a zone; a line without one is kept undated
"""

import re

import polars as pl

from parsers.db2.snapshot_element import SNAPSHOT_ELEMENT, identifier, is_counter
from parsers.delimited import Header, grid_of, header_of, number
from parsers.format import VERDICT_SCHEMA, Recognition, Refusal
from parsers.line_verdict import verdicts
from parsers.measurement import typed
from parsers.printed_date import orders_of

TIME = re.compile(
    r"ts|time|timestamp|at|(?:snapshot|current)_timestamp|collected(?:_at)?|collection_time|sample_time|sampled_at|mon_time"
)
DATABASES = frozenset({"db_name", "database", "database_name", "dbname"})
ENTITIES = {
    "tbsp_name": "tablespace",
    "tablespace_name": "tablespace",
    "bp_name": "bufferpool",
    "bufferpool_name": "bufferpool",
    "application_handle": "application",
    "tabname": "table",
    "service_subclass_name": "service class",
    "workload_name": "workload",
    "member": "member",
    "dbpartitionnum": "member",
}
# names that DB2 alone has
SIGNATURE = re.compile(
    r"total_app_(?:commits|rollbacks)|int_(?:commits|rollbacks)|(?:commit|rollback|select|uid)_sql_stmts|log_(?:reads|writes)"
    r"|num_log_(?:write_io|read_io|part_page_io|buffer_full)|pool_(?:data|index)_(?:[lp]_reads|writes)|rows_returned"
    r"|(?:act|rqsts)_completed_total|lock_escals|total_(?:cpu|rqst)_time|log_(?:disk|hadr)_wait_time"
)
MAX_HEAD = 400


def recognise(head: pl.Series) -> Recognition | Refusal:
    """Claim a table whose header has a time and two elements of DB2."""
    header = header_of(head)
    if header is None:
        return Refusal("no title, no labels and no header of DB2's monitor", 0 if head.is_empty() else 1)
    known = [name for name in header.names if SIGNATURE.fullmatch(name)]
    if not any(map(TIME.fullmatch, header.names)) or len(known) < 2:
        return Refusal("its header has no time or less than two monitor elements of DB2", header.line_no)
    return Recognition(0.9, "header with monitor elements of DB2", header.line_no)


def read(lines: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Rows of snapshot_element and a verdict for each line."""
    rows, verdict_frames = [SNAPSHOT_ELEMENT.empty()], [pl.DataFrame(schema=VERDICT_SCHEMA)]
    for file_lines in lines.partition_by("file_id", maintain_order=True):
        header = header_of(file_lines["text"].head(MAX_HEAD))
        if header is not None:
            grid = grid_of(file_lines, header)
            found = _rows(grid.cells, header)
            rows.append(found)
            verdict_frames.append(_verdicts(file_lines, header, found, grid.bad))
    return pl.concat(rows), pl.concat(verdict_frames)


def _rows(cells: pl.DataFrame, header: Header) -> pl.DataFrame:
    """One row per number: the columns of the table turned into rows."""
    place = {name: f"c{index}" for index, name in enumerate(header.names)}
    times = [name for name in header.names if TIME.fullmatch(name)]
    time = place[times[0]]
    database = next((pl.col(place[name]) for name in header.names if name in DATABASES), pl.lit(None, pl.String()))
    kinds = [name for name in header.names if name in ENTITIES]
    elements = [name for name in header.names if name not in {*times, *DATABASES, *kinds}]
    texts = cells[time].unique().to_list()
    orders = orders_of(texts)
    stamps = {text: orders.read(text) for text in texts}
    reasons = {text: orders.reason(text) for text in texts}
    lines = cells.with_row_index("snapshot", offset=1).select(
        "file_id",
        "line_no",
        pl.col("snapshot").cast(pl.Int32()).alias("snapshot_no"),
        database.alias("database"),
        pl.lit(ENTITIES[kinds[0]] if kinds else None, pl.String()).alias("entity_kind"),
        (pl.concat_str([place[name] for name in kinds], separator=" / ") if kinds else pl.lit(None)).alias("entity"),
        pl.col(time).alias("printed_at"),
        pl.col(time).replace_strict(stamps, return_dtype=pl.Datetime("us")).alias("stamp"),
        pl.col(time).replace_strict(reasons, return_dtype=pl.String()).alias("date_order"),
        *(pl.col(place[name]) for name in elements),
    )
    parts = [
        lines.select(
            pl.exclude(r"^c[0-9]+$"),
            pl.lit(part, pl.Int16()).alias("part"),
            pl.lit(identifier(name)).alias("element"),
            pl.lit(name.upper()).alias("label"),
            pl.lit(is_counter(name) or bool(SIGNATURE.fullmatch(name))).alias("is_counter"),
            pl.when(pl.col(place[name]) != "").then(place[name]).alias("value"),
            number(pl.col(place[name]), header).alias("number"),
        )
        for part, name in enumerate(elements, 1)
    ]
    found = typed(pl.concat(parts), SNAPSHOT_ELEMENT) if parts else SNAPSHOT_ELEMENT.empty()
    return found.sort("line_no", "part")


def _verdicts(lines: pl.DataFrame, header: Header, rows: pl.DataFrame, bad: pl.DataFrame) -> pl.DataFrame:
    row = pl.int_range(pl.len()) + 1
    is_aside = (row <= header.line_no) | ~pl.col("line_no").is_in(bad["line_no"].implode())
    reason = pl.when(row == header.line_no).then(pl.lit("header")).otherwise(pl.lit("comment"))
    return verdicts(
        lines,
        pl.col("line_no").is_in(rows["line_no"].unique().implode()),
        f"not {len(header.names)} cells as in the header",
        ignored=pl.when(is_aside).then(reason),
    )
