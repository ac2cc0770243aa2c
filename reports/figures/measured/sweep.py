"""A measurement against a number that was varied, with its interval and every run as a point."""

from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.errors import UsageError
from reports import numbers
from reports.figures.catalogue import kind
from reports.figures.marks import by_name, described, silent, words
from reports.figures.measured.measured import DATA_NAMES, Measured
from reports.figures.measured.own_statement import values_of
from reports.figures.model import INK, MUTED, RULE, TEXT_WIDTH, Figure, Spec, specification
from reports.figures.request import Request
from reports.naming import Naming
from reports.study.store import Row
from reports.typeset.text import short_names

HEIGHT = 230
NAME_HEIGHT = 17
NAME_CELLS = 22
"""Of the room on the right, which holds the names of lines."""

WIDE = 8
"""Places further apart than this, as a ratio, crowd together on a plain scale."""

DASHES = ([1, 0], [5, 3], [2, 2], [8, 3, 2, 3], [1, 3], [10, 2])
POINTS_NOTE = "Points: means over runs with their 95 % confidence intervals; small dots: single runs."
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down")


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
        spec=lines_along(
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


def lines_along(points: Sequence[Row], dots: Sequence[Row], axes: Axes) -> Spec:
    """A line through the points of each `line`: means at a place, with intervals, and the runs as dots.

    `points`: at, line, mean, low, high, description, in the order of lines and places. `dots`: at, value, description.
    Places are on a scale of powers of two where they would crowd together on a plain one.
    """
    lines = list(dict.fromkeys(each["line"] for each in points))
    places = sorted({each["at"] for each in points})
    is_wide = not axes.has_ideal and places[0] > 0 and places[-1] / places[0] >= WIDE
    x: Spec = {
        "field": "at",
        "type": "quantitative",
        "scale": {"type": "log", "base": 2, "nice": False} if is_wide else {"zero": axes.has_ideal, "nice": True},
        "axis": {"title": axes.x_title, "values": places, "grid": False},
    }
    y: Spec = {
        "type": "quantitative",
        "scale": {"zero": True},
        "axis": {"title": axes.y_title, "tickCount": 6, "domain": False},
    }
    means: Spec = {"x": x, "y": {**y, "field": "mean"}}
    interval: Spec = {"x": x, "y": {**y, "field": "low"}, "y2": {"field": "high"}}
    dashes, shapes = by_name("line", lines, DASHES), by_name("line", lines, SHAPES)
    layers = [
        silent(points, "line", means | {"strokeDash": dashes}, color=MUTED, strokeWidth=1.2),
        described(dots, "circle", {"x": x, "y": {**y, "field": "value"}}, size=8, color=MUTED, opacity=1),
        silent(points, "rule", interval, color=INK, strokeWidth=1.5),
        described(points, "point", means | {"shape": shapes}, filled=True, size=46, color=INK, opacity=1),
    ]
    if len(lines) > 1:
        layers.append(words(_named_ends(points, lines), "name", {"x": x, "y": {**y, "field": "beside"}}, dx=8))
    if axes.has_ideal:
        layers.insert(0, _ideal(_longest(points, lines), means))
    if axes.target is not None:
        layers += _target(axes.target, {"y": means["y"]})
    return specification(width=TEXT_WIDTH - 150, height=HEIGHT, layer=layers)


def _target(target: float, place: Spec) -> list[Spec]:
    """A line across at the value that was to be reached."""
    values = [{"mean": target, "text": f"target {numbers.compact(target)}"}]
    return [
        silent(values, "rule", place, color=INK, strokeDash=[1, 3]),
        words(values, "text", place, baseline="bottom", x=4, dy=-3),
    ]


def _named_ends(points: Sequence[Row], lines: Sequence[str]) -> list[Row]:
    """The place of the last point of each line, its name, and where `beside` it the name is clear of others."""
    names = short_names(lines, NAME_CELLS)
    ends = [max((each for each in points if each["line"] == line), key=lambda each: each["at"]) for line in lines]
    gap = max(each["high"] for each in points) * NAME_HEIGHT / HEIGHT
    found = []
    for at in dict.fromkeys(each["at"] for each in ends):
        own = sorted((each for each in ends if each["at"] == at), key=lambda each: each["mean"])
        places = [own[0]["mean"]]
        for end in own[1:]:
            places.append(max(end["mean"], places[-1] + gap))
        lower = max(place - end["mean"] for place, end in zip(places, own, strict=True)) / 2
        lower = min(lower, max(places[0], 0.0))
        found += [
            {"at": at, "beside": float(f"{place - lower:.7g}"), "name": names[end["line"]]}
            for place, end in zip(places, own, strict=True)
        ]
    return found


def _longest(points: Sequence[Row], lines: Sequence[str]) -> list[Row]:
    """The points of the line that has most of them."""
    return max(([each for each in points if each["line"] == line] for line in lines), key=len)


def _ideal(points: Sequence[Row], place: Spec) -> Spec:
    """Growth in proportion to the first point."""
    slope = points[0]["mean"] / points[0]["at"] if points[0]["at"] else 0.0
    furthest = max(each["at"] for each in points)
    ends = [{"at": 0, "mean": 0}, {"at": furthest, "mean": slope * furthest}]
    return silent(ends, "line", place, color=RULE, strokeDash=[4, 3], clip=True)
