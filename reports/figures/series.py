"""Time series of runs: a panel for each configuration on common axes, with recovery and what a person noted."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from reports import numbers
from reports.figures.model import GRID, INK, MUTED, TEXT_WIDTH, Figure, Spec, specification
from reports.metrics import title_of
from reports.store import Row
from reports.study_view import Configuration, StudyView, statement
from reports.tables.model import Naming
from reports.text import slug

MOST_POINTS = 300
"""Points that a line is drawn through; neighbours are averaged beyond."""

PANEL_HEIGHT = 92
DATA_NAMES = ("configuration", "run", "line", "x", "value")
DASHES = ([1, 0], [5, 3], [2, 2], [8, 3, 2, 3])
SHOWN_UNASKED = ("tps", "tpm", "qps", "events_per_hour")


@dataclass(frozen=True, slots=True)
class _Frame:
    """What the panels of a figure have in common."""

    left: float
    right: float
    highest: float
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Series:
    """What a figure draws: rows with configuration, run, line, x in seconds and value; `title` heads the value axis."""

    title: str
    rows: Sequence[Row]
    source: str
    topic: str = "throughput"

    @property
    def is_after_fault(self) -> bool:
        """Whether zero is the fault in every run."""
        return all(row["is_after_fault"] for row in self.rows)


def series_figures(study: StudyView, hidden: Sequence[str] = ()) -> list[Figure]:
    """A figure for each usual metric that has a series."""
    figures = []
    for metric in SHOWN_UNASKED:
        name = f"series-{slug(metric)}"
        found = metric_series(study, metric)
        if found is not None and name not in hidden:
            figures.append(series_of(study, found, study.configurations, Naming(name)))
    return figures


def metric_series(study: StudyView, metric: str) -> Series | None:
    """The series of a metric of the benchmarks, or None where no run has one."""
    if not study.store.has("main.measurement_series") or not study.runs:
        return None
    rows = [{**row, "line": ""} for row in study.rows("series", metric=metric)]
    if not rows:
        return None
    return Series(title_of(metric, rows[0]["unit"]), rows, "Source: relation measurement_series.")


def device_series(study: StudyView, metric: str, devices: Sequence[str]) -> Series | None:
    """The series of a column of iostat, for some devices or all; None where there is none."""
    if not study.store.has("main.iostat_device", metric) or not study.runs:
        return None
    sql = statement("device_series").replace("value_of", f'reports."{metric}"')
    rows = [{**row, "line": row["device"]} for row in study.store.rows(sql) if not devices or row["device"] in devices]
    source = "Source: relation iostat_device, without reports since boot."
    return Series(metric, rows, source, "disk") if rows else None


def series_of(study: StudyView, what: Series, members: Sequence[Configuration], naming: Naming) -> Figure:
    """Every run's series as a thin line; the mean of the runs is not drawn where their clocks differ."""
    shown = [member for member in members if any(row["configuration"] == member.configuration for row in what.rows)]
    keys = {member.configuration for member in shown}
    rows = [row for row in what.rows if row["configuration"] in keys]
    frame = _Frame(
        left=min((row["x"] for row in rows), default=0.0),
        right=max((row["x"] for row in rows), default=1.0),
        highest=max((row["value"] for row in rows), default=1.0),
        lines=tuple(sorted({row["line"] for row in rows})),
    )
    panels = [_panel(study, what, member, frame, is_last=member is shown[-1]) for member in shown]
    after = " after the fault" if what.is_after_fault else ""
    return Figure(
        name=naming.name,
        caption=naming.caption or f"{what.title[:1].upper()}{what.title[1:]} over time, every run",
        description="; ".join(_described(study, member, rows) for member in shown),
        spec=specification(vconcat=panels),
        names=DATA_NAMES,
        rows=tuple(tuple(row[key] for key in DATA_NAMES) for row in rows),
        notes=(
            f"Lines: single runs, seconds{after or ' since the start'} on a common scale."
            + (" Shaded: from the fault to recovery, mean of the runs." if after else ""),
        ),
        source=what.source,
        label=naming.label,
        configurations=tuple(member.configuration for member in shown),
        topic=what.topic,
    )


