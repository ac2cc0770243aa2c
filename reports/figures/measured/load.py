"""A measurement against the number of clients that were at work, a line for each configuration."""

from collections.abc import Sequence

from reports import numbers
from reports.figures.catalogue import figure
from reports.figures.marks import behind, line_of
from reports.figures.measured.measured import DATA_NAMES, has_several, measured
from reports.figures.measured.sweep import POINTS_NOTE, Axes, lines_along
from reports.figures.model import Figure
from reports.metrics import MAIN_METRICS, name_of, title_of
from reports.study.store import Row
from reports.study.view import StudyView
from reports.typeset.text import slug
from reports.words import counted

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
        if is_plain and name not in hidden and has_several(rows, "clients"):
            figures.append(_figure(study, name, rows))
    return figures


def _figure(study: StudyView, name: str, stats: Sequence[Row]) -> Figure:
    metric, unit = stats[0]["metric"], stats[0]["unit"]
    keys = {(row["configuration"], row["clients"]) for row in stats}
    members = [each for each in study.configurations if each.configuration in {key for key, _ in keys}]
    under = {
        clients: measured(study, metric, unit, members, of={"clients": clients})
        for clients in sorted({clients for _, clients in keys})
    }
    points = [
        {**what.points[each.configuration], "line": study.label_inside(each.configuration), "at": clients}
        for each in members
        for clients, what in under.items()
        if (each.configuration, clients) in keys
    ]
    runs = [
        row
        for row in study.measurement_runs
        if row["metric"] == metric and (row["configuration"], row["clients"]) in keys
    ]
    dots = [
        {
            "at": row["clients"],
            "value": row["value"],
            "description": f"{study.label(row['configuration'])}, {counted(row['clients'], 'client')}, {row['run']}: "
            f"{numbers.compact(row['value'])} {unit or ''}{line_of(row)}",
        }
        for row in runs
    ]
    words = name_of(metric)
    return Figure(
        name=name,
        caption=f"{words[:1].upper()}{words[1:]} against the number of clients",
        description="; ".join(str(each["description"]) for each in points),
        scene=lines_along(points, dots, Axes("clients", title_of(metric, unit))),
        names=(*DATA_NAMES, "clients"),
        rows=tuple(tuple(row[key] for key in (*DATA_NAMES, "clients")) for row in runs),
        notes=(POINTS_NOTE,),
        source="Source: relations measurement and measurement_stats.",
        configurations=tuple(each.configuration for each in members),
        topic="throughput",
        behind={words: each for what in under.values() for words, each in what.behind.items()}
        | behind(
            "value", [(str(dot["description"]), row) for dot, row in zip(dots, runs, strict=True) if not row["path"]]
        ),
    )
