"""Every run's time to recovery as a dot, with mean and interval of each configuration."""

from collections.abc import Sequence

from reports import numbers
from reports.figures.model import ACCENT, INK, LABEL_WIDTH, TEXT_WIDTH, Figure, Spec, label_axis, specification, wrapped
from reports.recoveries import runs_of
from reports.store import Row
from reports.study_view import Configuration, StudyView
from reports.tables.model import Naming
from reports.words import OUTCOME_WORDS

DATA_NAMES = ("configuration", "run", "milestone", "elapsed_s", "path", "line_no", "outcome")
VALUE_WIDTH = 128
WIDE_RANGE = 8.0  # longest time to shortest; on an even axis the shortest then has an eighth of it
USUAL = Naming("recovery-times")
CENSORED_NOTE = (
    "Open circles: runs that did not come back by themselves, at the moment until which they were seen, or at which a "
    "person stepped in; what lies beyond the axis stands at its end. They are in no mean."
)


def recovery_times(
    study: StudyView,
    members: Sequence[Configuration] | None = None,
    naming: Naming = USUAL,
) -> Figure | None:
    """The strip plot, or None where no run recovered."""
    members = members if members is not None else study.configurations
    stats = [
        (member, row)
        for member in members
        if (end := study.end_milestone(member.configuration)) is not None
        and (row := study.milestone_stats.get((member.configuration, end))) is not None
    ]
    if not stats:
        return None
    milestones = {member.configuration: row["milestone"] for member, row in stats}
    runs = [
        row for row in study.run_milestones if row["used"] and milestones.get(row["configuration"]) == row["milestone"]
    ]
    censored = [
        row
        for row in study.outcomes
        if row["is_counted"]
        and row["outcome"] != "recovered"
        and row["censored_s"] is not None
        and row["configuration"] in milestones
    ]
    phrases = list(dict.fromkeys(study.milestone_phrase(each) for each in milestones.values()))
    return Figure(
        name=naming.name,
        caption=naming.caption
        or f"Time from the fault to recovery ({' or '.join(phrases)}): every run, mean and 95 % interval",
        description="; ".join(
            f"{member.label}: mean {numbers.fixed(row['mean_s'], 1)} s, "
            f"{runs_of(study, member.configuration, row['runs'])} "
            f"from {numbers.fixed(row['min_s'], 1)} to {numbers.fixed(row['max_s'], 1)} s"
            for member, row in stats
        ),
        spec=_spec(study, stats, runs, censored),
        names=DATA_NAMES,
        rows=(*(_shown(row) for row in runs), *(_seen(row) for row in censored)),
        notes=(
            "Dots: single runs, first run on top. Vertical line: mean. Band: 95 % confidence interval of the mean."
            + (" The axis is logarithmic." if _is_logarithmic(stats) else ""),
            *((CENSORED_NOTE,) if censored else ()),
        ),
        source=f"Source: relations milestone{', run_outcome' if censored else ''} and milestone_stats.",
        label=naming.label,
        configurations=tuple(member.configuration for member, _ in stats),
    )


def _shown(row: Row) -> tuple[object, ...]:
    return (*(row[key] for key in DATA_NAMES[:-1]), "recovered")


def _seen(row: Row) -> tuple[object, ...]:
    """A run that did not come back, with the seconds until which it was seen."""
    return (row["configuration"], row["run"], None, row["censored_s"], row["path"], row["line_no"], row["outcome"])


