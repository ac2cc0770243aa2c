"""One panel as ink: heading, notes, plot with its grid and marks, names beside it, and the axis below."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf, isnan

from reports.figures.draw.ink import Box, Disc, Ink, Look, Path, Piece, Point, Text, rectangle
from reports.figures.draw.labels import placed_labels, placed_notes
from reports.figures.draw.scales import fitting_ticks
from reports.figures.draw.scene import Axis, Bar, Dot, Label, Line, Panel, Rows
from reports.figures.draw.style import GRID, INK, LABEL, LINE, MUTED, SHAPES, SMALL, TITLE
from reports.figures.draw.text import lines, width

BESIDE_NAMES = 8.0
"""Between names and the plot, pixels."""
TICK = 4.0
MOST_NAME_LINES = 3
APART = 8.0
"""Between two printed ticks."""
LEVEL_TICK = 1.25 * LABEL
"""Height that a tick of an upright axis takes."""


@dataclass(frozen=True, slots=True)
class Frame:
    """Edges of the plots of a chart. `is_stacked`: names of rows are above their bands, as there is no room beside."""

    width: float
    left: float
    right: float
    is_stacked: bool = False


@dataclass(frozen=True, slots=True)
class _Place:
    """Where values lie on the page."""

    x: Callable[[float], float]
    y: Callable[[float], float]
    box: Box


def name_lines(name: str, frame: Frame) -> list[str]:
    """The name of a row on the lines that it takes beside the plot."""
    return lines(name, LABEL, frame.left - BESIDE_NAMES, most=MOST_NAME_LINES)


def drawn(panel: Panel, frame: Frame, *, has_axis: bool) -> Piece:
    """The panel at its size; `has_axis`: ticks are printed, and the title of the horizontal axis."""
    inks: list[Ink] = list(_heading(panel, frame))
    top = max((ink.box[3] for ink in inks), default=0.0) + (5.0 if inks else 0.0)
    if isinstance(panel.y, Axis) and panel.y.title:
        inks.append(Text(0.0, top + SMALL, panel.y.title, SMALL, MUTED))
        top += LINE * SMALL + 4.0
    notes = placed_notes(panel.notes, lambda value: _along(panel.x, value, frame), (frame.left, frame.right), top)
    top = notes.bottom
    bands = _bands(panel.y, frame, top) if isinstance(panel.y, Rows) else []
    bottom = bands[-1][1] if bands else top + panel.height
    place = _place(panel, frame, bands, top, bottom)
    stretches = bands if frame.is_stacked else [(top, bottom)]  # clear of the names above bands
    inks += [*_grid(panel, place, stretches), *notes.rules(bottom), *_marks(panel, place), *notes.texts]
    inks += _names(panel.y, frame, bands) if isinstance(panel.y, Rows) else _values(panel.y, place)
    if has_axis:
        inks += _below(panel.x, place, frame)
    inks += placed_labels(
        [each for each in panel.marks if isinstance(each, Label)],
        (place.x, place.y),
        [ink.box for ink in inks if isinstance(ink, Disc | Text)],
        (0.0, top, frame.width, bottom),
    )
    return Piece(max(bottom, *(ink.box[3] for ink in inks)) + 1.0, tuple(inks))


def _heading(panel: Panel, frame: Frame) -> Iterator[Text]:
    """The title, and behind it or below it what it is of."""
    titles = lines(panel.title, TITLE, frame.width, most=3, is_bold=True) if panel.title else []
    y = 0.0
    for line in titles:
        y += LINE * TITLE
        yield Text(0.0, y - 2.0, line, TITLE, INK, is_bold=True)
    if not panel.subtitle:
        return
    left = width(titles[-1], TITLE, is_bold=True) + 10.0 if titles else 0.0
    if left + width(panel.subtitle, LABEL) <= frame.width:
        yield Text(left, y - 2.0 if titles else LINE * LABEL, panel.subtitle, LABEL, MUTED)
        return
    for line in lines(panel.subtitle, LABEL, frame.width, most=3):
        y += LINE * LABEL
        yield Text(0.0, y - 2.0, line, LABEL, MUTED)


def _along(axis: Axis, value: float, frame: Frame) -> float:
    share = min(max(axis.scale.share(value), 0.0), 1.0)
    return frame.left + share * (frame.right - frame.left)


def _bands(rows: Rows, frame: Frame, top: float) -> list[tuple[float, float]]:
    """Top and bottom of the band of each row: all as high as each other, in the middle of what their names take."""
    found = []
    for row in rows.rows:
        if frame.is_stacked:
            top += LINE * LABEL * len(_above(row.name, row.value, frame)) + 2.0
            spare = 0.0
        else:
            spare = max(LINE * LABEL * len(name_lines(row.name, frame)) + 3.0 - rows.height, 0.0)
        found.append((top + spare / 2, top + spare / 2 + rows.height))
        top += rows.height + spare
    return found


def _above(name: str, value: str, frame: Frame) -> list[str]:
    """The name of a row over its band, clear of the number at the right."""
    room = frame.width - (width(value, LABEL) + 12.0 if value else 0.0)
    return lines(name, LABEL, room, most=MOST_NAME_LINES)


def _place(panel: Panel, frame: Frame, bands: Sequence[tuple[float, float]], top: float, bottom: float) -> _Place:
    def of_row(value: float) -> float:
        row = min(max(int(value), 0), len(bands) - 1) if abs(value) < len(bands) + 1 else -1
        if row < 0:
            return top if value < 0 else bottom
        first, last = bands[row]
        return first + min(value - row, 1.0) * (last - first)

    def of_value(value: float) -> float:
        share = min(max(axis.scale.share(value), 0.0), 1.0)
        return bottom - share * (bottom - top)

    axis = panel.y if isinstance(panel.y, Axis) else panel.x
    box = (frame.left, top, frame.right, bottom)
    return _Place(lambda value: _along(panel.x, value, frame), of_row if bands else of_value, box)


def _ticks(axis: Axis, room: float, taken: Callable[[str], float]) -> Sequence[tuple[float, str]]:
    return axis.ticks or fitting_ticks(axis.scale, room, taken)


def _upright_ticks(axis: Axis, place: _Place) -> Sequence[tuple[float, str]]:
    left, _, right, _ = place.box
    return _ticks(axis, right - left, lambda text: width(text, LABEL) + APART)


def _level_ticks(axis: Axis, place: _Place) -> Sequence[tuple[float, str]]:
    return _ticks(axis, place.box[3] - place.box[1], lambda _text: LEVEL_TICK)


def _grid(panel: Panel, place: _Place, stretches: Sequence[tuple[float, float]]) -> Iterator[Path]:
    left, _, right, bottom = place.box
    look = Look(stroke=GRID)
    if panel.x.has_grid:
        for x in (place.x(value) for value, _ in _upright_ticks(panel.x, place)):
            for first, last in stretches:
                yield Path(((x, first), (x, last)), look)
    if isinstance(panel.y, Axis):
        for value, _ in _level_ticks(panel.y, place):
            if panel.y.has_grid:
                yield Path(((left, place.y(value)), (right, place.y(value))), look)
        yield Path(((left, bottom), (right, bottom)), Look(stroke=MUTED))


def _marks(panel: Panel, place: _Place) -> Iterator[Ink]:
    for mark in panel.marks:
        if isinstance(mark, Bar):
            (left, right), (top, bottom) = map(place.x, mark.x), map(place.y, mark.y)
            yield rectangle((left, top, right, bottom), mark.look, mark.words)
        elif isinstance(mark, Line):
            points = tuple((place.x(x), place.y(y)) for x, y in mark.points if not (isnan(x) or isnan(y)))
            if len(points) > 1:
                yield Path(points, mark.look, mark.words)
        elif isinstance(mark, Dot) and not (isnan(mark.x) or isnan(mark.y)):
            yield dot(place.x(mark.x), place.y(mark.y), mark)


def dot(x: float, y: float, mark: Dot) -> Ink:
    """A mark of a shape around a place."""
    corners = SHAPES[mark.shape]
    if not corners:
        return Disc(x, y, mark.radius, mark.look, mark.words)
    points: Iterable[Point] = ((x + mark.radius * right, y + mark.radius * down) for right, down in corners)
    return Path(tuple(points), mark.look, mark.words, is_closed=True)


def _names(rows: Rows, frame: Frame, bands: Sequence[tuple[float, float]]) -> Iterator[Text]:
    """Names of rows and their numbers: beside the middles of the bands, or above them."""
    for row, (top, bottom) in zip(rows.rows, bands, strict=True):
        middle = top + rows.middle * (bottom - top) + 0.35 * LABEL
        if frame.is_stacked:
            found, x, anchor = _above(row.name, row.value, frame), 0.0, "start"
            y = top - LINE * LABEL * (len(found) - 1) - 3.0
        else:
            found, x, anchor = name_lines(row.name, frame), frame.left - BESIDE_NAMES, "end"
            y = middle - LINE * LABEL * (len(found) - 1) / 2
        for number, line in enumerate(found):
            yield Text(x, y + LINE * LABEL * number, line, LABEL, INK, anchor)
        if row.value:
            yield Text(frame.width, y if frame.is_stacked else middle, row.value, LABEL, INK, "end")


def _values(axis: Axis, place: _Place) -> Iterator[Ink]:
    for value, text in _level_ticks(axis, place):
        yield Text(place.box[0] - BESIDE_NAMES, place.y(value) + 0.35 * LABEL, text, LABEL, INK, "end")


def _below(axis: Axis, place: _Place, frame: Frame) -> Iterator[Ink]:
    """Ticks, what is printed at them, and the title."""
    left, _, right, bottom = place.box
    ticks = _upright_ticks(axis, place)
    places = [place.x(value) for value, _ in ticks]
    slot = min((b - a for a, b in pairwise(places)), default=right - left) - APART
    yield from (Path(((x, bottom), (x, bottom + TICK)), Look(stroke=MUTED)) for x in places)
    rows, end = 1, -inf
    for x, (_, text) in zip(places, ticks, strict=True):
        found = lines(text, LABEL, max(slot, 40.0), most=3) if axis.ticks else [text]
        half = max(width(line, LABEL) for line in found) / 2
        middle = min(max(x, half), frame.width - half)
        if middle - half < end:
            continue
        end = middle + half + APART / 2
        rows = max(rows, len(found))
        for number, line in enumerate(found):
            yield Text(middle, bottom + TICK + LABEL * (1 + LINE * number), line, LABEL, INK, "middle")
    if axis.title:
        found = lines(axis.title, LABEL, frame.width, most=2)
        half = max(width(line, LABEL) for line in found) / 2
        middle = min(max((left + right) / 2, half), frame.width - half)
        for number, line in enumerate(found):
            y = bottom + TICK + LABEL * (1.1 + LINE * (rows + number))
            yield Text(middle, y, line, LABEL, MUTED, "middle")
