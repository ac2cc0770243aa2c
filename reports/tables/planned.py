"""What tables of HADR planning share: rows of one statement, grouped by configuration; units as printed."""

from collections.abc import Callable
from dataclasses import dataclass

from reports import numbers
from reports.store import Row
from reports.study_view import StudyView, statement
from reports.tables.model import Cell, Column, Table, rows_of

PRINTED_ROWS = 80
SOURCE = "Source: relations of the HADR simulator, which name file and line."


@dataclass(frozen=True, slots=True)
class Plan:
    """A table from the report's statement of its name. Its first column is the configuration."""

    name: str
    caption: str
    columns: tuple[Column, ...]
    note: str
    row_heads: int = 2

    def tables(self, study: StudyView, cells: Callable[[Row], tuple[Cell, ...]]) -> list[Table]:
        """The table, or none without rows; `cells` gives those after the configuration."""
        found = study.planning(self.name)
        if not found:
            return []
        rows = [(Cell(study.label(row["configuration"]), (row["configuration"],)), *cells(row)) for row in found]
        return [
            Table(
                name=self.name.replace("_", "-"),
                caption=self.caption,
                columns=self.columns,
                rows=rows_of(rows),
                notes=(self.note,),
                source=SOURCE,
                sql=statement(self.name),
                row_heads=self.row_heads,
                is_grouped=True,
                printed_rows=PRINTED_ROWS,
            )
        ]


def made(value: str | None) -> Cell:
    """A text that a view made of names and numbers, such as the setting of a run."""
    return Cell(numbers.rewritten(value) if value else numbers.DASH, (value,))


def count(row: Row, name: str) -> Cell:
    """A whole number."""
    return Cell(numbers.count(row[name]), (row[name],))


def rate(row: Row, mean: str, stddev: str | None = None) -> Cell:
    """MB/s, with the deviation where there is one."""
    if stddev is None:
        return Cell(megabytes(row[mean]), (row[mean],))
    deviation = row[stddev]
    spread = "" if deviation is None else f" {numbers.PLUS_MINUS} {numbers.fixed(deviation, 2)}"
    return Cell(megabytes(row[mean]) + spread, (row[mean], deviation))


def megabytes(value: float | None) -> str:
    """MB/s as tables and sentences print them."""
    return numbers.fixed(value, 2)


def milliseconds(seconds: float | None) -> str:
    """Seconds in milliseconds, four significant digits."""
    return numbers.compact(None if seconds is None else 1000 * seconds)


def kibibytes(count_of_bytes: float | None) -> str:
    """Bytes in KiB; one decimal below a hundred, where it is not zero."""
    if count_of_bytes is None:
        return numbers.DASH
    size = count_of_bytes / 1024
    return numbers.fixed(size, 0 if size >= 100 or size == int(size) else 1)


def span(low: str, high: str) -> str:
    """A range of printed numbers, or the one that both ends are."""
    return low if low == high else f"{low} to {high}"
