"""What `haledger trace` is asked: a cell of a table, or a value of a relation, found by what a person calls it."""

import re
from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Final

import duckdb

from pipeline.ask.trace.lines import Study
from pipeline.ask.trace.source import as_text, key_of, source
from pipeline.ask.trace.trace import Trace, trace
from pipeline.errors import UsageError
from pipeline.query import sandbox
from pipeline.query.bounded import STUDY_LIMITS
from pipeline.store.relations import columns_of
from pipeline.store.statements import Row, rows
from pipeline.store.store import quoted
from pipeline.suggestions import close_names
from reports.document.document import numbered, to_stand_alone
from reports.document.products import by_name_or_number
from reports.study.store import Store
from reports.study.view import StudyView
from reports.tables import catalogue
from reports.tables.model import Cell, Table

PAIR: Final = re.compile(r"""\s*(\w+)\s*=\s*(?:'((?:[^']|'')*)'|"([^"]*)"|([^,]*))\s*(?:,|$)""")
LISTED: Final = 20
"""This many choices are named where something is not found."""


def trace_number(db: Path, names: tuple[str, str, str], study: Study) -> Trace:
    """Trace (table or relation, row, column) of a store. Raises UsageError, with the choices, for what is not there."""
    table_name, row, column = names
    with sandbox.connect(db, STUDY_LIMITS) as con:
        found = found_table(con, table_name)
        if isinstance(found, Table):
            return trace_cell(con, found, row_place(found, row), column_place(found, column), study)
        return _relation_value(con, (found, row, column), study)


def found_table(con: duckdb.DuckDBPyConnection, name: str) -> Table | str:
    """A table of the report by its name or number, or the name of a relation. Raises UsageError, with the choices."""
    store = Store(con)
    view = StudyView(store)
    tables = catalogue.all_tables(view)
    if name in tables:
        return tables[name]
    if any(each.isdigit() for each in name) and (numbered := _numbered(view, tables, name)):
        return numbered
    if store.has(f"main.{name.removeprefix('main.')}"):
        return name.removeprefix("main.")
    relations = sorted(columns_of(con))
    raise UsageError(
        _not_found(name, "table of the report and no relation of the store", [*tables, *relations])
        + f"; tables: {_listing(list(tables))}"
    )


def trace_cell(con: duckdb.DuckDBPyConnection, table: Table, row_no: int, column_no: int, study: Study) -> Trace:
    """Trace a cell by its place in the table."""
    cell, column = table.rows[row_no][column_no], table.columns[column_no]
    head = " / ".join(each.text for each in table.rows[row_no][: table.row_heads])
    heading = f"{column.spanner}: {column.heading}" if column.spanner else column.heading
    title = f"{table.own_number} ({table.name})" if table.own_number else table.name
    return trace(
        con,
        cell.origins,
        study,
        asked=f"{title}, row {head}, column {heading}",
        printed=cell.text,
        values=dict(zip(column.names, cell.values, strict=True)),
        statements={f"table {table.name}": table.sql} if table.sql else {},
    )


def _numbered(view: StudyView, tables: Mapping[str, Table], wanted: str) -> Table | None:
    """The table with a number as pages print it."""
    return by_name_or_number(to_stand_alone(numbered(view, tables=tables), Table), wanted)


# --- a cell of a table -----------------------------------------------------------------------------------------------


def row_place(table: Table, wanted: str) -> int:
    """The row that a person means: by its label, its configuration, `key=value,...` or its number from 1."""
    folded = wanted.strip().casefold()
    named = [place for place, row in enumerate(table.rows) if folded in _row_names(table, row)]
    if not named:
        named = _rows_with(table, wanted)
    if not named and wanted.strip().isdecimal() and 0 < int(wanted) <= len(table.rows):
        named = [int(wanted) - 1]
    labels = [row_label(table, place) for place in range(len(table.rows))]
    if not named:
        raise UsageError(
            _not_found(wanted, f"row of {table.name}", labels)
            + f"; rows: {_listing(labels)}, or a number from 1 to {len(table.rows)}"
        )
    if len(named) > 1:
        meant = [f"{place + 1}: {labels[place]}" for place in named]
        raise UsageError(
            f"{wanted}: {len(named)} rows of {table.name} have this name; say which by its whole label, by "
            f"column=value,... or by its number: {_listing(meant)}"
        )
    return named[0]


def column_place(table: Table, wanted: str) -> int:
    """The column that a person means: by heading, with or without unit and spanner, by data name, or by number."""
    folded = wanted.strip().casefold()
    found = [place for place in range(len(table.columns)) if folded in _column_names(table, place)]
    if not found and wanted.strip().isdecimal() and 0 < int(wanted) <= len(table.columns):
        found = [int(wanted) - 1]
    headings = [heading_of(table, place) for place in range(len(table.columns))]
    if not found:
        names = [each for column in table.columns for each in (column.heading, column.label, *column.names)]
        raise UsageError(
            _not_found(wanted, f"column of {table.name}", [*headings, *names]) + f"; columns: {_listing(headings)}"
        )
    if len(found) > 1:
        meant = [f"{place + 1}: {headings[place]}" for place in found]
        raise UsageError(f"{wanted}: several columns of {table.name} have this name; say which: {_listing(meant)}")
    return found[0]


