"""What `haledger trace` can be asked of a table or a relation, where its row or its column was not named."""

import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import duckdb

from pipeline.ask.trace.source import as_text, key_of
from pipeline.errors import UsageError
from pipeline.query import sandbox
from pipeline.query.bounded import STUDY_LIMITS
from pipeline.store.relations import columns_of
from pipeline.store.statements import Row, rows
from pipeline.store.store import quoted
from reports.answers.trace_question import LISTED, found_table, heading_of, only_row, row_label, row_place
from reports.tables.model import Table

BARE: Final = re.compile(r"[\w.:/-]+(?: [\w.:/-]+)*")
"""A value that stands without quotes in `column=value`."""


@dataclass(frozen=True, slots=True)
class Choices:
    """Rows and columns by names that the command takes; of one row, the columns with what it has in them."""

    asked: str
    rows: tuple[str, ...]
    columns: dict[str, str]
    example: tuple[str, ...] = ()

    def lines(self, ending: str) -> list[str]:
        """Them as text. `ending` completes the example to a command that works where this one did."""
        listed = [f"  {each}" for each in self.rows[:LISTED]]
        if len(self.rows) > LISTED:
            listed.append(f"  and {len(self.rows) - LISTED} more, by label or by number from 1")
        width = max((len(each) for each in self.columns), default=0)
        named = [f"  {name:<{width}}  {value}".rstrip() for name, value in self.columns.items()]
        typed = [f"For example: haledger trace {shlex.join(self.example)}{ending}"] if self.example else []
        return [self.asked, *(["rows", *listed] if listed else []), "columns", *named, *typed]


def choices(db: Path, table_name: str, row: str | None) -> Choices:
    """What can be traced of a table or relation, or of one row. Raises UsageError where there is no such thing."""
    with sandbox.connect(db, STUDY_LIMITS) as con:
        found = found_table(con, table_name)
        if isinstance(found, Table):
            return _of_table(found, table_name, row)
        return _of_relation(con, found, row)


def _of_table(table: Table, typed: str, wanted: str | None) -> Choices:
    place = 0 if wanted is None else row_place(table, wanted)
    headings = [heading_of(table, each) for each in range(len(table.columns))]
    names = [each if headings.count(each) == 1 else str(number) for number, each in enumerate(headings, 1)]
    texts = [""] * len(names) if wanted is None else [cell.text for cell in table.rows[place]]
    known = tuple(_row_name(table, each) for each in range(len(table.rows)))
    first_value = min(table.row_heads, len(names) - 1)
    example = (typed, known[place] if wanted is None else wanted, names[first_value]) if known else ()
    title = f"{table.own_number or table.name}: {table.caption}"
    return Choices(title, known if wanted is None else (known[place],), dict(zip(names, texts, strict=True)), example)


def _row_name(table: Table, place: int) -> str:
    """The label of a row where it means this row alone, else its number."""
    label = row_label(table, place)
    try:
        is_clear = row_place(table, label) == place
    except UsageError:
        is_clear = False
    return label if is_clear else str(place + 1)


def _of_relation(con: duckdb.DuckDBPyConnection, relation: str, wanted: str | None) -> Choices:
    columns = columns_of(con)[relation]
    if wanted is not None:
        row = only_row(con, relation, columns, wanted)
        values = {name: as_text(row[name]) or "" for name in columns}
        return Choices(relation, (wanted,), values, (relation, wanted, _value_column(row, columns)))
    found = rows(con, f"select * from main.{quoted(relation)} limit 1")
    example = _example(con, relation, columns, found[0]) if found else ()
    return Choices(f"{relation}, a row as column=value,column=value", (), dict.fromkeys(columns, ""), example)


def _example(con: duckdb.DuckDBPyConnection, relation: str, columns: Sequence[str], row: Row) -> tuple[str, ...]:
    """A row by its names, where they tell it apart."""
    pairs = ",".join(f"{name}={_value(row[name])}" for name in key_of(columns))
    try:
        only_row(con, relation, columns, pairs)
    except UsageError:
        return ()
    return relation, pairs, _value_column(row, columns)


def _value_column(row: Row, columns: Sequence[str]) -> str:
    """The first column with a fraction that names nothing, else the last one."""
    keys = key_of(columns)
    return next((name for name in columns if name not in keys and isinstance(row[name], float)), columns[-1])


def _value(value: object) -> str:
    text = as_text(value) or ""
    return text if not text or BARE.fullmatch(text) else "'" + text.replace("'", "''") + "'"