def _spec(
    study: StudyView, stats: Sequence[tuple[Configuration, Row]], runs: Sequence[Row], censored: Sequence[Row]
) -> Spec:
    y: Spec = {
        "field": "configuration",
        "type": "nominal",
        "sort": [wrapped(member.label) for member, _ in stats],
        "axis": label_axis(),
        "scale": {"paddingInner": 0.3, "paddingOuter": 0.15},
    }
    x: Spec = {"type": "quantitative", **_axis(stats)}
    means = [_mean(study, member, row) for member, row in stats]
    width = TEXT_WIDTH - LABEL_WIDTH - VALUE_WIDTH
    return specification(
        width=width,
        height={"step": 30, "for": "position"},
        layer=[
            {
                "data": {"values": means},
                "mark": {"type": "bar", "height": {"band": 1}, "color": ACCENT},
                "encoding": {
                    "y": y,
                    "x": {**x, "field": "low"},
                    "x2": {"field": "high"},
                    "description": {"field": "told"},
                },
            },
            {
                "data": {"values": means},
                "mark": {"type": "tick", "thickness": 1.5, "size": 21, "color": INK, "aria": False},
                "encoding": {"y": y, "x": {**x, "field": "mean"}},
            },
            {
                "data": {"values": [_dot(study, row) for row in runs]},
                "mark": {"type": "circle", "size": 9, "opacity": 1, "color": INK},
                "encoding": {
                    "y": y,
                    "yOffset": {"field": "place", "type": "ordinal", "scale": {"paddingOuter": 0.6}},
                    "x": {**x, "field": "at"},
                    "description": {"field": "told"},
                },
            },
            *([_censored(study, censored, y, x)] if censored else []),
            {
                "data": {"values": means},
                "mark": {"type": "text", "align": "left", "x": width + 10, "aria": False},
                "encoding": {"y": y, "text": {"field": "printed"}},
            },
        ],
    )


def _censored(study: StudyView, rows: Sequence[Row], y: Spec, x: Spec) -> Spec:
    """Open marks, so that nobody takes them for recoveries; what lies beyond the axis stands at its end."""
    low, high = x["scale"]["domain"]
    values = [
        {
            "configuration": wrapped(study.label(row["configuration"])),
            "place": f"{row['run_no'] or 0:06d} {row['run']}",
            "at": round(min(max(row["censored_s"], low), high), 3),
            "told": f"{study.label(row['configuration'])}, {row['run']}: {OUTCOME_WORDS[row['outcome']]}, seen until "
            f"{numbers.fixed(row['censored_s'], 1)} s",
        }
        for row in rows
    ]
    return {
        "data": {"values": values},
        "mark": {
            "type": "point",
            "shape": "circle",
            "size": 16,
            "filled": False,
            "strokeWidth": 0.9,
            "opacity": 1,
            "color": INK,
        },
        "encoding": {
            "y": y,
            "yOffset": {"field": "place", "type": "ordinal", "scale": {"paddingOuter": 0.6}},
            "x": {**x, "field": "at"},
            "description": {"field": "told"},
        },
    }


def _is_logarithmic(stats: Sequence[tuple[Configuration, Row]]) -> bool:
    """Whether the times lie so far apart that the short ones could not be told from each other on an even axis."""
    shortest = min(row["min_s"] for _, row in stats)
    return bool(shortest > 0 and max(row["max_s"] for _, row in stats) / shortest > WIDE_RANGE)


def _axis(stats: Sequence[tuple[Configuration, Row]]) -> Spec:
    """Scale and axis of seconds: even and from zero, or logarithmic with ticks at 1, 2 and 5 of each power of ten."""
    limit = round(max(row["max_s"] for _, row in stats) * 1.04, 1)
    axis: Spec = {"title": "seconds after the fault", "tickCount": 8, "domain": False}
    if not _is_logarithmic(stats):
        return {"scale": {"domain": [0, limit], "nice": False}, "axis": axis}
    start = min(row["min_s"] for _, row in stats) * 0.9
    steps = [digit * 10.0**power for power in range(-3, 7) for digit in (1, 2, 5)]
    axis |= {
        "title": "seconds after the fault, logarithmic",
        "values": [each for each in steps if start <= each <= limit],
    }
    return {"scale": {"type": "log", "domain": [start, limit], "nice": False, "clamp": True}, "axis": axis}


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
        "told": f"{member.label}: mean {printed} over {runs_of(study, member.configuration, row['runs'])}",
    }


def _dot(study: StudyView, row: Row) -> Spec:
    label = study.label(row["configuration"])
    where = f", {row['path']}:{row['line_no']}" if row["path"] else ""
    return {
        "configuration": wrapped(label),
        "place": f"{row['run_no'] or 0:06d} {row['run']}",
        "at": round(row["elapsed_s"], 3),
        "told": f"{label}, {row['run']}: {numbers.fixed(row['elapsed_s'], 1)} s{where}",
    }
