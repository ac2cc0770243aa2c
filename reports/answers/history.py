"""A history of studies written for people and programs: lines, CSV, a picture, a page."""

from collections.abc import Callable, Iterator, Sequence
from html import escape

from pipeline.ask.compare.history import Point, Series
from reports import numbers
from reports.figures.marks import described, silent
from reports.figures.model import ACCENT, INK, TEXT_WIDTH, Figure, Spec, specification
from reports.figures.picture import alone, svg
from reports.metrics import name_of
from reports.typeset.formats import csv_of

NAMES = (
    *("configuration", "subject", "item", "unit", "label", "clients", "study", "store", "at", "runs", "mean", "stddev"),
    *("ci95_low", "ci95_high", "ratio_to_first", "against_first", "against_previous", "is_different"),
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
    return f"{series.configuration}: {what}{unit}"


def picture(found: Sequence[Series]) -> str:
    """The series as one SVG picture: a panel each, a point for each study with its interval, the first as a line."""
    figure = Figure(
        name="history",
        caption="One point for each study, in order of time: mean and 95 % interval",
        description="; ".join(f"{title(each)}: {_spoken(each)}" for each in found),
        spec=specification(vconcat=[_panel(each) for each in found]),
        names=NAMES,
        rows=tuple(_values(series, point) for series in found for point in series.points),
        notes=("Line across: mean of the first study. Another colour: differs from it after Holm's correction.",),
    )
    ((_, whole),) = alone([(figure, svg(figure))])
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
        for series in found
    )
    style = f"{STYLE}table{{border-collapse:collapse}}td,th{{padding:.2rem .8rem .2rem 0;text-align:left}}"
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        f"<title>History</title><style>{style}</style><h1>History</h1>{picture(found)}{tables}</html>\n"
    )


def _values(series: Series, point: Point) -> tuple[object, ...]:
    return (
        *(series.configuration, series.subject, series.item, series.unit, series.label, series.clients),
        *(point.study, point.store, point.at, point.runs, point.mean, point.stddev, point.ci95_low, point.ci95_high),
        *(point.ratio, point.verdict, point.change, point.is_drift),
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


def _panel(series: Series) -> Spec:
    values = [
        {
            "study": f"{place}",
            "name": point.study,
            "mean": point.mean,
            "low": point.mean if point.ci95_low is None else point.ci95_low,
            "high": point.mean if point.ci95_high is None else point.ci95_high,
            "description": f"{point.study}: {', '.join(_cells(point, series)[2:])}",
        }
        for place, point in enumerate(series.points, 1)
    ]
    names = [f"{place}" for place in range(1, len(values) + 1)]
    labels = {str(place): point.study for place, point in enumerate(series.points, 1)}
    x: Spec = {"field": "study", "type": "ordinal", "sort": names, "axis": {"title": None, "labelAngle": -30}}
    x["axis"]["labelExpr"] = _labelled(labels)
    y: Spec = {"field": "mean", "type": "quantitative", "axis": {"title": series.unit or ""}, "scale": {"zero": False}}
    drift = [value for value, point in zip(values, series.points, strict=True) if point.is_drift]
    same = [value for value in values if value not in drift]
    first: Spec = {"y": {**y, "field": "mean"}}
    return {
        "title": {"text": title(series)},
        "width": TEXT_WIDTH - 80,
        "height": 160,
        "layer": [
            silent(values[:1], "rule", first, color=ACCENT, strokeDash=[4, 3]),
            silent(values, "rule", {"x": x, "y": {**y, "field": "low"}, "y2": {"field": "high"}}, color=ACCENT, size=3),
            described(same, "circle", {"x": x, "y": y}, size=40, opacity=1, color=INK),
            described(drift, "square", {"x": x, "y": y}, size=50, opacity=1, color=DRIFT_COLOUR),
        ],
    }


def _labelled(labels: dict[str, str]) -> str:
    """An expression that gives the study's name for its place."""
    quoted = {key: value.replace("\\", "\\\\").replace("'", "\\'") for key, value in labels.items()}
    inner = ", ".join(f"'{key}': '{value}'" for key, value in quoted.items())
    return f"({{{inner}}})[datum.label]"
