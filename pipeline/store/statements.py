"""Statements as other rooms run them: rows as dictionaries, and a query over every line that has a time."""

from pathlib import Path

import duckdb

from parsers.format import tables
from pipeline.store.log_tables import line_relation
from pipeline.store.row import Row

__all__ = ["Row", "dated_lines", "rows", "rows_of"]


def rows(con: duckdb.DuckDBPyConnection, sql: str, **parameters: object) -> list[Row]:
    """The rows of a statement by column."""
    found = con.execute(sql, parameters or None)
    names = [each[0] for each in found.description or ()]
    return [dict(zip(names, each, strict=True)) for each in found.fetchall()]


def rows_of(con: duckdb.DuckDBPyConnection, file: Path, **parameters: object) -> list[Row]:
    """The rows of the statement in a file."""
    return rows(con, file.read_text(encoding="utf-8"), **parameters)


def dated_lines(columns: str, condition: str = "true") -> str:
    """A query over file_id, line_no, part, at and local_at of the rows with a time of every table of schema `log`."""
    dated = [line_relation(table) for table in tables().values() if table.is_dated]
    return " union all ".join(f"select {columns} from {relation} where {condition}" for relation in dated)
