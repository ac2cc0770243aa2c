"""All figures of a study, by name."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from pipeline.errors import UsageError
from reports.client_view import OUTAGE
from reports.data_origin import marked_figure
from reports.figures import run_counts
from reports.figures.against import against
from reports.figures.bars import bars
from reports.figures.client_outage import client_outage
from reports.figures.dependency_figures import dependencies, dependency_figures, group_dependencies
from reports.figures.disks import disk_figures, disks
from reports.figures.fault_time import fault_time_error
from reports.figures.hadr_distributions import distributions
from reports.figures.hadr_planning import curves
from reports.figures.measured import DATA_NAMES, Measured, asked
from reports.figures.measurement_bars import BARS_NOTE, bars_of, bars_of_several, measurement_figures
from reports.figures.model import Figure
from reports.figures.own_series import own_series
from reports.figures.own_values import own_values
from reports.figures.relative_times import relative_times
from reports.figures.request import Request
from reports.figures.series import Drawing, device_series, metric_series, series_figures, series_of
from reports.figures.strip import recovery_times
from reports.figures.sweep import Sweep, sweep_of
from reports.figures.timeline import timeline, timelines
from reports.store import Row
from reports.study_view import StudyView, options_of
from reports.tables.model import Naming
from reports.tables.study import chosen
from reports.text import slug

OPTIONS = {
    "timeline": ("phases",),
    "recovery-times": (),
    "measurements": ("metric", "metrics", "unit", "group", "normalised"),
    "sweep": ("metric", "unit", "factor", "lines_by", "ideal", "target", "normalised"),
    "series": ("metric", "devices", "runs", "scale_with", "shade"),
    "relative-times": ("metrics",),
    "against": ("x", "y"),
    "disks": ("device", "metrics"),
    "dependencies": ("groups",),
    "group-dependencies": (),
}
"""Kinds of built-in figures, each with the options that study.toml may give it."""

WITH_OWN_SQL = ("measurements", "series", "sweep", "against")
"""Kinds that draw a statement of the study where it has one."""

TOPICS = ("environment", "failover", "client", "replication", "throughput", "planning", "disk", "truth", "cluster")
"""Parts of the report that figures stand in, in its order."""


def all_figures(study: StudyView) -> dict[str, Figure]:
    """Every figure that the store has data for: the built-in ones, then the study's own."""
    own = study_figures(study)
    names = [figure.name for figure in own] + [f"measurement-{slug(metric)}" for metric in _measured_in(own)]
    built_in = [
        *(each for each in (recovery_times(study), client_outage(study), fault_time_error(study)) if each),
        *timelines(study, hidden=_drawn(own)),
        *measurement_figures(study, hidden=[*names, f"measurement-{slug(OUTAGE)}"]),
        *series_figures(study, hidden=names),
        *disk_figures(study, hidden=[*names, *("disk-activity" for figure in own if figure.topic == "disk")]),
        *curves(study),
        *distributions(study),
        *dependency_figures(study, own),
    ]
    found: dict[str, Figure] = {}
    for figure in sorted(built_in + own, key=lambda each: TOPICS.index(each.topic)):
        if figure.name in found:
            raise UsageError(
                f"study.toml, figure {figure.name!r}: this name belongs to another figure; choose a free one"
            )
        found[figure.name] = marked_figure(study, run_counts.noted(figure))
    return found


def study_figures(study: StudyView) -> list[Figure]:
    """The figures of the manifest, in its order."""
    if not study.store.has("study.publication_figure"):
        return []
    found = study.store.rows("select * from study.publication_figure order by position")
    return [_stated(figure, row) for row in found if (figure := _figure(study, row)) is not None]


def _stated(figure: Figure, row: Row) -> Figure:
    """The figure with the note and the statement that study.toml states for it."""
    note = options_of(row).get("note")
    drawn = replace(figure, sql=row["sql"] or "")
    return drawn.with_note(str(note)) if note else drawn


def _figure(study: StudyView, row: Row) -> Figure | None:
    owner = f"study.toml, figure {row['name']!r}"
    options = options_of(row)
    label = str(options.get("label") or options.get("number") or "")
    kind = row["kind"]
    if row["sql"] and kind not in WITH_OWN_SQL:
        return bars(study, row, label=label, owner=owner)
    if kind not in OPTIONS:
        raise UsageError(f"{owner}: unknown kind {kind!r}; expected {', '.join(OPTIONS)}, or a key 'sql'")
    if unknown := sorted(set(options) - {"label", "number", "note", *OPTIONS[kind]}):
        known = ", ".join(OPTIONS[kind]) or "none"
        raise UsageError(f"{owner}: kind {kind!r} has no option {unknown[0]!r}; its options: {known}")
    naming = Naming(row["name"], row["caption"], label)
    members = chosen(study, row["configurations"], owner)
    return BUILDERS[kind](Request(study, members, naming, options, owner, row["sql"] or ""))


def _recovery_times(request: Request) -> Figure | None:
    return recovery_times(request.study, request.members, request.naming)


def _timeline(request: Request) -> Figure | None:
    study, members = request.study, request.members
    if not any(phase["configuration"] in {m.configuration for m in members} for phase in study.phases):
        return None
    return timeline(study, members, request.naming, phases=request.texts("phases"))


def _series(request: Request) -> Figure:
    study, metric = request.study, request.text("metric") or ""
    found = own_series(request) if request.sql else None
    found = found or metric_series(study, metric) or device_series(study, metric, request.texts("devices"))
    if found is None:
        raise UsageError(
            f"{request.owner}: no series of {metric!r}; "
            "expected a metric of measurement_series or a column of iostat_device"
        )
    drawing = Drawing(request.texts("runs"), request.texts("scale_with"), request.texts("shade"))
    return series_of(study, found, request.members, request.naming, drawing)


def _measurements(request: Request) -> Figure:
    metrics = request.texts("metrics")
    if not metrics:
        return bars_of(_measured(request), request.naming, group=request.text("group"))
    several = [
        asked(request.study, each, request.members, request.owner, request.options.get("normalised"))
        for each in metrics
    ]
    return bars_of_several(several, request.naming)


def _sweep(request: Request) -> Figure:
    sweep = Sweep(
        request.text("factor") or "",
        request.text("lines_by"),
        request.options.get("ideal") is True,
        request.number("target"),
    )
    return sweep_of(_measured(request), sweep, request.naming, request.owner)


def _measured(request: Request) -> Measured:
    if request.sql:
        return own_values(request)
    normalised = request.options.get("normalised")
    return asked(request.study, request.options.get("metric"), request.members, request.owner, normalised)


BUILDERS: Mapping[str, Callable[[Request], Figure | None]] = {
    "timeline": _timeline,
    "recovery-times": _recovery_times,
    "measurements": _measurements,
    "sweep": _sweep,
    "series": _series,
    "relative-times": relative_times,
    "against": against,
    "disks": disks,
    "dependencies": dependencies,
    "group-dependencies": group_dependencies,
}


def _measured_in(figures: list[Figure]) -> list[str]:
    """Metrics that the study draws as bars itself."""
    metric = DATA_NAMES.index("metric")
    return sorted({str(row[metric]) for figure in figures if BARS_NOTE in figure.notes for row in figure.rows})


def _drawn(figures: list[Figure]) -> list[str]:
    return [name for figure in figures for name in figure.configurations if figure.names[1] == "phase"]
