"""What the figures are drawn with: layers of marks, and axes of names and of numbers."""

from collections.abc import Iterable, Mapping, Sequence

from pipeline.store.row import Row
from reports.figures.model import INK, Behind, Spec, label_axis
from reports.study.result_rows import origins_of

FEW_RUNS = 30
"""Dots of no more runs than these are drawn in full."""


def described(values: Iterable[Spec], kind: str, place: Spec, **look: object) -> Spec:
    """A layer of marks that screen readers read out: `described` of each value says what it is."""
    encoding = {**place, "description": {"field": "description"}}
    return {"data": {"values": list(values)}, "mark": {"type": kind, **look}, "encoding": encoding}


def bars_in_bands(values: Iterable[Spec], y: Spec, along: Spec, **look: object) -> Spec:
    """Bars as high as the bands of their names, with `x` and `x2` of `along`.

    Vega-Lite gives bars beside dots that are moved within their band a height of its own, which overlaps the next band.
    """
    place = {"y": {**y, "bandPosition": 0}, "y2": {"field": y["field"], "bandPosition": 1}, **along}
    return described(values, "rect", place, **look)


def silent(values: Iterable[Spec], kind: str, place: Spec, **look: object) -> Spec:
    """A layer of marks that screen readers pass over, since others say the same."""
    return {"data": {"values": list(values)}, "mark": {"type": kind, **look, "aria": False}, "encoding": place}


def words(values: Iterable[Spec], field: str, place: Spec, **look: object) -> Spec:
    """A layer of texts that begin at their place."""
    return silent(values, "text", {**place, "text": {"field": field}}, align="left", **look)


def dot_opacity(runs: float) -> float:
    """How dense dots are, so that what lies below them is seen, however many runs there are."""
    return 1.0 if runs <= FEW_RUNS else max(0.25, FEW_RUNS / runs)


def dot_per_run(values: Iterable[Spec], y: Spec, x: Spec, kind: str = "circle", **look: object) -> Spec:
    """A mark for each run in the band of its configuration, in the order of `place`, first run on top."""
    offset = {"field": "place", "type": "ordinal", "scale": {"paddingOuter": 0.6}}
    return described(
        values, kind, {"y": y, "yOffset": offset, "x": x}, **{"size": 9, "opacity": 1, "color": INK, **look}
    )


def names_down(labels: Sequence[str], field: str = "configuration", padding: tuple[float, float] | None = None) -> Spec:
    """An axis of names from top to bottom. `padding`: between two bands and at the ends, as shares."""
    axis: Spec = {"field": field, "type": "nominal", "sort": list(labels), "axis": label_axis(labels)}
    return axis if padding is None else axis | {"scale": {"paddingInner": padding[0], "paddingOuter": padding[1]}}


def numbers_along(title: str | None, low: float, high: float, ticks: int, **axis: object) -> Spec:
    """An axis of numbers from the one to the other."""
    scale = {"domain": [low, high], "nice": False}
    return {"type": "quantitative", "scale": scale, "axis": {"title": title, "tickCount": ticks, **axis}}


def by_name(field: str, names: Sequence[str], looks: Sequence[object]) -> Spec:
    """A look, such as a dash or shape, for each name; from the first again where there are more names than looks."""
    chosen = [looks[i % len(looks)] for i in range(len(names))]
    return {"field": field, "type": "nominal", "legend": None, "scale": {"domain": list(names), "range": chosen}}


def place_of(row: Row) -> str:
    """Where a run is among the others of its configuration: by its number, then by its name."""
    return f"{row['run_no'] or 0:06d} {row['run']}"


def line_of(row: Row) -> str:
    """The log line that a value comes from, to be put behind it; nothing where it comes from none."""
    return f", {row['path']}:{row['line_no']}" if row["path"] else ""


def behind(column: str, marks: Iterable[tuple[Mapping[str, object], Row]]) -> dict[str, Behind]:
    """Where the numbers of marks come from: a column of the row that each shows."""
    return {
        str(mark["description"]): Behind(row["configuration"], origins)
        for mark, row in marks
        if (origins := origins_of(row, column))
    }
