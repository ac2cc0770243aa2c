"""Floating bars of the steps of a failover, a row for each configuration, with its clients' outage beside them."""

from collections.abc import Sequence

from reports import numbers
from reports.client_view import outages
from reports.figures.catalogue import figure
from reports.figures.marks import behind, by_name, described, line_of, names_down, numbers_along, words
from reports.figures.model import (
    INK,
    LABEL_WIDTH,
    ROLE_COLOURS,
    TEXT_WIDTH,
    Figure,
    Spec,
    row_height,
    specification,
    wrapped,
)
from reports.study.store import Row
from reports.study.view import Configuration, StudyView
from reports.words import counted

NAME = "client-outage"
DATA_NAMES = ("configuration", "run", "first_failure_s", "first_success_s", "outage_s", "path", "line_no")
NOTE = (
    "Upper bars: steps, mean start to mean end, the later on top. Lower bar: the clients' outage, mean first failed "
    "question after the fault to mean first answer; dots: single runs. Right: mean, 95 % interval."
)
VALUE_WIDTH = 128
OUTAGE_COLOUR = "#e2a08c"  # no step's colour, and light enough for black dots
STEPS, CLIENTS = "1 steps", "2 clients"  # the two lanes of a row, in their order
ROLE_NAMES = {
    "detection": "detection",
    "storage": "storage",
    "network": "network",
    "restart": "restart",
    "recovery": "recovery of the database",
    "": "other",
}


@figure(topic="client", after="timelines")
def client_outage(study: StudyView, _own: Sequence[Figure] = ()) -> Figure | None:
    """The figure, or None where no client was watched after a fault."""
    found = {row["configuration"]: row for row in outages(study) if row["target"] is None}
    runs = [
        row
        for row in study.derived("client_runs", "main.client_outage")
        if row["target"] is None and row["first_success_s"] is not None and row["configuration"] in found
    ]
    keys = {row["configuration"] for row in runs}
    members = [each for each in study.configurations if each.configuration in keys]
    if not members:
        return None
    bars = [row for row in study.phases if row["configuration"] in keys and _is_step(study, row)]
    return Figure(
        name=NAME,
        caption="The steps of the failover and, beside them, how long the clients went without the service",
        description="; ".join(_description(each, found[each.configuration]) for each in members),
        spec=_spec(study, members, found, runs, bars),
        names=DATA_NAMES,
        rows=tuple(tuple(row[name] for name in DATA_NAMES) for row in runs),
        notes=(NOTE,),
        source="Source: relations phase_stats, client_outage and measurement_stats.",
        configurations=tuple(each.configuration for each in members),
        topic="client",
        behind=behind("mean_duration_s", [(_step(study, row), row) for row in bars])
        | behind("mean", [(_bar(each, row, runs), row) for each in members if (row := found[each.configuration])]),
    )


def _is_step(study: StudyView, row: Row) -> bool:
    """Whether a phase is no part of another one that is drawn: those that take time, in the order of the rules."""
    return row["mean_duration_s"] > 0 and study.phase(row["phase"]).role in ROLE_NAMES


def _spec(
    study: StudyView,
    members: Sequence[Configuration],
    found: dict[str, Row],
    runs: Sequence[Row],
    bars: Sequence[Row],
) -> Spec:
    ends = [row["first_success_s"] for row in runs] + [row["mean_start_s"] + row["mean_duration_s"] for row in bars]
    width = TEXT_WIDTH - LABEL_WIDTH - VALUE_WIDTH
    y = names_down([wrapped(each.label) for each in members], padding=(0.25, 0.12))
    x = numbers_along("seconds after the fault", 0, round(max(ends) * 1.04, 1), 8, domain=False)
    lane: Spec = {
        "field": "lane",
        "type": "ordinal",
        "sort": None,
        "scale": {"domain": [STEPS, CLIENTS], "paddingInner": 0.12},
    }
    steps = [_step(study, row) for row in sorted(bars, key=lambda row: row["mean_start_s"])]
    client_bars = [_bar(each, found[each.configuration], runs) for each in members]
    roles = [role for role in ROLE_COLOURS if any(each["role"] == ROLE_NAMES[role] for each in steps)]
    colour = by_name("role", [ROLE_NAMES[role] for role in roles], [ROLE_COLOURS[role] for role in roles])
    colour["legend"] = {"title": None, "orient": "top", "direction": "horizontal", "columns": 0}
    place = {"y": y, "yOffset": lane}
    span: Spec = {**place, "x": {**x, "field": "start"}, "x2": {"field": "end"}}
    dots = [_dot(study, row) for row in runs]
    return specification(
        width=width,
        height=row_height((wrapped(each.label) for each in members), 28),
        layer=[
            described(steps, "bar", {**span, "color": colour}, height={"band": 1}),
            described(client_bars, "bar", span, height={"band": 1}, color=OUTAGE_COLOUR),
            described(dots, "circle", {**place, "x": {**x, "field": "at"}}, size=9, opacity=1, color=INK),
            words(client_bars, "printed", place, x=width + 10),
        ],
    )


def _step(study: StudyView, row: Row) -> Spec:
    phase = study.phase(row["phase"])
    end = row["mean_start_s"] + row["mean_duration_s"]
    label = study.label(row["configuration"])
    return {
        "configuration": wrapped(label),
        "lane": STEPS,
        "role": ROLE_NAMES[phase.role],
        "start": round(row["mean_start_s"], 3),
        "end": round(end, 3),
        "description": f"{label}: {phase.label}, {numbers.fixed(row['mean_start_s'], 1)} to {numbers.fixed(end, 1)} s",
    }


def _bar(member: Configuration, row: Row, runs: Sequence[Row]) -> Spec:
    own = [each for each in runs if each["configuration"] == member.configuration]
    begins = [each["first_failure_s"] for each in own]
    return {
        "configuration": wrapped(member.label),
        "lane": CLIENTS,
        "start": round(max(sum(begins) / len(begins), 0), 3),
        "end": round(sum(each["first_success_s"] for each in own) / len(own), 3),
        "printed": _printed(row),
        "description": _description(member, row),
    }


def _dot(study: StudyView, row: Row) -> Spec:
    label = study.label(row["configuration"])
    return {
        "configuration": wrapped(label),
        "lane": CLIENTS,
        "at": round(row["first_success_s"], 3),
        "description": (
            f"{label}, {row['run']}: first answer {numbers.fixed(row['first_success_s'], 1)} s after the fault, "
            f"outage {numbers.fixed(row['outage_s'], 1)} s{line_of(row)}"
        ),
    }


def _printed(row: Row) -> str:
    interval = "" if row["ci95_low"] is None else f" ({numbers.interval(row['ci95_low'], row['ci95_high'], 1)})"
    return f"{numbers.fixed(row['mean'], 1)} s{interval}"


def _description(member: Configuration, row: Row) -> str:
    return f"{member.label}: clients without the service for {_printed(row)}, mean of {counted(row['runs'], 'run')}"
