"""Drawings of figures as tests look at them: their texts, marks and what covers what."""

from itertools import combinations
from typing import TypeVar

from reports.figures.draw.chart import Chart
from reports.figures.draw.ink import Box, Disc, Ink, Path, Scene, Text, below_each_other, overlap
from reports.figures.draw.scene import Bar, Dot, Label, Line, Panel, Row, Rows
from reports.figures.draw.style import COLUMN, GAP, WIDE
from reports.figures.model import Figure

Kind = TypeVar("Kind", Bar, Dot, Label, Line)
WIDTHS = (WIDE, COLUMN)
TOUCH = 0.5
"""How far boxes may reach into each other or over the edge, pixels."""


def inks(scene: Scene, width: float = WIDE) -> tuple[Ink, ...]:
    """Everything that is drawn, from top to bottom."""
    return below_each_other(scene.pieces(width), GAP).inks


def texts(figure: Figure, width: float = WIDE) -> list[str]:
    """Every line of text."""
    return [ink.text for ink in inks(figure.scene, width) if isinstance(ink, Text)]


def said(figure: Figure) -> list[str]:
    """What marks say of themselves: those that a pointer or the keys can choose."""
    return [ink.words for ink in inks(figure.scene) if isinstance(ink, Path | Disc) and ink.words]


def panels(figure: Figure) -> tuple[Panel, ...]:
    """The panels of a chart."""
    assert isinstance(figure.scene, Chart)
    return figure.scene.panels


def marks(panel: Panel, kind: type[Kind]) -> list[Kind]:
    """The marks of a kind, in the order in which they are drawn."""
    return [mark for mark in panel.marks if isinstance(mark, kind)]


def rows(panel: Panel) -> tuple[Row, ...]:
    """The names of a panel, with what is printed beside them."""
    assert isinstance(panel.y, Rows)
    return panel.y.rows


def covered(scene: Scene, width: float) -> list[tuple[str, str]]:
    """Pairs of texts of which one covers the other."""
    boxes = [(ink.text, _inner(ink.box)) for ink in inks(scene, width) if isinstance(ink, Text)]
    return [(one, other) for (one, first), (other, second) in combinations(boxes, 2) if overlap(first, second)]


def outside(scene: Scene, width: float) -> list[Ink]:
    """What reaches beyond the drawing."""
    whole = below_each_other(scene.pieces(width), GAP)
    return [ink for ink in whole.inks if not _is_within(ink.box, width, whole.height)]


def _inner(box: Box) -> Box:
    left, top, right, bottom = box
    return left + TOUCH, top + TOUCH, right - TOUCH, bottom - TOUCH


def _is_within(box: Box, width: float, height: float) -> bool:
    return box[0] >= -2.0 and box[1] >= -2.0 and box[2] <= width + 2.0 and box[3] <= height + 2.0
