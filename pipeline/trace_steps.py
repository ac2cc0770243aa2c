"""How a row of a relation was come by: the runs behind it, and the lines behind each.

A mean leads to its runs, a comparison to two means, a run's milestone to its line and to the lines that tell the fault.
A relation that names file and line itself leads there. Of any other, the relations that its statement reads are
followed, by the columns that name the same thing in both, until one is found that names lines.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import fsum
from typing import Final

import duckdb

from pipeline import relations
from pipeline.store import quoted
from pipeline.trace_fault import add_faults, timer
from pipeline.trace_parts import Inference, Line, Row, Run, clock, number, own_lines, rows, statement

MOST_LINES: Final = 500
"""So many rows behind one number are looked at; nobody would look at more."""


@dataclass(frozen=True, slots=True)
class Average:
    """A relation of means over runs: the statement with its runs, what it is asked by, the runs' value by column."""

    statement: str
    keys: tuple[str, ...]
    has_fault: bool = False
    value_of: Mapping[str, str] = field(default_factory=dict)
    value: str = "value"


MEASURED: Final = ("configuration", "metric", "unit", "label", "clients")
PHASE_VALUES: Final = {"mean_start_s": "start_s", "mean_end_s": "end_s", "start_s": "start_s", "end_s": "end_s"}
SHARES: Final = ("user_pct", "system_pct", "iowait_pct", "idle_pct", "busy_pct")

AVERAGES: Final[Mapping[str, Average]] = {
    "milestone_stats": Average("milestone_runs", ("configuration", "milestone"), has_fault=True),
    "milestone_sensitivity": Average("milestone_runs", ("configuration", "milestone"), has_fault=True),
    "drift": Average("milestone_runs", ("configuration", "milestone"), has_fault=True),
    "phase_stats": Average("phase_runs", ("configuration", "phase"), True, PHASE_VALUES, "duration_s"),
    "measurement_stats": Average("measurement_runs", MEASURED),
    "measurement_scaling": Average("measurement_runs", MEASURED),
    "iostat_summary": Average("iostat_runs", ("configuration", "node", "source", "device", "metric")),
    "iostat_cpu_means": Average(
        "processor_runs", ("configuration", "node", "source"), False, {each: each for each in SHARES}, "busy_pct"
    ),
}
"""Relations of means; `iostat_cpu_means` is the report's table of processors, which no relation holds."""

OF_ONE_RUN: Final[Mapping[str, str]] = {
    "milestone": "milestone_stats",
    "outlier": "milestone_stats",
    "phase": "phase_stats",
    "iostat_run": "iostat_summary",
}
"""Relations of a run each, and the relation of their means: the same lines, of that run alone."""

COMPARED: Final[Mapping[str, str]] = {"milestone_change": "milestone_stats", "measurement_ratio": "measurement_stats"}

NAMING: Final = frozenset(
    {"configuration", "run", "node", "device", "source", "milestone", "phase", "metric", "unit", "label", "clients"}
    | {"scope", "name", "syncmode", "flush_pages", "setting", "database", "member", "run_id", "element", "entity"}
    | {"entity_kind", "level", "resource", "group", "object", "op", "cached", "folder", "cpu", "file_id", "stack"}
    | {"instance", "subject", "item"}
)
"""Columns that name a thing, so that rows of two relations that agree in them are about the same."""


def runs_behind(con: duckdb.DuckDBPyConnection, relation: str, row: Row, column: str) -> list[Run]:
    """The runs behind a row of a relation, with their lines; those of both configurations for a comparison."""
    if relation in AVERAGES:
        return _averaged(con, AVERAGES[relation], row, column)
    if relation in OF_ONE_RUN:
        return _averaged(con, AVERAGES[OF_ONE_RUN[relation]], row, column, only=row["run"])
    if relation in COMPARED:
        return list(_compared(con, COMPARED[relation], row, column))
    if relation in OTHERS:
        return OTHERS[relation](con, row, column)
    if lines := own_lines(row):
        return [Run(row.get("configuration"), row.get("run"), number(row.get(column)), lines=lines)]
    return _followed(con, relation, row)


# --- means and comparisons -------------------------------------------------------------------------------------------


def _averaged(
    con: duckdb.DuckDBPyConnection, average: Average, row: Row, column: str, *, only: str | None = None
) -> list[Run]:
    """The runs of a mean; `only`: that one."""
    keys = {name: row.get(name) for name in average.keys}
    value_name = average.value_of.get(column, average.value)
    by_run: dict[tuple[str | None, str | None], list[Row]] = {}
    for each in rows(con, statement(average.statement), **keys):
        if only is None or each["run"] == only:
            by_run.setdefault((each["configuration"], each["run"]), []).append(each)
    found = [_of_run(own, value_name) for own in by_run.values()]
    if average.has_fault:
        add_faults(con, [run for run in found if run.lines])
    return found


