"""Time series of runs: a panel for each configuration on common axes, with recovery and what a person noted."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from reports import numbers
from reports.figures import notes
from reports.figures.catalogue import figure
from reports.figures.marks import numbers_along, silent
from reports.figures.measured.measured import has_several
from reports.figures.model import GRID, INK, TEXT_WIDTH, Figure, Spec, specification
from reports.figures.series import overlay
from reports.figures.series.points import series_key, thinned
from reports.metrics import name_of, title_of
from reports.naming import Naming
from reports.study.store import Row
from reports.study.view import Configuration, StudyView, statement
from reports.typeset.text import slug
from reports.words import counted

PANEL_HEIGHT = 92
LONE_PANEL_HEIGHT = 140
NOTES_OF_A_SHADE = 2
PLOT_WIDTH = TEXT_WIDTH - 70
DATA_NAMES = ("configuration", "run", "line", "x", "value")
DASHES = ([1, 0], [5, 3], [2, 2], [8, 3, 2, 3])
SHOWN_BY_DEFAULT = ("tps", "tpm", "qps", "events_per_hour")


@dataclass(frozen=True, slots=True)
class _Frame:
    """What the panels of a figure have in common."""

    left: float
    right: float
    highest: float
    lines: tuple[str, ...]
    height: int
    last: Configuration
    room: float  # how much higher than the highest value the axis is


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
    if not study.store.has("main.measurement_series") or not study.runs:
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
    if not study.store.has("main.iostat_device", metric) or not study.runs:
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
        drawn_together = overlay.Overlay(shown, rows, highest, left, right, _axis_title(what), what.title)
        panels, note = drawn_together.panels(), drawn_together.note()
    else:
        height = PANEL_HEIGHT if len(shown) > 1 else LONE_PANEL_HEIGHT
        frame = _Frame(
            left=left,
            right=right,
            highest=max((row["value"] for row in scale), default=1.0),
            lines=tuple(_lines(rows)),
            height=height,
            last=shown[-1] if shown else members[-1],
            room=_room_for_notes(study, rows, left, right, height),
        )
        shades = {each.configuration: _noted_shade(study, rows, each, drawing.shade) for each in shown}
        panels = [_panel(study, replace(what, rows=rows), each, frame, shades[each.configuration]) for each in shown]
        note = _note(what, drawing.shade if any(shades.values()) else ())
    return Figure(
        name=naming.name,
        caption=naming.caption or f"{what.title[:1].upper()}{what.title[1:]} over time, every run",
        description="; ".join(_described(study, member, rows) for member in shown),
        spec=specification(vconcat=panels),
        names=DATA_NAMES,
        rows=tuple(tuple(row[key] for key in DATA_NAMES) for row in rows),
        notes=(note,),
        source=what.source,
        label=naming.label,
        configurations=tuple(member.configuration for member in shown),
        topic=what.topic,
    )


def _panel(
    study: StudyView,
    what: Series,
    member: Configuration,
    frame: _Frame,
    shade: Sequence[Spec],
) -> Spec:
    is_last = member == frame.last
    own = [row for row in what.rows if row["configuration"] == member.configuration]
    x = numbers_along(_axis_title(what) if is_last else None, frame.left, frame.right, 8, grid=False)
    y = numbers_along(None, 0, frame.highest * frame.room, 4, domain=False, minExtent=44)
    points = [point for _, run in groupby(own, key=series_key) for point in thinned(list(run))]
    dashes = [DASHES[i % len(DASHES)] for i in range(len(frame.lines))]
    place: Spec = {
        "x": {**x, "field": "x"},
        "y": {**y, "field": "value"},
        "detail": {"field": "run"},
        "strokeDash": {
            "field": "line",
            "type": "nominal",
            "scale": {"domain": list(frame.lines), "range": dashes},
            # all panels alike: they share one legend, and one that has none would take it from the others
            "legend": {"title": None, "orient": "top", "symbolSize": 900} if len(frame.lines) > 1 else None,
        },
    }
    layers = [
        *_shaded([*_recovery(study, member, what), *shade], x),
        *_fault(what, x),
        *_marks(study, own, x),
        silent(points, "line", place, strokeWidth=0.9, color=INK, opacity=0.75),
    ]
    runs = counted(len({row["run"] for row in own}), "run")
    return {
        # a panel is lower than the name of what it shows is long, so that the name is above it
        "title": {"text": member.label, "subtitle": f"{what.title}, {runs}"},
        "width": PLOT_WIDTH,
        "height": frame.height,
        "layer": layers,
    }


def _note(what: Series, shade: Sequence[str]) -> str:
    """What is drawn in panels of their own."""
    since = "after the fault" if what.is_after_fault else "since the start"
    upright = " Upright: the fault. Shaded: from there to recovery, mean of the runs." if what.is_after_fault else ""
    between = f" Shaded: from “{shade[0]}” to “{shade[1]}”." if shade else ""
    return f"Lines: single runs, seconds {since} on a common scale.{upright}{between}"


def _axis_title(what: Series) -> str:
    return "seconds after the fault" if what.is_after_fault else "seconds since the start"


def _recovery(study: StudyView, member: Configuration, what: Series) -> list[Spec]:
    """The time from the fault to recovery, where zero is the fault."""
    end = study.end_milestone(member.configuration)
    row = study.milestone_stats.get((member.configuration, end)) if end else None
    if row is None or not what.is_after_fault:
        return []
    return [{"from": 0, "to": round(row["mean_s"], 3)}]


def _fault(what: Series, x: Spec) -> list[Spec]:
    """A rule at the fault, where it is zero and within the axis."""
    low, high = x["scale"]["domain"]
    if not what.is_after_fault or not low < 0 < high:
        return []
    return [silent([{"x": 0}], "rule", {"x": {**x, "field": "x"}}, color=INK, strokeWidth=1.2)]


def _noted_shade(study: StudyView, rows: Sequence[Row], member: Configuration, texts: Sequence[str]) -> list[Spec]:
    """The time between two notes of study.toml, mean of the runs."""
    if len(texts) != NOTES_OF_A_SHADE:
        return []
    noted = _noted(study, [row for row in rows if row["configuration"] == member.configuration])
    ends = [[each["x"] for each in noted if each["text"] == text] for text in texts]
    if not all(ends):
        return []
    start, end = (round(sum(each) / len(each), 3) for each in ends)
    return [{"from": start, "to": end}]


def _shaded(values: Sequence[Spec], x: Spec) -> list[Spec]:
    if not values:
        return []
    place: Spec = {"x": {**x, "field": "from"}, "x2": {"field": "to"}}
    return [silent(values, "rect", place, color=GRID, opacity=0.7)]


def _noted(study: StudyView, own: Sequence[Row]) -> list[Row]:
    """What a person noted about the runs of these rows, with its place `x` on their axis."""
    zeros = {(row["configuration"], row["run"]): row["zero_at"] for row in own if row["zero_at"] is not None}
    return [
        {"x": (note["at"] - zero).total_seconds(), "text": str(note["text"]), "description": f"{run}: {note['text']}"}
        for note in study.notes
        for (configuration, run), zero in zeros.items()
        if note["configuration"] in (None, configuration) and note["run"] in (None, run)
    ]


def _marks(study: StudyView, own: Sequence[Row], x: Spec) -> list[Spec]:
    """What a person noted within the axis."""
    low, high = x["scale"]["domain"]
    return notes.noted([each for each in _noted(study, own) if low <= each["x"] <= high], x, PLOT_WIDTH)


def _room_for_notes(study: StudyView, rows: Sequence[Row], left: float, right: float, height: float) -> float:
    """How much higher than the highest value an axis is, so that the texts of its notes are above all values."""
    by_configuration: dict[str, list[Row]] = {}
    for row in rows:
        by_configuration.setdefault(row["configuration"], []).append(row)
    noted = [[each for each in _noted(study, own) if left <= each["x"] <= right] for own in by_configuration.values()]
    return notes.room(noted, (right - left) / PLOT_WIDTH, height)


def _described(study: StudyView, member: Configuration, rows: Sequence[Row]) -> str:
    values = [row["value"] for row in rows if row["configuration"] == member.configuration]
    low, high = numbers.compact(min(values)), numbers.compact(max(values))
    return f"{study.label(member.configuration)}: {len(values)} points from {low} to {high}"
