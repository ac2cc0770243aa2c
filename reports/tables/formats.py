"""A table written as CSV, Markdown, Typst, JSON or Parquet. HTML is a template, see `reports.document.pages`."""

import io
import json
import re
from collections.abc import Callable, Iterator, Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING

from reports.tables.model import Column, Table
from reports.typeset import escape, formats
from reports.typeset.formats import csv_of, json_value

if TYPE_CHECKING:
    import polars as pl


def as_csv(table: Table) -> str:
    """The unrounded values. Text that a spreadsheet would treat as a formula is guarded."""
    return csv_of(table.data_names, table.data_rows())


def as_json(table: Table) -> str:
    """Number, caption, notes and unrounded values."""
    names = table.data_names
    content = {
        "name": table.name,
        "number": table.label,
        "caption": table.caption,
        "notes": table.notes,
        "source": table.source,
        "columns": names,
        "rows": [json_value(dict(zip(names, row, strict=True)), _as_text) for row in table.data_rows()],
    }
    return json.dumps(content, ensure_ascii=True, indent=2) + "\n"


def as_parquet(table: Table) -> bytes:
    """The unrounded values with their types; a column of mixed ones is text."""
    import polars as pl

    columns = zip(table.data_names, _value_columns(table), strict=True)
    target = io.BytesIO()
    pl.DataFrame([_series(name, values) for name, values in columns]).write_parquet(target)
    return target.getvalue()


def as_markdown(table: Table) -> str:
    """A pipe table. Markdown has no spanners: they are before the label of their columns."""
    heads = [_flat_heading(column) for column in table.columns]
    rules = ["---:" if column.is_number else ":---" for column in table.columns]
    caption = f"{table.label}. {table.caption}" if table.label else table.caption
    notes = "".join(f"\n{escape.markdown(note)}\n" for note in (*table.notes, table.source) if note)
    return f"**{escape.markdown(caption)}**\n\n{''.join(formats.markdown(heads, rules, _texts(table)))}{notes}"


def as_typst(table: Table) -> str:
    """A figure of Typst with a table: its header repeats on every page, and Typst breaks words where a line ends."""
    columns = ", ".join("auto" if column.is_number else "1fr" for column in table.columns)
    sides = ", ".join("right" if column.is_number else "left" for column in table.columns)
    spanners = [
        f"table.cell(colspan: {spanner.width}, align: center)[{escape.typst(spanner.label)}]"
        for spanner in table.spanners
    ]
    heads = [f"[*{escape.typst(column.heading)}*]" for column in table.columns]
    lines = [
        "#figure(",
        f"  caption: [{escape.typst(table.caption)}],",
        "  table(",
        f"    columns: ({columns},), align: ({sides},), stroke: none,",
        "    table.hline(),",
        f"    table.header({', '.join([*(spanners if table.has_spanners else []), *heads])}),",
        "    table.hline(stroke: 0.5pt),",
        *(f"    {', '.join(f'[{escape.typst(each)}]' for each in row)}," for row in _texts(table)),
        "    table.hline(),",
        "  ),",
        f") <tab-{re.sub('[^A-Za-z0-9-]', '-', table.name)}>",
        *(f"#text(size: 0.8em)[{escape.typst(note)}]" for note in (*table.notes, table.source) if note),
    ]
    return "\n".join(lines) + "\n"


WRITERS: dict[str, Callable[[Table], str]] = {
    "csv": as_csv,
    "json": as_json,
    "md": as_markdown,
    "typ": as_typst,
}


def _value_columns(table: Table) -> list[tuple[object, ...]]:
    rows = table.data_rows()
    return list(zip(*rows, strict=True)) if rows else [()] * len(table.data_names)


def _series(name: str, values: Sequence[object]) -> "pl.Series":
    """A column of the first type that fits its values, also of one without any."""
    import polars as pl

    types: tuple[tuple[set[type], pl.DataType], ...] = (
        ({str}, pl.String()),
        ({bool}, pl.Boolean()),
        ({int}, pl.Int64()),
        ({int, float}, pl.Float64()),
        ({datetime}, pl.Datetime("us")),
        ({date}, pl.Date()),
    )
    kinds = {type(value) for value in values if value is not None}
    for wanted, kind in types:
        if kinds <= wanted:
            return pl.Series(name, values, kind)
    return pl.Series(name, [None if value is None else _as_text(value) for value in values], pl.String())


def _as_text(value: object) -> str:
    return value.isoformat() if isinstance(value, datetime | date) else str(value)


def _flat_heading(column: Column) -> str:
    return f"{column.spanner}: {column.heading}" if column.spanner else column.heading


def _texts(table: Table) -> Iterator[list[str]]:
    return ([cell.text for cell in row] for row in table.rows)
