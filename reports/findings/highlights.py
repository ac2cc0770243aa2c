"""What came out: the sentence that page 1 leads with, and what neither that nor the ladder of recovery says."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from reports import numbers, recoveries
from reports.client_view import OUTAGE
from reports.data_origin import marked_sentence
from reports.findings.planning import headlines
from reports.metrics import UNITS_IN_NAMES, in_place_of, main_metric, name_of
from reports.study.store import Row
from reports.study.view import Configuration, StudyView, kind_phrase
from reports.tables.earlier import earlier_highlights
from reports.typeset.text import enumerated
from reports.words import counted, others
from reports.zero import starting_point

MOST_HIGHLIGHTS: Final = 8
MOST_NAMED: Final = 3
"""So many comparisons of a measurement with different references get a sentence each."""

PRICE: Final = "but a slow node then counts as lost sooner"
EQUAL: Final = "equal within the margin"
UNDECIDED: Final = "undecided"
SAME_TIME: Final = 0.05  # of a time to recovery; an outage that differs by less is no result of its own


@dataclass(frozen=True, slots=True)
class Highlight:
    """A sentence, what it is about, and the configurations whose numbers it shows."""

    subject: str
    sentence: str
    configurations: tuple[str, ...] = ()


def lead(study: StudyView) -> list[Highlight]:
    """The result in a sentence, after one on the runs that did not come back; empty without any result."""
    return [*_failed(study), *_marked(study, _results(study)[: _leading(study)])]


def further(study: StudyView) -> list[Highlight]:
    """What the data show besides, against an earlier study first."""
    earlier = [Highlight(subject, f"{means}, {verdict}.") for subject, means, verdict in earlier_highlights(study)]
    beside = (*_results(study)[_leading(study) :], *_failed_operations(study), *_resyncs(study))
    return [*earlier, *_marked(study, beside)]


def _leading(study: StudyView) -> int:
    """How many results lead: the first, and with a time to recovery those that have no common mean."""
    return max(1, len(_times(study)))


def _marked(study: StudyView, found: Iterable[Highlight]) -> list[Highlight]:
    return [replace(each, sentence=marked_sentence(study, each.sentence, each.configurations)) for each in found]


def _failed(study: StudyView) -> list[Highlight]:
    """What became of the failovers that did not recover: a mean of the others says little without it."""
    rest = others(study)
    if not rest:
        return []
    runs = sum(row["runs"] for row in study.rows("recovery"))
    return [Highlight("Not recovered", f"{rest}, of {counted(runs, 'failover')}.")]


def _results(study: StudyView) -> list[Highlight]:
    """Results, the one that the study is about first: times to recovery, plans for HADR, measurements."""
    planned = [Highlight(label, text, _labelled(study, label)) for label, text in headlines(study)]
    times = _times(study)
    return [*times, *planned, *_measured(study, is_beside=bool(times)), *_dips(study, is_beside=bool(times))]


def governing_settings(study: StudyView) -> list[Highlight]:
    """Which step takes most of the time to recovery, and which setting governs it; none where no such step does.

    Of several each begins with the configurations that it is about, and the first names the price.
    """
    alike: dict[tuple[str, str], list[Row]] = {}
    for row in study.rows("governed_steps"):
        alike.setdefault((row["step"], row["settings"]), []).append(row)
    found: list[Highlight] = []
    for (step, settings), rows in alike.items():
        parts = [f"{numbers.fixed(100 * row['mean_s'] / row['total_s'], 0)} %" for row in rows]
        about = tuple(row["configuration"] for row in rows)
        if len(alike) > 1:
            price = "at the same price" if found else PRICE
            sentence = (
                f"most of the time ({enumerated(parts)}) passes {step}; lower values of {settings} shorten it, {price}."
            )
            found.append(Highlight(", ".join(map(study.label, about)), sentence, about))
            continue
        of = [f" ({study.label_inside(each)})" if len(study.configurations) > 1 else "" for each in about]
        shares = enumerated([f"{part}{label}" for part, label in zip(parts, of, strict=True)])
        verb = "passes" if len(parts) == 1 else "pass"
        sentence = f"{shares} {verb} {step}; lower values of {settings} shorten it, {PRICE}."
        found.append(Highlight("Most of the time to recovery", sentence, about))
    return found


# --- times to recovery -----------------------------------------------------------------------------------------------


def _times(study: StudyView) -> list[Highlight]:
    """The time to recovery: against the reference, of all configurations, or of the only one."""
    changes, ends = study.end_changes, _ends(study)
    if len(changes) == 1:
        found = [_compared_time(study, changes[0])]
    elif len(ends) > 1:
        found = [_overall(study, ends, changes)]
    else:
        found = [_plain_time(study, *end) for end in ends]
    return [*found, *_modes(study)]


def _compared_time(study: StudyView, row: Row) -> Highlight:
    """One configuration against its reference."""
    about = (row["configuration"], row["reference"])
    before, after = (numbers.seconds_and_hours(row[name]) for name in ("reference_mean_s", "mean_s"))
    effect = _effect(row["ratio"], row["ratio_ci95_low"], row["ratio_ci95_high"], row["verdict"])
    sentence = (
        f"{study.milestone_clause(row['milestone'])} {after} after {starting_point(study, about)}"
        f"{_of_kind(study, about)} instead of {before}, {effect}{_runs_of(study, row)}.{_proposal(study)}"
    )
    return Highlight(_against(study, *about), sentence, about)


def _modes(study: StudyView) -> list[Highlight]:
    """Times to recovery that divide into two modes: their mean would lie where no run does."""
    found = []
    for configuration, row in _ends(study, has_modes=True):
        split = study.split_times[configuration.configuration, row["milestone"]]
        sentence = (
            f"two modes: {counted(split['minority'], 'run')} at {numbers.seconds_and_hours(split['minority_mean'])}, "
            f"{numbers.count(split['runs'] - split['minority'])} at "
            f"{numbers.seconds_and_hours(split['majority_mean'])} after "
            f"{starting_point(study, [configuration.configuration])}; they have no common mean."
        )
        found.append(Highlight(configuration.label, sentence, (configuration.configuration,)))
    return found


def _of_kind(study: StudyView, configurations: Iterable[str]) -> str:
    """The kind of fault that means are of, where runs had several."""
    kinds = dict.fromkeys(filter(None, map(study.kind_of_fault, configurations)))
    return f" ({', '.join(kinds)})" if kinds else ""


def _overall(study: StudyView, ends: Sequence[tuple[Configuration, Row]], rows: Sequence[Row]) -> Highlight:
    """The range of the mean times of all configurations, and how many of their comparisons go which way."""
    ordered = sorted(ends, key=lambda end: (end[1]["mean_s"], end[0].label))
    shown = [
        f"{numbers.seconds_and_hours(row['mean_s'])} ({study.label_inside(each.configuration)})"
        for each, row in (ordered[0], ordered[-1])
    ]
    about = tuple(each.configuration for each, _ in ends)
    milestones = {row["milestone"] for _, row in ends}
    until = study.milestone_clause(milestones.pop()) if len(milestones) == 1 else "the service is back"
    went = compared(rows, _reference(study, rows))
    censored = ", of the runs that came back" if recoveries.is_censored(study, about) else ""
    sentence = (
        f"means from {' to '.join(shown)}, from {starting_point(study, about)}"
        f"{_of_kind(study, about)} until {until}{censored}{went}.{_proposal(study)}"
    )
    return Highlight("Time to recovery", sentence, about)


def _overall_measured(study: StudyView, means: Sequence[Row], rows: Sequence[Row]) -> Highlight:
    """The same of a measurement: the range of its means, and how many comparisons go which way."""
    metric, unit = means[0]["metric"], means[0]["unit"]
    ends = [pick(means, key=lambda row: row["mean"]) for pick in (min, max)]
    printed = _pair(metric, *(row["mean"] for row in ends))
    suffix = "" if unit in UNITS_IN_NAMES else f" {unit}"
    shown = (f"{mean}{suffix} ({_where(study, row, means)})" for mean, row in zip(printed, ends, strict=True))
    went = compared(rows, _reference(study, rows), ("lower", "higher"))
    what = name_of(metric)
    about = tuple(dict.fromkeys(row["configuration"] for row in means))
    return Highlight(f"{what[:1].upper()}{what[1:]}", f"means from {' to '.join(shown)}{went}.", about)


def _where(study: StudyView, row: Row, beside: Sequence[Row]) -> str:
    """The configuration of a mean, and the load and thing where these differ."""
    parts = [study.label_inside(row["configuration"])]
    if len({each["label"] for each in beside}) > 1 and row["label"]:
        parts.append(row["label"])
    if len({each.get("clients") for each in beside}) > 1 and row.get("clients") is not None:
        parts.append(counted(row["clients"], "client"))
    return ", ".join(parts)


def _pair(metric: str, value: float, other: float) -> tuple[str, str]:
    """Two means of a metric that a sentence names, as tables and figures print them."""
    if metric == OUTAGE:
        return numbers.fixed(value, 1), numbers.fixed(other, 1)
    return numbers.compact_pair(value, other)


def compared(rows: Sequence[Row], reference: str, words: tuple[str, str] = ("shorter", "longer")) -> str:
    """The clause on how many comparisons go which way, as their verdicts say; empty without any.

    `reference`: what all are compared with, if it is one.
    """
    counts = Counter(_way(row, words) for row in rows)
    total = counts.total()
    if not total:
        return ""
    if list(counts) == [UNDECIDED]:
        found = "no difference is shown"
    elif len(counts) == 1:
        found = f"{'both' if total == 2 else f'all {total}'} are {next(iter(counts))}"
    else:
        ways = [way for way in (*words, EQUAL, UNDECIDED) if counts[way]]
        found = enumerated([f"{counts[way]} {'are' if counts[way] > 1 else 'is'} {way}" for way in ways])
    return f"; compared with {reference or 'their references'}, {found}"


def _reference(study: StudyView, rows: Sequence[Row]) -> str:
    """What all of some comparisons are made with; empty where it is not one."""
    of = {each.configuration: each.reference for each in study.configurations}
    found = {of[row["configuration"]] for row in rows}
    return study.label_inside(found.pop()) if len(found) == 1 else ""


def _way(row: Row, words: tuple[str, str]) -> str:
    """Which way a comparison goes."""
    if row["is_different"]:
        return words[row["ratio" if "ratio" in row else "relative_ratio"] > 1]
    return EQUAL if row["is_decided"] else UNDECIDED


def _plain_time(study: StudyView, configuration: Configuration, row: Row) -> Highlight:
    interval = ""
    if row["ci95_low_s"] is not None:
        interval = f" (95 % CI {numbers.interval(row['ci95_low_s'], row['ci95_high_s'], 1)} s)"
    beside = "".join(
        f"; {kind_phrase(each['fault_kind'])}: {numbers.fixed(each['mean_s'], 1)} s"
        for each in study.rows("fault_kinds")
        if each["configuration"] == configuration.configuration
        and not each["is_counted"]
        and each["mean_s"] is not None
    )
    sentence = (
        f"{study.milestone_clause(row['milestone'])} {numbers.seconds_and_hours(row['mean_s'])} after "
        f"{starting_point(study, [configuration.configuration])}{interval}, "
        f"{recoveries.mean_of(study, configuration.configuration, row['runs'])}{beside}."
    )
    return Highlight(configuration.label, sentence, (configuration.configuration,))


def _ends(study: StudyView, *, has_modes: bool = False) -> list[tuple[Configuration, Row]]:
    """Of each configuration the statistics of the milestone at which the service is back, with or without two modes."""
    return [
        (configuration, row)
        for configuration in study.configurations
        if (end := study.end_milestone(configuration.configuration)) is not None
        and (row := study.milestone_stats.get((configuration.configuration, end))) is not None
        and ((configuration.configuration, end) in study.split_times) == has_modes
    ]


# --- measurements ----------------------------------------------------------------------------------------------------


def _measured(study: StudyView, *, is_beside: bool) -> list[Highlight]:
    """The main measurement of each configuration, against its reference where it has one.

    `is_beside`: times to recovery are the result, beside which only what is compared counts.
    """
    changes = measured_changes(study)
    if is_beside:
        changes = [row for row in changes if row["ratio_low"] is not None]
        changes = [] if all(_is_time_to_recovery(study, row) for row in changes) else changes
    if not changes:
        rows = [] if is_beside else _main_measurements(study)
        means = [_plain_measurement(study, row) for row in rows]
        return means if len(means) < 2 else [_overall_measured(study, rows, [])]
    if len(changes) > MOST_NAMED or (len(changes) > 1 and _reference(study, changes)):
        found = [_overall_measured(study, _main_measurements(study), changes)]
    else:
        found = _compared_measurements(study, changes)
    if is_beside:
        return found
    found[0] = replace(found[0], sentence=f"{found[0].sentence}{_proposal(study)}")
    return [*found, *_queries(study)]


def _is_time_to_recovery(study: StudyView, row: Row) -> bool:
    """Whether an outage of clients is the time to recovery over again, on both sides of a comparison."""
    references = {each.configuration: each.reference for each in study.configurations}
    sides = (
        (row["configuration"], row["mean"]),
        (references[row["configuration"]], row["mean"] / row["relative_ratio"]),
    )
    ends = {member.configuration: end["mean_s"] for member, end in _ends(study)}
    return row["metric"] == OUTAGE and all(
        name in ends and abs(mean - ends[name]) <= SAME_TIME * ends[name] for name, mean in sides
    )


def _proposal(study: StudyView) -> str:
    """What is compared with, where nobody named it."""
    if study.proposed is None:
        return ""
    label = study.label_inside(study.proposed.configuration)
    return f" Nobody named a reference; {label} is taken, {study.proposed.proposed_as}."


def measured_changes(study: StudyView) -> list[Row]:
    """The main metric that is compared with a reference, where it is."""
    compared = [row for row in study.workload_stats if row["relative_ratio"] is not None]
    return [row for row in _main_and_calm(study, compared) if row["verdict"] != "reference"]


def _main_measurements(study: StudyView) -> list[Row]:
    """Means of the main metric: that of the comparisons, where there are any."""
    changes = measured_changes(study)
    stats = study.workload_stats
    return _main_and_calm(study, [row for row in stats if not changes or row["metric"] == changes[0]["metric"]])


def _main_and_calm(study: StudyView, stats: Iterable[Row]) -> list[Row]:
    """Of measurements the main metric, but for rates in which an event left a dip: their mean hides it."""
    rows = list(stats)
    metric = main_metric(row["metric"] for row in rows)
    dips = {(row["configuration"], row["metric"]) for row in _dip_rows(study)}
    return [row for row in rows if row["metric"] == metric and (row["configuration"], row["metric"]) not in dips]


def _dip_rows(study: StudyView) -> list[Row]:
    """Dips after events in the main rate; without an event where nothing was done: in part it falls at a checkpoint."""
    found = [
        row
        for row in study.rows("throughput_dips")
        if row["dip_runs"] and (row["event"] != "series" or row["longest_outage_s"])
    ]
    metrics: dict[str, set[str]] = {}
    for row in found:
        metrics.setdefault(row["configuration"], set()).add(row["metric"])
    return [row for row in found if row["metric"] == (main_metric(metrics[row["configuration"]]) or row["metric"])]


def _dips(study: StudyView, *, is_beside: bool) -> list[Highlight]:
    """How deep each event cut into a rate, and for how long; those of faults go without saying beside times."""
    found = []
    for row in _dip_rows(study):
        if is_beside and row["event"] == "fault":
            continue
        none = f", none for up to {numbers.fixed(row['longest_outage_s'], 0)} s" if row["longest_outage_s"] else ""
        after = (
            f", back at 90 % after {numbers.fixed(row['recovered_s'], 1)} s{_on_average(row['dip_runs'])}"
            if row["recovered_s"] is not None
            else ", and not back at 90 %"
        )
        event = "without a known event" if row["event"] == "series" else f"after {row['text']}"
        runs = counted(row["dip_runs"], "run")
        of_runs = runs if row["dip_runs"] == row["runs"] else f"{row['dip_runs']} of {counted(row['runs'], 'run')}"
        sentence = (
            f"{name_of(row['metric'])} fell by {numbers.fixed(row['depth_pct'], 0)} % {event}{none}"
            f"{after}, over {of_runs}."
        )
        found.append(Highlight(study.label(row["configuration"]), sentence, (row["configuration"],)))
    return found[:MOST_HIGHLIGHTS]


def _compared_measurements(study: StudyView, rows: Sequence[Row]) -> list[Highlight]:
    """Comparisons of a measurement."""
    references = {each.configuration: each.reference for each in study.configurations}
    found = []
    for row in rows:
        after, before = numbers.compact(row["mean"]), numbers.DASH
        if row["relative_ratio"]:
            after, before = _pair(row["metric"], row["mean"], row["mean"] / row["relative_ratio"])
        effect = _effect(row["relative_ratio"], row["ratio_low"], row["ratio_high"], row["verdict"])
        means = in_place_of(after, before, _what(study, row), row["unit"])
        reference = references.get(row["configuration"])
        about = tuple(filter(None, (row["configuration"], reference)))
        sentence = f"{means}, {effect}, over {_sizes(row)}."
        found.append(Highlight(_against(study, row["configuration"], reference), sentence, about))
    return found


def _on_average(runs: int) -> str:
    return " on average" if runs > 1 else ""


def _plain_measurement(study: StudyView, row: Row) -> Highlight:
    interval = ""
    if row["ci95_low"] is not None:
        interval = f" (95 % CI {' to '.join(_pair(row['metric'], row['ci95_low'], row['ci95_high']))})"
    mean, what = _pair(row["metric"], row["mean"], row["mean"])[0], _what(study, row)
    of_what = f"{mean} {what}" if row["unit"] in UNITS_IN_NAMES else f"{what} {mean} {row['unit']}"
    sentence = f"{of_what}{_on_average(row['runs'])}{interval}, over {counted(row['runs'], 'run')}."
    return Highlight(study.label(row["configuration"]), sentence, (row["configuration"],))


def _queries(study: StudyView) -> list[Highlight]:
    """Times of queries against the reference's, as one number each."""
    found = []
    for row in study.rows("relative_query_times"):
        span = f"{numbers.ratio(row['least_ratio'])} to {numbers.ratio(row['greatest_ratio'])}"
        sentence = (
            f"{counted(row['queries'], 'query', 'queries')} {'takes' if row['queries'] == 1 else 'take'} "
            f"{numbers.ratio(row['geometric_mean_ratio'])} of the reference's time (geometric mean); "
            f"single ones {span}."
        )
        about = (row["configuration"], row["reference"])
        found.append(Highlight(_against(study, *about), sentence, about))
    return found[:MOST_HIGHLIGHTS]


