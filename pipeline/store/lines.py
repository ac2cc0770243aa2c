"""Where the rows of line tables go while a store is built: into its file, or into parts beside it."""

from collections.abc import Mapping
from typing import Protocol

import duckdb
import polars as pl

from parsers.format import Table, tables
from parsers.star import number_column
from pipeline.store import log_tables, store

MOVED_LINE = "create temp table moved_line (file_id integer, from_line integer, to_line integer, shift_us bigint)"

WITHIN = "t.file_id = o.file_id and t.line_no between o.from_line and o.to_line"
"""Rows `t` of files within ranges of lines `o`."""


def numbers_in_use(table: Table, dimension: str) -> str:
    """A statement for the numbers of a dimension's rows to which lines refer."""
    number = number_column(dimension)
    return f"select {number} from {log_tables.line_relation(table)} where {number} is not null"


class Lines(Protocol):
    """The rows of all line tables of a store that is being built."""

    def add(self, table: Table, frame: pl.DataFrame) -> None:
        """Append rows, with times."""

    def renumber(self, table: Table, dimension: str, pairs: pl.DataFrame) -> None:
        """Learn which number (`new_no`) the rows of a dimension have now that had `old_no` in the old store."""

    def copy(self, table: Table, values: Mapping[str, str], joins: str) -> None:
        """Append rows of the old store, attached as `old`: by column its expression over `t`, the old rows, joined."""

    def show(self) -> None:
        """All rows are there: let statements see them."""

    def move(self) -> None:
        """Add the microseconds of temporary table `moved_line` to the times of the lines that it names."""

    def leave_out(self, table: Table, ranges: str) -> int:
        """Take the lines of a table out that lie within the ranges of a temporary table; give how many rows."""

    def delete_unused(self, table: Table, dimension: str) -> None:
        """Take the rows of a dimension out that no line refers to any more."""

    def close(self) -> None:
        """Nothing changes any more."""


class InStore:
    """Rows in the file of the store."""

    def __init__(self, con: duckdb.DuckDBPyConnection) -> None:
        self._con = con

    def add(self, table: Table, frame: pl.DataFrame) -> None:
        """Append rows."""
        store.insert(self._con, log_tables.line_relation(table), frame)

    def renumber(self, table: Table, dimension: str, pairs: pl.DataFrame) -> None:
        """Rows are copied with their new numbers."""

    def copy(self, table: Table, values: Mapping[str, str], joins: str) -> None:
        """Append rows of the old store."""
        relation = log_tables.line_relation(table)
        self._con.execute(
            f"insert into {relation} ({', '.join(map(store.quoted, values))}) "
            f"select {', '.join(values.values())} from old.{relation} as t {joins}"
        )

    def show(self) -> None:
        """Rows in a table are seen."""

    def move(self) -> None:
        """Change the times in place."""
        for relation in (log_tables.line_relation(table) for table in tables().values() if table.is_dated):
            self._con.execute(
                f'update {relation} as t set "at" = t."at" + to_microseconds(o.shift_us) from moved_line as o '
                f"where {WITHIN}"
            )

    def leave_out(self, table: Table, ranges: str) -> int:
        """Delete rows."""
        relation = log_tables.line_relation(table)
        return int(
            self._con.execute(f"delete from {relation} as t using {ranges} as o where {WITHIN}").fetchall()[0][0]
        )

    def delete_unused(self, table: Table, dimension: str) -> None:
        """Delete rows."""
        self._con.execute(
            f"delete from {log_tables.dimension_relation(table, dimension)} "
            f"where {number_column(dimension)} not in ({numbers_in_use(table, dimension)})"
        )

    def close(self) -> None:
        """Rows in a table need no list."""
