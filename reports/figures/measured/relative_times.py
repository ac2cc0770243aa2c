"""Times of queries relative to those of a reference, query by query, with their geometric mean."""

import re
from collections.abc import Sequence
from math import exp, log

from pipeline.errors import UsageError
from reports import numbers
from reports.figures.catalogue import kind
from reports.figures.draw.chart import Chart
from reports.figures.draw.ink import Look
from reports.figures.draw.scales import Scale, from_zero
from reports.figures.draw.scene import Axis, Bar, Mark, Panel, across, rows_of, whisker
from reports.figures.draw.style import ACCENT, INK, MUTED, ROLE_COLOURS
from reports.figures.marks import behind
from reports.figures.model import Behind, Figure
from reports.figures.request import Request
from reports.study.result_rows import origins_of
from reports.study.store import Row
from reports.study.view import Configuration, StudyView

DATA_NAMES = ("configuration", "metric", "unit", "relative_ratio", "ratio_low", "ratio_high", "runs", "mean")
MEAN_COLOUR = ROLE_COLOURS["storage"]
QUERY = ("query ", "statement ")
PARTS = re.compile(r"([0-9]+)")


@kind
def relative_times(request: Request) -> Figure:
    """Time over the reference's for each query that both have; below 1 is faster. A panel for each configuration.

    Option `metrics` names what is compared; without it, every query and statement.
    """
    study, naming, metrics = request.study, request.naming, request.texts("metrics")
    by_member = [(member, _compared(study, member, metrics)) for member in request.members]
    shown = [(member, rows) for member, rows in by_member if rows]
    if not shown:
        raise UsageError(f"{request.owner}: no configuration has times of queries that its reference has, too")
    scale = from_zero([1.0, *(row["ratio_high"] or row["relative_ratio"] for _, rows in shown for row in rows)])
    rows = [row for _, each in shown for row in each]
    marks = [(_words(study, member, row), row) for member, each in shown for row in each]
    return Figure(
        name=naming.name,
        caption=naming.caption or "Times of queries relative to the reference",
        description="; ".join(_described(study, member, each) for member, each in shown),
        scene=Chart(tuple(_panel(study, member, rows, scale) for member, rows in shown)),
        names=DATA_NAMES,
        rows=tuple(tuple(row[key] for key in DATA_NAMES) for row in rows),
        notes=("Below 1: faster than the reference. Line: 95 % interval of the ratio of means.",),
        source="Source: relation mean_comparison.",
        label=naming.label,
        configurations=tuple(member.configuration for member, _ in shown),
        topic="throughput",
        behind=behind("relative_ratio", marks) | dict(_behind_mean(study, *each) for each in shown),
    )


def _compared(study: StudyView, member: Configuration, metrics: Sequence[str]) -> list[Row]:
    """Metrics with a ratio, `query 2` before `query 10`."""
    found = [
        row
        for row in study.rows("measurements")
        if row["configuration"] == member.configuration
        and (row["metric"] in metrics if metrics else row["metric"].startswith(QUERY))
        and row["relative_ratio"]
        and row["verdict"] != "reference"
    ]
    return sorted(
        found, key=lambda row: [int(part) if part.isdecimal() else part for part in PARTS.split(row["metric"])]
    )


def _geometric_mean(rows: Sequence[Row]) -> float:
    return exp(sum(log(row["relative_ratio"]) for row in rows) / len(rows))


def _panel(study: StudyView, member: Configuration, rows: Sequence[Row], scale: Scale) -> Panel:
    mean = _geometric_mean(rows)
    marks: list[Mark] = []
    for place, row in enumerate(rows):
        band = (place + 0.12, place + 0.88)
        marks.append(Bar((0.0, row["relative_ratio"]), band, Look(fill=ACCENT), _words(study, member, row)))
        if row["ratio_low"] and row["ratio_high"]:
            marks.append(whisker(row["ratio_low"], row["ratio_high"], place + 0.5, 0.2, Look(stroke=INK, width=1.2)))
    band = (len(rows) + 0.12, len(rows) + 0.88)
    marks.append(Bar((0.0, mean), band, Look(fill=MEAN_COLOUR), _mean_in_words(study, member, rows)))
    marks.append(across(1.0, Look(stroke=MUTED, dash=(4, 3))))
    names = [*(str(row["metric"]) for row in rows), "geometric mean"]
    values = [numbers.ratio(each) for each in (*(row["relative_ratio"] for row in rows), mean)]
    axis = Axis(scale, f"time, {study.label_inside(member.reference)} = 1")
    return Panel(axis, rows_of(names, values, height=18), marks, title=study.label(member.configuration))


def _mean_in_words(study: StudyView, member: Configuration, rows: Sequence[Row]) -> str:
    mean = numbers.ratio(_geometric_mean(rows))
    return f"{study.label(member.configuration)}: geometric mean of {len(rows)} queries: {mean}"


def _behind_mean(study: StudyView, member: Configuration, rows: Sequence[Row]) -> tuple[str, Behind]:
    origins = tuple(origin for row in rows for origin in origins_of(row, "relative_ratio"))
    return _mean_in_words(study, member, rows), Behind(member.configuration, origins)


def _words(study: StudyView, member: Configuration, row: Row) -> str:
    ratio = numbers.ratio(row["relative_ratio"])
    return f"{study.label(member.configuration)}: {row['metric']}, {ratio} times the reference's time"


def _described(study: StudyView, member: Configuration, rows: Sequence[Row]) -> str:
    least, most = (choose(rows, key=lambda row: row["relative_ratio"]) for choose in (min, max))
    return (
        f"{study.label(member.configuration)}: geometric mean {numbers.ratio(_geometric_mean(rows))} of {len(rows)} "
        f"queries, from {numbers.ratio(least['relative_ratio'])} ({least['metric']}) "
        f"to {numbers.ratio(most['relative_ratio'])} ({most['metric']})"
    )
