"""Rows of results that know their places, so that what is printed of them can be led back to runs."""

from dataclasses import replace

from pipeline.ask.trace.source import Origin
from pipeline.store.row import Row


class ResultRow(Row):
    """A row of one of the report's statements, that knows its place in the result."""

    def __init__(self, row: Row, origin: Origin) -> None:
        super().__init__(row)
        self.origin = origin


def with_values(row: Row, values: Row) -> Row:
    """A row with further values, that knows its place if it did."""
    return ResultRow(row | values, row.origin) if isinstance(row, ResultRow) else row | values


def origins_of(row: Row | None, *columns: str) -> tuple[Origin, ...]:
    """The places of values in the result of their statement; none for a row of no statement."""
    return (replace(row.origin, columns=columns),) if isinstance(row, ResultRow) else ()
