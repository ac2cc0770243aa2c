"""What a chart shows, in units of the data: panels with axes and marks, and what a legend explains.

An infinite value stands for the edge of the plot on its side: `(x, -inf)` to `(x, inf)` is a line across. In panels of
rows `y` counts rows from the top: 2.5 is the middle of the third.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from reports.figures.draw.ink import Look, Point
from reports.figures.draw.scales import Scale
from reports.figures.draw.style import INK


@dataclass(frozen=True, slots=True)
class Axis:
    """An axis of numbers. `ticks`: values and what is printed at them; without any, round values are chosen."""

    scale: Scale
    title: str = ""
    ticks: tuple[tuple[float, str], ...] = ()
    has_grid: bool = True


@dataclass(frozen=True, slots=True)
class Row:
    """A name left of the plot, and a number in words right of it."""

    name: str
    value: str = ""


@dataclass(frozen=True, slots=True)
class Rows:
    """Names from top to bottom, each with a band as high as its name needs, at least `height` pixels.

    `middle`: where in a band what it is about lies, beside which its name stands.
    """

    rows: tuple[Row, ...]
    height: float
    middle: float = 0.5


@dataclass(frozen=True, slots=True)
class Bar:
    """A rectangle between two values of each axis."""

    x: tuple[float, float]
    y: tuple[float, float]
    look: Look
    words: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """A line through points."""

    points: tuple[Point, ...]
    look: Look
    words: str = ""


@dataclass(frozen=True, slots=True)
class Dot:
    """A mark at a place: a circle, or one of the shapes of `style.SHAPES`."""

    x: float
    y: float
    words: str = ""
    look: Look = field(default=Look(fill=INK))
    radius: float = 1.7
    shape: str = "circle"


@dataclass(frozen=True, slots=True)
class Label:
    """Text beside a place: `dx` pixels right of it and `dy` below, or centred above.

    `past`: a line across that must not run through it. `is_optional`: left out where it would cover another.
    `is_free`: wherever around its place it covers nothing.
    """

    x: float
    y: float
    text: str
    dx: float = 0.0
    dy: float = 0.0
    colour: str = INK
    is_above: bool = False
    past: float | None = None
    is_optional: bool = False
    is_free: bool = False


Mark = Bar | Line | Dot | Label


@dataclass(frozen=True, slots=True)
class Note:
    """What a person noted at a value of the horizontal axis: a line across with its text above the plot."""

    x: float
    text: str
    words: str


@dataclass(frozen=True, slots=True)
class Panel:
    """A plot. `height`: pixels of one with an axis of numbers; that of rows comes from them."""

    x: Axis
    y: Axis | Rows
    marks: Sequence[Mark]
    title: str = ""
    subtitle: str = ""
    notes: Sequence[Note] = ()
    height: float = 150.0


@dataclass(frozen=True, slots=True)
class Entry:
    """A look that the legend explains: a swatch, or a line with or without a mark in its middle."""

    name: str
    look: Look
    shape: str = ""
    is_line: bool = False


def across(x: float, look: Look) -> Line:
    """A line from the bottom to the top of the plot."""
    return Line(((x, float("-inf")), (x, float("inf"))), look)


def dots_in_band(places: Sequence[tuple[str, str]], band: tuple[float, float]) -> list[float]:
    """How far down its row the dot of each run is: in a part of the band, the runs of a row in their order.

    `places`: the row of each run, and what it is ordered by.
    """
    order: dict[str, list[str]] = {}
    for row, place in sorted(set(places)):
        order.setdefault(row, []).append(place)
    most = max(map(len, order.values()), default=1)
    top, bottom = band
    return [top + (bottom - top) * (order[row].index(place) + 0.5) / most for row, place in places]


def rows_of(
    names: Iterable[str], values: Iterable[str] | None = None, *, height: float, bar: tuple[float, float] = (0.0, 1.0)
) -> Rows:
    """Rows of names, with their values where there are any."""
    listed = list(names)
    printed = list(values) if values is not None else [""] * len(listed)
    return Rows(tuple(Row(name, value) for name, value in zip(listed, printed, strict=True)), height, sum(bar) / 2)


def whisker(low: float, high: float, y: float, cap: float, look: Look) -> Line:
    """An interval along the horizontal axis, with a stroke at both ends."""
    return Line(((low, y - cap), (low, y + cap), (low, y), (high, y), (high, y - cap), (high, y + cap)), look)


BAR_ABOVE, DOTS_BELOW, WHOLE = (0.08, 0.52), (0.58, 0.96), (0.14, 0.86)
THICKEST = 11.0
"""Bar of a row, pixels: what is left belongs to the dots."""
LEAST_PARTED = 18.0
"""Rows lower than this have dots upon their bar, others below it."""


def parts_of_row(height: float) -> tuple[tuple[float, float], tuple[float, float]]:
    """Which part of its row the bar takes, and which the dots."""
    if height < LEAST_PARTED:
        return WHOLE, WHOLE
    end = BAR_ABOVE[0] + min(BAR_ABOVE[1] - BAR_ABOVE[0], THICKEST / height)
    return (BAR_ABOVE[0], end), (end + DOTS_BELOW[0] - BAR_ABOVE[1], DOTS_BELOW[1])
