"""Floating bars of the steps of a failover, a row for each configuration, with its clients' outage beside them."""

from collections.abc import Sequence

from reports import numbers
from reports.client_view import outages
from reports.figures.model import (
    INK,
    LABEL_WIDTH,
    ROLE_COLOURS,
    TEXT_WIDTH,
    Figure,
    Spec,
    label_axis,
    specification,
    wrapped,
)
from reports.store import Row
from reports.study_view import Configuration, StudyView

NAME = "client-outage"
DATA_NAMES = ("configuration", "run", "first_failure_s", "first_success_s", "outage_s", "path", "line_no")
NOTE = (
    "Upper bars: steps, mean start to mean end over the runs; where steps overlap, the later one is on top. Lower bar: "
    "the clients' outage, from the mean of their first failed question (not before the fault) to the mean of their "
    "first answer, which each dot shows of one run. Right: mean outage with the mean's 95 % interval (Student's t)."
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


def client_outage(study: StudyView) -> Figure | None:
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
        description="; ".join(_told(each, found[each.configuration]) for each in members),
        spec=_spec(study, members, found, runs, bars),
        names=DATA_NAMES,
        rows=tuple(tuple(row[name] for name in DATA_NAMES) for row in runs),
        notes=(NOTE,),
        source="Source: relations phase_stats, client_outage and measurement_stats.",
        configurations=tuple(each.configuration for each in members),
        topic="client",
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
    y: Spec = {
        "field": "configuration",
        "type": "nominal",
        "sort": [wrapped(each.label) for each in members],
        "axis": label_axis(),
        "scale": {"paddingInner": 0.25, "paddingOuter": 0.12},
    }
    x: Spec = {
        "type": "quantitative",
        "scale": {"domain": [0, round(max(ends) * 1.04, 1)], "nice": False},
        "axis": {"title": "seconds after the fault", "tickCount": 8, "domain": False},
    }
    lane: Spec = {
        "field": "lane",
        "type": "ordinal",
        "sort": None,
        "scale": {"domain": [STEPS, CLIENTS], "paddingInner": 0.12},
    }
    steps = [_step(study, row) for row in sorted(bars, key=lambda row: row["mean_start_s"])]
    client_bars = [_bar(each, found[each.configuration], runs) for each in members]
    roles = [role for role in ROLE_COLOURS if any(each["role"] == ROLE_NAMES[role] for each in steps)]
    return specification(
        width=width,
        height={"step": 42, "for": "position"},
        layer=[
            {
                "data": {"values": steps},
                "mark": {"type": "bar", "height": {"band": 1}},
                "encoding": {
                    "y": y,
                    "yOffset": lane,
                    "x": {**x, "field": "start"},
                    "x2": {"field": "end"},
                    "description": {"field": "told"},
                    "color": {
                        "field": "role",
                        "type": "nominal",
                        "scale": {
                            "domain": [ROLE_NAMES[role] for role in roles],
                            "range": [ROLE_COLOURS[role] for role in roles],
                        },
                        "legend": {"title": None, "orient": "top", "direction": "horizontal", "columns": 0},
                    },
                },
            },
            {
                "data": {"values": client_bars},
                "mark": {"type": "bar", "height": {"band": 1}, "color": OUTAGE_COLOUR},
                "encoding": {
                    "y": y,
                    "yOffset": lane,
                    "x": {**x, "field": "start"},
                    "x2": {"field": "end"},
                    "description": {"field": "told"},
                },
            },
            {
                "data": {"values": [_dot(study, row) for row in runs]},
                "mark": {"type": "circle", "size": 9, "opacity": 1, "color": INK},
                "encoding": {
                    "y": y,
                    "yOffset": lane,
                    "x": {**x, "field": "at"},
                    "description": {"field": "told"},
                },
            },
            {
                "data": {"values": client_bars},
                "mark": {"type": "text", "align": "left", "x": width + 10, "aria": False},
                "encoding": {"y": y, "yOffset": lane, "text": {"field": "printed"}},
            },
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
        "told": f"{label}: {phase.label}, {numbers.fixed(row['mean_start_s'], 1)} to {numbers.fixed(end, 1)} s",
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
        "told": _told(member, row),
    }


def _dot(study: StudyView, row: Row) -> Spec:
    label = study.label(row["configuration"])
    where = f", {row['path']}:{row['line_no']}" if row["path"] else ""
    return {
        "configuration": wrapped(label),
        "lane": CLIENTS,
        "at": round(row["first_success_s"], 3),
        "told": (
            f"{label}, {row['run']}: first answer {numbers.fixed(row['first_success_s'], 1)} s after the fault, "
            f"outage {numbers.fixed(row['outage_s'], 1)} s{where}"
        ),
    }


def _printed(row: Row) -> str:
    interval = "" if row["ci95_low"] is None else f" ({numbers.interval(row['ci95_low'], row['ci95_high'], 1)})"
    return f"{numbers.fixed(row['mean'], 1)} s{interval}"


def _told(member: Configuration, row: Row) -> str:
    runs = "1 run" if row["runs"] == 1 else f"{row['runs']} runs"
    return f"{member.label}: clients without the service for {_printed(row)}, mean of {runs}"