def _panel(study: StudyView, what: Series, member: Configuration, frame: _Frame, *, is_last: bool) -> Spec:
    own = [row for row in what.rows if row["configuration"] == member.configuration]
    x: Spec = {
        "type": "quantitative",
        "scale": {"domain": [frame.left, frame.right], "nice": False},
        "axis": {"title": _axis_title(what) if is_last else None, "tickCount": 8, "grid": False},
    }
    y: Spec = {
        "type": "quantitative",
        "scale": {"domain": [0, frame.highest * 1.05], "nice": False},
        "axis": {"title": what.title, "tickCount": 4, "domain": False, "minExtent": 44},
    }
    points = [
        point for _, run in groupby(own, key=lambda row: (row["run"], row["line"])) for point in _thinned(list(run))
    ]
    dashes = [DASHES[i % len(DASHES)] for i in range(len(frame.lines))]
    layers: list[Spec] = [*_recovery(study, member, what, x), *_marks(study, own, x)]
    layers.append(
        {
            "data": {"values": points},
            "mark": {"type": "line", "strokeWidth": 0.9, "color": INK, "opacity": 0.75, "aria": False},
            "encoding": {
                "x": {**x, "field": "x"},
                "y": {**y, "field": "value"},
                "detail": {"field": "run"},
                "strokeDash": {
                    "field": "line",
                    "type": "nominal",
                    "scale": {"domain": list(frame.lines), "range": dashes},
                    "legend": {"title": None, "orient": "top-right"} if len(frame.lines) > 1 and is_last else None,
                },
            },
        }
    )
    runs = len({row["run"] for row in own})
    return {
        "title": {"text": member.label, "subtitle": "1 run" if runs == 1 else f"{runs} runs"},
        "width": TEXT_WIDTH - 70,
        "height": PANEL_HEIGHT,
        "layer": layers,
    }


def _axis_title(what: Series) -> str:
    return "seconds after the fault" if what.is_after_fault else "seconds since the start"


def _recovery(study: StudyView, member: Configuration, what: Series, x: Spec) -> list[Spec]:
    """A shade from the fault to recovery, where zero is the fault."""
    end = study.end_milestone(member.configuration)
    row = study.milestone_stats.get((member.configuration, end)) if end else None
    if row is None or not what.is_after_fault:
        return []
    values = [{"from": 0, "to": round(row["mean_s"], 3)}]
    return [
        {
            "data": {"values": values},
            "mark": {"type": "rect", "color": GRID, "opacity": 0.7, "aria": False},
            "encoding": {"x": {**x, "field": "from"}, "x2": {"field": "to"}},
        }
    ]


def _marks(study: StudyView, own: Sequence[Row], x: Spec) -> list[Spec]:
    """What a person noted, as rules with their text."""
    zeros = {(row["configuration"], row["run"]): row["zero_at"] for row in own if row["zero_at"] is not None}
    values = [
        {"x": (note["at"] - zero).total_seconds(), "text": str(note["text"])[:48], "told": f"{run}: {note['text']}"}
        for note in study.notes
        for (configuration, run), zero in zeros.items()
        if note["configuration"] in (None, configuration) and note["run"] in (None, run)
    ]
    low, high = x["scale"]["domain"]
    shown = [each for each in values if low <= each["x"] <= high]
    if not shown:
        return []
    position = {**x, "field": "x"}
    return [
        {
            "data": {"values": shown},
            "mark": {"type": "rule", "color": MUTED, "strokeDash": [2, 2]},
            "encoding": {"x": position, "description": {"field": "told"}},
        },
        {
            "data": {"values": shown},
            "mark": {
                "type": "text",
                "align": "left",
                "baseline": "bottom",
                "dx": 3,
                "y": 9,
                "fontSize": 9,
                "aria": False,
            },
            "encoding": {"x": position, "text": {"field": "text"}},
        },
    ]


def _thinned(rows: Sequence[Row]) -> list[Spec]:
    """The points of one line, neighbours averaged where there are more than can be seen."""
    size = -(-len(rows) // MOST_POINTS)
    groups = [rows[i : i + size] for i in range(0, len(rows), size)]
    return [
        {
            "run": f"{rows[0]['run']} {rows[0]['line']}",
            "line": rows[0]["line"],
            "x": round(sum(row["x"] for row in group) / len(group), 3),
            "value": float(f"{sum(row['value'] for row in group) / len(group):.6g}"),
        }
        for group in groups
    ]


def _described(study: StudyView, member: Configuration, rows: Sequence[Row]) -> str:
    values = [row["value"] for row in rows if row["configuration"] == member.configuration]
    low, high = numbers.compact(min(values)), numbers.compact(max(values))
    return f"{study.label(member.configuration)}: {len(values)} points from {low} to {high}"
