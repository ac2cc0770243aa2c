"""Distributions that the HADR simulator printed: bars over the ranges that it counted in, on a logarithmic axis."""

from collections.abc import Sequence
from itertools import groupby
from math import ceil, floor, log10

from reports import numbers
from reports.figures.catalogue import figure
from reports.figures.marks import described, line_of, silent, words
from reports.figures.model import ACCENT, INK, LABEL_WIDTH, MUTED, TEXT_WIDTH, Figure, Spec, specification, wrapped
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
ROW_HEIGHT = 40
NOTE = (
    "Bars span the range that was counted, their height is the share of all numbers, the figure above, where it has "
    "room, is how many; narrow bars are single values. Line: mean. Triangle: greatest. "
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
        spec=_spec(study, settings, unit, scale),
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


def _spec(study: StudyView, settings: Sequence[list[Row]], unit: str, scale: int) -> Spec:
    rows = [row for setting in settings for row in setting]
    above_zero = [row for row in rows if row["lo"] > 0]
    low = min((row["lo"] for row in above_zero), default=1) / scale
    high = max((_end(row) for row in above_zero), default=2) / scale
    has_zeros = len(above_zero) < len(rows)
    domain = [low / (4 if has_zeros else 1.3), high * 1.3]
    panels: list[Spec] = []
    for configuration, each in groupby(settings, key=lambda setting: setting[0]["configuration"]):
        own = list(each)
        above_an_axis = ceil(len(own) / ceil(len(own) / ROWS_ABOVE_AN_AXIS))
        for place, setting in enumerate(own):
            has_axis = setting is own[-1] or place % above_an_axis == above_an_axis - 1
            title = {"text": study.label(configuration), "offset": 10, "dx": 4 - LABEL_WIDTH}
            panel = _panel(setting, domain, scale, unit if has_axis else "")
            panels.append(panel if place else {**panel, "title": title})
    return specification(vconcat=panels, spacing=8)


def _panel(setting: Sequence[Row], domain: Sequence[float], scale: int, unit: str) -> Spec:
    axis: Spec = {"title": unit or None, "grid": True, "labels": bool(unit), "ticks": bool(unit), "domain": False}
    x: Spec = {
        "field": "lo",
        "type": "quantitative",
        "scale": {"type": "log", "domain": list(domain), "nice": False},
        "axis": {**axis, "values": _decades(domain), "format": "~g"},
    }
    y: Spec = {
        "field": "share",
        "type": "quantitative",
        "scale": {"domain": [0, 140]},  # room for the counts above full bars
        "axis": None,
    }
    bars = [_bar(row, domain, scale) for row in setting]
    marks = [{"mean": setting[0]["mean"] / scale, "greatest": setting[0]["greatest"] / scale}]
    if len(bars) == 1 and bars[0]["single"]:
        marks = []  # all numbers are one: the bar says so
    name = numbers.rewritten(setting[0]["setting"])
    label = wrapped(name).split("\n")
    ranges, singles = ([each for each in bars if each["single"] is kind] for kind in (False, True))
    place: Spec = {"x": x, "y": y, "y2": {"datum": 0}}
    count: Spec = {"x": {**x, "field": "middle"}, "y": y, "text": {"field": "printed"}}
    mean: Spec = {"x": {**x, "field": "mean"}, "y": {"value": 12}, "y2": {"value": ROW_HEIGHT}}
    greatest: Spec = {"x": {**x, "field": "greatest"}, "y": {"value": ROW_HEIGHT - 3}}
    middle = ROW_HEIGHT / 2 - 6 * (len(label) - 1)
    return {
        "width": TEXT_WIDTH - LABEL_WIDTH,
        "height": ROW_HEIGHT,
        "layer": [
            described(ranges, "bar", {**place, "x2": {"field": "hi"}}, color=ACCENT, stroke=INK, strokeWidth=0.4),
            described(singles, "rule", place, color=INK, strokeWidth=3),
            silent(bars, "text", count, baseline="bottom", dy=-2, fontSize=9.5, color=MUTED),
            silent(marks, "rule", mean, color=INK, strokeWidth=1.2, strokeDash=[3, 2]),
            silent(marks, "point", greatest, shape="triangle-down", filled=True, size=36, color=INK, opacity=1),
            words(
                [{"label": label, "name": name}],
                "label",
                {},
                baseline="middle",
                x=4 - LABEL_WIDTH,
                y=middle,
                lineHeight=12,
            ),
        ],
    }


def _decades(domain: Sequence[float]) -> list[float]:
    """Powers of ten in view; of a narrow view also their doubles and halves."""
    powers = [10.0**power for power in range(floor(log10(domain[0])), ceil(log10(domain[1])) + 1)]
    seen = [each for each in powers if domain[0] <= each <= domain[1]]
    finer = sorted({factor * each for each in powers for factor in (0.2, 0.5, 1)})
    return seen if len(seen) > 2 else [each for each in finer if domain[0] <= each <= domain[1]]


def _bar(row: Row, domain: Sequence[float], scale: int) -> Spec:
    """A range as it is drawn; zeros are at the left end, where a logarithmic axis has none."""
    is_zero = row["hi"] <= 0
    low = domain[0] * 1.3 if is_zero else row["lo"] / scale
    high = low if is_zero or row["exact"] else _end(row) / scale
    share, counted = numbers.fixed(row["share_pct"], 1), numbers.count(row["count"])
    printed = numbers.compact(row["lo"] / scale)
    span = "zero" if is_zero else printed if row["exact"] else f"{printed} to {numbers.compact(row['hi'] / scale)}"
    return {
        "lo": low,
        "hi": high,
        "middle": (low * high) ** 0.5,
        "single": is_zero or bool(row["exact"]),
        "share": round(row["share_pct"], 3),
        "printed": f"{counted} zero" if is_zero else counted,
        "description": f"{span}: {counted} numbers, {share} %{line_of(row)}",
    }


def _end(row: Row) -> float:
    """Where the range ends on an axis of real numbers: up to the next whole one."""
    return float(row["hi"] if row["exact"] else row["hi"] + 1)
