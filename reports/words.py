"""Sentences whose numbers come from views."""

from dataclasses import dataclass

from reports import numbers
from reports.metrics import MAIN_METRICS, UNITS_IN_NAMES, name_of
from reports.planning import headlines
from reports.store import Row
from reports.study_view import StudyView

MOST_HIGHLIGHTS = 8


@dataclass(frozen=True, slots=True)
class Highlight:
    """A sentence, and what it is about."""

    subject: str
    sentence: str


def highlights(study: StudyView) -> list[Highlight]:
    """What a reader in a hurry should know, one sentence each; nothing that the data does not show."""
    changes = _end_changes(study)
    measured = [*(Highlight(*each) for each in headlines(study)), *_measured(study)]
    if not changes and measured and not study.failover_runs:
        return measured
    if not changes:
        return [
            *measured,
            *_plain_times(study)[:MOST_HIGHLIGHTS],
            *_spread(study),
            *_failed_operations(study),
            *_resyncs(study),
        ]
    strongest = sorted(changes, key=lambda row: -abs(row["ratio"] - 1))[:MOST_HIGHLIGHTS]
    shown = [row for row in changes if row in strongest]
    is_uniform = len({(row["milestone"], row["runs"], row["reference_runs"]) for row in shown}) == 1
    found = [_change(study, row, is_full=place == 0 or not is_uniform) for place, row in enumerate(shown)]
    return [*found, *_spread(study), *measured]


def found_sentence(study: StudyView) -> str:
    """What was read: files, lines, runs."""
    totals = study.totals
    read = (
        f"{_count(totals['files'], 'file')} with {_count(totals['lines'], 'line')}, "
        f"of which {numbers.count(totals['rejected_lines'])} were rejected"
    )
    if not study.failover_runs and study.measurement_stats:
        runs = len({(row["configuration"], row["run"]) for row in study.measurement_runs})
        configurations = len({row["configuration"] for row in study.measurement_stats})
        return f"{read}; measurements of {_count(runs, 'run')} in {_count(configurations, 'configuration')}."
    if not study.failover_runs:
        return f"{read}; no failover was found in them."
    used = sum(bool(row["used"]) for row in study.failover_runs)
    configurations = len({row["configuration"] for row in study.failover_runs})
    failovers = _count(len(study.failover_runs), "failover")
    return f"{read}; {failovers} in {_count(configurations, 'configuration')}, {used} of them used."


def fault_sources(study: StudyView) -> list[tuple[str, str]]:
    """Sources of the fault time, each with how many runs rest on it and how wide its intervals are."""
    groups: dict[str, list[Row]] = {}
    for row in study.failover_runs:
        groups.setdefault(row["fault_source"] or "unknown", []).append(row)
    described = []
    for source, rows in sorted(groups.items(), key=lambda item: (-len(item[1]), item[0])):
        widths = sorted(row["fault_width_s"] for row in rows if row["fault_width_s"] is not None)
        wide = ""
        if widths and widths[-1] > 0:
            low, high = numbers.fixed(widths[0], 1), numbers.fixed(widths[-1], 1)
            wide = f", interval {low} s wide" if low == high else f", intervals {low} to {high} s wide"
        described.append((source, f"{_count(len(rows), 'run')}{wide}"))
    return described


def resolutions(study: StudyView) -> str:
    """Resolution of the stamps that milestones rest on."""
    found = sorted(
        {row["resolution_s"] for row in study.run_milestones if row["resolution_s"] is not None}, reverse=True
    )
    return " or ".join(map(numbers.resolution, found))


def reduction_interval(row: Row) -> str:
    """` (95 % CI 32 to 36 %)`, or nothing where the data gives no interval."""
    low, high = row["ratio_ci95_low"], row["ratio_ci95_high"]
    if low is None or high is None:
        return ""
    ends = sorted((abs(100 * (1 - low)), abs(100 * (1 - high))))
    if (1 - low) * (1 - high) < 0:  # the interval holds "no change"
        return f" (95 % CI {numbers.fixed(100 * (1 - high), 0)} to {numbers.fixed(100 * (1 - low), 0)} %)"
    return f" (95 % CI {numbers.fixed(ends[0], 0)} to {numbers.fixed(ends[1], 0)} %)"


