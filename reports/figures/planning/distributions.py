"""Distributions that the HADR simulator printed: bars over the ranges that it counted in, on a logarithmic axis."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from math import ceil, inf

from reports import numbers
from reports.figures.catalogue import figure
from reports.figures.draw.chart import Chart
from reports.figures.draw.ink import Look
from reports.figures.draw.scales import Scale
from reports.figures.draw.scene import Axis, Bar, Dot, Label, Line, Mark, Panel, rows_of
from reports.figures.draw.style import ACCENT, GRID, INK, MUTED
from reports.figures.marks import line_of
from reports.figures.model import Figure
from reports.study.store import Row
from reports.study.view import StudyView

DATA_NAMES = ("configuration", "setting", "runs", "lo", "hi", "exact", "count", "share_pct", "mean", "greatest")
METRICS = {
    "log shipping time": ("hadr-shipping-time", "Time to ship a flush", "ms", 1000),
    "congestion duration": ("hadr-congestion", "How long sending had to wait, each time", "ms", 1000),
    "send size": ("hadr-send-size", "Bytes that a call to send took", "KiB", 1024),
}
"""Name, caption, printed unit and how many of the metric's own unit that is."""
MOST_ROWS = 15  # that fit a page with its caption
ROWS_ABOVE_AN_AXIS = 6  # at most, so that each can be read and a page may end below it
ROW_HEIGHT = 42
BASE, FULL, BELOW = 0.85, 0.58, 0.94
"""Where in a row its bars stand, how high one of all numbers is, and where mean and greatest are."""
THIN = 1.03
"""Half the width of a bar of single values, as a ratio."""

NOTE = (
    "Bars span the range that was counted, their height is the share of all numbers, the figure above, where it has "
    "room, is how many; narrow bars are single values. Below: circle the mean, triangle the greatest. "
    "Logarithmic axis; repeats are added up."
)


@figure(topic="planning", after="curves")
def distributions(study: StudyView, _own: Sequence[Figure] = ()) -> list[Figure]:
    """A figure for each metric that was printed of few settings."""
    return [
        _figure(study, metric, settings, 0)
        for metric, settings in _by_metric(study).items()
        if len(settings) <= ROWS_ABOVE_AN_AXIS
    ]


@figure(topic="runs", after="distributions")
def distributions_of_many(study: StudyView, _own: Sequence[Figure] = ()) -> list[Figure]:
    """Those of more settings than a reader compares at a glance: looked up, none taller than a page."""
    return [
        figure
        for metric, settings in _by_metric(study).items()
        if len(settings) > ROWS_ABOVE_AN_AXIS
        for figure in _figures(study, metric, settings)
    ]


def _by_metric(study: StudyView) -> dict[str, list[list[Row]]]:
    rows = study.with_first_lines(study.planning("hadr_distributions"), "count")
    settings = {
        metric: [list(each) for _, each in groupby([row for row in rows if row["metric"] == metric], key=_setting)]
        for metric in METRICS
    }
    return {metric: found for metric, found in settings.items() if found}


def _figures(study: StudyView, metric: str, settings: Sequence[list[Row]]) -> list[Figure]:
    pages = list(_pages(settings))
    return [_figure(study, metric, page, place if len(pages) > 1 else 0) for place, page in enumerate(pages, 1)]


def _setting(row: Row) -> tuple[str, str]:
    return row["configuration"], row["setting"]


def _pages(settings: Sequence[list[Row]]) -> list[list[list[Row]]]:
    """Settings by page: a configuration stays together where it fits."""
    found: list[list[list[Row]]] = []
    for _, each in groupby(settings, key=lambda rows: rows[0]["configuration"]):
        own = list(each)
        if found and len(found[-1]) + len(own) <= MOST_ROWS:
            found[-1] += own
        else:
            found += [own[start : start + MOST_ROWS] for start in range(0, len(own), MOST_ROWS)]
    return found


def _figure(study: StudyView, metric: str, settings: Sequence[list[Row]], place: int) -> Figure:
    name, caption, unit, scale = METRICS[metric]
    rows = [row for setting in settings for row in setting]
    configurations = tuple(dict.fromkeys(row["configuration"] for row in rows))
    where = f": {', '.join(study.label(each) for each in configurations)}" if place else ""
    return Figure(
        name=f"{name}-{place}" if place > 1 else name,
        caption=f"{caption}, {unit}{where}",
        description="; ".join(_description(study, setting, unit, scale) for setting in settings),
        scene=_chart(study, settings, unit, scale),
        names=DATA_NAMES,
        rows=tuple(tuple(row[key] for key in DATA_NAMES) for row in rows),
        notes=(NOTE,),
        source="Source: relation simhadr_bucket.",
        configurations=configurations,
        topic="planning",
    )


