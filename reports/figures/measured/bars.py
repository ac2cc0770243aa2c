"""Plain horizontal bars from a statement of the study: its first column names them, its first numbers measure them."""

from pipeline.ask.trace.source import Origin
from pipeline.errors import UsageError
from reports import numbers
from reports.figures.marks import names_down
from reports.figures.model import (
    ACCENT,
    LABEL_WIDTH,
    TEXT_WIDTH,
    Behind,
    Figure,
    Spec,
    row_height,
    specification,
    wrapped,
)
from reports.study.store import Row
from reports.study.view import StudyView


def bars(study: StudyView, row: Row, *, label: str, owner: str) -> Figure:
    """A figure of the manifest with its own SQL."""
    names, found = study.store.study_rows(row["sql"], owner)
    measured = next((i for i in range(1, len(names)) if any(isinstance(v[i], int | float) for v in found)), None)
    if measured is None:
        raise UsageError(f"{owner}: expected SQL with a name in the first column and a number in another")
    values = [
        {
            "name": wrapped(str(each[0])),
            "place": i,
            "value": each[measured],
            "printed": numbers.compact(_float(each[measured])),
            "description": f"{each[0]}: {numbers.compact(_float(each[measured]))}",
        }
        for i, each in enumerate(found)
        if isinstance(each[measured], int | float)
    ]
    y = names_down([str(each["name"]) for each in values], "name")
    x: Spec = {
        "field": "value",
        "type": "quantitative",
        "axis": {"title": names[measured].replace("_", " "), "tickCount": 8},
    }
    layers: list[Spec] = [
        {
            "mark": {"type": "bar", "color": ACCENT},
            "encoding": {"y": y, "x": x, "description": {"field": "description"}},
        },
        {
            "mark": {"type": "text", "align": "left", "dx": 6, "aria": False},
            "encoding": {"y": y, "x": x, "text": {"field": "printed"}},
        },
    ]
    return Figure(
        name=row["name"],
        caption=row["caption"] or row["name"],
        description="; ".join(f"{each['name']}: {each['printed']}" for each in values),
        spec=specification(
            data={"values": values},
            width=TEXT_WIDTH - LABEL_WIDTH - 60,
            height=row_height((str(each["name"]) for each in values), 22),
            layer=layers,
        ),
        names=tuple(names),
        rows=tuple(found),
        source="Source: a statement of the study; statements.sql has it.",
        label=label,
        topic="failover" if study.failover_runs else "throughput",
        behind={
            f"{each[0]}: {numbers.compact(_float(each[measured]))}": Behind(
                "", (Origin(row["sql"], i, (names[measured],)),)
            )
            for i, each in enumerate(found)
        },
    )


def _float(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) else None
