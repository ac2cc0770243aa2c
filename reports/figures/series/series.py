"""Time series of runs: a panel for each configuration on common axes, with recovery and what a person noted."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from statistics import fmean

from reports import numbers
from reports.figures.catalogue import figure
from reports.figures.draw.chart import Chart
from reports.figures.draw.ink import Look
from reports.figures.draw.scales import Scale, from_zero
from reports.figures.draw.scene import Axis, Bar, Entry, Mark, Note, Panel, across
from reports.figures.draw.style import DASHES, GRID, INK
from reports.figures.measured.measured import has_several
from reports.figures.model import Figure
from reports.figures.series import overlay
from reports.figures.series.points import lines_of
from reports.metrics import name_of, title_of
from reports.naming import Naming
from reports.study.store import Row
from reports.study.view import Configuration, StudyView, statement
from reports.typeset.text import slug
from reports.words import counted
from reports.zero import zero_of

PANEL_HEIGHT = 92
LONE_PANEL_HEIGHT = 140
NOTES_OF_A_SHADE = 2
DATA_NAMES = ("configuration", "run", "line", "x", "value")
SHOWN_BY_DEFAULT = ("tps", "tpm", "qps", "events_per_hour")


@dataclass(frozen=True, slots=True)
class _Frame:
    """What the panels of a figure have in common."""

    x: Scale
    y: Scale
    looks: Mapping[str, Look]
    height: int


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


@dataclass(frozen=True, slots=True)
class Drawing:
    """What of a series is drawn, and how: some runs only; on the scale of further configurations; with a shade.

    `shade` names two notes of study.toml: the time from the first to the second is shaded, averaged over the runs.
    `overlaid`: whether the configurations share a panel; None: where they are few and nothing is marked in their time.
    """

    runs: Sequence[str] = ()
    scale_with: Sequence[str] = ()
    shade: Sequence[str] = ()
    overlaid: bool | None = None


@figure(topic="throughput", after="measurement-figures")
def series_figures(study: StudyView, own: Sequence[Figure]) -> list[Figure]:
    """A figure for each usual metric that has a series, unless the study draws one of that name itself."""
    hidden = {each.name for each in own}
    figures = []
    for metric in SHOWN_BY_DEFAULT:
        name = f"series-{slug(metric)}"
        found = metric_series(study, metric)
        if found is not None and name not in hidden:
            figures.append(series_of(study, found, study.configurations, Naming(name)))
    return figures


def metric_series(study: StudyView, metric: str) -> Series | None:
    """The series of a metric of the benchmarks, or None where no run has one."""
    if not study.rows("runs"):
        return None
    rows = study.rows("series", metric=metric)
    if not rows:
        return None
    rows = [{**row, "line": line} for row, line in zip(rows, _loads(rows), strict=True)]
    return Series(title_of(metric, rows[0]["unit"]), rows, "Source: relation measurement_series.")


def _loads(rows: Sequence[Row]) -> list[str]:
    """The load that each point is of, where a configuration was put under several: they make no common mean."""
    if not has_several(rows, "clients"):
        return [""] * len(rows)
    return [counted(row["clients"], "client") if row["clients"] is not None else "load unknown" for row in rows]


def _lines(rows: Sequence[Row]) -> list[str]:
    """The kinds of lines in the order of their load, else of their names."""
    found = {row["line"]: (row.get("clients") or 0, row["line"]) for row in rows}
    return sorted(found, key=lambda line: found[line])


def device_series(study: StudyView, metric: str, devices: Sequence[str]) -> Series | None:
    """The series of a column of iostat, for some devices or all; None where there is none."""
    if not study.store.has("main.iostat_device", metric) or not study.rows("runs"):
        return None
    sql = statement("device_series").replace("value_of", f'reports."{metric}"')
    rows = [{**row, "line": row["device"]} for row in study.rows_of(sql) if not devices or row["device"] in devices]
    source = "Source: relation iostat_device, without reports since boot."
    return Series(name_of(metric), rows, source, "disk") if rows else None


def series_of(
    study: StudyView, what: Series, members: Sequence[Configuration], naming: Naming, drawing: Drawing | None = None
) -> Figure:
    """Every run's series as a thin line; the mean of the runs is not drawn where their clocks differ."""
    drawing = drawing or Drawing()
    drawn = [row for row in what.rows if not drawing.runs or row["run"] in drawing.runs]
    shown = [member for member in members if any(row["configuration"] == member.configuration for row in drawn)]
    keys = {member.configuration for member in shown}
    rows = [row for row in drawn if row["configuration"] in keys]
    scale = [row for row in what.rows if row["configuration"] in (keys | set(drawing.scale_with))]
    is_overlaid = drawing.overlaid
    if is_overlaid is None:
        is_marked = what.is_after_fault or drawing.shade or _noted(study, rows)
        is_overlaid = 1 < len(shown) <= overlay.MOST_OVERLAID and not is_marked
    left, right = min((row["x"] for row in scale), default=0.0), max((row["x"] for row in scale), default=1.0)
    if is_overlaid:
        highest = {line: max(row["value"] for row in scale if row["line"] == line) for line in _lines(rows)}
        together = overlay.Overlay(shown, rows, highest, Scale(left, right), _axis_title(study, what), what.title)
        chart, note = together.chart(), together.note()
    else:
        lines = _lines(rows)
        looks = {
            line: Look(stroke=INK, width=0.9, opacity=0.75, dash=DASHES[i % len(DASHES)])
            for i, line in enumerate(lines)
        }
        height = PANEL_HEIGHT if len(shown) > 1 else LONE_PANEL_HEIGHT
        frame = _Frame(Scale(left, right), from_zero((row["value"] for row in scale), 1.05), looks, height)
        shades = {each.configuration: _noted_shade(study, rows, each, drawing.shade) for each in shown}
        panels = [_panel(study, replace(what, rows=rows), each, frame, shades[each.configuration]) for each in shown]
        legend = [Entry(line, look, is_line=True) for line, look in looks.items() if len(looks) > 1]
        chart = Chart(tuple(panels), tuple(legend))
        note = _note(study, what, drawing.shade if any(shades.values()) else ())
    return Figure(
        name=naming.name,
        caption=naming.caption or f"{what.title[:1].upper()}{what.title[1:]} over time, every run",
        description="; ".join(_described(study, member, rows) for member in shown),
        scene=chart,
        names=DATA_NAMES,
        rows=tuple(tuple(row[key] for key in DATA_NAMES) for row in rows),
        notes=(note,),
        source=what.source,
        label=naming.label,
        configurations=tuple(member.configuration for member in shown),
        topic=what.topic,
    )


