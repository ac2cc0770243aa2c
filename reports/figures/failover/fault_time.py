"""How far each inferred fault time lies from the true one: one dot per run, with the interval that the logs leave."""

from collections.abc import Sequence

from reports import numbers
from reports.figures.catalogue import figure
from reports.figures.draw.chart import Chart
from reports.figures.draw.ink import Look
from reports.figures.draw.scales import around
from reports.figures.draw.scene import Axis, Dot, Line, Mark, Panel, across, dots_in_band, rows_of
from reports.figures.draw.style import ACCENT, MUTED
from reports.figures.marks import line_of, place_of
from reports.figures.model import Figure
from reports.study.store import Row
from reports.study.view import StudyView

NAME = "fault-time-error"
DATA_NAMES = ("configuration", "run", "error_s", "low_error_s", "high_error_s", "is_inside", "path", "line_no")
NOTE = (
    "Dots: inferred minus true time, the middle of the interval; bands: the interval; first run on top. An interval "
    "that holds the true time crosses zero, as {} of {} do. Negative: too early."
)
RUN_HEIGHT = 5
"""Room of a run, CSS pixels."""


@figure(topic="truth", after="disk-course")
def fault_time_error(study: StudyView, _own: Sequence[Figure] = ()) -> Figure | None:
    """The figure, or None where no run has both times."""
    found = [row for row in study.rows("fault_time_errors") if row["error_s"] is not None]
    if not found:
        return None
    inside = sum(bool(row["is_inside"]) for row in found)
    errors = [row["error_s"] for row in found]
    return Figure(
        name=NAME,
        caption="Fault time inferred against true: error of every run with the interval that the logs leave",
        description=(
            f"{inside} of {len(found)} intervals hold the true time; errors from "
            f"{numbers.signed(min(errors), 2)} to {numbers.signed(max(errors), 2)} s"
        ),
        scene=_chart(study, found),
        names=DATA_NAMES,
        rows=tuple(tuple(row[name] for name in DATA_NAMES) for row in found),
        notes=(NOTE.format(inside, len(found)),),
        source="Source: relation fault_time_error.",
        configurations=tuple(dict.fromkeys(row["configuration"] for row in found)),
        topic="truth",
    )


def _chart(study: StudyView, found: Sequence[Row]) -> Chart:
    ends = [0.0, *(row[end] for row in found for end in ("low_error_s", "high_error_s"))]
    keys = list(dict.fromkeys(row["configuration"] for row in found))
    most = max(sum(row["configuration"] == key for row in found) for key in keys)
    places = dots_in_band([(row["configuration"], place_of(row)) for row in found], (0.08, 0.92))
    ys = [keys.index(row["configuration"]) + place for row, place in zip(found, places, strict=True)]
    marks: list[Mark] = [
        Line(((row["low_error_s"], y), (row["high_error_s"], y)), Look(stroke=ACCENT, width=2.5))
        for row, y in zip(found, ys, strict=True)
    ]
    marks.append(across(0.0, Look(stroke=MUTED)))
    marks += [Dot(row["error_s"], y, _words(study, row)) for row, y in zip(found, ys, strict=True)]
    rows = rows_of(map(study.label, keys), height=max(24, RUN_HEIGHT * most + 6))
    return Chart((Panel(Axis(around(ends), "inferred minus true fault time, seconds"), rows, marks),))


def _words(study: StudyView, row: Row) -> str:
    return (
        f"{study.label(row['configuration'])}, {row['run']}: {numbers.signed(row['error_s'], 2)} s, interval "
        f"{numbers.signed(row['low_error_s'], 2)} to {numbers.signed(row['high_error_s'], 2)} s{line_of(row)}"
    )
