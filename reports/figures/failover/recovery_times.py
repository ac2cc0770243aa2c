"""Every run's time to recovery as a dot, with mean and interval of each configuration."""

from collections.abc import Iterator, Mapping, Sequence

from reports import numbers
from reports.figures.catalogue import figure, kind
from reports.figures.draw.chart import Chart
from reports.figures.draw.ink import Look
from reports.figures.draw.scales import Scale, from_zero
from reports.figures.draw.scene import Axis, Bar, Dot, Mark, Panel, dots_in_band, parts_of_row, rows_of, whisker
from reports.figures.draw.style import ACCENT, INK
from reports.figures.marks import behind, dot_opacity, line_of, place_of
from reports.figures.model import Figure
from reports.figures.request import Request
from reports.naming import Naming
from reports.recoveries import runs_of
from reports.study.store import Row
from reports.study.view import Configuration, StudyView
from reports.words import OUTCOME_WORDS
from reports.zero import zero_of

DATA_NAMES = ("configuration", "run", "milestone", "elapsed_s", "path", "line_no", "outcome")
FEW_ROWS = 6
TALL_ROW, ROW_HEIGHT, LEAST_ROW_HEIGHT = 34, 25, 12
ROOM = 380  # CSS pixels of the rows on the first page
WIDE_RANGE = 40.0  # longest time to shortest; on an even axis the shortest then has a fortieth of it
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
        or f"Time from {zero_of(study, milestones)} to recovery ({' or '.join(phrases)}): every run{_of_means(stats)}",
        description=_description(study, stats, lost),
        scene=_chart(study, shown, lost, stats, runs, censored),
        names=DATA_NAMES,
        rows=(*(_shown(row) for row in runs), *(_seen(row) for row in censored)),
        notes=(
            _note(stats) + (" The axis is logarithmic." if _is_logarithmic(stats) else ""),
            *((CENSORED_NOTE,) if censored else ()),
        ),
        source=f"Source: relations milestone{', run_outcome' if censored else ''} and milestone_stats.",
        label=naming.label,
        configurations=tuple(member.configuration for member in shown),
        behind=behind("mean_s", [(_words_of_mean(study, member, row), row) for member, row in stats])
        | behind("elapsed_s", [(_words_of_run(study, row), row) for row in runs if not row["path"]]),
    )


def _description(study: StudyView, stats: Sequence[tuple[Configuration, Row]], lost: Mapping[str, str]) -> str:
    found = [
        f"{member.label}: mean {numbers.fixed(row['mean_s'], 1)} s, "
        f"{runs_of(study, member.configuration, row['runs'])} "
        f"from {numbers.fixed(row['min_s'], 1)} to {numbers.fixed(row['max_s'], 1)} s"
        for member, row in stats
    ]
    return "; ".join(found + [f"{study.label(configuration)}: {none}" for configuration, none in lost.items()])


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
    interval = " Line: 95 % confidence interval of the mean." if band else ""
    return f"Bars: mean.{interval} Dots: single runs, first run on top."


def _shown(row: Row) -> tuple[object, ...]:
    return (*(row[key] for key in DATA_NAMES[:-1]), "recovered")


def _seen(row: Row) -> tuple[object, ...]:
    """A run that did not come back, with the seconds until which it was seen."""
    return (row["configuration"], row["run"], None, row["censored_s"], row["path"], row["line_no"], row["outcome"])


