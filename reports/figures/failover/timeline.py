"""Floating bars: every phase of a failover on one time axis from the fault, with every run's own start and end."""

from collections.abc import Sequence
from dataclasses import dataclass

from reports import numbers
from reports.figures.catalogue import figure, kind
from reports.figures.marks import (
    bars_in_bands,
    behind,
    by_name,
    described,
    dot_opacity,
    dot_per_run,
    names_down,
    numbers_along,
    place_of,
    silent,
    words,
)
from reports.figures.model import (
    INK,
    LABEL_SIZE,
    LABEL_WIDTH,
    ROLE_COLOURS,
    RULE,
    TEXT_WIDTH,
    Figure,
    Spec,
    most_width,
    specification,
)
from reports.figures.request import Request
from reports.naming import Naming
from reports.recoveries import k_of_n, run_range
from reports.study.store import Row
from reports.study.view import Configuration, StudyView, milestone_groups

PANELS_PER_FIGURE = 5
MOST_PANELS = 10
"""Panels that the results show; of more configurations those that tell most."""
ROW_HEIGHT = 14
PLOT_WIDTH = TEXT_WIDTH - LABEL_WIDTH - 12
BESIDE = 6  # pixels between the last mark of a row and its words
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


@figure(topic="failover", after="recovery-times-of-all")
def timelines(study: StudyView, own: Sequence[Figure]) -> list[Figure]:
    """Time lines of all configurations that the study draws none of itself, a few to a figure; of many, some."""
    groups = _shown(study, own)
    count = sum(map(len, groups))
    if count <= MOST_PANELS:
        return _in_figures(study, groups, "timeline")
    note = (
        f"Of {count} configurations those that others are compared with, and the shortest, the middle and the longest "
        "time to recovery. The time lines of all others are in the page, under Every run, and in the folder figures."
    )
    chosen = [[each for each in group if each in telling(study, group)] for group in groups]
    return [each.with_note(note) for each in _in_figures(study, chosen, "timeline")]


@figure(topic="runs", after="timelines")
def timelines_of_others(study: StudyView, own: Sequence[Figure]) -> list[Figure]:
    """The time lines that the results leave out."""
    groups = _shown(study, own)
    if sum(map(len, groups)) <= MOST_PANELS:
        return []
    others = [[each for each in group if each not in telling(study, group)] for group in groups]
    return _in_figures(study, others, "timeline-of-others")


def _shown(study: StudyView, own: Sequence[Figure]) -> list[list[Configuration]]:
    """Configurations with phases that no figure of the study shows, those with the same milestones together."""
    hidden = {name for each in own if each.names[1] == "phase" for name in each.configurations}
    with_phases = {row["configuration"] for row in study.phases} - hidden
    return [[each for each in members if each.configuration in with_phases] for _, members in milestone_groups(study)]


