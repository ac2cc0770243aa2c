"""Rows of any query, written the way a person or a program asked for. Publication tables are in reports/tables.

Text is written as it is made, a slice of rows at a time: a reader that leaves early has cost little, and a million rows
of text are never in memory at once.
"""

import json
import sys
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import starmap
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.errors import REFUSED, StoreError, UsageError
from reports.typeset import escape, formats
from reports.typeset.formats import csv_of, json_value, plain

if TYPE_CHECKING:
    import polars as pl

WIDEST_COLUMN = 60
SLICE = 10_000


def write_rows(frame: "pl.DataFrame", kind: str, target: Path | None, *, width: int | None = None) -> None:
    """Write rows to a file, or to standard output. `width` (columns) is that of a terminal, None elsewhere."""
    try:
        if kind == "parquet":
            frame.write_parquet(target if target is not None else sys.stdout.buffer)
        elif kind == "xlsx":
            _write_workbook(frame, target)
        elif target is None:
            _to_standard_output(text_of(frame, kind, width=width), is_terminal=width is not None)
        else:
            with target.open("w", encoding="utf-8", newline="") as file:
                file.writelines(text_of(frame, kind))
    except OSError as error:
        if target is None:
            raise
        failure = StoreError if error.errno in REFUSED else UsageError
        raise failure(f"{target}: cannot be written: {error.strerror or error}") from error


def _write_workbook(frame: "pl.DataFrame", target: Path | None) -> None:
    from reports.tables.spreadsheet import Sheet, workbook

    content = workbook([Sheet("rows", frame.columns, frame.rows())])
    if target is None:
        sys.stdout.buffer.write(content)
    else:
        target.write_bytes(content)


def text_of(frame: "pl.DataFrame", kind: str, *, width: int | None = None) -> Iterator[str]:
    """The text of rows in any format but parquet and xlsx, in pieces."""
    return _table(frame, width) if kind == "table" else WRITERS[kind](frame)


def _to_standard_output(pieces: Iterable[str], *, is_terminal: bool) -> None:
    # csv is exact, but a terminal obeys what it is shown
    sys.stdout.writelines(map(escape.visible, pieces) if is_terminal else pieces)
    sys.stdout.flush()


def _csv(frame: "pl.DataFrame") -> Iterator[str]:
    yield csv_of(frame.columns, ())
    for part in frame.iter_slices(SLICE):
        rows = ([each if isinstance(each, str | int | float) else plain(each) for each in row] for row in part.rows())
        yield csv_of((), rows).removeprefix("\n")


def _json(frame: "pl.DataFrame") -> Iterator[str]:
    yield "["
    for number, row in enumerate(frame.iter_rows(named=True)):
        yield f"{',' if number else ''}\n {_json_object(row)}"
    yield "\n]\n"


def _json_lines(frame: "pl.DataFrame") -> Iterator[str]:
    return (_json_object(row) + "\n" for row in frame.iter_rows(named=True))


def _json_object(row: dict[str, object]) -> str:
    return json.dumps(json_value(row, plain), ensure_ascii=True)


def _markdown(frame: "pl.DataFrame") -> Iterator[str]:
    rules = ("---:" if is_number else "---" for is_number in _numeric(frame))
    return formats.markdown(frame.columns, rules, _texts(frame))


def _latex(frame: "pl.DataFrame") -> Iterator[str]:
    alignment = "".join("r" if is_number else "l" for is_number in _numeric(frame))
    return formats.latex(alignment, frame.columns, _texts(frame))


def _html(frame: "pl.DataFrame") -> Iterator[str]:
    return formats.html(frame.columns, _texts(frame))


def _texts(frame: "pl.DataFrame") -> Iterator[list[str]]:
    return ([plain(each) for each in row] for row in frame.iter_rows())


WRITERS: dict[str, Callable[["pl.DataFrame"], Iterator[str]]] = {
    "csv": _csv,
    "json": _json,
    "jsonl": _json_lines,
    "md": _markdown,
    "tex": _latex,
    "html": _html,
}


def _table(frame: "pl.DataFrame", width: int | None) -> Iterator[str]:
    """Draw columns with a rule under their names; on a terminal, rows too wide for it are shown field by field."""
    if frame.columns == ["explain_key", "explain_value"]:  # a plan is a drawing, not a cell
        return (f"{escape.visible(plan)}\n" for plan in frame["explain_value"])
    widest = WIDEST_COLUMN if width else None
    names = [escape.visible(name) for name in frame.columns]
    sizes = [_columns_of(name) for name in names]
    for row in frame.iter_rows():
        sizes = [max(size, _columns_of(_cell(each, widest))) for size, each in zip(sizes, row, strict=True)]
    if width and sum(sizes) + 2 * (len(sizes) - 1) > width:
        return _records(names, frame)
    return _lines(names, sizes, frame, widest)


def _lines(names: Sequence[str], sizes: Sequence[int], frame: "pl.DataFrame", widest: int | None) -> Iterator[str]:
    numeric = _numeric(frame)
    if names:
        yield _line(names, sizes, numeric) + "  ".join("─" * size for size in sizes) + "\n"
    for row in frame.iter_rows():
        yield _line([_cell(each, widest) for each in row], sizes, numeric)
    yield _count(frame)


def _line(cells: Sequence[str], sizes: Sequence[int], numeric: Sequence[bool]) -> str:
    return "  ".join(starmap(_aligned, zip(cells, sizes, numeric, strict=True))).rstrip() + "\n"


def _aligned(cell: str, size: int, is_number: bool) -> str:  # noqa: FBT001 - one of three columns of a table
    blanks = " " * (size - _columns_of(cell))
    return blanks + cell if is_number else cell + blanks


def _records(names: Sequence[str], frame: "pl.DataFrame") -> Iterator[str]:
    longest = max(map(_columns_of, names), default=0)
    for number, row in enumerate(frame.iter_rows(), start=1):
        fields = zip(names, row, strict=True)
        yield f"── {number} ──\n"
        yield "".join(f"{_aligned(name, longest, is_number=True)}  {_cell(each, None)}\n" for name, each in fields)
    yield _count(frame)


def _count(frame: "pl.DataFrame") -> str:
    return f"({frame.height} row{'' if frame.height == 1 else 's'})\n"


def _cell(value: object, widest: int | None) -> str:
    text = escape.visible(plain(value)).replace("\n", "⏎").replace("\t", " ")
    return text if widest is None or len(text) <= widest else text[: widest - 1] + "…"


def _columns_of(text: str) -> int:
    """Columns that a terminal treats as a text: two for an East Asian character, none for an accent of its own."""
    if text.isascii():
        return len(text)
    return sum(2 if unicodedata.east_asian_width(each) in "WF" else not unicodedata.combining(each) for each in text)


def _numeric(frame: "pl.DataFrame") -> list[bool]:
    return [dtype.is_numeric() for dtype in frame.dtypes]
