"""Plain horizontal bars from a statement of the study: its first column names them, its first numbers measure them."""

from collections.abc import Sequence

from pipeline.ask.trace.source import Origin
from pipeline.errors import UsageError
from reports import numbers
from reports.figures.draw.chart import Chart
from reports.figures.draw.ink import Look
from reports.figures.draw.scales import Scale, from_zero
from reports.figures.draw.scene import Axis, Bar, Panel, rows_of
from reports.figures.draw.style import ACCENT
from reports.figures.model import Behind, Figure
from reports.study.store import Row
from reports.study.view import StudyView


def bars(study: StudyView, row: Row, *, label: str, owner: str) -> Figure:
    """A figure of the manifest with its own SQL."""
    names, found = study.store.study_rows(row["sql"], owner)
    measured = next((i for i in range(1, len(names)) if any(isinstance(v[i], int | float) for v in found)), None)
    if measured is None:
        raise UsageError(f"{owner}: expected SQL with a name in the first column and a number in another")
    title = names[measured].replace("_", " ")
    shown = [each for each in found if isinstance(each[measured], int | float)]
    values = [float(value) for each in shown if isinstance(value := each[measured], int | float)]
    printed = [numbers.compact(value) for value in values]
    words = [f"{each[0]}: {text}" for each, text in zip(shown, printed, strict=True)]
    return Figure(
        name=row["name"],
        caption=row["caption"] or row["name"],
        description="; ".join(words),
        scene=_chart([str(each[0]) for each in shown], values, printed, title),
        names=tuple(names),
        rows=tuple(found),
        source="Source: a statement of the study; statements.sql has it.",
        label=label,
        topic="failover" if study.failover_runs else "throughput",
        behind={
            said: Behind("", (Origin(row["sql"], place, (names[measured],)),))
            for said, place in zip(words, (found.index(each) for each in shown), strict=True)
        },
    )


def _chart(names: Sequence[str], values: Sequence[float], printed: Sequence[str], title: str) -> Chart:
    low = min(0.0, *values) if values else 0.0
    axis = Axis(Scale(low, from_zero(values).high), title)
    marks = [
        Bar((0.0, value), (place + 0.12, place + 0.88), Look(fill=ACCENT), f"{name}: {text}")
        for place, (name, value, text) in enumerate(zip(names, values, printed, strict=True))
    ]
    return Chart((Panel(axis, rows_of(names, printed, height=20), marks),))
