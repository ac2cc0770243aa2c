"""A table as it will be printed, with the values behind every cell."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Self

from pipeline.ask.trace.source import Origin, Source
from pipeline.store.row import Row
from reports import numbers
from reports.study.result_rows import origins_of


@dataclass(frozen=True, slots=True)
class Cell:
    """What is printed, and the unrounded values behind it, one per data name of the column.

    `origins`: where the values come from; none of words that the report itself makes. They do not count when cells are
    compared: rows are grouped by what they print.
    """

    text: str
    values: tuple[object, ...]
    origins: tuple[Origin | Source, ...] = field(default=(), compare=False)
    picture: str = field(default="", compare=False)  # SVG of our own before the text, which it repeats to the eye


@dataclass(frozen=True, slots=True)
class Column:
    """A column: heading, unit, the spanner above it, and the names its values have in data files."""

    label: str
    names: tuple[str, ...]
    unit: str = ""
    spanner: str = ""
    is_number: bool = True
    is_code: bool = False

    @property
    def heading(self) -> str:
        """Label with unit, on one line."""
        return f"{self.label} ({self.unit})" if self.unit else self.label


@dataclass(frozen=True, slots=True)
class Spanner:
    """Neighbouring columns under one heading; an empty label spans nothing."""

    label: str
    width: int


@dataclass(frozen=True, slots=True)
class Table:
    """A publication table. `label` is the study's own number for it; `row_heads` columns name the row."""

    name: str
    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = ()
    source: str = ""
    sql: str = ""
    label: str = ""
    row_heads: int = 1
    is_grouped: bool = False  # in print the first column becomes a heading above the rows that share it
    printed_rows: int | None = None  # rows of a long list that are worth paper; the data file has all
    section: str = ""  # of the report's outline; empty until it is placed: where it is declared
    topic: str = ""  # of the results; likewise
    paper: str = ""  # the number of its like in a published paper

    @property
    def own_number(self) -> str:
        """The number that the study gives it, or that of its like in a published paper; empty without either."""
        return self.label or (f"Table {self.paper} of the paper" if self.paper else "")

    def shortened(self, limit: int) -> Self:
        """The table as it is printed: of a long list the first rows."""
        return self.first(limit if self.printed_rows is None else min(limit, self.printed_rows))

    def first(self, count: int) -> Self:
        """The table with its first rows alone."""
        return replace(self, rows=self.rows[:count])

    @property
    def groups(self) -> list[tuple[Cell, list[tuple[Cell, ...]]]]:
        """Rows under the first column's value that they share; only neighbours are put together."""
        return [(rows[0][0], rows) for _, each in groupby(self.rows, key=lambda row: row[0]) if (rows := list(each))]

    @property
    def spanners(self) -> tuple[Spanner, ...]:
        """The upper row of the heading, left to right."""
        return tuple(Spanner(label, len(list(group))) for label, group in groupby(c.spanner for c in self.columns))

    @property
    def has_spanners(self) -> bool:
        """Whether the heading has an upper row."""
        return any(column.spanner for column in self.columns)

    @property
    def data_names(self) -> tuple[str, ...]:
        """Names of the values of a row, in order."""
        return tuple(name for column in self.columns for name in column.names)

    def data_rows(self) -> list[tuple[object, ...]]:
        """The unrounded values, row by row."""
        return [tuple(value for cell in row for value in cell.values) for row in self.rows]


def text(value: object) -> Cell:
    """A cell of words; a missing value is a dash."""
    return Cell(numbers.DASH if value is None or value == "" else str(value), (value,))


def number(value: float | None, decimals: int) -> Cell:
    """A cell with one number."""
    return Cell(numbers.fixed(value, decimals), (value,))


def words(label: str, name: str, *, unit: str = "", is_code: bool = False) -> Column:
    """A column of words."""
    return Column(label, (name,), unit, is_number=False, is_code=is_code)


def figures(label: str, *names: str, unit: str = "", spanner: str = "") -> Column:
    """A column of numbers."""
    return Column(label, names, unit, spanner)


def rows_of(
    cells: Sequence[Sequence[Cell]], columns: Sequence[Column] = (), found: Sequence[Row] = ()
) -> tuple[tuple[Cell, ...], ...]:
    """Rows in the form that a table keeps.

    `found`: the row of a statement that each is made of; a cell that does not say itself where its values come from has
    them from the columns of this row that its own column is named after.
    """
    if not found:
        return tuple(map(tuple, cells))
    return tuple(
        tuple(
            cell if cell.origins else replace(cell, origins=origins_of(row, *column.names))
            for cell, column in zip(own, columns, strict=True)
        )
        for own, row in zip(cells, found, strict=True)
    )
