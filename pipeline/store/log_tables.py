"""The tables of schema `log`: what a format's rows are stored as, with the comments that document them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import duckdb
import polars as pl

from parsers.format import STAMP_SCHEMA, Table, tables
from parsers.star import NUMBER, number_column
from pipeline.store.store import literal, quoted

if TYPE_CHECKING:
    from pipeline.study.study_tables import StudyTable  # loads pydantic

AT_COLUMNS = {
    "at": "time of the event, UTC; null where the line gives none",
    "local_at": "the wall clock as printed, year filled in",
}

KEY_COMMENTS = {
    "file_id": "main.source_file",
    "line_no": "line in the file, from 1",
    "part": "1; counts on where one line holds several messages",
}


LONG_TEXTS = frozenset({"text", "message", "payload", "data", "body"})
"""Columns of sentences: zstd makes them half as big as what DuckDB chooses by itself does, and sooner."""

SQL_TYPES: dict[type[pl.DataType], str] = {
    pl.Boolean: "boolean",
    pl.Int8: "tinyint",
    pl.Int16: "smallint",
    pl.Int32: "integer",
    pl.Int64: "bigint",
    pl.UInt8: "utinyint",
    pl.UInt16: "usmallint",
    pl.UInt32: "uinteger",
    pl.UInt64: "ubigint",
    pl.Float32: "float",
    pl.Float64: "double",
    pl.String: "varchar",
    pl.Binary: "blob",
    pl.Date: "date",
    pl.Time: "time",
    pl.Datetime: "timestamp",
}


def create_tables(con: duckdb.DuckDBPyConnection, study_tables: Mapping[str, "StudyTable"]) -> None:
    """Create schema `log` with every table that a format may fill, and schema `study` with the tables given."""
    con.execute("create schema log")
    for table in tables().values():
        create_log_table(con, table)
    con.execute("create schema study")
    for name, each in study_tables.items():
        create_table(con, f"study.{quoted(name)}", each.schema, each.grain, each.comments)


def create_log_table(con: duckdb.DuckDBPyConnection, table: Table) -> None:
    """Create a table of schema `log` as it is declared, with comments; of one with dimensions its parts and a view."""
    comments = _comments(table)
    relation = f"log.{quoted(table.name)}"
    create_table(con, line_relation(table), line_columns(table), _line_grain(table), _line_comments(table))
    if not table.dimensions:
        return
    for name, columns in table.dimensions.items():
        grain, meanings = _dimension_meaning(table, name)
        create_table(con, dimension_relation(table, name), {number_column(name): NUMBER, **columns}, grain, meanings)
    con.execute(f"create view {relation} as {star_view(table)}")
    _comment(con, "view", relation, log_columns(table), table.grain, comments)


def show_lines(con: duckdb.DuckDBPyConnection, table: Table, statement: str, *, again: bool) -> None:
    """Put a view in the place of the table that holds the lines of a table, with its comments. `again`: of a view."""
    relation = line_relation(table)
    if not again:
        con.execute(f"drop table {relation}")
    con.execute(f"create or replace view {relation} as {statement}")
    _comment(con, "view", relation, line_columns(table), _line_grain(table), _line_comments(table))


def show_dimension(
    con: duckdb.DuckDBPyConnection, table: Table, dimension: str, paths: Sequence[str], *, again: bool
) -> None:
    """Put a view over Parquet files in the place of the table that holds a dimension; `again` as of lines."""
    relation = dimension_relation(table, dimension)
    if not again:
        con.execute(f"drop table {relation}")
    con.execute(f"create or replace view {relation} as select * from read_parquet([{', '.join(map(literal, paths))}])")
    grain, meanings = _dimension_meaning(table, dimension)
    _comment(con, "view", relation, {number_column(dimension): NUMBER, **table.dimensions[dimension]}, grain, meanings)


def _comments(table: Table) -> dict[str, str]:
    of_columns = {column.name: column.comment for column in table.columns}
    return KEY_COMMENTS | (AT_COLUMNS if table.is_dated else {}) | of_columns


def _dimension_meaning(table: Table, dimension: str) -> tuple[str, dict[str, str]]:
    """What a dimension and its columns are."""
    number = {number_column(dimension): "its number, from 1, in the order of the first lines that have them"}
    return f"One row per different {dimension} of log.{table.name}.", _comments(table) | number


def _line_comments(table: Table) -> dict[str, str]:
    numbers = {number_column(name): f"row of {dimension_relation(table, name)}" for name in table.dimensions}
    return _comments(table) | numbers


def _line_grain(table: Table) -> str:
    if not table.dimensions:
        return table.grain
    return f"One row per row of log.{table.name}: what is not the same in many of them."


def star_view(table: Table) -> str:
    """The rows of a table with dimensions, as if they were stored as they are shown.

    No line lacks what it says; a left join only keeps DuckDB from holding all lines in memory to look for few messages.
    """
    of_columns = {name: part for part, columns in table.dimensions.items() for name in columns}
    columns = ", ".join(f"{quoted(of_columns.get(name, 'line'))}.{quoted(name)}" for name in log_columns(table))
    joins = " ".join(
        f"left join {dimension_relation(table, name)} as {quoted(name)} "
        f"on line.{number_column(name)} = {quoted(name)}.{number_column(name)}"
        for name in table.dimensions
    )
    return f"select {columns} from {line_relation(table)} as line {joins}"


def whole_lines(table: Table) -> str:
    """The lines of a table for which the store also has what they say, as a statement reads them."""
    joins = (f" semi join {dimension_relation(table, name)} using ({number_column(name)})" for name in table.dimensions)
    return f"{line_relation(table)}{''.join(joins)}"


def line_relation(table: Table) -> str:
    """The table that holds the lines of a table of schema `log`: keys, times, and what is not in a dimension."""
    return f"log.{quoted(f'{table.name}_line' if table.dimensions else table.name)}"


def dimension_relation(table: Table, dimension: str) -> str:
    """The table that holds a dimension."""
    return f"log.{quoted(f'{table.name}_{dimension}')}"


def log_columns(table: Table) -> dict[str, pl.DataType]:
    """Columns of a relation of schema `log`: the parser's, with `at` and `local_at` in place of the stamp."""
    return _with_times(table, table.schema)


