"""Floating bars: every phase of a failover on one time axis from the fault, with every run's own start and end."""

from collections.abc import Sequence
from dataclasses import dataclass

from reports import numbers
from reports.figures.model import (
    INK,
    LABEL_WIDTH,
    ROLE_COLOURS,
    RULE,
    TEXT_WIDTH,
    Figure,
    Spec,
    label_axis,
    specification,
)
from reports.recoveries import k_of_n
from reports.store import Row
from reports.study_view import Configuration, StudyView
from reports.tables.failover import milestone_groups, run_range
from reports.tables.model import Naming

PANELS_PER_FIGURE = 4
DATA_NAMES = ("configuration", "phase", "run", "start_s", "end_s", "duration_s")
NOTE = (
    "Bars: mean start to mean start plus mean duration. Dots: start and end of every single run, first run on top. "
    "Phases overlap, as the cluster works in parallel."
)


@dataclass(frozen=True, slots=True)
class _Shared:
    """What the panels of a figure have in common; `limit` is the end of the axis, seconds."""

    bars: Sequence[Row]
    runs: Sequence[Row]
    limit: float


def timelines(study: StudyView, hidden: Sequence[str] = ()) -> list[Figure]:
    """Time lines of all configurations that are not `hidden`, a few to a figure."""
    with_phases = {row["configuration"] for row in study.phases}
    chunks: list[list[Configuration]] = []
    for _, members in milestone_groups(study):
        shown = [m for m in members if m.configuration in with_phases and m.configuration not in hidden]
        if shown:
            size = -(-len(shown) // -(-len(shown) // PANELS_PER_FIGURE))
            chunks += [shown[i : i + size] for i in range(0, len(shown), size)]
    return [
        timeline(study, members, Naming("timeline" if len(chunks) == 1 else f"timeline-{place}"))
        for place, members in enumerate(chunks, 1)
    ]


def timeline(
    study: StudyView,
    members: Sequence[Configuration],
    naming: Naming,
    *,
    phases: Sequence[str] = (),
) -> Figure:
    """One figure with a panel per configuration on a common axis."""
    keys = {member.configuration for member in members}
    bars = [row for row in study.phases if row["configuration"] in keys and (not phases or row["phase"] in phases)]
    shown = {(row["configuration"], row["phase"]) for row in bars}
    runs = [row for row in study.run_phases if (row["configuration"], row["phase"]) in shown]
    ends = [row["mean_start_s"] + row["mean_duration_s"] for row in bars] + [row["end_s"] for row in runs]
    shared = _Shared(bars, runs, max(ends, default=1.0) * 1.12)
    panels = [_panel(study, member, shared, is_last=member is members[-1]) for member in members]
    listed = ", ".join(member.label for member in members)
    return Figure(
        name=naming.name,
        caption=naming.caption
        or f"What happens when after the fault: phases of the failover, mean of {_runs(bars)} ({listed})",
        description="; ".join(_told(study, member, bars) for member in members),
        spec=specification(vconcat=panels, resolve={"scale": {"color": "shared"}}),
        names=DATA_NAMES,
        rows=tuple(tuple(row[key] for key in DATA_NAMES) for row in runs),
        notes=(NOTE,),
        source="Source: relations phase_stats and phase.",
        label=naming.label,
        configurations=tuple(member.configuration for member in members),
    )


def _panel(study: StudyView, member: Configuration, shared: _Shared, *, is_last: bool) -> Spec:
    own = [row for row in shared.bars if row["configuration"] == member.configuration]
    own_runs = [row for row in shared.runs if row["configuration"] == member.configuration]
    order = [study.phase(row["phase"]).label for row in own]
    y: Spec = {
        "field": "phase",
        "type": "nominal",
        "sort": order,
        "axis": label_axis(),
        "scale": {"paddingInner": 0.22, "paddingOuter": 0.12},
    }
    x: Spec = {
        "type": "quantitative",
        "scale": {"domain": [0, round(shared.limit, 1)], "nice": False},
        "axis": {"title": "seconds after the fault" if is_last else None, "tickCount": 8, "domain": False},
    }
    rows = [_bar(study, row, own_runs) for row in own]
    dots = [dot for row in own_runs for dot in _dots(study, row)]
    layers: list[Spec] = [
        {
            "data": {"values": rows},
            "mark": {"type": "bar", "height": {"band": 1}},
            "encoding": {
                "y": y,
                "x": {**x, "field": "start"},
                "x2": {"field": "end"},
                "description": {"field": "told"},
                "color": {
                    "field": "role",
                    "type": "nominal",
                    "legend": None,
                    "scale": {"domain": list(ROLE_COLOURS), "range": list(ROLE_COLOURS.values())},
                },
            },
        },
        {
            "data": {"values": dots},
            "mark": {"type": "circle", "size": 8, "opacity": 1, "color": INK},
            "encoding": {
                "y": y,
                "yOffset": {"field": "place", "type": "ordinal", "scale": {"paddingOuter": 0.6}},
                "x": {**x, "field": "at"},
                "description": {"field": "told"},
            },
        },
        {
            "data": {"values": rows},
            "mark": {"type": "text", "align": "left", "dx": 6, "aria": False},
            "encoding": {"y": y, "x": {**x, "field": "beside"}, "text": {"field": "duration"}},
        },
    ]
    total = _total(study, member)
    if total is not None:
        layers.insert(
            0,
            {
                "data": {"values": [{"at": round(total, 3)}]},
                "mark": {"type": "rule", "color": RULE, "strokeDash": [2, 2], "aria": False},
                "encoding": {"x": {**x, "field": "at"}},
            },
        )
    layers += _notes(study, member, x)
    return {
        "title": {"text": member.label, "subtitle": _subtitle(study, member, own), "dx": -LABEL_WIDTH},
        "width": TEXT_WIDTH - LABEL_WIDTH - 12,
        "height": {"step": 20, "for": "position"},
        "layer": layers,
    }


def _bar(study: StudyView, row: Row, runs: Sequence[Row]) -> Spec:
    phase = study.phase(row["phase"])
    start, duration = row["mean_start_s"], row["mean_duration_s"]
    end = start + duration
    furthest = max([end, *(run["end_s"] for run in runs if run["phase"] == row["phase"])])
    printed = f"{numbers.fixed(duration, 1)} s"
    told = (
        f"{study.label(row['configuration'])}: {phase.label}, {printed} on average over {row['runs']} runs, "
        f"from {numbers.fixed(start, 1)} to {numbers.fixed(end, 1)} s"
    )
    return {
        "phase": phase.label,
        "role": phase.role if phase.role in ROLE_COLOURS else "",
        "start": round(start, 3),
        "end": round(end, 3),
        "beside": round(furthest, 3),
        "duration": printed,
        "told": told,
    }


def _dots(study: StudyView, row: Row) -> list[Spec]:
    phase = study.phase(row["phase"])
    told = f"{study.label(row['configuration'])}, {row['run']}: {phase.label}"
    evidence = study.evidence.get((row["configuration"], row["run"], phase.to_milestone), "")
    dots = [("end", row["end_s"], f"{told} ended {numbers.fixed(row['end_s'], 1)} s after the fault{evidence}")]
    if row["start_s"] > 0:  # the fault itself is the axis' zero and needs no dot
        dots.append(("start", row["start_s"], f"{told} began {numbers.fixed(row['start_s'], 1)} s after the fault"))
    place = f"{row['run_no'] or 0:06d} {row['run']}"
    return [
        {"phase": phase.label, "place": place, "edge": edge, "at": round(at, 3), "told": words}
        for edge, at, words in dots
    ]


def _notes(study: StudyView, member: Configuration, x: Spec) -> list[Spec]:
    """What a person noted about this configuration, as rules with their text."""
    noted = [row for row in study.events if row["configuration"] == member.configuration]
    if not noted:
        return []
    values = [
        {"at": row["elapsed_s"], "told": f"{row['run']}: {row['text']}", "text": str(row["text"])[:40]} for row in noted
    ]
    position = {**x, "field": "at"}
    return [
        {
            "data": {"values": values},
            "mark": {"type": "rule", "color": INK, "strokeWidth": 0.75, "clip": True},
            "encoding": {"x": position, "description": {"field": "told"}},
        },
        {
            "data": {"values": values},
            "mark": {
                "type": "text",
                "align": "left",
                "baseline": "bottom",
                "dx": 2,
                "y": -1,
                "fontSize": 9,
                "clip": False,
            },
            "encoding": {"x": position, "text": {"field": "text"}},
        },
    ]


def _total(study: StudyView, member: Configuration) -> float | None:
    end = study.end_milestone(member.configuration)
    row = study.milestone_stats.get((member.configuration, end)) if end else None
    return None if row is None else float(row["mean_s"])


def _subtitle(study: StudyView, member: Configuration, bars: Sequence[Row]) -> str:
    total, end = _total(study, member), study.end_milestone(member.configuration)
    parts = [_runs(bars)]
    if total is not None and end is not None:
        parts.append(f"{study.milestone_phrase(end)} after {numbers.fixed(total, 1)} s")
    row = study.recovery_of(member.configuration)
    if row is not None and row["recovered"] < row["runs"]:
        parts.append(f"{k_of_n(row)} came back")
    return ", ".join(parts)


def _told(study: StudyView, member: Configuration, bars: Sequence[Row]) -> str:
    own = [row for row in bars if row["configuration"] == member.configuration]
    phases = ", ".join(
        f"{study.phase(row['phase']).label} {numbers.fixed(row['mean_start_s'], 1)} to "
        f"{numbers.fixed(row['mean_start_s'] + row['mean_duration_s'], 1)} s"
        for row in own
    )
    return f"{member.label}: {phases}"


def _runs(rows: Sequence[Row]) -> str:
    printed = run_range(rows)
    return "1 run" if printed == "1" else f"{printed} runs"
