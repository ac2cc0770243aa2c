"""The tables that a study asks for itself, in study.toml."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Final

from pipeline.ask.trace.source import Origin
from reports import numbers
from reports.naming import Naming
from reports.outline import TOPICS
from reports.study.store import Row
from reports.study.view import StudyView, chosen, options_of
from reports.tables.catalogue import table
from reports.tables.failover.milestones import milestone_table
from reports.tables.model import Cell, Column, Table, rows_of

UNITS: Final = {"s": "s", "ms": "ms", "us": "µs", "min": "min", "pct": "%"} | {
    each.lower(): each for each in ("kB", "MB", "GB", "KiB", "MiB", "GiB")
}
"""What the last part of a column's name says of its unit; `per_s` is no time."""

UNIT_AT_END: Final = re.compile(rf"(?P<name>\w+)(?<!_per)_(?P<unit>{'|'.join(UNITS)})", re.ASCII)


@table(section="results", topic="failover", after="story")
def custom(study: StudyView) -> list[Table]:
    """All tables of the manifest, in its order."""
    found = study.store.rows("select * from study.publication_table order by position")
    return [replace(_table(study, row), topic=_topic(study, row)) for row in found]


def _topic(study: StudyView, row: Row) -> str:
    """The topic of the results that a table of the study belongs to: as it says, by its name, else the main one."""
    name, place = row["name"], _place(row)
    if place in TOPICS:
        return place
    if name.startswith(("iostat", "processor")):
        return "disk"
    return "failover" if study.failover_runs else "throughput"


def _place(row: Row) -> str:
    return str(options_of(row).get("place") or "")


def _table(study: StudyView, row: Row) -> Table:
    return replace(_unnumbered(study, row), paper=str(options_of(row).get("paper") or ""))


def _unnumbered(study: StudyView, row: Row) -> Table:
    owner = f"study.toml, table {row['name']!r}"
    options = options_of(row)
    label = str(options.get("label") or options.get("number") or "")
    if row["sql"]:
        return _from_sql(study, row, label, owner)
    decimals = options.get("decimals")
    return milestone_table(
        study,
        chosen(study, row["configurations"], owner),
        Naming(row["name"], row["caption"], label),
        decimals=decimals if isinstance(decimals, int) else None,
        has_spread=options.get("spread") is not False,
    )


def _from_sql(study: StudyView, row: Row, label: str, owner: str) -> Table:
    names, statement_rows = study.store.study_rows(row["sql"], owner)
    found = [tuple(float(each) if isinstance(each, Decimal) else each for each in values) for values in statement_rows]
    spanners = _spanners(json.loads(row["spanners"] or "{}"))
    options = options_of(row)
    heads = options.get("heads")
    columns = tuple(
        replace(
            _column(name, heads.get(name) if isinstance(heads, dict) else None),
            spanner=spanners.get(name, ""),
            is_number=_is_number([values[i] for values in found]),
        )
        for i, name in enumerate(names)
    )
    declared = _decimals(options.get("decimals"), names)
    decimals = [declared.get(name, _usual_decimals([row[i] for row in found])) for i, name in enumerate(names)]
    sql = row["sql"].strip()
    rows = rows_of(
        [
            [
                replace(_cell(value, shown), origins=(Origin(sql, place, (name,)),))
                for name, value, shown in zip(names, values, decimals, strict=True)
            ]
            for place, values in enumerate(found)
        ]
    )
    note = options.get("note")
    return Table(
        name=row["name"],
        caption=row["caption"] or row["name"],
        columns=columns,
        rows=rows,
        notes=(str(note),) if note else (),
        source="Source: a statement of the study; statements.sql has it.",
        sql=sql,
        label=label,
        section="" if _place(row) in TOPICS else _place(row),
    )


def _column(name: str, head: str | None) -> Column:
    """A column by its name in the statement: `mean_s` is "Mean (s)", unless the study gives it another head."""
    if head is not None:
        return Column(head, (name,))
    found = UNIT_AT_END.fullmatch(name)
    label = (found["name"] if found else name).replace("_", " ")
    return Column(label[:1].upper() + label[1:], (name,), unit=UNITS[found["unit"]] if found else "")


def _spanners(declared: object) -> dict[str, str]:
    """Column to heading, from `{heading = [columns]}` or a list of `{label, columns}`."""
    pairs: list[tuple[str, object]] = []
    if isinstance(declared, Mapping):
        pairs = list(declared.items())
    elif isinstance(declared, list):
        pairs = [(str(each.get("label", "")), each.get("columns")) for each in declared if isinstance(each, Mapping)]
    headings = {}
    for heading, columns in pairs:
        for column in columns if isinstance(columns, list) else [columns]:
            headings[str(column)] = str(heading)
    return headings


def _is_number(values: Sequence[object]) -> bool:
    declared = [value for value in values if value is not None]
    return bool(declared) and all(isinstance(value, int | float) and not isinstance(value, bool) for value in declared)


def _decimals(declared: object, names: Sequence[str]) -> dict[str, int]:
    """Decimals by column: one number for all columns, or a table by name."""
    if isinstance(declared, int):
        return dict.fromkeys(names, declared)
    if not isinstance(declared, Mapping):
        return {}
    return {str(name): count for name, count in declared.items() if isinstance(count, int)}


def _usual_decimals(values: Sequence[object]) -> int | None:
    """Decimals of a column for which the study gives none; None where its numbers are too far apart to share them."""
    shown = [each for each in values if isinstance(each, float)]
    return None if numbers.are_far_apart(shown) else numbers.common_decimals(shown)


def _cell(value: object, decimals: int | None = None) -> Cell:
    if isinstance(value, bool):
        return Cell("yes" if value else "no", (value,))
    if isinstance(value, float):
        return Cell(numbers.compact(value) if decimals is None else numbers.fixed(value, decimals), (value,))
    if isinstance(value, int):
        return Cell(numbers.count(value), (value,))
    return Cell(numbers.DASH if value is None else str(value), (value,))
