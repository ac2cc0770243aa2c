"""The ladder: of each configuration the steps to recovery end to end, with every run, the spread, and the factor."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from statistics import fmean

from reports import numbers
from reports.client_view import outages
from reports.figures.catalogue import figure, kind
from reports.figures.draw.chart import Chart
from reports.figures.draw.ink import Look
from reports.figures.draw.scales import Scale, from_zero
from reports.figures.draw.scene import (
    Axis,
    Bar,
    Dot,
    Entry,
    Line,
    Mark,
    Panel,
    dots_in_band,
    parts_of_row,
    rows_of,
    whisker,
)
from reports.figures.draw.style import GRID, INK, MUTED, PAPER, ROLE_COLOURS, RULE
from reports.figures.failover.rungs import Rung, RunRows, Step, in_order, rungs_of, steps_to_recovery
from reports.figures.marks import behind, dot_opacity, line_of, place_of
from reports.figures.model import Figure
from reports.figures.request import Request
from reports.naming import Naming
from reports.recoveries import runs_of
from reports.study.store import Row
from reports.study.view import Configuration, StudyView
from reports.words import OUTCOME_WORDS, counted
from reports.zero import zero_of

DATA_NAMES = ("configuration", "run", "milestone", "elapsed_s", "path", "line_no", "outcome")
FEW_ROWS = 6
TALL_ROW, ROW_HEIGHT, LEAST_ROW_HEIGHT = 36, 25, 12
ROOM = 380  # CSS pixels of the rows on the first page
MOST_ROWS = 20
"""Rows of a panel, between which and the next a page may end."""
WIDE_RANGE = 20.0
"""Longest time to shortest; beyond, the short ones have an axis of their own."""
CLIENTS = "#e2a08c"  # no step's colour, and light enough for black dots
NOT_NAMED = Look(fill=PAPER, stroke=RULE, width=0.6)
ROLE_NAMES = {
    "detection": "detection",
    "storage": "storage",
    "network": "network",
    "restart": "restart",
    "recovery": "recovery of the database",
}
STEPS_NOTE = "Bars: mean length of each step, in order of time; where steps overlap, the one that ends last."
CENSORED_NOTE = (
    "Arrows: runs that did not recover by themselves and count in no mean; filled: failed; open: ended otherwise."
)


@figure(topic="failover", after=None)
def recovery_times_of_all(study: StudyView, _own: Sequence[Figure] = ()) -> Figure | None:
    """The ladder of all configurations."""
    return _ladder(study, study.configurations, Naming("recovery-times"))


@kind
def recovery_times(request: Request) -> Figure | None:
    """The same of some configurations."""
    return _ladder(request.study, request.members, request.naming)


def _ladder(study: StudyView, members: Sequence[Configuration], naming: Naming) -> Figure | None:
    """The figure, or None where no run recovered."""
    rows = RunRows.of(study)
    rungs = in_order([rung for member in members for rung in rungs_of(study, member, rows)])
    timed = [(rung, rung.stats) for rung in rungs if rung.stats is not None]
    if not timed:
        return None
    runs = [row for rung in rungs for row in rung.runs]
    censored = [row for rung in rungs for row in rung.censored]
    configurations = tuple(dict.fromkeys(rung.member.configuration for rung in rungs))
    steps = [(rung, each, each.phase) for rung in rungs for each in steps_to_recovery(rung) if each.phase is not None]
    phrases = dict.fromkeys(study.milestone_phrase(row["milestone"]) for _, row in timed)
    return Figure(
        name=naming.name,
        caption=naming.caption
        or f"Time from {zero_of(study, configurations)} to recovery ({' or '.join(phrases)}): steps, and every run",
        description="; ".join(_description(study, rung) for rung in rungs),
        scene=_chart(study, rungs),
        names=DATA_NAMES,
        rows=(*(_shown(row) for row in runs), *(_seen(row) for row in censored)),
        notes=tuple(filter(None, (_note(study, rungs), CENSORED_NOTE if censored else ""))),
        source=f"Source: relations milestone{', run_outcome' if censored else ''}, milestone_stats and phase_stats.",
        label=naming.label,
        configurations=configurations,
        behind=behind("mean_s", [(_words_of_mean(study, rung, rung.mean), rung.mean) for rung in rungs if rung.mean])
        | behind("mean_duration_s", [(_words_of_step(study, *each), each[-1]) for each in steps])
        | behind("elapsed_s", [(_words_of_run(study, row), row) for row in runs if not row["path"]]),
    )


# --- rows ------------------------------------------------------------------------------------------------------------


# --- steps -----------------------------------------------------------------------------------------------------------


# --- drawing ---------------------------------------------------------------------------------------------------------


def _chart(study: StudyView, rungs: Sequence[Rung]) -> Chart:
    height = _height(len(rungs))
    title = f"seconds after {zero_of(study, [rung.member.configuration for rung in rungs])}"
    panels = []
    waits = _waits(study)
    for group in _by_range(rungs):
        axis = Axis(from_zero(_longest(group, waits)), title)
        chunks = [group[start : start + MOST_ROWS] for start in range(0, len(group), MOST_ROWS)]
        panels += [_panel(study, chunk, axis, height, waits) for chunk in chunks]
    steps = [step for rung in rungs for step in steps_to_recovery(rung)]
    roles = {study.phase(step.phase["phase"]).role for step in steps if step.phase is not None}
    entries = [
        Entry(ROLE_NAMES.get(role, "other steps"), Look(fill=ROLE_COLOURS[role]))
        for role in ROLE_COLOURS
        if role in roles
    ]
    if any(step.phase is None for step in steps):
        entries.append(Entry("no step named" if roles else "time to recovery", NOT_NAMED))
    if waits:
        entries.append(Entry("clients without the service", Look(fill=CLIENTS)))
    return Chart(tuple(panels), tuple(entries))


def _height(rows: int) -> int:
    """Of a row: tall ones part the dots of runs; many stand closer, so that the figure stays on the first page."""
    return TALL_ROW if rows <= FEW_ROWS else max(LEAST_ROW_HEIGHT, min(ROW_HEIGHT, ROOM // rows))


def _by_range(rungs: Sequence[Rung]) -> list[list[Rung]]:
    """The rows that share an axis: where times lie far apart, the short ones have one of their own."""
    means = sorted(rung.stats["mean_s"] for rung in rungs if rung.stats is not None and rung.stats["mean_s"] > 0)
    if not means or means[-1] / means[0] <= WIDE_RANGE:
        return [list(rungs)]
    low, high = max(pairwise(means), key=lambda pair: pair[1] / pair[0])
    is_long = [rung.stats is None or rung.stats["mean_s"] >= high for rung in rungs]
    groups = [[rung for rung, long in zip(rungs, is_long, strict=True) if long == side] for side in (False, True)]
    return groups if low < high else [list(rungs)]


def _longest(rungs: Sequence[Rung], waits: Mapping[tuple[str, str], Row]) -> Iterator[float]:
    """What has to lie on the axis."""
    for rung in rungs:
        yield from (row["elapsed_s"] for row in rung.runs)
        if rung.mean is not None:
            yield rung.mean["mean_s"] + (rung.mean["stddev_s"] or 0.0)
            yield rung.mean["mean_s"] + rung.fault_error_s
        if (wait := _wait(rung, waits)) is not None:
            yield wait[1]


def _panel(
    study: StudyView, rungs: Sequence[Rung], axis: Axis, height: int, waits: Mapping[tuple[str, str], Row]
) -> Panel:
    bar, dots = parts_of_row(height)
    marks: list[Mark] = []
    runs = [(place, row) for place, rung in enumerate(rungs) for row in (*rung.runs, *rung.censored)]
    downs = dots_in_band([(str(place), place_of(row)) for place, row in runs], dots)
    ghosts: list[Mark] = []
    ends: list[Mark] = []
    most = max((len(rung.runs) for rung in rungs), default=1)
    look = Look(fill=INK, opacity=dot_opacity(most))
    for (place, row), down in zip(runs, downs, strict=True):
        y = place + down
        if "censored_s" in row:
            ghosts.append(Line(((0.0, y), (axis.scale.high, y)), Look(stroke=MUTED, width=0.7, dash=(3, 2))))
            ends.append(_not_back(study, row, axis.scale, y))
        else:
            ghosts.append(Line(((0.0, y), (row["elapsed_s"], y)), Look(stroke=GRID, width=0.6)))
            ends.append(Dot(row["elapsed_s"], y, _words_of_run(study, row), look))
    for place, rung in enumerate(rungs):
        marks += _bars(study, rung, place, bar, _wait(rung, waits))
    values = [_printed(study, rung) for rung in rungs]
    names = [rung.name for rung in rungs]
    return Panel(axis, rows_of(names, values, height=height, bar=bar), [*ghosts, *marks, *ends])


def _bars(
    study: StudyView, rung: Rung, place: int, bar: tuple[float, float], wait: tuple[float, float] | None
) -> Iterator[Mark]:
    """The steps of a row with the mean at their end, its spread and the error of the fault; the clients' wait below."""
    top, bottom = place + bar[0], place + bar[1]
    if rung.modes is not None:
        modes = (rung.modes["majority_mean"], rung.modes["minority_mean"])
        yield from (Line(((at_s, top), (at_s, bottom)), Look(stroke=INK, width=1.4)) for at_s in modes)
    if rung.mean is None:
        return
    foot = bottom - 0.3 * (bottom - top) if wait is not None else bottom
    for step in steps_to_recovery(rung):
        if step.phase is None:
            yield Bar((step.start_s, step.end_s), (top, foot), NOT_NAMED)
        else:
            colour = ROLE_COLOURS.get(study.phase(step.phase["phase"]).role, ROLE_COLOURS[""])
            yield Bar(
                (step.start_s, step.end_s),
                (top, foot),
                Look(fill=colour, stroke=PAPER, width=0.8),
                _words_of_step(study, rung, step, step.phase),
            )
    if wait is not None:
        yield Bar(wait, (foot, bottom), Look(fill=CLIENTS))
    mean_s = rung.mean["mean_s"]
    yield Line(((mean_s, top), (mean_s, foot)), Look(stroke=INK, width=1.4), _words_of_mean(study, rung, rung.mean))
    cap = 0.12 * (bottom - top)
    if spread := rung.mean["stddev_s"]:
        yield whisker(max(mean_s - spread, 0.0), mean_s + spread, top + 0.3 * (foot - top), cap, Look(stroke=INK))
    if error := rung.fault_error_s:
        yield whisker(max(mean_s - error, 0.0), mean_s + error, top + 0.75 * (foot - top), cap, Look(stroke=MUTED))