def _panel(
    study: StudyView, what: Series, member: Configuration, frame: _Frame, shade: tuple[float, float] | None
) -> Panel:
    own = [row for row in what.rows if row["configuration"] == member.configuration]
    shades = [_recovery(study, member, what), shade]
    marks: list[Mark] = [Bar(each, (-inf, inf), Look(fill=GRID, opacity=0.7)) for each in shades if each]
    if what.is_after_fault and frame.x.low < 0 < frame.x.high:
        marks.append(across(0.0, Look(stroke=INK, width=1.2)))
    marks += lines_of(own, frame.looks)
    runs = counted(len({row["run"] for row in own}), "run")
    return Panel(
        Axis(frame.x, _axis_title(study, what), has_grid=False),
        Axis(frame.y),
        marks,
        title=member.label,
        subtitle=f"{what.title}, {runs}",
        notes=[note for note in _noted(study, own) if frame.x.low <= note.x <= frame.x.high],
        height=frame.height,
    )


def _note(study: StudyView, what: Series, shade: Sequence[str]) -> str:
    """What is drawn in panels of their own."""
    zero = zero_of(study, _of(what))
    since = f"after {zero}" if what.is_after_fault else "since the start"
    upright = f" Upright: {zero}. Shaded: from there to recovery, mean of the runs." if what.is_after_fault else ""
    between = f" Shaded: from “{shade[0]}” to “{shade[1]}”." if shade else ""
    return f"Lines: single runs, seconds {since} on a common scale.{upright}{between}"


def _of(what: Series) -> set[str]:
    return {row["configuration"] for row in what.rows}


def _axis_title(study: StudyView, what: Series) -> str:
    return f"seconds after {zero_of(study, _of(what))}" if what.is_after_fault else "seconds since the start"


def _recovery(study: StudyView, member: Configuration, what: Series) -> tuple[float, float] | None:
    """The time from the fault to recovery, where zero is the fault."""
    end = study.end_milestone(member.configuration)
    row = study.milestone_stats.get((member.configuration, end)) if end else None
    return (0.0, float(row["mean_s"])) if row is not None and what.is_after_fault else None


def _noted_shade(
    study: StudyView, rows: Sequence[Row], member: Configuration, texts: Sequence[str]
) -> tuple[float, float] | None:
    """The time between two notes of study.toml, mean of the runs."""
    if len(texts) != NOTES_OF_A_SHADE:
        return None
    noted = _noted(study, [row for row in rows if row["configuration"] == member.configuration])
    start, end = ([each.x for each in noted if each.text == text] for text in texts)
    return (fmean(start), fmean(end)) if start and end else None


def _noted(study: StudyView, own: Sequence[Row]) -> list[Note]:
    """What a person noted about the runs of these rows, at its place on their axis."""
    zeros = {(row["configuration"], row["run"]): row["zero_at"] for row in own if row["zero_at"] is not None}
    return [
        Note((note["at"] - zero).total_seconds(), str(note["text"]), f"{run}: {note['text']}")
        for note in study.notes
        for (configuration, run), zero in zeros.items()
        if note["configuration"] in (None, configuration) and note["run"] in (None, run)
    ]


def _described(study: StudyView, member: Configuration, rows: Sequence[Row]) -> str:
    values = [row["value"] for row in rows if row["configuration"] == member.configuration]
    low, high = numbers.compact(min(values)), numbers.compact(max(values))
    return f"{study.label(member.configuration)}: {len(values)} points from {low} to {high}"
