"""Times of queries relative to those of a reference, query by query, with their geometric mean."""

import re
from collections.abc import Sequence
from math import exp, log

from pipeline.errors import UsageError
from reports import numbers
from reports.figures.catalogue import kind
from reports.figures.marks import behind, described, names_down, numbers_along, silent, words
from reports.figures.model import (
    ACCENT,
    INK,
    LABEL_WIDTH,
    MUTED,
    TEXT_WIDTH,
    Behind,
    Figure,
    Spec,
    row_height,
    specification,
    wrapped,
)
from reports.figures.request import Request
from reports.study.result_rows import origins_of
from reports.study.store import Row
from reports.study.view import Configuration, StudyView

DATA_NAMES = ("configuration", "metric", "unit", "relative_ratio", "ratio_low", "ratio_high", "runs", "mean")
MEAN_COLOUR = "#f0c05a"
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
    limit = max(row["ratio_high"] or row["relative_ratio"] for _, rows in shown for row in rows)
    panels = [_panel(study, member, rows, max(limit * 1.04, 1.04)) for member, rows in shown]
    rows = [row for _, each in shown for row in each]
    marks = [(_bar(study, member, row), row) for member, each in shown for row in each]
    return Figure(
        name=naming.name,
        caption=naming.caption or "Times of queries relative to the reference",
        description="; ".join(_described(study, member, each) for member, each in shown),
        spec=specification(vconcat=panels),
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
        for row in study.measurement_stats
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


def _panel(study: StudyView, member: Configuration, rows: Sequence[Row], limit: float) -> Spec:
    mean = _geometric_mean(rows)
    bars = [_bar(study, member, row) for row in rows]
    printed = numbers.ratio(mean)
    last = {
        "name": "geometric mean",
        "ratio": mean,
        "printed": printed,
        "description": _mean_in_words(study, member, rows),
    }
    y = names_down([each["name"] for each in [*bars, last]], "name")
    x = numbers_along(f"time, {study.label_inside(member.reference)} = 1", 0, limit, 6, domain=False)
    length: Spec = {"y": y, "x": {**x, "field": "ratio"}}
    interval: Spec = {"y": y, "x": {**x, "field": "low"}, "x2": {"field": "high"}}
    return {
        "title": {"text": study.label(member.configuration), "dx": -LABEL_WIDTH},
        "width": TEXT_WIDTH - LABEL_WIDTH - 60,
        "height": row_height((str(each["name"]) for each in bars), 20),
        "layer": [
            described(bars, "bar", length, color=ACCENT),
            described([last], "bar", length, color=MEAN_COLOUR),
            silent(bars, "rule", interval, strokeWidth=1.5, color=INK),
            silent([{"one": 1}], "rule", {"x": {**x, "field": "one"}}, color=MUTED, strokeDash=[4, 3]),
            words([*bars, last], "printed", {"y": y}, x=TEXT_WIDTH - LABEL_WIDTH - 50),
        ],
    }


def _mean_in_words(study: StudyView, member: Configuration, rows: Sequence[Row]) -> str:
    mean = numbers.ratio(_geometric_mean(rows))
    return f"{study.label(member.configuration)}: geometric mean of {len(rows)} queries: {mean}"


def _behind_mean(study: StudyView, member: Configuration, rows: Sequence[Row]) -> tuple[str, Behind]:
    origins = tuple(origin for row in rows for origin in origins_of(row, "relative_ratio"))
    return _mean_in_words(study, member, rows), Behind(member.configuration, origins)


def _bar(study: StudyView, member: Configuration, row: Row) -> Spec:
    printed = numbers.ratio(row["relative_ratio"])
    return {
        "name": wrapped(str(row["metric"])),
        "ratio": row["relative_ratio"],
        "low": row["ratio_low"] or row["relative_ratio"],
        "high": row["ratio_high"] or row["relative_ratio"],
        "printed": printed,
        "description": f"{study.label(member.configuration)}: {row['metric']}, {printed} times the reference's time",
    }


def _described(study: StudyView, member: Configuration, rows: Sequence[Row]) -> str:
    least, most = (choose(rows, key=lambda row: row["relative_ratio"]) for choose in (min, max))
    return (
        f"{study.label(member.configuration)}: geometric mean {numbers.ratio(_geometric_mean(rows))} of {len(rows)} "
        f"queries, from {numbers.ratio(least['relative_ratio'])} ({least['metric']}) "
        f"to {numbers.ratio(most['relative_ratio'])} ({most['metric']})"
    )