def _of_run(found: Sequence[Row], value_name: str) -> Run:
    """A run from the rows of its lines. Its value is the mean of those that count; all are shown."""
    counting = [each for each in found if each["is_used"]] or list(found)
    values = [each[value_name] for each in counting if each[value_name] is not None]
    first = counting[0]
    missing = None if values else f"no line shows {first['role']}"
    return Run(
        first["configuration"],
        first["run"],
        fsum(values) / len(values) if values else None,
        first["is_used"],
        first["reason"] or missing,
        [_line(each) for each in found if each["line_no"] is not None],
    )


def _line(row: Row) -> Line:
    stamp = f"stamp {clock(row['at'])} UTC" if row["at"] else ""
    aside = "" if row["is_used"] else row["reason"] or ""
    return Line(
        row["role"],
        row["file_id"],
        row["line_no"],
        row["how"] or "",
        "; ".join(dict.fromkeys(filter(None, (stamp, row["note"], aside)))),
    )


def _compared(con: duckdb.DuckDBPyConnection, target: str, row: Row, column: str) -> Iterator[Run]:
    is_of_reference = column.startswith("reference_")
    is_of_own = column in ("mean", "mean_s", "runs")
    if not is_of_reference:
        yield from runs_behind(con, target, row, "")
    if not is_of_own and row["reference"] != row["configuration"]:
        yield from runs_behind(con, target, row | {"configuration": row["reference"]}, "")


def _compared_means(con: duckdb.DuckDBPyConnection, row: Row, column: str) -> list[Run]:
    """The runs of a row of `mean_comparison`, whose things have a column in common."""
    names = {"milestone": "milestone", "phase": "phase", "measurement": "metric"}
    renamed = row | {names[row["subject"]]: row["item"]}
    return list(_compared(con, f"{row['subject']}_stats", renamed, column))


def _changed_parameter(con: duckdb.DuckDBPyConnection, row: Row, _column: str) -> list[Run]:
    found = []
    for configuration in (row["configuration"], row["reference"]):
        stated = rows(
            con, statement("parameter_lines"), configuration=configuration, scope=row["scope"], name=row["name"]
        )
        lines = [Line(each["role"], each["file_id"], each["line_no"], each["how"], each["note"]) for each in stated]
        reason = None if lines else f"no file of {configuration} states it"
        found.append(Run(configuration, None, reason=reason, lines=lines))
    return found


def _run(con: duckdb.DuckDBPyConnection, row: Row, _column: str) -> list[Run]:
    run = Run(row["configuration"], row["run"], is_used=row["used"], reason=row["excluded_reason"])
    if row["line_no"] is not None:
        run.lines.append(Line("node loss", row["file_id"], row["line_no"], "first evidence that the node is lost"))
    if row["fault_at"] is not None:
        add_faults(con, [run])
    return [run]


def _estimate(con: duckdb.DuckDBPyConnection, row: Row, _column: str) -> list[Run]:
    run = Run(row["configuration"], row["run"])
    add_faults(con, [run], row["source"])
    return [run]


OTHERS: Final[Mapping[str, Callable[[duckdb.DuckDBPyConnection, Row, str], list[Run]]]] = {
    "mean_comparison": _compared_means,
    "paired_comparison": _compared_means,
    "parameter_change": _changed_parameter,
    "run": _run,
    "fault_estimate": _estimate,
    "cluster_timer": timer,
}
"""Relations with a way of their own."""


# --- any other relation ----------------------------------------------------------------------------------------------


def _followed(con: duckdb.DuckDBPyConnection, relation: str, row: Row) -> list[Run]:
    """Lines of the nearest relations that name any, by the columns that name the same thing."""
    known = {each.name: each for each in relations.catalogue()}
    columns = _columns(con)
    seen = {relation}
    level = [relation]
    while level:
        level = sorted({read for name in level if name in known for read in known[name].reads} - seen)
        seen |= set(level)
        found = [run for name in level for run in _lines_of(con, name, columns.get(name, ()), row)]
        if found:
            return found
    return []


def _lines_of(con: duckdb.DuckDBPyConnection, relation: str, columns: Sequence[str], row: Row) -> Iterator[Run]:
    shared = [name for name in columns if name in NAMING and row.get(name) is not None]
    if not {"file_id", "line_no"} <= set(columns) or not shared:
        return
    conditions = " and ".join(f"{quoted(name)} = ${name}" for name in shared)
    limited = f"select * from main.{quoted(relation)} where {conditions} limit {MOST_LINES}"
    by_run: dict[tuple[str | None, str | None], Run] = {}
    for each in rows(con, limited, **{name: row[name] for name in shared}):
        key = (each.get("configuration"), each.get("run"))
        run = by_run.setdefault(key, Run(*key))
        run.lines += [Line(f"{relation}: {line.role}", line.file_id, line.line_no) for line in own_lines(each)]
    for run in by_run.values():
        run.inference.append(Inference("lines", f"those of relation {relation} with the same {', '.join(shared)}"))
        yield run


def _columns(con: duckdb.DuckDBPyConnection) -> dict[str, list[str]]:
    return dict(
        con.execute(
            "select table_name, list(column_name order by column_index) from duckdb_columns() "
            "where schema_name = 'main' and not internal group by table_name"
        ).fetchall()
    )
