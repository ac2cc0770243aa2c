"""What tables of HADR planning share: rows of one statement, grouped by configuration; units as printed."""

from collections.abc import Sequence

from reports import numbers
from reports.study.store import Row
from reports.study.view import StudyView
from reports.tables.fields import Field, compact, configuration, count, from_rows, printed
from reports.tables.model import Cell, Table, words

PRINTED_ROWS = 80
SOURCE = "Source: relations of the HADR simulator, which name file and line."


def planned(  # noqa: PLR0913  what differs between these tables
    study: StudyView, name: str, caption: str, fields: Sequence[Field], *, note: str, row_heads: int = 2
) -> list[Table]:
    """The table of a statement, in groups by configuration."""
    return from_rows(
        study.planning(name),
        caption,
        (configuration(study), *fields),
        note=note,
        source=SOURCE,
        row_heads=row_heads,
        is_grouped=True,
        printed_rows=PRINTED_ROWS,
    )


def made(label: str, name: str, fallback: str | None = None) -> Field:
    """A column of texts that a view made of names and numbers, such as the setting of a run."""

    def cell(row: Row) -> Cell:
        value = row[name] or (row[fallback] if fallback else row[name])
        return Cell(numbers.rewritten(value) if value else numbers.DASH, (value,))

    return Field(words(label, name), cell)


def pages() -> Field:
    """The column of flush sizes."""
    return count("Flush", "flush_pages", unit="pages")


def rate(label: str, mean: str, stddev: str | None = None, **heading: str) -> Field:
    """A column of MB/s, with the deviation where there is one."""

    def shown(row: Row) -> str:
        deviation = row[stddev] if stddev else None
        spread = "" if deviation is None else f" {numbers.PLUS_MINUS} {numbers.fixed(deviation, 2)}"
        return megabytes(row[mean]) + spread

    return printed(label, (mean, stddev) if stddev else mean, shown, unit="MB/s", **heading)


def wait(label: str, name: str, **heading: str) -> Field:
    """A column of seconds, in milliseconds."""
    return compact(label, name, 1000, unit="ms", **heading)


def size(label: str, name: str) -> Field:
    """A column of bytes, in KiB."""
    return printed(label, name, lambda row: kibibytes(row[name]), unit="KiB")


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