def _what(study: StudyView, row: Row) -> str:
    """What a number is: its metric, of what it was taken, and under which load where there were several."""
    label = f" of {row['label']}" if row["label"] else ""
    about = ("configuration", "metric", "label")
    loads = {each.get("clients") for each in study.workload_stats if all(each[name] == row[name] for name in about)}
    load = f" under {counted(row['clients'], 'client')}" if len(loads) > 1 and row.get("clients") is not None else ""
    return f"{name_of(row['metric'])}{label}{load}"


# --- what both kinds share -------------------------------------------------------------------------------------------


def _labelled(study: StudyView, label: str) -> tuple[str, ...]:
    return tuple(each.configuration for each in study.configurations if each.label == label)


def _against(study: StudyView, configuration: str, reference: str | None) -> str:
    return f"{study.label(configuration)} against {study.label_inside(reference)}"


def _effect(ratio: float, low: float | None, high: float | None, verdict: str) -> str:
    """The verdict, which gives the size of an effect; where none is shown, after the ratio with its interval."""
    if low is None or high is None or not (low <= 1 <= high) or low == high:
        return verdict
    interval = numbers.ratio_interval(ratio, low, high)
    return f"a ratio of {numbers.ratio(ratio)} (95 % CI {interval}): {verdict}"


def _runs_of(study: StudyView, row: Row) -> str:
    sides = [(row["configuration"], row["runs"]), (row["reference"], row["reference_runs"])]
    if recoveries.is_censored(study, (name for name, _ in sides)):
        return f", over {' and '.join(recoveries.runs_of(study, *side) for side in sides)}"
    is_one_each = row["runs"] == row["reference_runs"]
    return f"; means of {_sizes(row)}{' each' if is_one_each and row['runs'] > 1 else ''}"


