"""All figures of a study, by name."""

from collections.abc import Mapping, Sequence

from pipeline.errors import UsageError
from reports.figures.bars import bars
from reports.figures.measured import asked
from reports.figures.measurement_bars import bars_of, measurement_figures
from reports.figures.model import Figure
from reports.figures.series import device_series, metric_series, series_figures, series_of
from reports.figures.strip import recovery_times
from reports.figures.sweep import Sweep, sweep_of
from reports.figures.timeline import timeline, timelines
from reports.store import Row
from reports.study_view import Configuration, StudyView, options_of
from reports.tables.model import Naming
from reports.tables.study import chosen

OPTIONS = {
    "timeline": ("phases",),
    "recovery-times": (),
    "measurements": ("metric", "group", "normalised"),
    "sweep": ("metric", "factor", "lines_by", "ideal", "normalised"),
    "series": ("metric", "devices"),
}
"""Kinds of built-in figures, each with the options that study.toml may give it."""

TOPICS = ("failover", "replication", "throughput", "disk")
"""Parts of the results, in the order of the report."""


def all_figures(study: StudyView) -> dict[str, Figure]:
    """Every figure that the store has data for: the built-in ones, then the study's own."""
    own = study_figures(study)
    names = [figure.name for figure in own]
    strip = recovery_times(study)
    built_in = [
        *([strip] if strip else []),
        *timelines(study, hidden=_drawn(own)),
        *measurement_figures(study, hidden=names),
        *series_figures(study, hidden=names),
    ]
    found: dict[str, Figure] = {}
    for figure in sorted(built_in + own, key=lambda each: TOPICS.index(each.topic)):
        if figure.name in found:
            raise UsageError(
                f"study.toml, figure {figure.name!r}: this name belongs to another figure; choose a free one"
            )
        found[figure.name] = figure
    return found


def study_figures(study: StudyView) -> list[Figure]:
    """The figures of the manifest, in its order."""
    if not study.store.has("study.publication_figure"):
        return []
    found = study.store.rows("select * from study.publication_figure order by position")
    return [figure for row in found if (figure := _figure(study, row)) is not None]


def _figure(study: StudyView, row: Row) -> Figure | None:
    owner = f"study.toml, figure {row['name']!r}"
    options = options_of(row)
    label = str(options.get("label") or options.get("number") or "")
    if row["sql"]:
        return bars(study, row, label=label, owner=owner)
    kind = row["kind"]
    if kind not in OPTIONS:
        raise UsageError(f"{owner}: unknown kind {kind!r}; expected {', '.join(OPTIONS)}, or a key 'sql'")
    if unknown := sorted(set(options) - {"label", "number", "note", *OPTIONS[kind]}):
        known = ", ".join(OPTIONS[kind]) or "none"
        raise UsageError(f"{owner}: kind {kind!r} has no option {unknown[0]!r}; its options: {known}")
    naming = Naming(row["name"], row["caption"], label)
    members = chosen(study, row["configurations"], owner)
    if kind == "recovery-times":
        return recovery_times(study, members, naming)
    if kind == "timeline":
        return _timeline(study, members, naming, options)
    if kind == "series":
        return _series(study, members, naming, options, owner)
    what = asked(study, options.get("metric"), members, owner, is_normalised=options.get("normalised") is True)
    if kind == "sweep":
        sweep = Sweep(str(options.get("factor", "")), _text(options.get("lines_by")), options.get("ideal") is True)
        return sweep_of(what, sweep, naming, owner)
    return bars_of(what, naming, group=_text(options.get("group")))


def _timeline(
    study: StudyView, members: Sequence[Configuration], naming: Naming, options: Mapping[str, object]
) -> Figure | None:
    if not any(phase["configuration"] in {m.configuration for m in members} for phase in study.phases):
        return None
    return timeline(study, members, naming, phases=_texts(options.get("phases")))


def _series(
    study: StudyView, members: Sequence[Configuration], naming: Naming, options: Mapping[str, object], owner: str
) -> Figure:
    metric = str(options.get("metric", ""))
    found = metric_series(study, metric) or device_series(study, metric, _texts(options.get("devices")))
    if found is None:
        raise UsageError(
            f"{owner}: no series of {metric!r}; expected a metric of measurement_series or a column of iostat_device"
        )
    return series_of(study, found, members, naming)


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def _texts(value: object) -> list[str]:
    return [str(each) for each in value] if isinstance(value, list) else []


def _drawn(figures: list[Figure]) -> list[str]:
    return [name for figure in figures for name in figure.configurations if figure.names[1] == "phase"]
