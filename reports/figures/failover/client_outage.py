"""Floating bars of the steps of a failover, a row for each configuration, with its clients' outage beside them."""

from collections.abc import Collection, Iterator, Sequence
from statistics import fmean

from reports import numbers
from reports.client_view import outages
from reports.figures.catalogue import figure
from reports.figures.draw.chart import Chart
from reports.figures.draw.ink import Look
from reports.figures.draw.scales import from_zero
from reports.figures.draw.scene import Axis, Bar, Dot, Entry, Mark, Panel, dots_in_band, rows_of
from reports.figures.draw.style import ROLE_COLOURS
from reports.figures.marks import behind, is_rare, line_of, place_of
from reports.figures.model import Figure
from reports.study.store import Row
from reports.study.view import Configuration, StudyView
from reports.words import counted
from reports.zero import zero_of

NAME = "client-outage"
DATA_NAMES = ("configuration", "run", "first_failure_s", "first_success_s", "outage_s", "path", "line_no")
CAPTION = "The steps of the failover and, beside them, how long the clients went without the service"
STEPS_NOTE = "Upper bars: steps, mean start to mean end, overlapping ones apart."
NOTE = (
    "the clients' outage, mean first failed question after {} to mean first answer; dots: single runs. "
    "Right: mean, 95 % interval."
)
OUTAGE_COLOUR = "#e2a08c"  # no step's colour, and light enough for black dots
STEPS, CLIENTS, DOTS = (0.08, 0.46), (0.5, 0.72), (0.76, 0.96)
"""Parts of a row from top to bottom."""
ROW_HEIGHT = 36
TOGETHER_S = 0.05
"""Steps that begin so little before another ends do not overlap."""

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
    bars = _steps_of_most(study, keys)
    note = NOTE.format(zero_of(study, keys))
    return Figure(
        name=NAME,
        caption=CAPTION if bars else "How long the clients went without the service",
        description="; ".join(_description(each, found[each.configuration]) for each in members),
        scene=_chart(study, members, found, runs, bars),
        names=DATA_NAMES,
        rows=tuple(tuple(row[name] for name in DATA_NAMES) for row in runs),
        notes=(f"{STEPS_NOTE} Lower bar: {note}" if bars else f"Bar: {note}",),
        source="Source: relations phase_stats, client_outage and measurement_stats.",
        configurations=tuple(each.configuration for each in members),
        topic="client",
        behind=behind("mean_duration_s", [(_words_of_step(study, row), row) for row in bars])
        | behind(
            "mean", [(_description(each, found[each.configuration]), found[each.configuration]) for each in members]
        ),
    )


def _steps_of_most(study: StudyView, keys: Collection[str]) -> list[Row]:
    """Phases that take time, in the order of the rules, but for those of a few runs only."""
    own = [row for row in study.phases if row["configuration"] in keys and row["mean_duration_s"] > 0]
    most = {key: max((row["runs"] for row in own if row["configuration"] == key), default=0) for key in keys}
    return [
        row
        for row in own
        if study.phase(row["phase"]).role in ROLE_NAMES and not is_rare(row, most[row["configuration"]])
    ]


def _chart(
    study: StudyView,
    members: Sequence[Configuration],
    found: dict[str, Row],
    runs: Sequence[Row],
    bars: Sequence[Row],
) -> Chart:
    ends = [row["first_success_s"] for row in runs] + [row["mean_start_s"] + row["mean_duration_s"] for row in bars]
    rows = {member.configuration: place for place, member in enumerate(members)}
    marks: list[Mark] = []
    for key, place in rows.items():
        marks += _steps(study, [row for row in bars if row["configuration"] == key], place)
    for member in members:
        begin, end = _outage(member, runs)
        y = rows[member.configuration]
        words = _description(member, found[member.configuration])
        marks.append(Bar((begin, end), (y + CLIENTS[0], y + CLIENTS[1]), Look(fill=OUTAGE_COLOUR), words))
    places = dots_in_band([(row["configuration"], place_of(row)) for row in runs], DOTS)
    marks += [
        Dot(row["first_success_s"], rows[row["configuration"]] + place, _words_of_run(study, row))
        for row, place in zip(runs, places, strict=True)
    ]
    roles = {study.phase(row["phase"]).role for row in bars}
    legend = [Entry(ROLE_NAMES[role], Look(fill=ROLE_COLOURS[role])) for role in ROLE_COLOURS if role in roles]
    legend.append(Entry("clients without the service", Look(fill=OUTAGE_COLOUR)))
    values = [_printed(found[member.configuration]) for member in members]
    shown = rows_of([member.label for member in members], values, height=ROW_HEIGHT)
    return Chart((Panel(Axis(from_zero(ends), f"seconds after {zero_of(study, rows)}"), shown, marks),), tuple(legend))


def _steps(study: StudyView, bars: Sequence[Row], place: int) -> Iterator[Bar]:
    """The steps of one configuration; those that overlap stand below each other."""
    lanes: list[float] = []
    chosen: list[tuple[Row, int]] = []
    for row in sorted(bars, key=lambda row: row["mean_start_s"]):
        lane = next((lane for lane, end in enumerate(lanes) if end <= row["mean_start_s"] + TOGETHER_S), len(lanes))
        lanes[lane : lane + 1] = [row["mean_start_s"] + row["mean_duration_s"]]
        chosen.append((row, lane))
    height = (STEPS[1] - STEPS[0]) / max(len(lanes), 1)
    for row, lane in chosen:
        top, end = place + STEPS[0] + height * lane, row["mean_start_s"] + row["mean_duration_s"]
        look = Look(fill=ROLE_COLOURS[study.phase(row["phase"]).role])
        yield Bar((row["mean_start_s"], end), (top, top + height), look, _words_of_step(study, row))


def _words_of_step(study: StudyView, row: Row) -> str:
    start, end = row["mean_start_s"], row["mean_start_s"] + row["mean_duration_s"]
    times = f"{numbers.fixed(start, 1)} to {numbers.fixed(end, 1)} s"
    return f"{study.label(row['configuration'])}: {study.phase_label(row)}, {times}"


def _outage(member: Configuration, runs: Sequence[Row]) -> tuple[float, float]:
    """Mean first failed question after the fault, and mean first answer."""
    own = [each for each in runs if each["configuration"] == member.configuration]
    begins, ends = ([each[name] for each in own] for name in ("first_failure_s", "first_success_s"))
    return max(fmean(begins), 0.0), fmean(ends)


def _words_of_run(study: StudyView, row: Row) -> str:
    return (
        f"{study.label(row['configuration'])}, {row['run']}: first answer {numbers.fixed(row['first_success_s'], 1)} s "
        f"after {zero_of(study, [row['configuration']])}, outage {numbers.fixed(row['outage_s'], 1)} s{line_of(row)}"
    )


def _printed(row: Row) -> str:
    interval = "" if row["ci95_low"] is None else f" ({numbers.interval(row['ci95_low'], row['ci95_high'], 1)})"
    return f"{numbers.fixed(row['mean'], 1)} s{interval}"


def _description(member: Configuration, row: Row) -> str:
    return f"{member.label}: clients without the service for {_printed(row)}, mean of {counted(row['runs'], 'run')}"