def _sizes(row: Row) -> str:
    """Over how many runs the means of a comparison are."""
    if row["reference_runs"] in (None, row["runs"]):
        return counted(row["runs"], "run")
    return f"{numbers.count(row['runs'])} and {counted(row['reference_runs'], 'run')}"


# --- what happened besides -------------------------------------------------------------------------------------------


def _failed_operations(study: StudyView) -> list[Highlight]:
    """How many operations of the cluster manager failed, and the first of them."""
    failed = [row for row in study.rows("operations") if row["outcome"] == "failed"]
    if not failed:
        return []
    first = failed[0]
    when = numbers.moment(first["end_at"] or first["start_at"])
    code = "" if first["return_code"] is None else f" with return code {first['return_code']}"
    where = f" on {first['node']}" if first["node"] else ""
    sentence = f"{first['action']} of {first['object'] or first['agent']}{where} failed at {when}{code}"
    more = f"; {counted(len(failed) - 1, 'further operation')} failed" if len(failed) > 1 else ""
    about = tuple(dict.fromkeys(row["configuration"] for row in failed))
    return [Highlight("Failed operation" if len(failed) == 1 else "Failed operations", f"{sentence}{more}.", about)]


def _resyncs(study: StudyView) -> list[Highlight]:
    """The longest resynchronisation."""
    done = [row for row in study.rows("resynchronisations") if row["duration_s"] is not None]
    if not done:
        return []
    longest = max(done, key=lambda row: row["duration_s"])
    size = "" if longest["size_kib"] is None else f" for {numbers.fixed(longest['size_kib'], 0)} KiB"
    what = "the only one" if len(done) == 1 else f"the longest of {numbers.count(len(done))}"
    sentence = f"{what} took {numbers.compact(longest['duration_s'])} s{size} ({longest['device']})."
    return [Highlight("Resynchronisation", sentence, (longest["configuration"],))]
