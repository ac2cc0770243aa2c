"""The points that one line of a series is drawn through."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from statistics import fmean

from reports.figures.draw.ink import Look, Point
from reports.figures.draw.scene import Line
from reports.study.store import Row

MOST_POINTS = 300
"""Points that a line is drawn through; neighbours are averaged beyond."""


def series_key(row: Row) -> tuple[object, ...]:
    """What the points of one line have in common, within a configuration."""
    return row["run"], row["line"], row.get("series_no")


def thinned(rows: Sequence[Row]) -> tuple[Point, ...]:
    """The points of one line, neighbours averaged where there are more than can be seen."""
    size = -(-len(rows) // MOST_POINTS)
    groups = [rows[i : i + size] for i in range(0, len(rows), size)]
    return tuple((fmean(row["x"] for row in group), fmean(row["value"] for row in group)) for group in groups)


def lines_of(rows: Sequence[Row], look: Look | Mapping[str, Look]) -> list[Line]:
    """A line for each run of a configuration, and for each kind of line in it, which may have a look of its own."""
    return [
        Line(thinned(run), look if isinstance(look, Look) else look[str(run[0]["line"])])
        for _, each in groupby(rows, key=series_key)
        for run in (list(each),)
    ]
