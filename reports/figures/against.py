"""One number of a run against another: whether the second grows in proportion to the first."""

from collections.abc import Sequence

from pipeline.errors import UsageError
from reports import numbers
from reports.figures.model import INK, MUTED, RULE, TEXT_WIDTH, Figure, Spec, specification
from reports.figures.request import Request
from reports.store import Row
from reports.study_view import StudyView

COLUMNS = ("configuration", "run", "x", "y")
WIDTH = TEXT_WIDTH - 190
LINE_ROOM = 0.055
"""Height of a line of text as a share of the highest value."""


def against(request: Request) -> Figure:
    """Every run of a statement with columns configuration, run, x, y; means of configurations; the line through zero.

    Options `x` and `y` are the titles of the axes.
    """
    study, owner = request.study, request.owner
    names, found = study.store.study_rows(request.sql, owner) if request.sql else ([], [])
    if missing := [name for name in COLUMNS if name not in names]:
        raise UsageError(f"{owner}: expected SQL with columns {', '.join(COLUMNS)}; it lacks {', '.join(missing)}")
    keys = {each.configuration for each in request.members}
    rows: list[Row] = [dict(zip(names, row, strict=True)) for row in found]
    rows = [row for row in rows if row["configuration"] in keys and row["x"] is not None and row["y"] is not None]
    if not rows:
        raise UsageError(f"{owner}: its SQL has no row of a configuration that the figure shows")
    slope = _slope(rows)
    titles = request.text("x") or "x", request.text("y") or "y"
    return Figure(
        name=request.naming.name,
        caption=request.naming.caption or f"{titles[1]} against {titles[0]}",
        description=_described(rows, slope, titles),
        spec=_spec(study, rows, slope, titles),
        names=COLUMNS,
        rows=tuple(tuple(row[name] for name in COLUMNS) for row in rows),
        notes=("Dots: single runs. Rings: means. Dashed: the proportion that fits all runs best.",),
        source="Source: a statement of the study, printed in the appendix.",
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
    """The means with the height at which their name stands, on the right."""
    ordered = sorted(means, key=lambda mean: mean["y"])
    heights = spread([each["y"] for each in ordered], LINE_ROOM * furthest["y"])
    return [{**each, "named_at": height} for each, height in zip(ordered, heights, strict=True)]


def _names(values: Sequence[Row], x: Spec, y: Spec) -> list[Spec]:
    """Names to the right of the plot, each led to its ring."""
    data = {"values": list(values)}
    line = {"type": "rule", "color": RULE, "strokeWidth": 0.7, "aria": False}
    return [
        {
            "data": data,
            "mark": line,
            "encoding": {"x": x, "y": y, "x2": {"value": WIDTH + 5}, "y2": {"field": "named_at"}},
        },
        {
            "data": data,
            "mark": {"type": "text", "align": "left", "dx": 8, "aria": False},
            "encoding": {"x": {"value": WIDTH}, "y": {**y, "field": "named_at"}, "text": {"field": "label"}},
        },
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
            "told": f"{study.label(row['configuration'])}, {row['run']}: "
            f"{numbers.compact(row['x'])}, {numbers.compact(row['y'])}",
        }
        for row in rows
    ]
    return specification(
        width=WIDTH,
        height=240,
        layer=[
            {
                "data": {"values": [{"x": 0, "y": 0}, {"x": furthest["x"], "y": slope * furthest["x"]}]},
                "mark": {"type": "line", "color": RULE, "strokeDash": [4, 3], "aria": False},
                "encoding": {"x": x, "y": y},
            },
            *_names(named, x, y),
            {
                "data": {"values": dots},
                "mark": {"type": "circle", "size": 14, "color": INK, "opacity": 1},
                "encoding": {"x": x, "y": y, "description": {"field": "told"}},
            },
            {
                "data": {"values": means},
                "mark": {"type": "point", "size": 110, "color": MUTED, "filled": False, "aria": False},
                "encoding": {"x": x, "y": y},
            },
        ],
    )
