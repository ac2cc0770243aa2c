"""The points that one line of a series is drawn through."""

from collections.abc import Sequence

from reports.figures.model import Spec
from reports.study.store import Row

MOST_POINTS = 300
"""Points that a line is drawn through; neighbours are averaged beyond."""


def series_key(row: Row) -> tuple[object, ...]:
    """What the points of one line have in common, within a configuration."""
    return row["run"], row["line"], row.get("series_no")


def thinned(rows: Sequence[Row]) -> list[Spec]:
    """The points of one line, neighbours averaged where there are more than can be seen."""
    size = -(-len(rows) // MOST_POINTS)
    groups = [rows[i : i + size] for i in range(0, len(rows), size)]
    return [
        {
            "run": " ".join(str(rows[0].get(name, "")) for name in ("run", "line", "series_no")),
            "line": rows[0]["line"],
            "x": round(sum(row["x"] for row in group) / len(group), 3),
            "value": float(f"{sum(row['value'] for row in group) / len(group):.6g}"),
        }
        for group in groups
    ]
