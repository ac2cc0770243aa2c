"""One number of a run against another: whether the second grows in proportion to the first."""

from collections.abc import Sequence

from pipeline.errors import UsageError
from reports import numbers
from reports.figures.model import INK, MUTED, RULE, TEXT_WIDTH, Figure, Spec, specification
from reports.figures.request import Request
from reports.store import Row
from reports.study_view import StudyView

COLUMNS = ("configuration", "run", "x", "y")
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


def _placed(means: Sequence[Row]) -> list[Row]:
    """Names of the means beside them, left or right, moved up where they would cover another."""
    room = LINE_ROOM * max(each["y"] for each in means)
    highest = {"right": -room, "left": -room}
    found = []
    for each in sorted(means, key=lambda mean: mean["y"]):
        side = min(highest, key=lambda name: (max(highest[name] + room, each["y"]), name == "left"))
        highest[side] = max(highest[side] + room, each["y"])
        found.append({**each, "side": side, "y": highest[side]})
    return found


def _labels(values: Sequence[Row], side: str, x: Spec, y: Spec) -> Spec:
    is_left = side == "left"
    return {
        "data": {"values": list(values)},
        "mark": {"type": "text", "align": "right" if is_left else "left", "dx": -9 if is_left else 9, "aria": False},
        "encoding": {"x": x, "y": y, "text": {"field": "label"}},
    }


def _spec(study: StudyView, rows: Sequence[Row], slope: float, titles: tuple[str, str]) -> Spec:
    furthest = max(row["x"] for row in rows)
    x: Spec = {"field": "x", "type": "quantitative", "axis": {"title": titles[0], "tickCount": 8, "grid": False}}
    y: Spec = {"field": "y", "type": "quantitative", "axis": {"title": titles[1], "tickCount": 6, "domain": False}}
    means = []
    for key in dict.fromkeys(row["configuration"] for row in rows):
        own = [row for row in rows if row["configuration"] == key]
        at = {name: sum(row[name] for row in own) / len(own) for name in ("x", "y")}
        means.append({**at, "label": study.label(key)})
    labels = _placed(means)
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
        width=TEXT_WIDTH - 190,
        height=240,
        layer=[
            {
                "data": {"values": [{"x": 0, "y": 0}, {"x": furthest, "y": slope * furthest}]},
                "mark": {"type": "line", "color": RULE, "strokeDash": [4, 3], "aria": False},
                "encoding": {"x": x, "y": y},
            },
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
            *(_labels([each for each in labels if each["side"] == side], side, x, y) for side in ("left", "right")),
        ],
    )
