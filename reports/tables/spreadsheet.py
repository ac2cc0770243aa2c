"""Workbooks of Excel: a sheet a table, with numbers as numbers, the caption above and the notes below."""

import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from math import isfinite
from typing import TYPE_CHECKING, Final

from pipeline.errors import UsageError
from reports.tables.model import Table
from reports.typeset.formats import plain

if TYPE_CHECKING:
    from xlsxwriter import Workbook
    from xlsxwriter.format import Format
    from xlsxwriter.worksheet import Worksheet

MOST_ROWS: Final = 1_048_576
MOST_COLUMNS: Final = 16_384
MOST_CHARACTERS: Final = 32_767
EXACT_INTEGERS: Final = 2**53
FIRST_DAY: Final = datetime.fromisoformat("1900-03-01")  # before it, Excel counts a day that never was
MOST_SHEET_NAME: Final = 31
NOT_IN_SHEET_NAME: Final = re.compile(r"[\[\]:*?/\\']")
MADE: Final = datetime.fromisoformat("1980-01-01")  # the same rows give the same bytes
NARROWEST, WIDEST = 8, 60
"""Of columns, in characters."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet. `spanners`: the upper row of the heading, a label for each column; empty where there is none."""

    name: str
    heads: Sequence[str]
    rows: Sequence[Sequence[object]]
    caption: str = ""
    spanners: Sequence[str] = ()
    notes: Sequence[str] = ()


def sheet_of(table: Table) -> Sheet:
    """A publication table with its unrounded values."""
    several = [(column, name) for column in table.columns for name in column.names]
    heads = [column.heading if len(column.names) == 1 else f"{column.heading}: {name}" for column, name in several]
    return Sheet(
        table.name,
        heads,
        table.data_rows(),
        f"{table.label}. {table.caption}" if table.label else table.caption,
        [column.spanner for column, _ in several] if table.has_spanners else (),
        [note for note in (*table.notes, table.source) if note],
    )


def workbook(sheets: Sequence[Sheet]) -> bytes:
    """The workbook of these sheets, in their order. Text stays text, also where it begins as a formula does.

    Raises UsageError where a sheet has more rows, columns or characters than Excel holds.
    """
    from xlsxwriter import Workbook

    target = io.BytesIO()
    with Workbook(target, {"in_memory": True}) as book:
        book.set_properties({"created": MADE})
        names = _sheet_names([each.name for each in sheets])
        for name, each in zip(names, sheets, strict=True):
            _write(book, book.add_worksheet(name), each)
    return target.getvalue()


def _write(book: "Workbook", page: "Worksheet", sheet: Sheet) -> None:
    bold = book.add_format({"bold": True})
    head = book.add_format({"bold": True, "bottom": 1, "text_wrap": True, "valign": "bottom"})
    time = book.add_format({"num_format": "yyyy-mm-dd hh:mm:ss.000"})
    above: list[Sequence[object]] = [each for each in ([sheet.caption], sheet.spanners) if any(each)]
    if len(sheet.rows) + len(above) + 1 + len(sheet.notes) > MOST_ROWS or len(sheet.heads) > MOST_COLUMNS:
        raise UsageError(f"a sheet of Excel holds {MOST_ROWS:,} rows and {MOST_COLUMNS:,} columns; use csv or parquet")
    for at, row in enumerate(above):
        _row(page, at, row, bold, time)
    _row(page, len(above), sheet.heads, head, time)
    page.freeze_panes(len(above) + 1, 0)
    at = len(above)
    for at, values in enumerate(sheet.rows, len(above) + 1):
        _row(page, at, values, None, time)
    for below, note in enumerate(sheet.notes, at + 2):
        _row(page, below, [note], None, time)
    for column, width in enumerate(_widths(sheet)):
        page.set_column(column, column, width)


def _row(page: "Worksheet", at: int, row: Sequence[object], style: "Format | None", time: "Format") -> None:
    for column, value in enumerate(row):
        if isinstance(value, bool):
            page.write_boolean(at, column, value, style)
        elif isinstance(value, int | float) and isfinite(value) and abs(value) <= EXACT_INTEGERS:
            page.write_number(at, column, value, style)
        elif isinstance(value, datetime) and value.tzinfo is None and value >= FIRST_DAY:
            page.write_datetime(at, column, value, time)
        elif value is not None and value != "":
            page.write_string(at, column, _text(value), style)


def _text(value: object) -> str:
    text = value if isinstance(value, str) else str(plain(value))
    if len(text) > MOST_CHARACTERS:
        raise UsageError(f"a cell of Excel holds {MOST_CHARACTERS:,} characters, one here has {len(text):,}; use csv")
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _sheet_names(wanted: Sequence[str]) -> Iterator[str]:
    """Names that Excel takes: none twice, whatever their capitals."""
    taken: set[str] = set()
    for each in wanted:
        plain_name = NOT_IN_SHEET_NAME.sub("_", _text(each)).strip() or "sheet"
        names = (f"{plain_name[: MOST_SHEET_NAME - len(end)]}{end}" for end in ("", *(f" {n}" for n in range(2, 999))))
        name = next(name for name in names if name.casefold() not in taken)
        taken.add(name.casefold())
        yield name


def _widths(sheet: Sheet) -> Iterator[int]:
    for column, head in enumerate(sheet.heads):
        longest = max((len(str(row[column])) for row in sheet.rows[:100]), default=0)
        yield min(max(NARROWEST, len(head) // 2, longest) + 2, WIDEST)
