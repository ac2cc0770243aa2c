"""How far each inferred fault time lies from the true one: one dot per run, with the interval that the logs leave."""

from collections.abc import Sequence

from reports import numbers
from reports.figures.catalogue import figure
from reports.figures.marks import described, line_of, names_down, numbers_along, place_of, silent
from reports.figures.model import (
    ACCENT,
    INK,
    LABEL_WIDTH,
    MUTED,
    TEXT_WIDTH,
    Figure,
    Spec,
    row_height,
    specification,
    wrapped,
)
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


@figure(topic="truth", after="disk-activity")
def fault_time_error(study: StudyView, _own: Sequence[Figure] = ()) -> Figure | None:
    """The figure, or None where no run has both times."""
    found = [row for row in study.derived("fault_time_errors", "main.fault_time_error") if row["error_s"] is not None]
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
        spec=_spec(study, found),
        names=DATA_NAMES,
        rows=tuple(tuple(row[name] for name in DATA_NAMES) for row in found),
        notes=(NOTE.format(inside, len(found)),),
        source="Source: relation fault_time_error.",
        configurations=tuple(dict.fromkeys(row["configuration"] for row in found)),
        topic="truth",
    )


def _spec(study: StudyView, found: Sequence[Row]) -> Spec:
    values = [_value(study, row) for row in found]
    lowest, highest = min(0, *(row["low_error_s"] for row in found)), max(0, *(row["high_error_s"] for row in found))
    margin = 0.04 * (highest - lowest or 1)
    labels = list(dict.fromkeys(each["configuration"] for each in values))
    most = max(sum(each["configuration"] == label for each in values) for label in labels)
    y = names_down(labels, padding=(0.2, 0.1))
    of_run: Spec = {"y": y, "yOffset": {"field": "place", "type": "ordinal", "scale": {"paddingOuter": 0.4}}}
    title = "inferred minus true fault time, seconds"
    x = numbers_along(title, round(lowest - margin, 3), round(highest + margin, 3), 8, domain=False)
    interval: Spec = {**of_run, "x": {**x, "field": "low"}, "x2": {"field": "high"}}
    return specification(
        width=TEXT_WIDTH - LABEL_WIDTH - 12,
        height=row_height(labels, max(24, RUN_HEIGHT * most + 6)),
        layer=[
            silent(values, "rule", interval, strokeWidth=2.5, color=ACCENT),
            silent([{"x": 0}], "rule", {"x": {**x, "field": "x"}}, color=MUTED, strokeWidth=1),
            described(values, "circle", {**of_run, "x": {**x, "field": "error"}}, size=10, opacity=1, color=INK),
        ],
    )


def _value(study: StudyView, row: Row) -> Spec:
    label = study.label(row["configuration"])
    return {
        "configuration": wrapped(label),
        "place": place_of(row),
        "error": round(row["error_s"], 6),
        "low": round(row["low_error_s"], 6),
        "high": round(row["high_error_s"], 6),
        "description": (
            f"{label}, {row['run']}: {numbers.signed(row['error_s'], 2)} s, interval "
            f"{numbers.signed(row['low_error_s'], 2)} to {numbers.signed(row['high_error_s'], 2)} s{line_of(row)}"
        ),
    }
