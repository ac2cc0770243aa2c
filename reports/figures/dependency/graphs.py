"""Graphs beside each other as far as the page is wide, with a legend of the parts of the system that they show."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from reports.figures.dependency.graph import BAND, MARGIN, ROLES, Graph, Laid
from reports.figures.draw import text
from reports.figures.draw.ink import Ink, Look, Piece, Text, below_each_other, rectangle
from reports.figures.draw.style import MUTED, ROLE_COLOURS, RULE, SMALL

GAP = 12.0
SWATCH = 9.0


@dataclass(frozen=True, slots=True)
class Graphs:
    """Graphs, each in a frame with `has_frames`."""

    graphs: tuple[Graph, ...]
    has_frames: bool

    def pieces(self, width: float) -> list[Piece]:
        """The drawing at a width, in one piece."""
        roles = {label.role for graph in self.graphs for label in graph.labels.values()}
        laid = [graph.laid(width - 2 * MARGIN, has_bands=roles != {""}) for graph in self.graphs]
        rows = [self._row(row, width) for row in _rows(laid, width)]
        if roles != {""}:
            rows.append(_legend([role for role in ROLE_COLOURS if role in roles]))
        return [below_each_other(rows, GAP)]

    def _row(self, row: Sequence[Laid], page: float) -> Piece:
        height = max(each.top + each.height for each in row) + 2 * MARGIN
        spare = (page - sum(map(_outer, row)) - GAP * (len(row) - 1)) / len(row)
        inks: list[Ink] = []
        x = 0.0
        for each in row:
            width = _outer(each) + spare
            if self.has_frames:
                inks.append(rectangle((x, 0.0, x + width, height), Look(stroke=RULE, width=0.6)))
            inks += [ink.moved(x + MARGIN, MARGIN) for ink in each.heading]
            inks += [ink.moved(x + (width - each.inner) / 2, MARGIN + each.top) for ink in each.inks]
            x += width + GAP
        return Piece(height, tuple(inks))


def _outer(graph: Laid) -> float:
    return graph.width + 2 * MARGIN


def _rows(graphs: Sequence[Laid], page: float) -> Iterator[list[Laid]]:
    row: list[Laid] = []
    for graph in graphs:
        if row and sum(_outer(each) + GAP for each in row) + _outer(graph) > page:
            yield row
            row = []
        row.append(graph)
    yield row


def _legend(roles: Sequence[str]) -> Piece:
    """Swatches with the parts of the system that they stand for."""
    names = {role: name for _, role, name in ROLES} | {"": "other"}
    inks: list[Ink] = []
    x = 0.0
    for role in roles:
        name = names.get(role, role)
        inks.append(rectangle((x, 0.0, x + BAND, SWATCH), Look(fill=ROLE_COLOURS[role])))
        inks.append(Text(x + BAND + 5, SWATCH - 0.5, name, SMALL, MUTED))
        x += BAND + 5 + text.width(name, SMALL) + 18
    return Piece(SWATCH + 2.0, tuple(inks))
