"""A history of studies written for people and programs: lines, CSV, a picture, a page."""

from collections.abc import Callable, Iterator, Sequence
from html import escape
from math import inf

from pipeline.ask.compare.history import Point, Series
from reports import numbers
from reports.answers.comparison import set_aside
from reports.figures.draw.chart import Chart
from reports.figures.draw.ink import Look
from reports.figures.draw.scales import Scale, around
from reports.figures.draw.scene import Axis, Dot, Line, Mark, Panel
from reports.figures.draw.style import ACCENT, INK
from reports.figures.model import Figure
from reports.figures.picture import alone
from reports.metrics import name_of
from reports.typeset.formats import csv_of

NAMES = (
    *("configuration", "subject", "item", "unit", "label", "clients", "study", "store", "at", "runs", "mean", "stddev"),
    *("ci95_low", "ci95_high", "ratio_to_first", "against_first", "against_previous", "is_different"),
    "set_aside",
)
HEADS = ("", "Study", "First run (UTC)", "Runs", "Mean", "95 % interval", "Ratio", "Against the first")
DRIFT_COLOUR = "#d2691e"
POLICY = "default-src 'none'; style-src 'unsafe-inline'; font-src data:"
STYLE = "body{font:16px/1.5 sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}svg{max-width:100%;height:auto}"


def lines(found: Sequence[Series]) -> Iterator[str]:
    """A block of columns for each series; a star marks a study that differs from the first."""
    for series in found:
        yield title(series)
        rows = [HEADS, *(_cells(point, series) for point in series.points)]
        sizes = [max(map(len, column)) for column in zip(*rows, strict=True)]
        for row in rows:
            yield "  ".join(cell.ljust(size) for cell, size in zip(row, sizes, strict=True)).rstrip()
        yield from _set_aside(series)
        yield ""
    if found:
        yield "* differs from the first study (Welch's t test, adjusted after Holm for all that both studies have)."


def csv(found: Sequence[Series]) -> str:
    """A line for each point."""
    return csv_of(NAMES, [_values(series, point) for series in found for point in series.points])


def title(series: Series) -> str:
    """What a series shows."""
    clients = f"{series.clients} clients" if series.clients else ""
    what = ", ".join(filter(None, (name_of(series.item), series.label, clients)))
    unit = f" ({series.unit})" if series.unit else ""
    configurations = dict.fromkeys(point.configuration for point in series.points)
    return f"{', '.join(configurations)}: {what}{unit}"


def picture(found: Sequence[Series]) -> str:
    """The series as one SVG picture: a panel each, a point for each study with its interval, the first as a line."""
    figure = Figure(
        name="history",
        caption="One point for each study, in order of time: mean and 95 % interval",
        description="; ".join(f"{title(each)}: {_spoken(each)}" for each in found),
        scene=Chart(tuple(map(_panel, found))),
        names=NAMES,
        rows=tuple(_values(series, point) for series in found for point in series.points),
        notes=("Line across: mean of the first study. Another colour: differs from it after Holm's correction.",),
    )
    ((_, whole),) = alone([figure])
    return whole


def page(found: Sequence[Series]) -> str:
    """One HTML file: the picture, and the numbers below it."""
    tables = "".join(
        f"<h2>{escape(title(series))}</h2><table><tr>{''.join(f'<th>{escape(each)}</th>' for each in HEADS)}</tr>"
        + "".join(
            f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in _cells(point, series))}</tr>"
            for point in series.points
        )
        + "</table>"
        + "".join(f"<p>{escape(each)}</p>" for each in _set_aside(series))
        for series in found
    )
    style = f"{STYLE}table{{border-collapse:collapse}}td,th{{padding:.2rem .8rem .2rem 0;text-align:left}}"
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        f"<title>History</title><style>{style}</style><h1>History</h1>{picture(found)}{tables}</html>\n"
    )


def _set_aside(series: Series) -> Iterator[str]:
    return (f"{each.study}: {set_aside(each.set_aside)}" for each in series.points if each.set_aside)


def _values(series: Series, point: Point) -> tuple[object, ...]:
    return (
        *(point.configuration, series.subject, series.item, series.unit, series.label, series.clients),
        *(point.study, point.store, point.at, point.runs, point.mean, point.stddev, point.ci95_low, point.ci95_high),
        *(point.ratio, point.verdict, point.change, point.is_drift),
        "; ".join(point.set_aside),
    )


def _cells(point: Point, series: Series) -> tuple[str, ...]:
    shown = _printed(series)
    interval = numbers.DASH
    if point.ci95_low is not None and point.ci95_high is not None:
        interval = f"{shown(point.ci95_low)} to {shown(point.ci95_high)}"
    return (
        "*" if point.is_drift else "",
        point.study,
        numbers.moment(point.at),
        str(point.runs),
        shown(point.mean),
        interval,
        numbers.ratio(point.ratio),
        point.verdict,
    )


def _printed(series: Series) -> Callable[[float], str]:
    return numbers.compact if series.subject == "measurement" else lambda value: numbers.fixed(value, 1)


def _spoken(series: Series) -> str:
    return ", ".join(f"{point.study} {_printed(series)(point.mean)}" for point in series.points)


def _panel(series: Series) -> Panel:
    first = series.points[0].mean
    marks: list[Mark] = [Line(((-inf, first), (inf, first)), Look(stroke=ACCENT, dash=(4, 3)))]
    ends = [first]
    for place, point in enumerate(series.points, 1):
        if point.ci95_low is not None and point.ci95_high is not None:
            marks.append(Line(((place, point.ci95_low), (place, point.ci95_high)), Look(stroke=ACCENT, width=3.0)))
            ends += [point.ci95_low, point.ci95_high]
        words = f"{point.study}: {', '.join(_cells(point, series)[2:])}"
        look, shape = (Look(fill=DRIFT_COLOUR), "square") if point.is_drift else (Look(fill=INK), "circle")
        marks.append(Dot(place, point.mean, words, look, 3.8, shape))
        ends.append(point.mean)
    ticks = tuple((place, point.study) for place, point in enumerate(series.points, 1))
    x = Axis(Scale(0.5, len(series.points) + 0.5), "", ticks, has_grid=False)
    return Panel(x, Axis(around(ends)), marks, title=title(series), height=160)
