"""What a drawing is made of, in CSS pixels from its left upper corner: paths, discs and lines of text."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from reports.figures.draw.text import width

Point = tuple[float, float]
Box = tuple[float, float, float, float]
"""Left, top, right and bottom."""

CLEAR = "transparent"
"""A fill that nobody sees, and everybody can point at."""

ASCENT, DESCENT = 0.78, 0.22
"""How far the letters of figures reach above and below their line, in sizes of the font."""


@dataclass(frozen=True, slots=True)
class Look:
    """How a shape is drawn; an empty colour draws nothing."""

    fill: str = ""
    stroke: str = ""
    width: float = 1.0
    dash: tuple[float, ...] = ()
    opacity: float = 1.0


@dataclass(frozen=True, slots=True)
class Path:
    """Straight lines through points. `words` say what it stands for, to a pointer and to a screen reader."""

    points: tuple[Point, ...]
    look: Look
    words: str = ""
    is_closed: bool = False

    @property
    def box(self) -> Box:
        """What it takes up."""
        xs, ys = zip(*self.points, strict=True)
        return min(xs), min(ys), max(xs), max(ys)

    def moved(self, right: float, down: float) -> "Path":
        """The same elsewhere."""
        return replace(self, points=tuple((x + right, y + down) for x, y in self.points))


@dataclass(frozen=True, slots=True)
class Disc:
    """A round dot."""

    x: float
    y: float
    radius: float
    look: Look
    words: str = ""

    @property
    def box(self) -> Box:
        """What it takes up."""
        return self.x - self.radius, self.y - self.radius, self.x + self.radius, self.y + self.radius

    def moved(self, right: float, down: float) -> "Disc":
        """The same elsewhere."""
        return replace(self, x=self.x + right, y=self.y + down)


@dataclass(frozen=True, slots=True)
class Text:
    """A line of text; `x` is its start, middle or end, as `anchor` says, and `y` the line it stands on."""

    x: float
    y: float
    text: str
    size: float
    colour: str
    anchor: str = "start"
    is_bold: bool = False

    @property
    def left(self) -> float:
        """Where it begins."""
        share = {"start": 0.0, "middle": 0.5, "end": 1.0}[self.anchor]
        return self.x - share * width(self.text, self.size, is_bold=self.is_bold)

    @property
    def box(self) -> Box:
        """What it takes up."""
        right = self.left + width(self.text, self.size, is_bold=self.is_bold)
        return self.left, self.y - ASCENT * self.size, right, self.y + DESCENT * self.size

    def moved(self, right: float, down: float) -> "Text":
        """The same elsewhere."""
        return replace(self, x=self.x + right, y=self.y + down)


Ink = Path | Disc | Text


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a drawing that can be read by itself: a page may end below it."""

    height: float
    inks: tuple[Ink, ...]


class Scene(Protocol):
    """What a figure shows; it can be laid out at any width."""

    def pieces(self, width: float) -> list[Piece]:
        """The drawing at a width, in parts from top to bottom."""


def rectangle(box: Box, look: Look, words: str = "") -> Path:
    """A closed path around four corners."""
    left, top, right, bottom = box
    return Path(((left, top), (right, top), (right, bottom), (left, bottom)), look, words, is_closed=True)


def below_each_other(pieces: Iterable[Piece], gap: float) -> Piece:
    """Several pieces as one."""
    inks: list[Ink] = []
    top = 0.0
    for piece in pieces:
        inks += [ink.moved(0.0, top) for ink in piece.inks]
        top += piece.height + gap
    return Piece(max(top - gap, 0.0), tuple(inks))


def overlap(one: Box, other: Box) -> bool:
    """Whether two boxes share an area."""
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def is_clear(box: Box, others: Sequence[Box]) -> bool:
    """Whether a box shares no area with any other."""
    return not any(overlap(box, other) for other in others)