def _end_changes(study: StudyView) -> list[Row]:
    return [row for row in study.changes if row["milestone"] == study.end_milestone(row["configuration"])]


def _change(study: StudyView, row: Row, *, is_full: bool) -> Highlight:
    """A comparison; a short one leaves out the milestone and the runs, which the sentence before it told."""
    subject = f"{study.label(row['configuration'])} against {study.label_inside(row['reference'])}"
    what = f"failover time ({study.milestone_phrase(row['milestone'])})" if is_full else "failover time"
    runs = _runs_each(row) if is_full else ""
    before, after = numbers.fixed(row["reference_mean_s"], 1), numbers.fixed(row["mean_s"], 1)
    low, high = row["ratio_ci95_low"], row["ratio_ci95_high"]
    if low is not None and low <= 1 <= high:
        return Highlight(
            subject,
            f"{what} is {after} s against {before} s; no difference is shown, and the ratio lies between "
            f"{numbers.ratio(low)} and {numbers.ratio(high)} (95 % CI){runs}.",
        )
    amount = numbers.fixed(abs(row["reduction_pct"]), 0)
    verb, word = ("fell", "less") if row["reduction_pct"] > 0 else ("rose", "more")
    return Highlight(
        subject, f"{what} {verb} from {before} s to {after} s, {amount} % {word}{reduction_interval(row)}{runs}."
    )


def _runs_each(row: Row) -> str:
    if row["runs"] == row["reference_runs"]:
        return f", over {_count(row['runs'], 'run')} each"
    return f", over {numbers.count(row['runs'])} and {numbers.count(row['reference_runs'])} runs"


def _plain_times(study: StudyView) -> list[Highlight]:
    sentences = []
    for configuration in study.configurations:
        end = study.end_milestone(configuration.configuration)
        row = study.milestone_stats.get((configuration.configuration, end)) if end else None
        if row is None or end is None:
            continue
        interval = ""
        if row["ci95_low_s"] is not None:
            interval = f" (95 % CI {numbers.interval(row['ci95_low_s'], row['ci95_high_s'], 1)} s)"
        sentence = (
            f"{study.milestone_phrase(end)} {numbers.fixed(row['mean_s'], 1)} s after the fault{interval}, "
            f"over {_count(row['runs'], 'run')}."
        )
        sentences.append(Highlight(configuration.label, sentence))
    return sentences


def _spread(study: StudyView) -> list[Highlight]:
    """The largest relative spread of a time to recovery."""
    ends = [
        row
        for configuration in study.configurations
        if (end := study.end_milestone(configuration.configuration)) is not None
        and (row := study.milestone_stats.get((configuration.configuration, end))) is not None
        and row["cv_pct"] is not None
    ]
    if not ends:
        return []
    widest = max(ends, key=lambda row: row["cv_pct"])
    where = f" ({study.label_inside(widest['configuration'])})" if len(ends) > 1 else ""
    sentence = f"the standard deviation is at most {numbers.fixed(widest['cv_pct'], 1)} % of the mean{where}."
    return [Highlight("Spread of the failover time", sentence)]


def _measured(study: StudyView) -> list[Highlight]:
    """The main measurement of each configuration, against its reference where it has one."""
    metrics = {row["metric"] for row in study.workload_stats if row["relative_ratio"] is not None}
    if not metrics:
        return _plainly_measured(study)
    metric = next((each for each in MAIN_METRICS if each in metrics), None)
    rows = [
        row
        for row in study.workload_stats
        if row["metric"] == metric and row["relative_ratio"] is not None and row["verdict"] != "reference"
    ]
    return [_measured_change(study, row) for row in rows[:MOST_HIGHLIGHTS]]