def _not_back(study: StudyView, row: Row, scale: Scale, y: float) -> Dot:
    """A mark at the edge: filled where the run failed, open where something else ended it."""
    words = (
        f"{study.label(row['configuration'])}, {row['run']}: {OUTCOME_WORDS[row['outcome']]}, "
        f"seen until {numbers.fixed(row['censored_s'], 1)} s"
    )
    look = Look(fill=INK) if row["outcome"] == "failed" else Look(fill=PAPER, stroke=INK, width=0.9)
    return Dot(scale.high, y, words, look, radius=2.6, shape="arrow")


def _waits(study: StudyView) -> dict[tuple[str, str], Row]:
    """From when to when clients had no service, by run."""
    known = {row["configuration"] for row in outages(study) if row["target"] is None}
    return {
        (row["configuration"], row["run"]): row
        for row in study.rows("client_runs")
        if row["target"] is None and row["first_success_s"] is not None and row["configuration"] in known
    }


def _wait(rung: Rung, waits: Mapping[tuple[str, str], Row]) -> tuple[float, float] | None:
    """Mean first failed question and mean first answer of the runs of a row."""
    own = [found for row in rung.runs if (found := waits.get((row["configuration"], row["run"])))]
    if not own:
        return None
    return max(fmean(row["first_failure_s"] for row in own), 0.0), fmean(row["first_success_s"] for row in own)