def telling(study: StudyView, members: Sequence[Configuration]) -> list[Configuration]:
    """What others are compared with, and the shortest, the middle and the longest time to recovery."""
    references = {each.reference for each in study.configurations} - {None}
    timed = sorted((total, place) for place, each in enumerate(members) if (total := _total(study, each)) is not None)
    places = {timed[at][1] for at in (0, (len(timed) - 1) // 2, -1)} if timed else {0}
    return [each for place, each in enumerate(members) if place in places or each.configuration in references]


def _in_figures(study: StudyView, groups: Sequence[Sequence[Configuration]], name: str) -> list[Figure]:
    chunks: list[Sequence[Configuration]] = []
    for group in filter(None, groups):
        size = -(-len(group) // -(-len(group) // PANELS_PER_FIGURE))
        chunks += [group[i : i + size] for i in range(0, len(group), size)]
    return [
        timeline_of(study, members, Naming(name if len(chunks) == 1 else f"{name}-{place}"))
        for place, members in enumerate(chunks, 1)
    ]


@kind
def timeline(request: Request) -> Figure | None:
    """The time lines of some configurations. Option `phases`: only these."""
    keys = {each.configuration for each in request.members}
    if not any(phase["configuration"] in keys for phase in request.study.phases):
        return None
    return timeline_of(request.study, request.members, request.naming, phases=request.texts("phases"))


def timeline_of(
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
        caption=naming.caption or f"Failover timeline: phases after the fault, {_mean_of(bars)} ({listed})",
        description="; ".join(_description(study, member, bars) for member in members),
        spec=specification(vconcat=panels, resolve={"scale": {"color": "shared"}}),
        names=DATA_NAMES,
        rows=tuple(tuple(row[key] for key in DATA_NAMES) for row in runs),
        notes=(NOTE,),
        source="Source: relations phase_stats and phase.",
        label=naming.label,
        configurations=tuple(member.configuration for member in members),
        behind=behind("mean_duration_s", [(_bar(study, row, runs), row) for row in bars]),
    )


def _panel(study: StudyView, member: Configuration, shared: _Shared, *, is_last: bool) -> Spec:
    own = [row for row in shared.bars if row["configuration"] == member.configuration]
    own_runs = [row for row in shared.runs if row["configuration"] == member.configuration]
    order = [study.phase(row["phase"]).label for row in own]
    y = names_down(order, "phase", padding=(0.22, 0.12))
    x = numbers_along("seconds after the fault" if is_last else None, 0, round(shared.limit, 1), 8, domain=False)
    total = _total(study, member)
    rows = [_bar(study, row, own_runs) for row in own]
    for row in rows:
        row["beside"] = beside(row, total, shared.limit)
    dots = [dot for row in own_runs for dot in _dots(study, row)]
    colour = by_name("role", list(ROLE_COLOURS), list(ROLE_COLOURS.values()))
    span: Spec = {"x": {**x, "field": "start"}, "x2": {"field": "end"}, "color": colour}
    at: Spec = {**x, "field": "at"}
    ends = (
        [] if total is None else [silent([{"at": round(total, 3)}], "rule", {"x": at}, color=RULE, strokeDash=[2, 2])]
    )
    layers = [
        *ends,
        bars_in_bands(rows, y, span),
        dot_per_run(dots, y, at, size=8, opacity=dot_opacity(max((row["runs"] for row in own), default=1))),
        words(rows, "duration", {"y": y, "x": {**x, "field": "beside"}}, dx=BESIDE),
        *_notes(study, member, at),
    ]
    return {
        "title": {"text": member.label, "subtitle": _subtitle(study, member, own), "dx": -LABEL_WIDTH},
        "width": PLOT_WIDTH,
        "height": {"step": ROW_HEIGHT, "for": "position"},
        "layer": layers,
    }


def _bar(study: StudyView, row: Row, runs: Sequence[Row]) -> Spec:
    phase = study.phase(row["phase"])
    start, duration = row["mean_start_s"], row["mean_duration_s"]
    end = start + duration
    furthest = max([end, *(run["end_s"] for run in runs if run["phase"] == row["phase"])])
    printed = f"{numbers.fixed(duration, 1)} s"
    description = (
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
        "description": description,
    }


def beside(row: Spec, total: float | None, limit: float) -> float:
    """Where the words of a row begin: after its last mark, past the end of the failover if that ran through them."""
    furthest = float(row["beside"])
    width_s = (2 * BESIDE + most_width(row["duration"]) * LABEL_SIZE) * limit / PLOT_WIDTH
    return round(total, 3) if total is not None and furthest < total < furthest + width_s else furthest


def _dots(study: StudyView, row: Row) -> list[Spec]:
    phase = study.phase(row["phase"])
    label = f"{study.label(row['configuration'])}, {row['run']}: {phase.label}"
    of_run = row["configuration"], row["run"]
    evidence = study.evidence.get((*of_run, phase.to_milestone)) or study.line_at(*of_run, row["end_s"])
    dots = [("end", row["end_s"], f"{label} ended {numbers.fixed(row['end_s'], 1)} s after the fault{evidence}")]
    if row["start_s"] > 0:  # the fault itself is the axis' zero and needs no dot
        begun = study.line_at(*of_run, row["start_s"])
        text = f"{label} began {numbers.fixed(row['start_s'], 1)} s after the fault{begun}"
        dots.append(("start", row["start_s"], text))
    return [
        {"phase": phase.label, "place": place_of(row), "edge": edge, "at": round(at, 3), "description": text}
        for edge, at, text in dots
    ]


def _notes(study: StudyView, member: Configuration, at: Spec) -> list[Spec]:
    """What a person noted about this configuration, as rules with their text."""
    noted = [row for row in study.events if row["configuration"] == member.configuration]
    if not noted:
        return []
    values = [
        {"at": row["elapsed_s"], "description": f"{row['run']}: {row['text']}", "text": str(row["text"])[:40]}
        for row in noted
    ]
    return [
        described(values, "rule", {"x": at}, color=INK, strokeWidth=0.75, clip=True),
        words(values, "text", {"x": at}, baseline="bottom", dx=2, y=-1, fontSize=9.5, clip=False),
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


def _description(study: StudyView, member: Configuration, bars: Sequence[Row]) -> str:
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


def _mean_of(rows: Sequence[Row]) -> str:
    printed = _runs(rows)
    return printed if printed == "1 run" else f"mean of {printed}"
