"""Throughput of HADR against flush size: the model's curve of every sync mode, with what was measured as points."""

from collections.abc import Sequence

from reports import numbers
from reports.figures.catalogue import figure
from reports.figures.draw.chart import Chart
from reports.figures.draw.ink import Look
from reports.figures.draw.scales import around, from_zero
from reports.figures.draw.scene import Axis, Dot, Entry, Line, Mark, Panel
from reports.figures.draw.style import DASHES, MUTED
from reports.figures.marks import line_of
from reports.figures.model import Figure
from reports.study.store import Row
from reports.study.view import StudyView
from reports.words import counted

DATA_NAMES = ("configuration", "disk", "syncmode", "flush_pages", "mb_s", "measured_mb_s", "measured_runs")
MODES = {"SYNC": "circle", "NEARSYNC": "square", "ASYNC": "triangle", "SUPERASYNC": "diamond"}
"""Sync modes with the shape of their points."""
LOOKS = {mode: Look(stroke=MUTED, width=1.3, dash=dash) for mode, dash in zip(MODES, DASHES, strict=False)}
NOTE = "Lines: the model. Points: measured. Flush sizes on a logarithmic axis, pages of 4096 bytes; MB of 10⁶ bytes."


@figure(topic="planning", after="series-figures")
def curves(study: StudyView, _own: Sequence[Figure] = ()) -> list[Figure]:
    """One figure with a panel per configuration and disk, or none without a model."""
    rows = study.with_first_lines(study.planning("hadr_curves"), "measured_mb_s")
    panels = list(dict.fromkeys((row["configuration"], row["disk"]) for row in rows))
    if not panels:
        return []
    shown = dict.fromkeys(row["syncmode"] for row in rows)
    legend = [Entry(mode, look, MODES[mode], is_line=True) for mode, look in LOOKS.items() if mode in shown]
    chart = Chart(tuple(_panel(study, *each, rows) for each in panels), tuple(legend))
    return [
        Figure(
            name="hadr-throughput",
            caption="Throughput of HADR against flush size by sync mode: the model as lines, measured means as points",
            description="; ".join(_description(study, row) for row in rows if row["measured_mb_s"] is not None),
            scene=chart,
            names=DATA_NAMES,
            rows=tuple(tuple(row[name] for name in DATA_NAMES) for row in rows),
            notes=(NOTE,),
            source="Source: relation hadr_prediction.",
            configurations=tuple(dict.fromkeys(configuration for configuration, _ in panels)),
            topic="planning",
        )
    ]


def _panel(study: StudyView, configuration: str, disk: str, rows: Sequence[Row]) -> Panel:
    own = [row for row in rows if (row["configuration"], row["disk"]) == (configuration, disk)]
    pages = sorted({row["flush_pages"] for row in own})
    marks: list[Mark] = [
        Line(tuple((row["flush_pages"], row["mb_s"]) for row in own if row["syncmode"] == mode), look)
        for mode, look in LOOKS.items()
    ]
    measured = [row for row in own if row["measured_mb_s"] is not None]
    for row in measured:
        words = f"{_description(study, row)}{line_of(row)}"
        marks.append(Dot(row["flush_pages"], row["measured_mb_s"], words, radius=3.6, shape=MODES[row["syncmode"]]))
    highest = [row["mb_s"] for row in own] + [row["measured_mb_s"] for row in measured]
    ticks = tuple((page, numbers.count(page)) for page in pages)
    x = Axis(around(pages, 0.01, is_log=True), "flush size, pages", ticks, has_grid=False)
    y = Axis(from_zero(highest, 1.06))
    return Panel(x, y, marks, study.label(configuration), f"MB/s, disk {disk}", height=120)


def _description(study: StudyView, row: Row) -> str:
    runs = counted(row["measured_runs"], "run")
    return (
        f"{study.label(row['configuration'])}, {row['syncmode']}, {row['flush_pages']} pages: measured "
        f"{numbers.fixed(row['measured_mb_s'], 1)} MB/s over {runs}, model {numbers.fixed(row['mb_s'], 1)} MB/s"
    )
