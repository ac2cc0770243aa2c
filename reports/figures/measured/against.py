"""One number of a run against another: whether the second grows in proportion to the first."""

from collections.abc import Sequence

from pipeline.study.publication_options import FIGURE_KINDS
from reports import numbers
from reports.figures.catalogue import kind
from reports.figures.marks import described, line_of, silent, words
from reports.figures.measured.own_statement import PRINTED, own_rows
from reports.figures.model import INK, MUTED, RULE, TEXT_WIDTH, Figure, Spec, specification
from reports.figures.request import Request
from reports.study.store import Row
from reports.study.view import StudyView

COLUMNS = FIGURE_KINDS["against"].columns
WIDTH = TEXT_WIDTH - 190
LINE_ROOM = 0.055
"""Height of a line of text as a share of the highest value."""


@kind
def against(request: Request) -> Figure:
    """Every run of a statement with columns configuration, run, x, y; means of configurations; the line through zero.

    Options `x` and `y` are the titles of the axes.
    """
    rows = request.study.with_first_lines(own_rows(request, ("x", "y"), "row"), "y")
    slope = _slope(rows)
    titles = request.text("x") or "x", request.text("y") or "y"
    return Figure(
        name=request.naming.name,
        caption=request.naming.caption or f"{titles[1]} against {titles[0]}",
        description=_described(rows, slope, titles),
        spec=_spec(request.study, rows, slope, titles),
        names=COLUMNS,
        rows=tuple(tuple(row[name] for name in COLUMNS) for row in rows),
        notes=("Dots: single runs. Rings: means. Dashed: the proportion that fits all runs best.",),
        source=f"Source: {PRINTED}.",
        label=request.naming.label,
        configurations=tuple(dict.fromkeys(str(row["configuration"]) for row in rows)),
        topic="throughput",
    )


def _slope(rows: Sequence[Row]) -> float:
    """Least squares of a line through zero."""
    return float(sum(row["x"] * row["y"] for row in rows) / (sum(row["x"] ** 2 for row in rows) or 1.0))


def _furthest(rows: Sequence[Row], slope: float) -> float:
    """How far any run is from the proportion, as a share of what that says."""
    return max((abs(float(row["y"]) / (slope * row["x"]) - 1) for row in rows if slope * row["x"]), default=0.0)


def _described(rows: Sequence[Row], slope: float, titles: tuple[str, str]) -> str:
    share = numbers.fixed(100 * _furthest(rows, slope), 0)
    return f"{titles[1]} against {titles[0]}: {len(rows)} runs, none further than {share} % from the proportion"


def spread(heights: Sequence[float], room: float) -> list[float]:
    """Heights at least `room` apart and none below zero, else as near to the given ones, sorted up, as can be.

    Least squares by pooling adjacent violators: neighbours that are too near share the way that they give.
    """
    pools: list[tuple[float, int]] = []
    for place, height in enumerate(heights):
        total, count = height - place * room, 1
        while pools and pools[-1][0] / pools[-1][1] > total / count:
            before, members = pools.pop()
            total, count = total + before, count + members
        pools.append((total, count))
    means = [total / count for total, count in pools for _ in range(count)]
    return [max(mean, 0.0) + place * room for place, mean in enumerate(means)]


def _named(means: Sequence[Row], furthest: Row) -> list[Row]:
    """The means with the height at which their name is, on the right."""
    ordered = sorted(means, key=lambda mean: mean["y"])
    heights = spread([each["y"] for each in ordered], LINE_ROOM * furthest["y"])
    return [{**each, "named_at": height} for each, height in zip(ordered, heights, strict=True)]


def _names(values: Sequence[Row], x: Spec, y: Spec) -> list[Spec]:
    """Names to the right of the plot, each led to its ring."""
    leader: Spec = {"x": x, "y": y, "x2": {"value": WIDTH + 5}, "y2": {"field": "named_at"}}
    return [
        silent(values, "rule", leader, color=RULE, strokeWidth=0.7),
        words(values, "label", {"x": {"value": WIDTH}, "y": {**y, "field": "named_at"}}, dx=8),
    ]


def _spec(study: StudyView, rows: Sequence[Row], slope: float, titles: tuple[str, str]) -> Spec:
    furthest = {name: max(row[name] for row in rows) for name in ("x", "y")}
    x: Spec = {"field": "x", "type": "quantitative", "axis": {"title": titles[0], "tickCount": 8, "grid": False}}
    y: Spec = {"field": "y", "type": "quantitative", "axis": {"title": titles[1], "tickCount": 6, "domain": False}}
    means = []
    for key in dict.fromkeys(row["configuration"] for row in rows):
        own = [row for row in rows if row["configuration"] == key]
        at = {name: sum(row[name] for row in own) / len(own) for name in ("x", "y")}
        means.append({**at, "label": study.label(key)})
    named = _named(means, furthest)
    dots = [
        {
            "x": row["x"],
            "y": row["y"],
            "description": f"{study.label(row['configuration'])}, {row['run']}: "
            f"{titles[0]} {numbers.compact(row['x'])}, {titles[1]} {numbers.compact(row['y'])}{line_of(row)}",
        }
        for row in rows
    ]
    proportion = [{"x": 0, "y": 0}, {"x": furthest["x"], "y": slope * furthest["x"]}]
    place = {"x": x, "y": y}
    return specification(
        width=WIDTH,
        height=240,
        layer=[
            silent(proportion, "line", place, color=RULE, strokeDash=[4, 3]),
            *_names(named, x, y),
            described(dots, "circle", place, size=14, color=INK, opacity=1),
            silent(means, "point", place, size=110, color=MUTED, filled=False),
        ],
    )
