"""Colours, sizes and shapes of figures."""

from math import cos, pi, sin

INK, MUTED, RULE, GRID, PAPER = "#161616", "#5c5f62", "#a3a8ad", "#d8dadc", "#ffffff"

# Light enough for black dots upon them, and apart in lightness when printed in grey; each row is labelled besides.
ROLE_COLOURS = {
    "detection": "#c4c9ce",
    "storage": "#e3ad45",
    "network": "#c9b3e0",
    "restart": "#62b3a1",
    "recovery": "#5b90d2",
    "": "#d9cfc4",
}
ACCENT = ROLE_COLOURS["recovery"]

SERIES_COLOURS = (INK, "#2f7fc1", "#d2691e", "#8d5fb8")
"""Of lines that are compared; ink and blue, the first two, are far apart in grey."""

DASHES: tuple[tuple[float, ...], ...] = ((), (6, 3), (2, 2), (9, 3, 2, 3), (1, 3), (12, 2))

WIDE = 604.0
"""CSS pixels between the margins of an A4 page."""
COLUMN = 318.0
"""The same of one of two columns, 84 mm; a telephone shows it a tenth larger."""

GAP = 14.0
"""Between parts of a figure that lie below each other, CSS pixels."""

TITLE, LABEL, SMALL = 11.5, 10.5, 9.5
"""Sizes of letters, CSS pixels: headings of panels, names and ticks, what is beside marks."""

LINE = 1.2
"""Height of a line of text, in sizes of the font."""


def _corners(points: int, start: float) -> tuple[tuple[float, float], ...]:
    """Corners of a regular polygon around zero."""
    turns = [start + 2 * pi * place / points for place in range(points)]
    return tuple((round(cos(turn), 3), round(sin(turn), 3)) for turn in turns)


SHAPES: dict[str, tuple[tuple[float, float], ...]] = {
    "circle": (),
    "square": _corners(4, pi / 4),
    "triangle": _corners(3, -pi / 2),
    "diamond": _corners(4, 0),
    "pentagon": _corners(5, -pi / 2),
    "wedge": _corners(3, pi / 2),
    "arrow": _corners(3, 0),
}
"""Marks by name, their corners at a distance of 1; a wedge points down, an arrow to the right."""
