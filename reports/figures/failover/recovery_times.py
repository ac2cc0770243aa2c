"""Every run's time to recovery as a dot, with mean and interval of each configuration."""

from collections.abc import Mapping, Sequence

from reports import numbers
from reports.figures.catalogue import figure, kind
from reports.figures.marks import (
    bars_in_bands,
    behind,
    dot_opacity,
    dot_per_run,
    line_of,
    names_down,
    numbers_along,
    place_of,
    silent,
    words,
)
from reports.figures.model import ACCENT, INK, LABEL_WIDTH, TEXT_WIDTH, Figure, Spec, row_height, specification, wrapped
from reports.figures.request import Request
from reports.naming import Naming
from reports.recoveries import runs_of
from reports.study.store import Row
from reports.study.view import Configuration, StudyView
from reports.words import OUTCOME_WORDS

DATA_NAMES = ("configuration", "run", "milestone", "elapsed_s", "path", "line_no", "outcome")
VALUE_WIDTH = 128
ROW_HEIGHT, LEAST_ROW_HEIGHT = 24, 11
ROOM = 380  # CSS pixels of the rows on the first page
WIDE_RANGE = 8.0  # longest time to shortest; on an even axis the shortest then has an eighth of it
CENSORED_NOTE = (
    "Open circles: runs that did not come back by themselves, at the moment until which they were seen, or at which a "
    "person stepped in; what lies beyond the axis is at its end. They are in no mean."
)


@figure(topic="failover", after=None)
def recovery_times_of_all(study: StudyView, _own: Sequence[Figure]) -> Figure | None:
    """The times to recovery of all configurations."""
    return _recovery_times(study, study.configurations, Naming("recovery-times"))


@kind
def recovery_times(request: Request) -> Figure | None:
    """The same of some configurations."""
    return _recovery_times(request.study, request.members, request.naming)


def _recovery_times(study: StudyView, members: Sequence[Configuration], naming: Naming) -> Figure | None:
    """The strip plot, or None where no run recovered."""
    stats = [
        (member, row)
        for member in members
        if (end := study.end_milestone(member.configuration)) is not None
        and (row := study.milestone_stats.get((member.configuration, end))) is not None
    ]
    if not stats:
        return None
    milestones = {member.configuration: row["milestone"] for member, row in stats}
    lost = {member.configuration: none for member in members if (none := _lost(study, member.configuration))}
    shown = [member for member in members if member.configuration in milestones or member.configuration in lost]
    runs = [
        row for row in study.run_milestones if row["used"] and milestones.get(row["configuration"]) == row["milestone"]
    ]
    censored = [
        row
        for row in study.outcomes
        if row["is_counted"]
        and row["outcome"] != "recovered"
        and row["censored_s"] is not None
        and (row["configuration"] in milestones or row["configuration"] in lost)
    ]
    phrases = list(dict.fromkeys(study.milestone_phrase(each) for each in milestones.values()))
    return Figure(
        name=naming.name,
        caption=naming.caption
        or f"Time from the fault to recovery ({' or '.join(phrases)}): every run{_of_means(stats)}",
        description="; ".join(
            [
                f"{member.label}: mean {numbers.fixed(row['mean_s'], 1)} s, "
                f"{runs_of(study, member.configuration, row['runs'])} "
                f"from {numbers.fixed(row['min_s'], 1)} to {numbers.fixed(row['max_s'], 1)} s"
                for member, row in stats
            ]
            + [f"{study.label(configuration)}: {none}" for configuration, none in lost.items()]
        ),
        spec=_spec(study, shown, lost, stats, runs, censored),
        names=DATA_NAMES,
        rows=(*(_shown(row) for row in runs), *(_seen(row) for row in censored)),
        notes=(
            _note(stats) + (" The axis is logarithmic." if _is_logarithmic(stats) else ""),
            *((CENSORED_NOTE,) if censored else ()),
        ),
        source=f"Source: relations milestone{', run_outcome' if censored else ''} and milestone_stats.",
        label=naming.label,
        configurations=tuple(member.configuration for member in shown),
        behind=behind("mean_s", [(_mean(study, member, row), row) for member, row in stats])
        | behind("elapsed_s", [(_dot(study, row), row) for row in runs if not row["path"]]),
    )


def _lost(study: StudyView, configuration: str) -> str:
    """How many runs of a configuration there are, if none of them came back; else empty."""
    found = study.recovery_of(configuration)
    return f"none of {numbers.count(found['runs'])} came back" if found and not found["recovered"] else ""


def _of_means(stats: Sequence[tuple[Configuration, Row]]) -> str:
    if any(row["ci95_low_s"] is not None for _, row in stats):
        return ", mean and 95 % interval"
    return " and mean" if any(row["runs"] > 1 for _, row in stats) else ""


def _note(stats: Sequence[tuple[Configuration, Row]]) -> str:
    """What marks mean, of those that are drawn."""
    if not any(row["runs"] > 1 for _, row in stats):
        return "Each dot is a single run."
    band = any(row["ci95_low_s"] is not None for _, row in stats)
    interval = " Band: 95 % confidence interval of the mean." if band else ""
    return f"Dots: single runs, first run on top. Vertical line: mean.{interval}"


def _shown(row: Row) -> tuple[object, ...]:
    return (*(row[key] for key in DATA_NAMES[:-1]), "recovered")