# --- words -----------------------------------------------------------------------------------------------------------


def _printed(study: StudyView, rung: Rung) -> str:
    """`24.1 s (23.4 to 24.8), 0.51 ×`: mean, interval, and factor to the reference."""
    if rung.stats is None:
        return f"none of {numbers.count(len(rung.censored))} came back"
    if rung.modes:
        ends = sorted((rung.modes["majority_mean"], rung.modes["minority_mean"]))
        return f"two modes: {' and '.join(numbers.fixed(each, 1) for each in ends)} s"
    factor = next(
        (
            f", {numbers.fixed(row['ratio'], 2)}\u00a0\u00d7"
            for row in study.end_changes
            if row["configuration"] == rung.member.configuration and rung.is_counted(study)
        ),
        "",
    )
    return f"{_time(rung.stats)}{factor}"


def _time(stats: Row) -> str:
    mean, low, high = stats["mean_s"], stats["ci95_low_s"], stats["ci95_high_s"]
    return f"{numbers.fixed(mean, 1)} s" + ("" if low is None else f" ({numbers.interval(low, high, 1)})")


def _note(study: StudyView, rungs: Sequence[Rung]) -> str:
    """What marks mean, of those that are drawn."""
    has_steps = any(step.phase is not None for rung in rungs for step in steps_to_recovery(rung))
    means = [rung.mean for rung in rungs if rung.mean is not None]
    has_spread = any(row["stddev_s"] for row in means)
    has_error = any(rung.fault_error_s for rung in rungs if rung.mean is not None)
    whiskers = [
        "Black whisker: standard deviation over runs." if has_spread else "",
        "Grey whisker: how well the time of the fault is known." if has_error else "",
    ]
    has_factor = any("\u00d7" in _printed(study, rung) for rung in rungs)
    beside = [
        "mean",
        "95 % interval" if any(row["ci95_low_s"] is not None for row in means) else "",
        "factor to the reference" if has_factor else "",
    ]
    sentences = [
        STEPS_NOTE if has_steps else "",
        "Thin lines: single runs, the first on top.",
        *whiskers,
        f"At the right: {', '.join(filter(None, beside))}." if means else "",
        "Two modes: a line at the mean of each, and no bar." if any(rung.modes for rung in rungs) else "",
    ]
    return " ".join(filter(None, sentences))


