"""A measurement against a number that was varied, with its interval and every run as a point."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

from pipeline.errors import UsageError
from reports import numbers
from reports.figures.catalogue import kind
from reports.figures.draw.chart import Chart
from reports.figures.draw.ink import Look
from reports.figures.draw.scales import Scale, around, from_zero
from reports.figures.draw.scene import Axis, Dot, Entry, Label, Line, Mark, Panel
from reports.figures.draw.style import DASHES, INK, MUTED, RULE, SHAPES
from reports.figures.measured.measured import DATA_NAMES, Measured
from reports.figures.measured.own_statement import values_of
from reports.figures.model import Figure
from reports.figures.request import Request
from reports.naming import Naming
from reports.study.store import Row

HEIGHT = 200
WIDE = 8
"""Places further apart than this, as a ratio, crowd together on a plain scale."""

POINTS_NOTE = "Points: means over runs with their 95 % confidence intervals; small dots: single runs."
NAMED_SHAPES = tuple(SHAPES)


@dataclass(frozen=True, slots=True)
class Sweep:
    """Along which factor; `lines_by`: a line for each value of this one; `has_ideal`: show growth in proportion.

    `target`: a value that was to be reached.
    """

    factor: str
    lines_by: str | None = None
    has_ideal: bool = False
    target: float | None = None


@kind
def sweep(request: Request) -> Figure:
    """A measurement against a factor, as study.toml asks for it."""
    about = Sweep(
        request.text("factor") or "",
        request.text("lines_by"),
        request.options.get("ideal") is True,
        request.number("target"),
    )
    return sweep_of(values_of(request), about, request.naming, request.owner)


def sweep_of(what: Measured, sweep: Sweep, naming: Naming, owner: str) -> Figure:
    """Means against the factor, joined by lines."""
    points = _placed(what, sweep)
    if not points:
        factors = what.study.factors.values()
        known = sorted({name for each in factors for name, row in each.items() if row["number"] is not None})
        raise UsageError(f"{owner}: no factor {sweep.factor!r} with numbers; known: {', '.join(known) or 'none'}")
    return Figure(
        name=naming.name,
        caption=naming.caption or f"{what.heading} against {sweep.factor.replace('_', ' ')}",
        description=what.description,
        scene=lines_along(
            points, _dots(what, points), Axes(sweep.factor.replace("_", " "), what.title, sweep.has_ideal, sweep.target)
        ),
        names=DATA_NAMES,
        rows=what.data_rows,
        notes=(POINTS_NOTE + (" Dashed: growth in proportion to the first point." if sweep.has_ideal else ""),),
        source=f"Source: {what.source}; factors of the configurations.",
        label=naming.label,
        configurations=tuple(each["key"] for each in points),
        topic="throughput",
        behind=what.behind,
    )


def _placed(what: Measured, sweep: Sweep) -> list[Row]:
    """Points with their place `at` on the axis and the `line` they belong to, in the order of both."""
    points = []
    for key, point in what.points.items():
        factors = what.study.factors.get(key, {})
        number = factors[sweep.factor]["number"] if sweep.factor in factors else None
        if number is not None:
            by = sweep.lines_by
            points.append({**point, "at": number, "line": str(factors[by]["value"]) if by and by in factors else ""})
    return sorted(points, key=lambda each: (each["line"], each["at"]))


def _dots(what: Measured, points: Sequence[Row]) -> list[Row]:
    """The runs at the place of their configuration."""
    places = {each["key"]: each["at"] for each in points}
    return [
        {"at": places[row["configuration"]], "value": row["shown"], "description": row["description"]}
        for row in what.runs
        if row["configuration"] in places
    ]


@dataclass(frozen=True, slots=True)
class Axes:
    """What the axes say, and what is drawn besides points. See `Sweep`."""

    x_title: str
    y_title: str
    has_ideal: bool = False
    target: float | None = None


def lines_along(points: Sequence[Row], dots: Sequence[Row], axes: Axes) -> Chart:
    """A line through the points of each `line`: means at a place, with intervals, and the runs as dots.

    `points`: at, line, mean, low, high, description, in the order of lines and places. `dots`: at, value, description.
    Places are on a logarithmic scale where they would crowd together on a plain one.
    """
    lines = list(dict.fromkeys(each["line"] for each in points))
    places = sorted({each["at"] for each in points})
    is_wide = not axes.has_ideal and places[0] > 0 and places[-1] / places[0] >= WIDE
    scale = Scale(0.0, places[-1] * 1.02) if axes.has_ideal else around(places, 0.02, is_log=is_wide)
    ends = [each["high"] for each in points] + [each["value"] for each in dots]
    y = Axis(from_zero([*ends, axes.target or 0.0], 1.08), axes.y_title)
    own = {line: [each for each in points if each["line"] == line] for line in lines}
    marks: list[Mark] = [_ideal(max(own.values(), key=len), y.scale.high)] if axes.has_ideal else []
    if axes.target is not None:
        marks += _target(axes.target, scale)
    looks = {line: Look(stroke=MUTED, width=1.2, dash=DASHES[i % len(DASHES)]) for i, line in enumerate(lines)}
    shapes = {line: NAMED_SHAPES[i % len(NAMED_SHAPES)] for i, line in enumerate(lines)}
    marks += [Line(tuple((each["at"], each["mean"]) for each in own[line]), looks[line]) for line in lines]
    marks += [Dot(each["at"], each["value"], each["description"], Look(fill=MUTED), 1.6) for each in dots]
    for each in points:
        marks.append(Line(((each["at"], each["low"]), (each["at"], each["high"])), Look(stroke=INK, width=1.5)))
        marks.append(Dot(each["at"], each["mean"], each["description"], radius=3.8, shape=shapes[each["line"]]))
    legend = [Entry(line, looks[line], shapes[line], is_line=True) for line in lines if len(lines) > 1]
    ticks = tuple((place, numbers.compact(place)) for place in places)
    x = Axis(scale, axes.x_title, ticks, has_grid=False)
    return Chart((Panel(x, y, marks, height=HEIGHT),), tuple(legend))


def _target(target: float, scale: Scale) -> list[Mark]:
    """A line across at the value that was to be reached."""
    line = Line(((-inf, target), (inf, target)), Look(stroke=INK, dash=(1, 3)))
    return [line, Label(scale.low, target, f"target {numbers.compact(target)}", dx=4, dy=-8)]


def _ideal(points: Sequence[Row], highest: float) -> Line:
    """Growth in proportion to the first point, as far as the plot is high."""
    slope = points[0]["mean"] / points[0]["at"] if points[0]["at"] else 0.0
    furthest = max(each["at"] for each in points)
    if slope * furthest > highest:
        furthest = highest / slope
    return Line(((0.0, 0.0), (furthest, slope * furthest)), Look(stroke=RULE, dash=(4, 3)))
