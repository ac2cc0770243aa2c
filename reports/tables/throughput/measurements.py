"""The table of run-level measurements against the reference."""

import re
from collections.abc import Sequence

from pipeline.ask.compare.strangers import OF_THE_TOOL
from reports import numbers
from reports.client_view import OUTAGE, outages
from reports.metrics import MAIN_METRICS, UNITS_IN_NAMES, name_of
from reports.study.store import Row
from reports.study.view import StudyView
from reports.tables.catalogue import table
from reports.tables.comparing import proposal, runs_field, runs_note
from reports.tables.fields import configuration, count, from_rows, printed, ratio, ratio_interval, verdict, worded
from reports.tables.model import Table
from reports.words import counted

NUMBER = re.compile(r"([0-9]+)")


@table(section="results", topic="throughput", after="custom")
def measurements(study: StudyView) -> list[Table]:
    """Run-level measurements per configuration, grouped by what was measured."""
    rows = sorted((row for row in study.workload_stats if row["metric"] in _told(study)), key=_measured_first)
    several = _metrics_of_several_loads(rows)
    columns = (
        worded("Measured", "metric", lambda row: _measured(row, names_load=row["metric"] not in several)),
        configuration(study),
        *([count("Clients", "clients")] if several else []),
        count("Runs", "runs"),
        printed("Mean", ("mean", "stddev"), lambda row: numbers.compact_and_spread(row["mean"], row["stddev"])),
        ratio("Ratio", "relative_ratio"),
        ratio_interval(("ratio_low", "ratio_high"), "relative_ratio"),
        verdict(),
        *runs_field(study, rows),
    )
    return from_rows(
        rows,
        "Measurements of each configuration, with the ratio of its mean to the reference's",
        columns,
        note=(
            "Mean ± sample standard deviation over runs; ratio with its 95 % interval (log-delta, Welch).",
            *runs_note(columns),
            *proposal(study),
        ),
        source="Source: relations measurement_stats and comparison.",
        row_heads=3 if several else 2,
        is_grouped=True,
    )


def _told(study: StudyView) -> set[str]:
    """Metrics of the system, not of the program that asks it, without counts that are 0 in every run.

    A count whose rate is there says no more than how long the runs were. The clients' outage has a table of its own.
    """
    of_other_tables = {OUTAGE} if outages(study) else set()
    names = {name_of(row["metric"], row["unit"]) for row in study.workload_stats}
    told = {
        row["metric"]
        for row in study.workload_stats
        if row["unit"] != "count" or (row["mean"] and f"{name_of(row['metric'])} per second" not in names)
    }
    return told - OF_THE_TOOL - of_other_tables


def _measured_first(row: Row) -> tuple[int, list[str | int], str, list[str | int]]:
    """Throughput before times, times before everything else; query 2 before query 10; headings stay together."""
    metric = row["metric"]
    rank = MAIN_METRICS.index(metric) if metric in MAIN_METRICS else len(MAIN_METRICS)
    return rank, _counted_parts(metric), str(row["unit"]), _counted_parts(row.get("label") or "")


def _counted_parts(name: str) -> list[str | int]:
    return [int(part) if place % 2 else part for place, part in enumerate(NUMBER.split(name))]


def _metrics_of_several_loads(rows: Sequence[Row]) -> set[str]:
    """Metrics measured with several numbers of clients: a column has the number, else each would be a heading."""
    loads: dict[str, set[int | None]] = {}
    for row in rows:
        loads.setdefault(row["metric"], set()).add(row.get("clients"))
    return {metric for metric, found in loads.items() if len(found) > 1}


def _measured(row: Row, *, names_load: bool) -> str:
    load = counted(row["clients"], "client") if names_load and row.get("clients") else None
    parts = [name_of(row["metric"], row["unit"]), row.get("label"), load]
    named = ", ".join(str(each) for each in parts if each)
    return named if row["unit"] in UNITS_IN_NAMES else f"{named} ({row['unit']})"