def _plainly_measured(study: StudyView) -> list[Highlight]:
    """The main measurement of each configuration by itself, with the interval of its mean."""
    metrics = {row["metric"] for row in study.workload_stats}
    metric = next((each for each in MAIN_METRICS if each in metrics), None)
    rows = [row for row in study.workload_stats if row["metric"] == metric]
    return [_plain_measurement(study, row) for row in rows[:MOST_HIGHLIGHTS]]


def _plain_measurement(study: StudyView, row: Row) -> Highlight:
    unit = "" if row["unit"] in UNITS_IN_NAMES else f" {row['unit']}"
    interval = ""
    if row["ci95_low"] is not None:
        interval = f" (95 % CI {numbers.compact(row['ci95_low'])} to {numbers.compact(row['ci95_high'])})"
    what = f"{numbers.compact(row['mean'])}{unit} {name_of(row['metric'])} on average{interval}"
    return Highlight(study.label(row["configuration"]), f"{what}, over {_count(row['runs'], 'run')}.")


def _measured_change(study: StudyView, row: Row) -> Highlight:
    """A measurement against its reference: how much more or less, with the interval of the ratio."""
    amount = 100 * (row["relative_ratio"] - 1)
    word = "more" if amount > 0 else "less"
    unit = "" if row["unit"] in UNITS_IN_NAMES else f" {row['unit']}"
    low, high = row["ratio_low"], row["ratio_high"]
    reference = next((e.reference for e in study.configurations if e.configuration == row["configuration"]), None)
    subject = f"{study.label(row['configuration'])} against {study.label_inside(reference)}"
    what = f"{numbers.compact(row['mean'])}{unit} {name_of(row['metric'])} on average"
    ratio = f"{numbers.ratio(row['relative_ratio'])} times the reference's"
    if low is None or high is None:
        return Highlight(subject, f"{what}, {ratio} (too few runs for an interval).")
    interval = f"95 % CI {numbers.ratio(low)} to {numbers.ratio(high)}"
    if str(row["verdict"]).startswith("no difference"):
        return Highlight(subject, f"{what}, {ratio} ({interval}): {row['verdict']}.")
    return Highlight(subject, f"{what}, {numbers.fixed(abs(amount), 0)} % {word}: {ratio} ({interval}).")


def _failed_operations(study: StudyView) -> list[Highlight]:
    """How many operations of the cluster manager failed, and the first of them."""
    failed = [row for row in study.operations if row["outcome"] == "failed"]
    if not failed:
        return []
    first = failed[0]
    when = numbers.moment(first["end_at"] or first["start_at"])
    code = "" if first["return_code"] is None else f" with return code {first['return_code']}"
    where = f" on {first['node']}" if first["node"] else ""
    sentence = f"{first['action']} of {first['object'] or first['agent']}{where} failed at {when}{code}"
    more = f"; {_count(len(failed) - 1, 'further operation')} failed" if len(failed) > 1 else ""
    return [Highlight("Failed operation" if len(failed) == 1 else "Failed operations", f"{sentence}{more}.")]


def _resyncs(study: StudyView) -> list[Highlight]:
    """The longest resynchronisation."""
    done = [row for row in study.resyncs if row["duration_s"] is not None]
    if not done:
        return []
    longest = max(done, key=lambda row: row["duration_s"])
    size = "" if longest["size_kib"] is None else f" for {numbers.fixed(longest['size_kib'], 0)} KiB"
    what = "the only one" if len(done) == 1 else f"the longest of {numbers.count(len(done))}"
    sentence = f"{what} took {numbers.compact(longest['duration_s'])} s{size} ({longest['device']})."
    return [Highlight("Resynchronisation", sentence)]


def _count(value: float, noun: str) -> str:
    return f"{numbers.count(value)} {noun}" + ("" if value == 1 else "s")
