"""Sentences whose numbers come from views."""

from reports import numbers
from reports.store import Row
from reports.study_view import StudyView
from reports.tables.failover import run_range


def highlights(study: StudyView) -> list[str]:
    """What a reader in a hurry should know, one sentence each; nothing that the data does not show."""
    found = [_change(study, row) for row in _end_changes(study)]
    if not found:
        found = _plain_times(study)
    spread = _spread(study)
    return found + ([spread] if spread else [])


def found_sentence(study: StudyView) -> str:
    """What was read: files, lines, runs."""
    totals = study.totals
    parts = [
        f"{_count(totals['files'], 'file')} with {_count(totals['lines'], 'line')}, "
        f"of which {numbers.count(totals['rejected_lines'])} were rejected"
    ]
    if study.failover_runs:
        used = sum(bool(row["used"]) for row in study.failover_runs)
        parts.append(
            f"{_count(len(study.failover_runs), 'failover')} in "
            f"{_count(len({row['configuration'] for row in study.failover_runs}), 'configuration')}, {used} of them used"
        )
    else:
        parts.append("no failover was found in them")
    return "; ".join(parts) + "."


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
    return " and ".join(f"{value:g} s" for value in found)


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


def _change(study: StudyView, row: Row) -> str:
    subject = (
        f"{study.label(row['configuration'])} against {_lower_first(study.label(row['reference']))}: "
        f"failover time ({study.milestone_phrase(row['milestone'])})"
    )
    before, after = numbers.fixed(row["reference_mean_s"], 1), numbers.fixed(row["mean_s"], 1)
    runs = _runs_each(row)
    low, high = row["ratio_ci95_low"], row["ratio_ci95_high"]
    if low is not None and low <= 1 <= high:
        return (
            f"{subject} was {after} s after {before} s; no difference is shown, and the ratio lies between "
            f"{numbers.interval(low, high, 3).replace(' to ', ' and ')} (95 % CI){runs}."
        )
    amount = numbers.fixed(abs(row["reduction_pct"]), 0)
    verb, word = ("fell", "less") if row["reduction_pct"] > 0 else ("rose", "more")
    return f"{subject} {verb} from {before} s to {after} s, {amount} % {word}{reduction_interval(row)}{runs}."


def _runs_each(row: Row) -> str:
    if row["runs"] == row["reference_runs"]:
        return f", over {_count(row['runs'], 'run')} each"
    return f", over {numbers.count(row['runs'])} and {numbers.count(row['reference_runs'])} runs"


def _plain_times(study: StudyView) -> list[str]:
    sentences = []
    for configuration in study.configurations:
        end = study.end_milestone(configuration.configuration)
        row = study.milestone_stats.get((configuration.configuration, end)) if end else None
        if row is None or end is None:
            continue
        interval = ""
        if row["ci95_low_s"] is not None:
            interval = f" (95 % CI {numbers.interval(row['ci95_low_s'], row['ci95_high_s'], 1)} s)"
        sentences.append(
            f"{configuration.label}: {study.milestone_phrase(end)} {numbers.fixed(row['mean_s'], 1)} s after the fault"
            f"{interval}, over {_count(row['runs'], 'run')}."
        )
    return sentences


def _spread(study: StudyView) -> str | None:
    """The largest relative spread of a time to recovery."""
    ends = [
        row
        for configuration in study.configurations
        if (end := study.end_milestone(configuration.configuration)) is not None
        and (row := study.milestone_stats.get((configuration.configuration, end))) is not None
        and row["cv_pct"] is not None
    ]
    if not ends:
        return None
    widest = max(ends, key=lambda row: row["cv_pct"])
    return (
        f"The time to recovery spreads by at most {numbers.fixed(widest['cv_pct'], 1)} % of its mean (standard deviation; "
        f"{_lower_first(study.label(widest['configuration']))}), over {run_range(ends)} runs of each configuration."
    )


def _count(value: float, noun: str) -> str:
    return f"{numbers.count(value)} {noun}" + ("" if value == 1 else "s")


def _lower_first(label: str) -> str:
    return label[:1].lower() + label[1:] if label[1:2].islower() else label
