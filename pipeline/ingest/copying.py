"""Rows of files that kept content and clock, copied from the old store into the new one."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import duckdb
import polars as pl

from parsers.format import Table, tables
from parsers.star import NUMBER, number_column
from pipeline.ingest.accounts import REJECTED_LINE, Span
from pipeline.reading.file_facts import File
from pipeline.reading.staging import Dimensions
from pipeline.store import log_tables, store
from pipeline.store.lines import Lines

FILE_NUMBER = {"old_id": pl.Int32(), "new_id": pl.Int32()}
JOINED = "inner join file_number as n on t.file_id = n.old_id"
"""Old rows `t` of the files that are kept."""
BATCH = 122_880
"""Rows of a dimension that are read at a time."""


class KeptRows:
    """The rows of such files in the store at `db`. What lines of tables with dimensions say goes to `dimensions` first.

    `tables`: those tables with dimensions in which there are rows to copy.
    """

    def __init__(self, con: duckdb.DuckDBPyConnection, db: Path, kept: Sequence[File], dimensions: Dimensions) -> None:
        self._con = con
        self._dimensions = dimensions
        self._handed_over: dict[tuple[str, str], tuple[int, int]] = {}
        numbers = [(each.old.file_id, each.file_id) for each in kept if each.old]
        con.execute("create temp table file_number (old_id integer, new_id integer)")
        store.insert(con, "file_number", pl.DataFrame(numbers, schema=FILE_NUMBER, orient="row"))
        self._is_attached = bool(kept)
        if kept:
            con.execute(f"attach {store.literal(str(db))} as old (read_only)")
        self.tables = {name for name, table in tables().items() if kept and table.dimensions and self._has_rows(table)}

    def _has_rows(self, table: Table) -> bool:
        return bool(self._con.execute(f"select 1 from {self._lines(table)} limit 1").fetchall())

    @staticmethod
    def _lines(table: Table) -> str:
        return f"old.{log_tables.line_relation(table)} as t {JOINED}"

    def copy(self, lines: Lines) -> dict[int, Span]:
        """Copy all rows but those of tables with dimensions; give the times that the files span."""
        if not self._is_attached:
            return {}
        for table in tables().values():
            if not table.dimensions:
                lines.copy(table, _values(log_tables.line_columns(table)), JOINED)
        values, relation = _values(REJECTED_LINE.columns), REJECTED_LINE.relation
        self._con.execute(
            f"insert into {relation} ({', '.join(map(store.quoted, values))}) "
            f"select {', '.join(values.values())} from old.{relation} as t {JOINED}"
        )
        spans = self._con.execute(
            "select n.new_id, s.first_at, s.last_at from old.main.source_file as s "
            "inner join file_number as n on s.file_id = n.old_id"
        ).fetchall()
        return {new_id: (first_at, last_at) for new_id, first_at, last_at in spans}

    def uses(self, table: Table) -> Iterator[pl.DataFrame]:
        """The lines of a table that are to be copied: key, and provisional numbers of what they say."""
        if table.name not in self.tables:
            return
        for name, columns in table.dimensions.items():
            self._handed_over[table.name, name] = self._hand_over(table, name, columns)
        numbers = [number_column(name) for name in table.dimensions]
        lines = store.frame(
            self._con,
            f"select n.new_id as file_id, t.line_no, t.part, {', '.join(f't.{each}' for each in numbers)} "
            f"from {self._lines(table)} order by all",
        )
        yield lines.with_columns(
            (pl.col(number_column(name)) - 1 + self._handed_over[table.name, name][0]).cast(NUMBER)
            for name in table.dimensions
        )

    def _hand_over(self, table: Table, dimension: str, columns: Iterable[str]) -> tuple[int, int]:
        """Give all rows of a dimension to the others; the provisional number of the first, and how many they are."""
        number, relation = number_column(dimension), f"old.{log_tables.dimension_relation(table, dimension)}"
        ((count,),) = self._con.execute(f"select count(*) from {relation}").fetchall()
        named = ", ".join(map(store.quoted, columns))
        firsts = [
            self._dimensions.add_rows(
                table.name,
                dimension,
                store.frame(
                    self._con,
                    f"select {named} from {relation} where {number} > {after} and {number} <= {after + BATCH} "
                    f"order by {number}",
                ),
            )
            for after in range(0, count, BATCH)
        ]
        return firsts[0], count

    def copy_lines(self, table: Table, lines: Lines) -> None:
        """Copy the lines of a table with dimensions, which are numbered by now."""
        if table.name not in self.tables:
            return
        joins, values = JOINED, _values(log_tables.line_columns(table))
        for name in table.dimensions:
            number = number_column(name)
            new = self._dimensions.final(table, name).slice(*self._handed_over[table.name, name])
            pairs = pl.DataFrame({"old_no": pl.int_range(1, len(new) + 1, dtype=NUMBER, eager=True), "new_no": new})
            lines.renumber(table, name, pairs.drop_nulls())
            self._con.execute(f"create or replace temp table new_{number} (old_no uinteger, new_no uinteger)")
            store.insert(self._con, f"new_{number}", pairs.drop_nulls())
            joins += f" inner join new_{number} as new_of_{name} on t.{number} = new_of_{name}.old_no"
            values[number] = f"new_of_{name}.new_no"
        lines.copy(table, values, joins)


def _values(columns: Iterable[str]) -> dict[str, str]:
    """By column what is copied of an old row `t`."""
    return {each: "n.new_id" if each == "file_id" else f"t.{store.quoted(each)}" for each in columns}
