"""The points that one line of a series is drawn through."""

from collections.abc import Sequence

from reports.figures.model import Spec
from reports.study.store import Row

MOST_POINTS = 300
"""Points that a line is drawn through; neighbours are averaged beyond."""


def thinned(rows: Sequence[Row]) -> list[Spec]:
    """The points of one line, neighbours averaged where there are more than can be seen."""
    size = -(-len(rows) // MOST_POINTS)
    groups = [rows[i : i + size] for i in range(0, len(rows), size)]
    return [
        {
            "run": f"{rows[0]['run']} {rows[0]['line']}",
            "line": rows[0]["line"],
            "x": round(sum(row["x"] for row in group) / len(group), 3),
            "value": float(f"{sum(row['value'] for row in group) / len(group):.6g}"),
        }
        for group in groups
    ]
