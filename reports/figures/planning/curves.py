"""Throughput of HADR against flush size: the model's curve of every sync mode, with what was measured as points."""

from collections.abc import Sequence

from reports import numbers
from reports.figures.catalogue import figure
from reports.figures.marks import by_name, described, line_of, silent, words
from reports.figures.model import INK, LABEL_WIDTH, MUTED, TEXT_WIDTH, Figure, Spec, specification
from reports.study.store import Row
from reports.study.view import StudyView
from reports.words import counted

DATA_NAMES = ("configuration", "disk", "syncmode", "flush_pages", "mb_s", "measured_mb_s", "measured_runs")
MODES = ("SYNC", "NEARSYNC", "ASYNC", "SUPERASYNC")
DASHES = ([1, 0], [6, 3], [2, 2], [8, 3, 2, 3])
SHAPES = ("circle", "square", "triangle-up", "diamond")
NOTE = (
    "Lines: SYNC solid, NEARSYNC dashed, ASYNC dotted, SUPERASYNC dash-dotted; points: circle, square, triangle and "
    "diamond. Flush sizes on a logarithmic axis, pages of 4096 bytes; MB of 10⁶ bytes."
)


@figure(topic="planning", after="series-figures")
def curves(study: StudyView, _own: Sequence[Figure] = ()) -> list[Figure]:
    """One figure with a panel per configuration and disk, or none without a model."""
    rows = study.with_first_lines(study.planning("hadr_curves"), "measured_mb_s")
    panels = list(dict.fromkeys((row["configuration"], row["disk"]) for row in rows))
    if not panels:
        return []
    specs = [
        _panel(study, configuration, disk, rows, is_last=i == len(panels) - 1)
        for i, (configuration, disk) in enumerate(panels)
    ]
    return [
        Figure(
            name="hadr-throughput",
            caption="Throughput of HADR against flush size by sync mode: the model as lines, measured means as points",
            description="; ".join(_description(study, row) for row in rows if row["measured_mb_s"] is not None),
            spec=specification(vconcat=specs),
            names=DATA_NAMES,
            rows=tuple(tuple(row[name] for name in DATA_NAMES) for row in rows),
            notes=(NOTE,),
            source="Source: relation hadr_prediction.",
            configurations=tuple(dict.fromkeys(configuration for configuration, _ in panels)),
            topic="planning",
        )
    ]


def _panel(study: StudyView, configuration: str, disk: str, rows: Sequence[Row], *, is_last: bool) -> Spec:
    own = [row for row in rows if (row["configuration"], row["disk"]) == (configuration, disk)]
    lines = [{"mode": row["syncmode"], "pages": row["flush_pages"], "mb_s": round(row["mb_s"], 3)} for row in own]
    points = [
        {
            "mode": row["syncmode"],
            "pages": row["flush_pages"],
            "mb_s": round(row["measured_mb_s"], 3),
            "description": f"{_description(study, row)}{line_of(row)}",
        }
        for row in own
        if row["measured_mb_s"] is not None
    ]
    x: Spec = {
        "field": "pages",
        "type": "quantitative",
        "scale": {"type": "log", "base": 2, "nice": False},
        "axis": {"title": "flush size, pages" if is_last else None, "grid": False, "format": "d"},
    }
    y: Spec = {
        "field": "mb_s",
        "type": "quantitative",
        "scale": {"zero": True},
        "axis": {"title": "MB/s", "tickCount": 5, "domain": False},
    }
    ends = {
        mode: max((each for each in lines if each["mode"] == mode), key=lambda each: each["pages"])
        for mode in MODES
        if any(each["mode"] == mode for each in lines)
    }
    place = {"x": x, "y": y}
    dashes, shapes = by_name("mode", MODES, DASHES), by_name("mode", MODES, SHAPES)
    return {
        "title": {"text": study.label(configuration), "subtitle": f"disk: {disk}"},
        "width": TEXT_WIDTH - LABEL_WIDTH,
        "height": 150,
        "layer": [
            silent(lines, "line", place | {"strokeDash": dashes}, color=MUTED, strokeWidth=1.3),
            described(points, "point", place | {"shape": shapes}, filled=True, size=40, color=INK, opacity=1),
            words(_apart(list(ends.values()), max(each["mb_s"] for each in lines)), "mode", place, dx=8),
        ],
    }


def _apart(ends: list[Spec], highest: float) -> list[Spec]:
    """Names at the ends of lines; lines that end nearer to each other than a letter is high share one label."""
    groups: dict[float, list[Spec]] = {}
    for each in ends:
        near = next((at for at in groups if abs(at - each["mb_s"]) <= 0.1 * highest), each["mb_s"])
        groups.setdefault(near, []).append(each)
    return [{**found[0], "mode": ", ".join(each["mode"] for each in found)} for found in groups.values()]


def _description(study: StudyView, row: Row) -> str:
    runs = counted(row["measured_runs"], "run")
    return (
        f"{study.label(row['configuration'])}, {row['syncmode']}, {row['flush_pages']} pages: measured "
        f"{numbers.fixed(row['measured_mb_s'], 1)} MB/s over {runs}, model {numbers.fixed(row['mb_s'], 1)} MB/s"
    )