def _seen(row: Row) -> tuple[object, ...]:
    """A run that did not come back, with the seconds until which it was seen."""
    return (row["configuration"], row["run"], None, row["censored_s"], row["path"], row["line_no"], row["outcome"])


def _spec(  # noqa: PLR0913, PLR0917  rows of several relations
    study: StudyView,
    shown: Sequence[Configuration],
    lost: Mapping[str, str],
    stats: Sequence[tuple[Configuration, Row]],
    runs: Sequence[Row],
    censored: Sequence[Row],
) -> Spec:
    labels = [wrapped(member.label) for member in shown]
    y = names_down(labels, padding=(0.3, 0.15))
    x = _axis(stats)
    interval: Spec = {"y": y, "x": {**x, "field": "low"}, "x2": {"field": "high"}}
    means = [_mean(study, member, row) for member, row in stats]
    several = [each for each, (_, row) in zip(means, stats, strict=True) if row["runs"] > 1]
    width = TEXT_WIDTH - LABEL_WIDTH - VALUE_WIDTH
    tick = min(21, _height(len(shown)))
    without = [{"configuration": wrapped(study.label(name)), "printed": none} for name, none in lost.items()]
    return specification(
        width=width,
        height=row_height(labels, _height(len(shown))),
        layer=[
            bars_in_bands(means, y, {key: interval[key] for key in ("x", "x2")}, color=ACCENT),
            dot_per_run(
                [_dot(study, row) for row in runs],
                y,
                {**x, "field": "at"},
                opacity=dot_opacity(max(row["runs"] for _, row in stats)),
            ),
            *(
                silent(
                    several, "tick", {"y": y, "x": {**x, "field": "mean"}}, thickness=thickness, size=size, color=colour
                )
                for thickness, size, colour in ((4, tick, "white"), (1.6, tick, INK))
            ),
            *([_censored(study, censored, y, x)] if censored else []),
            words([*means, *without], "printed", {"y": y}, x=width + 10),
        ],
    )


def _height(rows: int) -> int:
    """Of a row: many configurations stand closer, so that the figure stays on the first page."""
    return max(LEAST_ROW_HEIGHT, min(ROW_HEIGHT, ROOM // rows))


def _censored(study: StudyView, rows: Sequence[Row], y: Spec, x: Spec) -> Spec:
    """Open marks, so that nobody takes them for recoveries; what lies beyond the axis is at its end."""
    low, high = x["scale"]["domain"]
    values = [
        {
            "configuration": wrapped(study.label(row["configuration"])),
            "place": place_of(row),
            "at": round(min(max(row["censored_s"], low), high), 3),
            "description": f"{study.label(row['configuration'])}, {row['run']}: {OUTCOME_WORDS[row['outcome']]}, "
            f"seen until {numbers.fixed(row['censored_s'], 1)} s",
        }
        for row in rows
    ]
    at = {**x, "field": "at"}
    return dot_per_run(values, y, at, "point", shape="circle", size=16, filled=False, strokeWidth=0.9)


def _is_logarithmic(stats: Sequence[tuple[Configuration, Row]]) -> bool:
    """Whether the times lie so far apart that the short ones could not be distinguished on an even axis."""
    shortest = min(row["min_s"] for _, row in stats)
    return bool(shortest > 0 and max(row["max_s"] for _, row in stats) / shortest > WIDE_RANGE)


def _axis(stats: Sequence[tuple[Configuration, Row]]) -> Spec:
    """Scale and axis of seconds: even and from zero, or logarithmic with ticks at 1, 2 and 5 of each power of ten."""
    limit = round(max(max(row["max_s"], row["ci95_high_s"] or 0) for _, row in stats) * 1.04, 1)
    if not _is_logarithmic(stats):
        return numbers_along("seconds after the fault", 0, limit, 8, domain=False)
    steps = [digit * 10.0**power for power in range(-3, 9) for digit in (1, 2, 5)]
    start = max(each for each in steps if each <= min(row["min_s"] for _, row in stats) or each == steps[0])
    limit = min(each for each in steps if each >= limit or each == steps[-1])
    ticks = [each for each in steps if start <= each <= limit]
    axis = numbers_along("seconds after the fault, logarithmic", start, limit, 8, domain=False, values=ticks)
    return axis | {"scale": axis["scale"] | {"type": "log", "clamp": True}}


def _mean(study: StudyView, member: Configuration, row: Row) -> Spec:
    mean, low, high = row["mean_s"], row["ci95_low_s"], row["ci95_high_s"]
    interval = "" if low is None else f" ({numbers.interval(low, high, 1)})"
    printed = f"{numbers.fixed(mean, 1)} s{interval}"
    return {
        "configuration": wrapped(member.label),
        "mean": round(mean, 3),
        "low": round(mean if low is None else low, 3),
        "high": round(mean if high is None else high, 3),
        "printed": printed,
        "description": f"{member.label}: mean {printed} over {runs_of(study, member.configuration, row['runs'])}",
    }


def _dot(study: StudyView, row: Row) -> Spec:
    label = study.label(row["configuration"])
    return {
        "configuration": wrapped(label),
        "place": place_of(row),
        "at": round(row["elapsed_s"], 3),
        "description": f"{label}, {row['run']}: {numbers.fixed(row['elapsed_s'], 1)} s{line_of(row)}",
    }