def line_columns(table: Table) -> dict[str, pl.DataType]:
    """Columns of `line_relation`."""
    return _with_times(table, table.line_schema)


def _with_times(table: Table, schema: Mapping[str, pl.DataType]) -> dict[str, pl.DataType]:
    columns: dict[str, pl.DataType] = {}
    for name, dtype in schema.items():
        if name == "stamp":
            columns |= {each: pl.Datetime("us") for each in AT_COLUMNS}
        elif not (table.is_dated and name in STAMP_SCHEMA):
            columns[name] = dtype
    return columns


def sql_type(dtype: pl.DataType) -> str:
    """DuckDB's name of a type."""
    if isinstance(dtype, pl.List):
        return f"{sql_type(_instance(dtype.inner))}[]"
    if isinstance(dtype, pl.Struct):
        fields = ", ".join(f"{quoted(each.name)} {sql_type(_instance(each.dtype))}" for each in dtype.fields)
        return f"struct({fields})"
    return SQL_TYPES[type(dtype)]


def create_table(
    con: duckdb.DuckDBPyConnection,
    relation: str,
    columns: Mapping[str, pl.DataType],
    comment: str,
    column_comments: Mapping[str, str],
) -> None:
    """Create a table without rows, with comments."""
    declared = ", ".join(_declared(name, dtype) for name, dtype in columns.items())
    con.execute(f"create table {relation} ({declared})")
    _comment(con, "table", relation, columns, comment, column_comments)


def _comment(  # noqa: PLR0913, PLR0917  the parts of a comment
    con: duckdb.DuckDBPyConnection,
    kind: str,
    relation: str,
    columns: Iterable[str],
    comment: str,
    column_comments: Mapping[str, str],
) -> None:
    con.execute(f"comment on {kind} {relation} is {literal(comment)}")
    for name in columns:
        if name in column_comments:
            con.execute(f"comment on column {relation}.{quoted(name)} is {literal(column_comments[name])}")


def _declared(name: str, dtype: pl.DataType) -> str:
    compression = " using compression zstd" if dtype == pl.String and name in LONG_TEXTS else ""
    return f"{quoted(name)} {sql_type(dtype)}{compression}"


def _instance(dtype: object) -> pl.DataType:
    return dtype if isinstance(dtype, pl.DataType) else dtype()  # type: ignore[operator]  # a class
