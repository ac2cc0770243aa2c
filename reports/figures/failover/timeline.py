"""Floating bars: every phase of a failover on one time axis from the fault, with every run's own start and end."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from reports import numbers
from reports.figures.catalogue import kind
from reports.figures.draw.chart import Chart
from reports.figures.draw.ink import Look
from reports.figures.draw.scales import Scale, from_zero
from reports.figures.draw.scene import (
    BAR_ABOVE,
    DOTS_BELOW,
    Axis,
    Bar,
    Dot,
    Label,
    Mark,
    Note,
    Panel,
    across,
    dots_in_band,
    rows_of,
)
from reports.figures.draw.style import INK, MUTED, ROLE_COLOURS, RULE
from reports.figures.marks import behind, dot_opacity, is_rare, place_of
from reports.figures.model import Figure
from reports.figures.request import Request
from reports.naming import Naming
from reports.recoveries import k_of_n, run_range
from reports.study.store import Row
from reports.study.view import Configuration, StudyView
from reports.zero import zero_of

ROW_HEIGHT = 14
DOT = 1.3
BESIDE = 5  # pixels between a bar and its words
DATA_NAMES = ("configuration", "phase", "run", "start_s", "end_s", "duration_s")
NOTE = (
    "Bars: mean start and mean duration. Dots: start and end of each run. Dashed: mean end of the failover. "
    "Phases overlap, as the cluster works in parallel."
)


@dataclass(frozen=True, slots=True)
class _Shared:
    """What the panels of a figure have in common."""

    bars: Sequence[Row]
    runs: Sequence[Row]
    scale: Scale


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
    runs = [row for row in study.rows("run_phases") if (row["configuration"], row["phase"]) in shown]
    ends = [row["mean_start_s"] + row["mean_duration_s"] for row in bars] + [row["end_s"] for row in runs]
    shared = _Shared(bars, runs, from_zero(ends, 1.02))
    listed = ", ".join(member.label for member in members)
    zero = zero_of(study, keys)
    return Figure(
        name=naming.name,
        caption=naming.caption or f"Failover timeline: phases after {zero}, {_mean_of(bars)} ({listed})",
        description="; ".join(_description(study, member, bars) for member in members),
        scene=Chart(tuple(_panel(study, member, shared) for member in members)),
        names=DATA_NAMES,
        rows=tuple(tuple(row[key] for key in DATA_NAMES) for row in runs),
        notes=(NOTE,),
        source="Source: relations phase_stats and phase.",
        label=naming.label,
        configurations=tuple(member.configuration for member in members),
        behind=behind("mean_duration_s", [(_words(study, row), row) for row in bars]),
    )


def _panel(study: StudyView, member: Configuration, shared: _Shared) -> Panel:
    own = [row for row in shared.bars if row["configuration"] == member.configuration]
    runs = [row for row in shared.runs if row["configuration"] == member.configuration]
    rows = {row["phase"]: place for place, row in enumerate(own)}
    total, most = _total(study, member), max((row["runs"] for row in own), default=1)
    marks: list[Mark] = [] if total is None else [across(total, Look(stroke=RULE, dash=(2, 2)))]
    marks += [_bar(study, row, place, most) for place, row in enumerate(own)]
    marks += _dots(study, runs, rows, Look(fill=INK, opacity=min(0.7, dot_opacity(most))))
    marks += [_duration(row, place, most, total) for place, row in enumerate(own)]
    return Panel(
        Axis(shared.scale, f"seconds after {zero_of(study, [member.configuration])}"),
        rows_of((study.phase_label(row) for row in own), height=ROW_HEIGHT, bar=BAR_ABOVE),
        marks,
        title=member.label,
        subtitle=_subtitle(study, member, own),
        notes=[
            Note(row["elapsed_s"], str(row["text"]), f"{row['run']}: {row['text']}")
            for row in study.events
            if row["configuration"] == member.configuration
        ],
    )


def _words(study: StudyView, row: Row) -> str:
    start, duration = row["mean_start_s"], row["mean_duration_s"]
    return (
        f"{study.label(row['configuration'])}: {study.phase_label(row)}, {numbers.fixed(duration, 1)} s on "
        f"average over {row['runs']} runs, from {numbers.fixed(start, 1)} to {numbers.fixed(start + duration, 1)} s"
    )


def _bar(study: StudyView, row: Row, place: int, most: int) -> Bar:
    """Mean start to mean end; of a few runs only, an outline."""
    role = study.phase(row["phase"]).role
    colour = ROLE_COLOURS.get(role, ROLE_COLOURS[""])
    look = Look(stroke=MUTED, dash=(2, 1.5), width=0.8) if is_rare(row, most) else Look(fill=colour)
    end = row["mean_start_s"] + row["mean_duration_s"]
    return Bar((row["mean_start_s"], end), (place + BAR_ABOVE[0], place + BAR_ABOVE[1]), look, _words(study, row))


def _duration(row: Row, place: int, most: int, total: float | None) -> Label:
    rare = f", {row['runs']} of {most} runs" if is_rare(row, most) else ""
    text = f"{numbers.fixed(row['mean_duration_s'], 1)} s{rare}"
    end = row["mean_start_s"] + row["mean_duration_s"]
    return Label(end, place + sum(BAR_ABOVE) / 2, text, dx=BESIDE, past=total)


def _dots(study: StudyView, runs: Sequence[Row], rows: Mapping[str, int], look: Look) -> Iterator[Dot]:
    """Start and end of a phase in each run."""
    places = dots_in_band([(row["phase"], place_of(row)) for row in runs], DOTS_BELOW)
    for row, place in zip(runs, places, strict=True):
        phase, of_run = study.phase(row["phase"]), (row["configuration"], row["run"])
        label = f"{study.label(row['configuration'])}, {row['run']}: {phase.label}"
        zero = zero_of(study, [row["configuration"]])
        y = rows[row["phase"]] + place
        evidence = study.evidence.get((*of_run, phase.to_milestone)) or study.line_at(*of_run, row["end_s"])
        ended = f"{label} ended {numbers.fixed(row['end_s'], 1)} s after {zero}{evidence}"
        yield Dot(row["end_s"], y, ended, look, DOT)
        if row["start_s"] > 0:  # the fault itself is the axis' zero and needs no dot
            begun = study.line_at(*of_run, row["start_s"])
            words = f"{label} began {numbers.fixed(row['start_s'], 1)} s after {zero}{begun}"
            yield Dot(row["start_s"], y, words, look, DOT)


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
        f"{study.phase_label(row)} {numbers.fixed(row['mean_start_s'], 1)} to "
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