def _description(study: StudyView, setting: Sequence[Row], unit: str, scale: int) -> str:
    first = setting[0]
    mean, greatest = (numbers.compact(first[name] / scale) for name in ("mean", "greatest"))
    whole = numbers.count(sum(row["count"] for row in setting))
    name = f"{study.label(first['configuration'])}, {numbers.rewritten(first['setting'])}"
    return f"{name}: {whole} numbers, mean {mean} {unit}, at most {greatest}"


def _chart(study: StudyView, settings: Sequence[list[Row]], unit: str, scale: int) -> Chart:
    rows = [row for setting in settings for row in setting]
    above_zero = [row for row in rows if row["lo"] > 0]
    low = min((row["lo"] for row in above_zero), default=1) / scale
    high = max((_end(row) for row in above_zero), default=2) / scale
    has_zeros = len(above_zero) < len(rows)
    axis = Axis(Scale(low / (4 if has_zeros else 1.3), high * 1.3, is_log=True), unit)
    panels: list[Panel] = []
    for configuration, each in groupby(settings, key=lambda setting: setting[0]["configuration"]):
        own = list(each)
        size = ceil(len(own) / ceil(len(own) / ROWS_ABOVE_AN_AXIS))
        for start in range(0, len(own), size):
            title = study.label(configuration) if start == 0 else ""
            panels.append(_panel(own[start : start + size], axis, scale, title))
    return Chart(tuple(panels))


def _panel(settings: Sequence[list[Row]], axis: Axis, scale: int, title: str) -> Panel:
    """A row for each setting: bars from its lower edge, as high as their share."""
    marks: list[Mark] = []
    labels: list[tuple[float, Label]] = []
    for place, setting in enumerate(settings):
        base = place + BASE
        marks.append(Line(((-inf, base), (inf, base)), Look(stroke=GRID)))
        for row in setting:
            left, right = _span(row, axis.scale.low, scale)
            top = base - FULL * row["share_pct"] / 100
            look = Look(fill=ACCENT, stroke=INK, width=0.5)
            marks.append(Bar((left, right), (top, base), look, _words(row, scale)))
            counted = f"{numbers.count(row['count'])}{' zero' if row['hi'] <= 0 else ''}"
            labels.append(
                (
                    row["share_pct"],
                    Label((left * right) ** 0.5, top, counted, colour=MUTED, is_above=True, is_optional=True),
                )
            )
        marks += _mean_and_greatest(setting, place, scale)
    names = [numbers.rewritten(setting[0]["setting"]) for setting in settings]
    greatest_first = [label for _, label in sorted(labels, key=lambda each: -each[0])]
    return Panel(axis, rows_of(names, height=ROW_HEIGHT), [*marks, *greatest_first], title=title)


def _mean_and_greatest(setting: Sequence[Row], place: int, scale: int) -> Iterator[Mark]:
    if len(setting) == 1 and (setting[0]["exact"] or setting[0]["hi"] <= 0):
        return  # all numbers are one: the bar says so
    mean, greatest = (setting[0][name] / scale for name in ("mean", "greatest"))
    yield Dot(mean, place + BELOW, look=Look(stroke=INK), radius=2.2)
    yield Dot(greatest, place + BELOW, radius=2.9, shape="triangle")


def _span(row: Row, lowest: float, scale: int) -> tuple[float, float]:
    """Where a bar begins and ends; zeros are at the left end, where a logarithmic axis has none."""
    if row["hi"] <= 0:
        return lowest * 1.3 / THIN, lowest * 1.3 * THIN
    low, high = row["lo"] / scale, _end(row) / scale
    return (low / THIN, low * THIN) if row["exact"] else (low, high)


def _words(row: Row, scale: int) -> str:
    printed = numbers.compact(row["lo"] / scale)
    span = f"{printed} to {numbers.compact(row['hi'] / scale)}"
    span = "zero" if row["hi"] <= 0 else printed if row["exact"] else span
    return f"{span}: {numbers.count(row['count'])} numbers, {numbers.fixed(row['share_pct'], 1)} %{line_of(row)}"


def _end(row: Row) -> float:
    """Where the range ends on an axis of real numbers: up to the next whole one."""
    return float(row["hi"] if row["exact"] else row["hi"] + 1)
