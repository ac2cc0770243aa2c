"""A measurement against the number of clients that were at work, a line for each configuration."""

from collections.abc import Sequence

from reports import numbers
from reports.figures.catalogue import figure
from reports.figures.marks import line_of
from reports.figures.measured.measured import DATA_NAMES, mean_of
from reports.figures.measured.sweep import POINTS_NOTE, Axes, lines_along
from reports.figures.model import Figure
from reports.metrics import MAIN_METRICS, name_of, title_of
from reports.study.store import Row
from reports.study.view import StudyView
from reports.typeset.text import slug
from reports.words import counted

LEAST_LOADS = 2
LATENCY = "latency_avg_ms"


@figure(topic="throughput", after="measurement-figures")
def load_figures(study: StudyView, own: Sequence[Figure]) -> list[Figure]:
    """What was done and how long it took under several loads, unless the study draws that itself."""
    hidden = {each.name for each in own}
    figures: list[Figure] = []
    for metric in MAIN_METRICS:
        if figures and metric != LATENCY:
            continue
        rows = [row for row in study.workload_stats if row["metric"] == metric and row["clients"] is not None]
        is_plain = len({row["unit"] for row in rows}) == 1 and not any(row["label"] for row in rows)
        name = f"load-{slug(metric)}"
        if is_plain and name not in hidden and _has_several_loads(rows):
            figures.append(_figure(study, name, rows))
    return figures


def _has_several_loads(rows: Sequence[Row]) -> bool:
    loads: dict[str, set[int]] = {}
    for row in rows:
        loads.setdefault(row["configuration"], set()).add(row["clients"])
    return any(len(each) >= LEAST_LOADS for each in loads.values())


def _figure(study: StudyView, name: str, stats: Sequence[Row]) -> Figure:
    metric, unit = stats[0]["metric"], stats[0]["unit"]
    order = [each.configuration for each in study.configurations]
    shown = sorted(stats, key=lambda row: (order.index(row["configuration"]), row["clients"]))
    keys = {(row["configuration"], row["clients"]) for row in shown}
    runs = [
        row
        for row in study.measurement_runs
        if row["metric"] == metric and (row["configuration"], row["clients"]) in keys
    ]
    title, words = title_of(metric, unit), name_of(metric)
    points = [_point(study, row) for row in shown]
    dots = [
        {
            "at": row["clients"],
            "value": row["value"],
            "description": f"{study.label(row['configuration'])}, {counted(row['clients'], 'client')}, {row['run']}: "
            f"{numbers.compact(row['value'])} {unit or ''}{line_of(row)}",
        }
        for row in runs
    ]
    return Figure(
        name=name,
        caption=f"{words[:1].upper()}{words[1:]} against the number of clients",
        description="; ".join(str(each["description"]) for each in points),
        spec=lines_along(points, dots, Axes("clients", title)),
        names=(*DATA_NAMES, "clients"),
        rows=tuple(tuple(row[key] for key in (*DATA_NAMES, "clients")) for row in runs),
        notes=(POINTS_NOTE,),
        source="Source: relations measurement and measurement_stats.",
        configurations=tuple(dict.fromkeys(row["configuration"] for row in shown)),
        topic="throughput",
    )


def _point(study: StudyView, row: Row) -> Row:
    label = study.label(row["configuration"])
    mean = row["mean"]
    low, high = (mean if row[end] is None else row[end] for end in ("ci95_low", "ci95_high"))
    printed = numbers.compact(mean)
    if row["ci95_low"] is not None:
        printed += f" (95 % CI {numbers.compact(low)} to {numbers.compact(high)})"
    return {
        "line": study.label_inside(row["configuration"]),
        "at": row["clients"],
        "mean": mean,
        "low": low,
        "high": high,
        "description": f"{label}: mean {printed} over {counted(row['runs'], 'run')} ({mean_of(row)})",
    }
