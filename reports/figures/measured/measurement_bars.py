"""Bars of a measurement from zero, with its interval and every run as a point."""

from collections.abc import Sequence

from reports.client_view import OUTAGE
from reports.figures.catalogue import figure, kind
from reports.figures.draw.chart import Chart
from reports.figures.draw.ink import Look
from reports.figures.draw.scales import from_zero
from reports.figures.draw.scene import WHOLE, Axis, Bar, Dot, Mark, Panel, dots_in_band, parts_of_row, rows_of, whisker
from reports.figures.draw.style import ACCENT, INK
from reports.figures.measured.measured import DATA_NAMES, Measured, asked, measured
from reports.figures.measured.own_statement import values_of
from reports.figures.model import Figure
from reports.figures.request import Request
from reports.metrics import MAIN_METRICS
from reports.naming import Naming
from reports.study.view import StudyView
from reports.typeset.text import slug

ROW_HEIGHT = 25
BARS_NOTE = "Bars: mean over runs. Line: 95 % confidence interval of the mean. Dots: single runs, first run on top."
SINGLE_NOTE = "Bars: single runs."


@figure(topic="throughput", after="recovery-times-of-all")
def measurement_figures(study: StudyView, own: Sequence[Figure]) -> list[Figure]:
    """A figure for each usual metric that more than one configuration has, unless the study draws it itself."""
    drawn = [each for each in own if {BARS_NOTE, SINGLE_NOTE} & set(each.notes)]
    metrics = {str(row[DATA_NAMES.index("metric")]) for each in drawn for row in each.rows}
    hidden = {each.name for each in own} | {f"measurement-{slug(metric)}" for metric in (*metrics, OUTAGE)}
    figures = []
    for metric in MAIN_METRICS:
        rows = [row for row in study.rows("measurements") if row["metric"] == metric]
        keys = {row["configuration"] for row in rows}
        members = [each for each in study.configurations if each.configuration in keys]
        name = f"measurement-{slug(metric)}"
        is_plain = len(keys) == len(rows)  # not by label or number of clients
        if len(members) > 1 and name not in hidden and is_plain and len({row["unit"] for row in rows}) == 1:
            figures.append(bars_of(measured(study, metric, rows[0]["unit"], members), Naming(name)))
    return figures


@kind
def measurements(request: Request) -> Figure:
    """Bars of one metric, or of several in a panel each. Option `group`: a factor whose values part them."""
    metrics = request.texts("metrics")
    if not metrics:
        return bars_of(values_of(request), request.naming, group=request.text("group"))
    return bars_of_several([asked(request, each) for each in metrics], request.naming)


def _most_runs(whats: Sequence[Measured]) -> int:
    return max((row["runs"] for what in whats for row in what.stats if row["configuration"] in what.points), default=0)


def _note(whats: Sequence[Measured]) -> str:
    """What the marks mean, of those that are drawn."""
    return BARS_NOTE if _most_runs(whats) > 1 else SINGLE_NOTE


def _shown(what: Measured) -> str:
    """What the marks of a figure are: no interval where none is drawn, no mean of single runs."""
    most = _most_runs([what])
    if most < 2:
        return "one run each"
    return "mean and every run" if most == 2 else "mean, 95 % interval and every run"


def bars_of(what: Measured, naming: Naming, *, group: str | None = None) -> Figure:
    """Mean of each configuration as a bar from zero, with its 95 % interval and every run as a dot.

    With `group`, a factor: a panel for each of its values, on one axis.
    """
    panels = [_panel(what, keys, title) for title, keys in _grouped(what, group)]
    return Figure(
        name=naming.name,
        caption=naming.caption or f"{what.heading}: {_shown(what)}",
        description=what.description,
        scene=Chart(tuple(panels)),
        names=DATA_NAMES,
        rows=what.data_rows,
        notes=(_note([what]),),
        source=f"Source: {what.source}.",
        label=naming.label,
        configurations=tuple(what.points),
        topic="throughput",
        behind=what.behind,
    )


def bars_of_several(whats: Sequence[Measured], naming: Naming) -> Figure:
    """Several metrics of the same configurations: a panel for each, with an axis of its own."""
    shown = [what for what in whats if what.points]
    panels = [_panel(what, list(what.points), what.heading) for what in shown]
    return Figure(
        name=naming.name,
        caption=naming.caption or " and ".join(what.heading for what in shown),
        description="; ".join(f"{what.heading}: {what.description}" for what in shown),
        scene=Chart(tuple(panels)),
        names=DATA_NAMES,
        rows=tuple(row for what in shown for row in what.data_rows),
        notes=(_note(shown),),
        source=f"Source: {shown[0].source}." if shown else "",
        label=naming.label,
        configurations=tuple(dict.fromkeys(key for what in shown for key in what.points)),
        topic="throughput",
        behind={words: each for what in shown for words, each in what.behind.items()},
    )


def _grouped(what: Measured, group: str | None) -> list[tuple[str, list[str]]]:
    """Configurations by the value of a factor, in their order."""
    if group is None:
        return [("", list(what.points))]
    groups: dict[str, list[str]] = {}
    for key in what.points:
        factor = what.study.factors.get(key, {}).get(group)
        title = f"{group.replace('_', ' ')}: {factor['value']}" if factor else "others"
        groups.setdefault(title, []).append(key)
    return list(groups.items())


def _panel(what: Measured, keys: Sequence[str], title: str) -> Panel:
    rows = {key: place for place, key in enumerate(keys)}
    runs = [row for row in what.runs if row["configuration"] in rows]
    bar, dots = parts_of_row(ROW_HEIGHT) if _most_runs([what]) > 1 else (WHOLE, WHOLE)
    marks: list[Mark] = []
    for key, place in rows.items():
        point, middle = what.points[key], place + sum(bar) / 2
        marks.append(
            Bar((0.0, point["mean"]), (place + bar[0], place + bar[1]), Look(fill=ACCENT), point["description"])
        )
        if point["low"] < point["high"]:
            marks.append(whisker(point["low"], point["high"], middle, 0.12, Look(stroke=INK, width=1.4)))
    places = dots_in_band([(row["configuration"], row["place"]) for row in runs], dots)
    marks += [
        Dot(row["shown"], rows[row["configuration"]] + place, row["description"])
        for row, place in zip(runs, places, strict=True)
    ]
    names = [what.study.label(key) for key in keys]
    values = [str(what.points[key]["printed"]) for key in keys]
    ends = [row["shown"] for row in what.runs] + [each["high"] for each in what.points.values()]
    shown = rows_of(names, values, height=ROW_HEIGHT, bar=bar)
    return Panel(Axis(from_zero(ends), "" if title == what.heading else what.title), shown, marks, title=title)