def _description(study: StudyView, rung: Rung) -> str:
    if rung.mean is None:
        return f"{rung.name}: {_printed(study, rung)}"
    row = rung.mean
    return (
        f"{rung.name}: mean {numbers.fixed(row['mean_s'], 1)} s, {_runs(study, rung)} "
        f"from {numbers.fixed(row['min_s'], 1)} to {numbers.fixed(row['max_s'], 1)} s"
    )


def _runs(study: StudyView, rung: Rung) -> str:
    if rung.fault_kind and rung.stats is not None:
        return counted(rung.stats["timed_runs"], "run")
    return runs_of(study, rung.member.configuration, rung.stats["runs"] if rung.stats is not None else 0)


def _shown(row: Row) -> tuple[object, ...]:
    return (*(row[key] for key in DATA_NAMES[:-1]), "recovered")


def _seen(row: Row) -> tuple[object, ...]:
    """A run that did not come back, with the seconds until which it was seen."""
    return (row["configuration"], row["run"], None, row["censored_s"], row["path"], row["line_no"], row["outcome"])


def _words_of_mean(study: StudyView, rung: Rung, row: Row) -> str:
    return f"{rung.name}: mean {_time(row)} over {_runs(study, rung)}"


def _words_of_step(study: StudyView, rung: Rung, step: Step, phase: Row) -> str:
    ends = f"{numbers.fixed(step.start_s, 1)} to {numbers.fixed(step.end_s, 1)} s"
    return f"{rung.name}: {study.phase_label(phase)}, mean {ends}"


def _words_of_run(study: StudyView, row: Row) -> str:
    return f"{study.label(row['configuration'])}, {row['run']}: {numbers.fixed(row['elapsed_s'], 1)} s{line_of(row)}"
