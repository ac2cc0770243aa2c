"""One number of a run against another: whether the second grows in proportion to the first."""

from collections.abc import Sequence
from statistics import fmean

from pipeline.study.publication_options import FIGURE_KINDS
from reports import numbers
from reports.figures.catalogue import kind
from reports.figures.draw.chart import Chart
from reports.figures.draw.ink import Look
from reports.figures.draw.scales import from_zero
from reports.figures.draw.scene import Axis, Dot, Label, Line, Mark, Panel
from reports.figures.draw.style import MUTED, RULE
from reports.figures.marks import line_of
from reports.figures.measured.own_statement import PRINTED, own_rows
from reports.figures.model import Figure
from reports.figures.request import Request
from reports.study.store import Row
from reports.study.view import StudyView

COLUMNS = FIGURE_KINDS["against"].columns


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
        scene=_chart(request.study, rows, slope, titles),
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


def _chart(study: StudyView, rows: Sequence[Row], slope: float, titles: tuple[str, str]) -> Chart:
    x, y = (from_zero(row[name] for row in rows) for name in ("x", "y"))
    furthest = min(x.high, y.high / slope) if slope > 0 else x.high
    marks: list[Mark] = [Line(((0.0, 0.0), (furthest, slope * furthest)), Look(stroke=RULE, dash=(4, 3)))]
    for row in rows:
        values = ", ".join(
            f"{title} {numbers.compact(row[name])}" for title, name in zip(titles, ("x", "y"), strict=True)
        )
        words = f"{study.label(row['configuration'])}, {row['run']}: {values}{line_of(row)}"
        marks.append(Dot(row["x"], row["y"], words))
    for key in dict.fromkeys(row["configuration"] for row in rows):
        own = [row for row in rows if row["configuration"] == key]
        mean_x, mean_y = (fmean(row[name] for row in own) for name in ("x", "y"))
        marks.append(Dot(mean_x, mean_y, look=Look(stroke=MUTED, width=1.4), radius=5.5))
        marks.append(Label(mean_x, mean_y, study.label(key), is_free=True))
    return Chart((Panel(Axis(x, titles[0], has_grid=False), Axis(y, titles[1]), marks, height=230),))
