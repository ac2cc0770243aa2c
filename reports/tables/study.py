"""The tables that a study asks for itself, in study.toml."""

import json
from collections.abc import Mapping, Sequence

from pipeline.errors import UsageError
from reports import numbers
from reports.store import Row
from reports.study_view import Configuration, StudyView, options_of
from reports.tables import failover
from reports.tables.model import Cell, Column, Naming, Table, rows_of

PLACES = ("environment", "results")
OPTIONS = {"sql": ("decimals", "place"), "milestones": ("decimals", "spread")}
"""Options that study.toml may give a table with a statement of its own, and a table of each built-in kind."""

KINDS = tuple(kind for kind in OPTIONS if kind != "sql")


def tables(study: StudyView) -> list[Table]:
    """All tables of the manifest, in its order."""
    if not study.store.has("study.publication_table"):
        return []
    found = study.store.rows("select * from study.publication_table order by position")
    return [_table(study, row) for row in found]


def chosen(study: StudyView, names: Sequence[str] | None, owner: str) -> list[Configuration]:
    """Configurations that a table or figure names, in its order; without names, all."""
    if not names:
        return list(study.configurations)
    known = {each.configuration: each for each in study.configurations}
    for name in names:
        if name not in known:
            raise UsageError(f"{owner}: no configuration {name!r} in the study; known: {', '.join(known) or 'none'}")
    return [known[name] for name in names]


def _table(study: StudyView, row: Row) -> Table:
    owner = f"study.toml, table {row['name']!r}"
    options = options_of(row)
    label = str(options.get("label") or options.get("number") or "")
    kind = "sql" if row["sql"] else row["kind"]
    if unknown := sorted(set(options) - {"label", "number", "note", *OPTIONS.get(kind, options)}):
        raise UsageError(f"{owner}: no option {unknown[0]!r} of such a table; its options: {', '.join(OPTIONS[kind])}")
    if row["sql"]:
        return _from_sql(study, row, label, owner)
    if row["kind"] not in KINDS:
        raise UsageError(f"{owner}: unknown kind {row['kind']!r}; expected {' or '.join(KINDS)}, or a key 'sql'")
    decimals = options.get("decimals")
    return failover.milestone_table(
        study,
        chosen(study, row["configurations"], owner),
        Naming(row["name"], row["caption"], label),
        decimals=decimals if isinstance(decimals, int) else None,
        has_spread=options.get("spread") is not False,
    )


def _from_sql(study: StudyView, row: Row, label: str, owner: str) -> Table:
    names, found = study.store.study_rows(row["sql"], owner)
    spanners = _spanners(json.loads(row["spanners"] or "{}"), names, owner)
    is_number = [_is_number([values[i] for values in found]) for i in range(len(names))]
    columns = tuple(
        Column(name.replace("_", " "), (name,), spanner=spanners.get(name, ""), is_number=is_number[i])
        for i, name in enumerate(names)
    )
    options = options_of(row)
    decimals = _decimals(options.get("decimals"), names, owner)
    rows = rows_of([[_cell(value, decimals.get(names[i])) for i, value in enumerate(values)] for values in found])
    note = options.get("note")
    return Table(
        name=row["name"],
        caption=row["caption"] or row["name"],
        columns=columns,
        rows=rows,
        notes=(str(note),) if note else (),
        source="Source: a statement of the study, printed in the appendix.",
        sql=row["sql"].strip(),
        label=label,
        place=_place(options.get("place"), owner),
    )


def _place(stated: object, owner: str) -> str:
    """The section of the report that the study wants its table in; empty where it states none."""
    if stated is None:
        return ""
    if stated not in PLACES:
        raise UsageError(f"{owner}: unknown place {stated!r}; expected {' or '.join(PLACES)}")
    return str(stated)


def _spanners(stated: object, names: Sequence[str], owner: str) -> dict[str, str]:
    """Column to heading, from `{heading = [columns]}` or a list of `{label, columns}`."""
    pairs: list[tuple[str, object]] = []
    if isinstance(stated, Mapping):
        pairs = list(stated.items())
    elif isinstance(stated, list):
        pairs = [(str(each.get("label", "")), each.get("columns")) for each in stated if isinstance(each, Mapping)]
    headings = {}
    for heading, columns in pairs:
        for column in columns if isinstance(columns, list) else [columns]:
            if column not in names:
                raise UsageError(
                    f"{owner}: spanner {heading!r} names a column {column!r} that its SQL does not have; "
                    f"columns: {', '.join(names)}"
                )
            headings[str(column)] = str(heading)
    return headings


def _is_number(values: Sequence[object]) -> bool:
    stated = [value for value in values if value is not None]
    return bool(stated) and all(isinstance(value, int | float) and not isinstance(value, bool) for value in stated)


def _decimals(stated: object, names: Sequence[str], owner: str) -> dict[str, int]:
    """Decimals by column: one number for all columns, or a table by name."""
    if isinstance(stated, int):
        return dict.fromkeys(names, stated)
    if not isinstance(stated, Mapping):
        return {}
    if unknown := sorted(set(stated) - set(names)):
        raise UsageError(
            f"{owner}: option 'decimals' names a column {unknown[0]!r} that its SQL does not have; "
            f"columns: {', '.join(names)}"
        )
    return {str(name): count for name, count in stated.items() if isinstance(count, int)}


def _cell(value: object, decimals: int | None = None) -> Cell:
    if isinstance(value, bool):
        return Cell("yes" if value else "no", (value,))
    if isinstance(value, float):
        return Cell(numbers.compact(value) if decimals is None else numbers.fixed(value, decimals), (value,))
    if isinstance(value, int):
        return Cell(numbers.count(value), (value,))
    return Cell(numbers.DASH if value is None else str(value), (value,))
