"""Signs in tables of data that a program made, explained below them."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from reports import numbers
from reports.data_origin import BELOW, MARKS, below, mark_beside, sentence_end
from reports.study.view import StudyView
from reports.tables.model import Cell, Column, Table

INFERRED: Final = re.compile(r"^(p_value|p_holm|verdict|ratio_low|ratio_high)$|ci95")
"""Names of values that a test or an interval gives."""


INTERVAL: Final = re.compile(r"95\s%|confidence|^p$", re.IGNORECASE)
"""Headings of a study's own columns of that kind."""


def marked_table(study: StudyView, table: Table) -> Table:
    """The table with signs beside its p values, intervals and verdicts of data that were made, explained below."""
    if not study.origins.configurations:
        return table
    declared = study.built_in.get(("table", table.name))
    everywhere = _table_configurations(study, table)
    whole = study.origins.built_in(declared, everywhere)
    if not whole.is_built_in:
        return table
    places = [place for place, column in enumerate(table.columns) if _is_inferred(column)]
    has_results = table.section != "environment" and any(_is_result(column) for column in table.columns)
    marks: dict[str, None] = {}
    rows = []
    for row in table.rows:
        own = _row_configurations(study, row)
        found = study.origins.built_in(declared, own) if own else whole
        mark = mark_beside(found)
        marked = tuple(_marked(cell, mark) if place in places else cell for place, cell in enumerate(row))
        if marked != row:
            marks[mark] = None
        rows.append(marked)
    if marks:
        notes = [f"{mark} {BELOW[origin]}." for origin, mark in MARKS.items() if mark in marks]
    else:
        notes = below(study, everywhere) if has_results else []
    notes += [f"Built in: {sentence_end(whole.note)}"] if whole.note else []
    return replace(table, rows=tuple(rows), notes=(*table.notes, *notes))


def _marked(cell: Cell, mark: str) -> Cell:
    is_empty = cell.text in (numbers.DASH, "") or cell.values == ("reference",)
    return cell if is_empty or not mark else replace(cell, text=f"{cell.text}{mark}")


def _is_inferred(column: Column) -> bool:
    if any(INFERRED.search(name) for name in column.names):
        return True
    return any(INTERVAL.search(text) for text in (column.label, column.spanner, column.unit))


def _is_result(column: Column) -> bool:
    return _is_inferred(column) or (column.is_number and column.names != ("runs",))


def _row_configurations(study: StudyView, row: Sequence[Cell]) -> list[str]:
    """The configuration that a row names, by its key or its label, with the reference that it is compared with."""
    values = {str(value) for cell in row for value in (cell.text, *cell.values) if isinstance(value, str)}
    named = [each for each in study.configurations if each.configuration in values or each.label in values]
    references = [each.reference for each in named if each.reference]
    return [*(each.configuration for each in named), *references]


def _table_configurations(study: StudyView, table: Table) -> list[str]:
    """Configurations that a table is about: those of its rows, else those that its statement names."""
    found = [name for row in table.rows for name in _row_configurations(study, row)]
    return list(dict.fromkeys(found)) or study.origins.named_in(table.sql)