def _chart(  # noqa: PLR0913, PLR0917  rows of several relations
    study: StudyView,
    shown: Sequence[Configuration],
    lost: Mapping[str, str],
    stats: Sequence[tuple[Configuration, Row]],
    runs: Sequence[Row],
    censored: Sequence[Row],
) -> Chart:
    rows = {member.configuration: place for place, member in enumerate(shown)}
    axis, height = _axis(study, stats), _height(len(shown))
    bar, dots = parts_of_row(height)
    printed = {member.configuration: _printed(row) for member, row in stats} | dict(lost)
    marks: list[Mark] = []
    for member, row in stats:
        marks += _mean(
            study, member, row, axis, (rows[member.configuration] + bar[0], rows[member.configuration] + bar[1])
        )
    places = dots_in_band([(row["configuration"], place_of(row)) for row in (*runs, *censored)], dots)
    look = Look(fill=INK, opacity=dot_opacity(max(row["runs"] for _, row in stats)))
    for row, place in zip(runs, places, strict=False):
        marks.append(Dot(row["elapsed_s"], rows[row["configuration"]] + place, _words_of_run(study, row), look))
    for row, place in zip(censored, places[len(runs) :], strict=True):
        marks.append(_censored(study, row, rows[row["configuration"]] + place))
    names = [member.label for member in shown]
    values = [printed[member.configuration] for member in shown]
    return Chart((Panel(axis, rows_of(names, values, height=height, bar=bar), marks),))


def _height(rows: int) -> int:
    """Of a row: tall ones part the dots of runs; many stand closer, so that the figure stays on the first page."""
    return TALL_ROW if rows <= FEW_ROWS else max(LEAST_ROW_HEIGHT, min(ROW_HEIGHT, ROOM // rows))


def _censored(study: StudyView, row: Row, y: float) -> Dot:
    """An open mark, so that nobody takes it for a recovery; what lies beyond the axis is at its end."""
    words = (
        f"{study.label(row['configuration'])}, {row['run']}: {OUTCOME_WORDS[row['outcome']]}, "
        f"seen until {numbers.fixed(row['censored_s'], 1)} s"
    )
    return Dot(row["censored_s"], y, words, Look(stroke=INK, width=0.9), radius=2.2)


def _is_logarithmic(stats: Sequence[tuple[Configuration, Row]]) -> bool:
    """Whether the times lie so far apart that the short ones could not be distinguished on an even axis."""
    shortest = min(row["min_s"] for _, row in stats)
    return bool(shortest > 0 and max(row["max_s"] for _, row in stats) / shortest > WIDE_RANGE)


def _axis(study: StudyView, stats: Sequence[tuple[Configuration, Row]]) -> Axis:
    """Seconds: even and from zero, or logarithmic between round values."""
    ends = [max(row["max_s"], row["ci95_high_s"] or 0) for _, row in stats]
    title = f"seconds after {zero_of(study, [each.configuration for each, _ in stats])}"
    if not _is_logarithmic(stats):
        return Axis(from_zero(ends), title)
    steps = [digit * 10.0**power for power in range(-3, 9) for digit in (1, 2, 5)]
    start = max(each for each in steps if each <= min(row["min_s"] for _, row in stats) or each == steps[0])
    return Axis(Scale(start, max(ends) * 1.1, is_log=True), f"{title}, logarithmic")


def _printed(row: Row) -> str:
    mean, low, high = row["mean_s"], row["ci95_low_s"], row["ci95_high_s"]
    return f"{numbers.fixed(mean, 1)} s" + ("" if low is None else f" ({numbers.interval(low, high, 1)})")


def _words_of_mean(study: StudyView, member: Configuration, row: Row) -> str:
    return f"{member.label}: mean {_printed(row)} over {runs_of(study, member.configuration, row['runs'])}"


def _mean(study: StudyView, member: Configuration, row: Row, axis: Axis, band: tuple[float, float]) -> Iterator[Mark]:
    """A bar up to the mean, which an axis without a zero shows as a thin one, and its interval."""
    middle, cap = sum(band) / 2, 0.25 * (band[1] - band[0])
    y = (middle - cap / 3, middle + cap / 3) if axis.scale.is_log else band
    yield Bar((axis.scale.low, row["mean_s"]), y, Look(fill=ACCENT), _words_of_mean(study, member, row))
    if row["ci95_low_s"] is not None:
        yield whisker(row["ci95_low_s"], row["ci95_high_s"], middle, cap, Look(stroke=INK, width=1.2))


def _words_of_run(study: StudyView, row: Row) -> str:
    return f"{study.label(row['configuration'])}, {row['run']}: {numbers.fixed(row['elapsed_s'], 1)} s{line_of(row)}"
