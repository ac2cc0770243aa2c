"""Values of runs behind tables that are about other things than milestones and measurements of runs as a whole.

Disks and processors, what events did to a rate, queries one by one, runs of the HADR simulator, operations of the
cluster, and the lines that state a parameter or a timer: each kind of table names in its rows what its values were
taken of, and a statement lists these values with the run, the file and the line of each.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from operator import attrgetter
from typing import Final

from pipeline.trace_fault import TIMER_PATTERNS
from reports import numbers
from reports.metrics import title_of
from reports.run_value import RunValue, place_of
from reports.store import Row
from reports.study_view import StudyView
from reports.tables.model import Table

Key = tuple[object, ...]
Names = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Origin:
    """The values behind the cells of a row, by columns. `key`: equal where the values are."""

    row: int
    columns: tuple[int, ...]
    key: Key
    configuration: str
    item: str
    unit: str
    runs: tuple[RunValue, ...]


def origins(study: StudyView, table: Table) -> Iterator[Origin]:
    """The values of runs behind a table of one of these kinds; none for another."""
    find = FINDERS.get(table.name) or (_simulated if table.name.startswith("hadr-") else None)
    if find is None and "parameter" in table.sql:
        find = _stated
    if find is not None:
        yield from find(study, table)


def _named_rows(table: Table) -> Iterator[tuple[int, Names]]:
    for place, values in enumerate(table.data_rows()):
        yield place, dict(zip(table.data_names, values, strict=True))


def _number_columns(table: Table, row: int) -> Iterator[tuple[int, str]]:
    """Columns of numbers that have one in a row, with the name of the first of their values."""
    for place, column in enumerate(table.columns):
        if column.is_number and table.rows[row][place].values[0] is not None:
            yield place, column.names[0]


def _by(rows: Iterable[Row], *names: str) -> dict[Key, list[Row]]:
    found: dict[Key, list[Row]] = {}
    for row in rows:
        found.setdefault(tuple(row[name] for name in names), []).append(row)
    return found


# --- disks, processors, dips: a metric in each column ----------------------------------------------------------------


def _disks(study: StudyView, table: Table) -> Iterator[Origin]:
    known = _by(study.disk_runs, "device", "configuration", "node", "metric")
    for place, names in _named_rows(table):
        about = tuple(names[name] for name in ("device", "configuration", "node"))
        last: tuple[str, list[Row]] | None = None
        for column, name in reversed(list(_number_columns(table, place))):
            found = known.get((*about, name))
            last = (name, found) if found else last
            if last is None:
                continue
            metric, rows = last
            runs = tuple(RunValue(row["run"], row["value"], place=place_of(row)) for row in rows)
            item = f"{about[0]}, {title_of(metric, None)}"
            yield Origin(place, (column,), ("disk", *about, metric), str(about[1]), item, "", runs)


@dataclass(frozen=True, slots=True)
class _Columns:
    """A statement whose rows are runs and whose columns are those of a table, too.

    `about`: what tells the table's rows apart. `first`: the column behind its other numbers. `item`:
    what the values are of, with names of the table's row.
    """

    statement: str
    about: tuple[str, ...]
    first: str
    item: str

    def __call__(self, study: StudyView, table: Table) -> Iterator[Origin]:
        known = _by(study.rows(self.statement), *self.about)
        headings = {name: column.heading for column in table.columns for name in column.names}
        for place, names in _named_rows(table):
            key = tuple(names[name] for name in self.about)
            rows = known.get(key, [])
            for column, name in _number_columns(table, place):
                shown = name if rows and name in rows[0] else self.first
                told = [row for row in rows if row[shown] is not None]
                runs = tuple(RunValue(row["run"], row[shown], place=place_of(row)) for row in told)
                item = f"{self.item.format_map(names)}: {headings[shown]}"
                if runs:
                    of = (self.statement, *key, shown)
                    yield Origin(place, (column,), of, str(names["configuration"]), item, "", runs)


# --- queries one by one ----------------------------------------------------------------------------------------------


def _queries(study: StudyView, table: Table) -> Iterator[Origin]:
    known = _by(study.rows("query_runs"), "configuration", "reference", "clients")
    for place, names in _named_rows(table):
        key = (names["configuration"], names["reference"], names.get("clients"))
        runs = tuple(
            RunValue(
                row["metric"],
                row["relative_ratio"],
                remark=""
                if row["ci95_low"] is None
                else f"95 % interval {row['ci95_low']:.4g} to {row['ci95_high']:.4g}",
            )
            for row in known.get(key, [])
        )
        columns = tuple(column for column, _ in _number_columns(table, place))
        if runs:
            yield Origin(
                place, columns, ("queries", *key), str(key[0]), "time of each query over the reference's", "", runs
            )


# --- runs of the HADR simulator --------------------------------------------------------------------------------------


SIMULATED: Final = ("configuration", "syncmode", "flush_pages", "details")


def _simulated(study: StudyView, table: Table) -> Iterator[Origin]:
    told = [name for name in SIMULATED if name in table.data_names]
    if "configuration" not in told:
        return
    known = _by(study.planning("simulator_runs"), *told)
    for place, names in _named_rows(table):
        key = tuple(names[name] for name in told)
        runs = tuple(RunValue(row["run"] or "", row["mb_s"], place=place_of(row)) for row in known.get(key, []))
        columns = tuple(column for column, _ in _number_columns(table, place))
        if runs:
            about = ", ".join(str(each) for each in key[1:] if each)
            item = f"throughput of the simulator's runs{f' ({numbers.rewritten(about)})' if about else ''}"
            yield Origin(place, columns, ("simulated", *told, *key), str(key[0]), item, "MB/s", runs)


# --- what a line or two state ----------------------------------------------------------------------------------------


def _timed(rows: Callable[[StudyView], list[Row]], study: StudyView, table: Table) -> Iterator[Origin]:
    """Tables of which each row is the time between two lines, in the order of their relation."""
    for place, row in enumerate(rows(study)):
        columns = tuple(column for column, _ in _number_columns(table, place))
        told = " / ".join(cell.text for cell in table.rows[place][1 : table.row_heads])
        if place_of(row) and row["duration_s"] is not None:
            runs = (RunValue(row["run"] or "", row["duration_s"], place=place_of(row)),)
            yield Origin(
                place, columns, (table.name, place), row["configuration"] or "", f"{told}: duration", "s", runs
            )


def _timers(study: StudyView, table: Table) -> Iterator[Origin]:
    """The lines that state a timer of a configuration; one that none specifies is inferred, or assumed."""
    by_configuration = _by(study.parameter_places, "configuration")
    for place, names in _named_rows(table):
        stated = by_configuration.get((names["configuration"],), [])
        for column, name in _number_columns(table, place):
            pattern = TIMER_PATTERNS.get(name)
            lines = [row for row in stated if pattern and re.search(pattern, f"{row['scope']} {row['name']}")]
            runs = tuple(RunValue(row["run"] or "all runs", row["value"], place=place_of(row)) for row in lines)
            if runs:
                yield Origin(place, (column,), ("timer", names["configuration"], name), "", name, "", runs)


# --- lines that state a parameter ------------------------------------------------------------------------------------


def _stated(study: StudyView, table: Table) -> Iterator[Origin]:
    """Of each value of a parameter that a row names, the lines that state it."""
    if not study.store.has("main.parameter"):
        return
    known = _by(study.parameter_places, "name")
    for place, cells in enumerate(table.rows):
        values = [str(cell.values[0]) for cell in cells]
        name = next((each for each in values if (each,) in known), None)
        if name is None:
            continue
        own = study.configuration_in(values)
        for column, cell in enumerate(cells):
            wanted = cell.values[0]
            lines = [row for row in known[(name,)] if wanted in (row["value"], row["effective_value"])]
            if column < table.row_heads or wanted in (None, name) or not lines:
                continue
            is_theirs = table.columns[column].names[0] == "reference_value"
            lines = [row for row in lines if is_theirs or own in (None, row["configuration"])] or lines
            runs = tuple(
                RunValue(row["run"] or row["configuration"], row["value"], place=place_of(row)) for row in lines
            )
            yield Origin(place, (column,), ("stated", name, wanted, own, is_theirs), "", name, "", runs)


FINDERS: Final[Mapping[str, Callable[[StudyView, Table], Iterator[Origin]]]] = {
    "iostat-disks": _disks,
    "processors": _Columns("processor_runs", ("configuration", "node", "source"), "busy_pct", "{node}"),
    "throughput-dips": _Columns("dip_runs", ("configuration", "text"), "baseline", "{text}"),
    "relative-query-times": _queries,
    "operations": partial(_timed, attrgetter("operations")),
    "resynchronisations": partial(_timed, attrgetter("resyncs")),
    "timers": _timers,
}