def _row_names(table: Table, row: Sequence[Cell]) -> set[str]:
    """What the head of a row may be called: a label or its value alone, or all of them joined."""
    heads = [dict.fromkeys((each.text, str(each.values[0]))) for each in row[: table.row_heads]]
    joined = {separator.join(each) for separator in (" / ", ", ", "/") for each in product(*heads)}
    return {each.casefold() for each in {name for head in heads for name in head} | joined}


def _rows_with(table: Table, wanted: str) -> list[int]:
    pairs = _pairs(wanted)
    if not pairs or any(name not in table.data_names for name in pairs):
        return []
    return [
        place
        for place, values in enumerate(table.data_rows())
        if all(
            (as_text(dict(zip(table.data_names, values, strict=True))[name]) or "") == value
            for name, value in pairs.items()
        )
    ]


def _column_names(table: Table, place: int) -> set[str]:
    column = table.columns[place]
    stems = {re.sub(r"_(mean_s|s)$", "", name) for name in column.names[:1]}
    names = {column.label, column.heading, heading_of(table, place), f"{column.spanner}: {column.label}", *column.names}
    return {each.casefold() for each in names | stems}


def row_label(table: Table, place: int) -> str:
    """The head of a row as printed, its cells joined."""
    return " / ".join(cell.text for cell in table.rows[place][: table.row_heads])


def heading_of(table: Table, place: int) -> str:
    """The heading of a column with its unit, and with what spans it."""
    column = table.columns[place]
    return f"{column.spanner}: {column.heading}" if column.spanner else column.heading


# --- a value of a relation -------------------------------------------------------------------------------------------


def _relation_value(con: duckdb.DuckDBPyConnection, names: tuple[str, str, str], study: Study) -> Trace:
    relation, wanted, column = names
    columns = columns_of(con)[relation]
    if column not in columns:
        raise UsageError(_not_found(column, f"column of {relation}", columns) + f"; columns: {_listing(columns)}")
    row = only_row(con, relation, columns, wanted)
    return trace(
        con,
        [source(relation, row, key_of(columns), column)],
        study,
        asked=f"{relation}, row {wanted}, column {column}",
        printed=None,
        values={column: row[column]},
    )


def only_row(con: duckdb.DuckDBPyConnection, relation: str, columns: Sequence[str], wanted: str) -> Row:
    """The row of a relation with the values of `column=value,...`. Raises UsageError unless it is one."""
    pairs = _pairs(wanted)
    if not pairs:
        raise UsageError(
            f"{wanted}: expected a row of {relation} as column=value,column=value; columns: {_listing(columns)}"
        )
    for name in pairs:
        if name not in columns:
            raise UsageError(_not_found(name, f"column of {relation}", columns) + f"; columns: {_listing(columns)}")
    conditions = " and ".join(f"coalesce({quoted(name)}::varchar, '') = $v{place}" for place, name in enumerate(pairs))
    found = rows(
        con,
        f"select * from main.{quoted(relation)} where {conditions} limit {LISTED}",
        **{f"v{place}": value for place, value in enumerate(pairs.values())},
    )
    if not found:
        first = next(iter(pairs))
        known = [
            str(each[0])
            for each in con.execute(f"select distinct {quoted(first)} from main.{quoted(relation)}").fetchall()
        ]
        near = close_names(pairs[first], known)
        advice = f"did you mean {first}={near[0]}?" if near and near[0] != pairs[first] else ""
        raise UsageError(f"{wanted}: no such row in {relation}; {advice or f'{first}: {_listing(sorted(known))}'}")
    if len(found) > 1:
        differing = [name for name in columns if len({str(each[name]) for each in found}) > 1]
        raise UsageError(
            f"{wanted}: {'at least ' if len(found) == LISTED else ''}{len(found)} rows of {relation}; add a value of "
            f"{_listing(differing)}, such as {differing[0]}={as_text(found[0][differing[0]]) or ''}"
            if differing
            else f"{wanted}: {len(found)} equal rows of {relation}"
        )
    return found[0]


def _pairs(text: str) -> dict[str, str]:
    """`a=1, b='x, y'` as names and texts; empty where it is not written so."""
    found: dict[str, str] = {}
    position = 0
    while position < len(text):
        match = PAIR.match(text, position)
        if match is None or match.end() == position:
            return {}
        name, single, double, bare = match.groups()
        found[name] = (
            single.replace("''", "'") if single is not None else double if double is not None else bare.strip()
        )
        position = match.end()
    return found


def _not_found(wanted: str, what: str, known: Sequence[str]) -> str:
    near = close_names(wanted, known)
    return f"{wanted}: no {what}" + (f"; did you mean {near[0]}?" if near else "")


def _listing(names: Sequence[str]) -> str:
    more = f", and {len(names) - LISTED} more" if len(names) > LISTED else ""
    return ", ".join(names[:LISTED]) + more
