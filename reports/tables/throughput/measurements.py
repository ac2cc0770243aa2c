"""The table of run-level measurements against the reference."""

import re

from reports import numbers
from reports.metrics import MAIN_METRICS, UNITS_IN_NAMES, name_of
from reports.study.store import Row
from reports.study.view import StudyView
from reports.tables.catalogue import table
from reports.tables.comparing import proposal, runs_field, runs_note
from reports.tables.fields import configuration, count, from_rows, interval, printed, ratio, verdict, worded
from reports.tables.model import Table

NUMBER = re.compile(r"([0-9]+)")


@table(section="results", topic="throughput", after="custom")
def measurements(study: StudyView) -> list[Table]:
    """Run-level measurements per configuration, grouped by what was measured."""
    rows = sorted(study.workload_stats, key=_measured_first)
    columns = (
        worded("Measured", "metric", _measured),
        configuration(study),
        count("Runs", "runs"),
        printed("Mean", ("mean", "stddev"), lambda row: numbers.compact_and_spread(row["mean"], row["stddev"])),
        ratio("Ratio", "relative_ratio"),
        interval(("ratio_low", "ratio_high"), 3),
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
        row_heads=2,
        is_grouped=True,
    )


def _measured_first(row: Row) -> tuple[int, list[str | int], str]:
    """Throughput before times, times before everything else; query 2 before query 10."""
    metric = row["metric"]
    rank = MAIN_METRICS.index(metric) if metric in MAIN_METRICS else len(MAIN_METRICS)
    parts = [int(part) if place % 2 else part for place, part in enumerate(NUMBER.split(metric))]
    return rank, parts, str(row["unit"])


def _measured(row: Row) -> str:
    parts = [name_of(row["metric"]), row.get("label"), f"{row['clients']} clients" if row.get("clients") else None]
    named = ", ".join(str(each) for each in parts if each)
    return named if row["unit"] in UNITS_IN_NAMES else f"{named} ({row['unit']})"
