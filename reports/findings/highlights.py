"""The key highlights: what a reader in a hurry should know, each as an effect with its interval, none twice."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from reports import numbers, recoveries
from reports.client_view import OUTAGE
from reports.data_origin import mark_beside, marked_sentence
from reports.findings.planning import headlines
from reports.metrics import MAIN_METRICS, UNITS_IN_NAMES, name_of
from reports.study.store import Row
from reports.study.view import Configuration, StudyView, kind_phrase
from reports.tables import claims
from reports.tables.earlier import earlier_highlights
from reports.words import counted, quoted_label
from reports.zero import zero_of

MOST_HIGHLIGHTS: Final = 8
MOST_COMPARED: Final = 5
"""Comparisons that are listed; of more the largest change in either direction, the range and the count are named."""

WHOLE_PER_CENT: Final = 10.0
"""A spread from which on its decimals say nothing."""

ORDERED: Final = {"shutdown notice", "take-over command"}
"""Sources of a fault time that are no fault: somebody ordered the take-over."""


VAGUE: Final = 0.1  # of a time; what is known less well has its bound beside it, where no interval holds it
SPREAD: Final = "Spread of the failover time"
SEEN_ERROR_S: Final = 0.05  # less is none of the tenths that are printed
PRICE: Final = "but a slow node then counts as lost sooner"


@dataclass(frozen=True, slots=True)
class Highlight:
    """A sentence, what it is about, and the configurations whose numbers it shows."""

    subject: str
    sentence: str
    configurations: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Highlights:
    """The highlights, and what all of them rest on, in a sentence that is not repeated in each; it may be empty."""

    basis: str
    found: tuple[Highlight, ...]


def highlights(study: StudyView) -> Highlights:
    """What the data show, the study's comparisons first, how its claims fare last; nothing that they do not show."""
    found = _found(study)
    marked = (
        replace(each, sentence=marked_sentence(study, each.sentence, each.configurations)) for each in found.found
    )
    earlier = [Highlight(subject, f"{means}, {verdict}.") for subject, means, verdict in earlier_highlights(study)]
    divided = (*_kinds(study), *_modes(study))
    return Highlights(
        found.basis, (*_recoveries(study), *earlier, *marked, *divided, *governed(study), *_claims(study))
    )


def _recoveries(study: StudyView) -> list[Highlight]:
    """Of how many runs the service came back: without it a mean of the others says little."""
    text = recoveries.sentence(study)
    return [Highlight(recoveries.SUBJECT, text)] if text else []


def _kinds(study: StudyView) -> list[Highlight]:
    """The times of runs by kind of fault, where a configuration has several."""
    by_configuration: dict[str, list[str]] = {}
    for row in study.fault_kinds:
        if row["mean_s"] is not None:
            text = f"{kind_phrase(row['fault_kind'])} {numbers.fixed(row['mean_s'], 1)} s"
            by_configuration.setdefault(row["configuration"], []).append(
                f"{text} ({counted(row['timed_runs'], 'run')})"
            )
    if not by_configuration:
        return []
    text = "; ".join(f"{study.label_inside(name)}: {', '.join(each)}" for name, each in by_configuration.items())
    return [Highlight("By kind of fault", f"{text}.", tuple(by_configuration))]


def _modes(study: StudyView) -> list[Highlight]:
    """Times to recovery that divide into two modes: their mean would lie where no run does."""
    found = []
    for configuration, row in _ends(study, has_modes=True):
        split = study.split_times[configuration.configuration, row["milestone"]]
        sentence = (
            f"two modes: {counted(split['minority'], 'run')} {numbers.fixed(split['minority_mean'], 1)} s, "
            f"{numbers.count(split['runs'] - split['minority'])} {numbers.fixed(split['majority_mean'], 1)} s after "
            f"{starting_point(study, [configuration.configuration])}; they have no common mean."
        )
        found.append(Highlight(configuration.label, sentence, (configuration.configuration,)))
    return found


def _found(study: StudyView) -> Highlights:
    changes = _end_changes(study)
    planned = [Highlight(label, text, _labelled(study, label)) for label, text in headlines(study)]
    if changes:
        is_many = len(changes) > MOST_COMPARED
        least, most = (pick(changes, key=lambda row: row["ratio"]) for pick in (min, max))
        shown = [least, most] if is_many else changes
        compared, basis = _compared_times(study, shown)
        beside = [row for row in _measured_changes(study) if row["ratio_low"] is not None]
        runs = {each for row in shown for each in (row["runs"], row["reference_runs"])}
        has_runs = bool(runs ^ {row["runs"] for row in beside})
        measured = _compared_measurements(study, beside, has_runs=has_runs)
        joined, left = _joined(compared, measured)
        overall = [_overall(study, changes)] if is_many else []
        left = [_overall_measured(study, beside)] if left and len(beside) > MOST_COMPARED else left
        return Highlights(basis, (*joined, *overall, *_spread(study), *planned, *left))
    measured, basis = _measured(study)
    measured = [*planned, *measured]
    if measured and not study.failover_runs:
        return Highlights(basis if not planned else "", tuple(measured))
    rest = (*_plain_times(study)[:MOST_HIGHLIGHTS], *_spread(study), *_failed_operations(study), *_resyncs(study))
    return Highlights("", (*measured, *rest))


def governed(study: StudyView) -> list[Highlight]:
    """Which step takes most of the time to recovery, and which setting governs it; none where no such step does.

    Of several each begins with the configurations that it is about, and the first names the price.
    """
    alike: dict[tuple[str, str], list[Row]] = {}
    for row in study.derived("governed_steps", "main.governed_step"):
        alike.setdefault((row["step"], row["settings"]), []).append(row)
    found: list[Highlight] = []
    for (step, settings), rows in alike.items():
        parts = [f"{_known(row, 'mean_s', 'error_s')} of {_known(row, 'total_s', 'total_error_s')} s" for row in rows]
        about = tuple(row["configuration"] for row in rows)
        if len(alike) > 1:
            price = "at the same price" if found else PRICE
            sentence = (
                f"most of the time ({', '.join(parts)}) passes {step}; lower values of {settings} shorten it, {price}."
            )
            found.append(Highlight(", ".join(map(study.label, about)), sentence, about))
            continue
        of = [f" ({study.label_inside(each)})" if len(study.configurations) > 1 else "" for each in about]
        times = ", ".join(f"{part}{label}" for part, label in zip(parts, of, strict=True))
        sentence = f"{times} pass {step}; lower values of {settings} shorten it, {PRICE}."
        found.append(Highlight("Most of the time", sentence, about))
    return found


def _known(row: Row, value: str, error: str) -> str:
    """Seconds, and how far they may be off where one sees it."""
    error_s = "" if row[error] < SEEN_ERROR_S else f" {numbers.PLUS_MINUS} {numbers.fixed(row[error], 1)}"
    return f"{numbers.fixed(row[value], 1)}{error_s}"


# --- times to recovery -----------------------------------------------------------------------------------------------


def starting_point(study: StudyView, configurations: Iterable[str]) -> str:
    """From what the times of configurations are counted, as a sentence names it."""
    chosen = set(configurations)
    sources = {row["fault_source"] for row in study.failover_runs if row["used"] and row["configuration"] in chosen}
    if not sources & ORDERED:
        return zero_of(study, chosen)
    ordered = " or ".join(
        word
        for source, word in (("take-over command", "the take-over command"), ("shutdown notice", "the shutdown notice"))
        if source in sources
    )
    return ordered if sources <= ORDERED else f"{zero_of(study, chosen)} (in planned take-overs {ordered})"


def _end_changes(study: StudyView) -> list[Row]:
    """Comparisons of times to recovery; of a time with two modes there is none."""
    return [
        row
        for row in study.changes
        if study.ends_alike(row)
        and study.split_times.keys().isdisjoint(
            (row[side], row["milestone"]) for side in ("configuration", "reference")
        )
    ]


def _compared_times(study: StudyView, rows: Sequence[Row]) -> tuple[list[Highlight], str]:
    """Comparisons of times to recovery; what they have in common is in the basis, else with each of them."""
    milestones = {row["milestone"] for row in rows}
    runs = {each for row in rows for each in (row["runs"], row["reference_runs"])}
    configurations = [each for row in rows for each in (row["configuration"], row["reference"])]
    until = study.milestone_clause(milestones.pop()) if len(milestones) == 1 else ""
    basis = (
        f"Failover time: from {starting_point(study, configurations)} until "
        f"{until or 'the step that is named in brackets'}; {_means_of(runs)}{_of_kind(study, configurations)}"
        f"{', of the runs that came back' if recoveries.is_censored(study, configurations) else ''}.{_proposal(study)}"
    )
    found = []
    for row in rows:
        remarks = "" if until else f" ({study.milestone_phrase(row['milestone'])})"
        remarks += _runs_of(study, row) if len(runs) > 1 else ""
        before, after = (numbers.fixed(row[name], 1) for name in ("reference_mean_s", "mean_s"))
        effect = _effect(row["ratio"], row["ratio_ci95_low"], row["ratio_ci95_high"], row["verdict"])
        sentence = f"{after} s instead of {before} s, {effect}{remarks}."
        about = (row["configuration"], row["reference"])
        found.append(Highlight(_against(study, *about), sentence, about))
    return found, basis


def _of_kind(study: StudyView, configurations: Iterable[str]) -> str:
    """The kind of fault that means are of, where runs had several."""
    kinds = dict.fromkeys(filter(None, map(study.kind_of_fault, configurations)))
    return f" ({', '.join(kinds)})" if kinds else ""


def _overall(study: StudyView, rows: Sequence[Row]) -> Highlight:
    """The range of the mean times of all configurations, and how many of their comparisons go which way."""
    ends = sorted(_ends(study), key=lambda end: (end[1]["mean_s"], end[0].label))
    (fastest, low), (slowest, high) = ends[0], ends[-1]
    shorter = sum(row["ratio_ci95_high"] is not None and row["ratio_ci95_high"] < 1 for row in rows)
    longer = sum(row["ratio_ci95_low"] is not None and row["ratio_ci95_low"] > 1 for row in rows)
    sentence = (
        f"mean times from {numbers.fixed(low['mean_s'], 1)} s ({study.label_inside(fastest.configuration)}) to "
        f"{numbers.fixed(high['mean_s'], 1)} s ({study.label_inside(slowest.configuration)}); of "
        f"{counted(len(rows), 'comparison')}, {ways(shorter, longer, len(rows) - shorter - longer)}."
    )
    about = tuple(each.configuration for each, _ in ends)
    return Highlight(f"All {counted(len(ends), 'configuration')}", sentence, about)


def _overall_measured(study: StudyView, rows: Sequence[Row]) -> Highlight:
    """The same of a measurement: the range of its means, and how many comparisons go which way."""
    of_metric = [row for row in study.workload_stats if row["metric"] == rows[0]["metric"]]
    least, most = (pick(of_metric, key=lambda row: row["mean"]) for pick in (min, max))
    means = _pair(rows[0]["metric"], least["mean"], most["mean"])
    unit = "" if rows[0]["unit"] in UNITS_IN_NAMES else f" {rows[0]['unit']}"
    ends = (
        f"{mean}{unit} ({study.label_inside(row['configuration'])})"
        for mean, row in zip(means, (least, most), strict=True)
    )
    lower = sum(row["ratio_high"] < 1 for row in rows)
    higher = sum(row["ratio_low"] > 1 for row in rows)
    went = ways(lower, higher, len(rows) - lower - higher, ("lower", "higher"))
    what = name_of(rows[0]["metric"])
    about = tuple(dict.fromkeys(row["configuration"] for row in of_metric))
    sentence = f"means from {' to '.join(ends)}; of {counted(len(rows), 'comparison')}, {went}."
    return Highlight(f"{what[:1].upper()}{what[1:]}", sentence, about)


def _pair(metric: str, value: float, other: float) -> tuple[str, str]:
    """Two means of a metric that a sentence names, as tables and figures print them."""
    if metric == OUTAGE:
        return numbers.fixed(value, 1), numbers.fixed(other, 1)
    return numbers.compact_pair(value, other)


def ways(less: int, more: int, alike: int, words: tuple[str, str] = ("shorter", "longer")) -> str:
    """How many comparisons go which way; a way that none goes is left out."""
    found = [
        f"{count} {verb if count > 1 else verb_of_one} {way}"
        for count, verb, verb_of_one, way in (
            (less, "are", "is", words[0]),
            (more, "are", "is", words[1]),
            (alike, "show", "shows", "no difference"),
        )
        if count
    ]
    return " and ".join(", ".join(found).rsplit(", ", 1))


def _plain_times(study: StudyView) -> list[Highlight]:
    sentences = []
    for configuration, row in _ends(study):
        interval = ""
        if row["ci95_low_s"] is not None:
            interval = f" (95 % CI {numbers.interval(row['ci95_low_s'], row['ci95_high_s'], 1)} s)"
        elif (error := _fault_error(study, configuration.configuration)) > VAGUE * row["mean_s"]:
            interval = f" (the fault is known to {numbers.PLUS_MINUS} {numbers.fixed(error, 1)} s)"
        sentence = (
            f"{study.milestone_phrase(row['milestone'])} {numbers.fixed(row['mean_s'], 1)} s after "
            f"{starting_point(study, [configuration.configuration])}{interval}, over "
            f"{recoveries.runs_of(study, configuration.configuration, row['runs'])}."
        )
        sentences.append(Highlight(configuration.label, sentence, (configuration.configuration,)))
    return sentences


def _fault_error(study: StudyView, configuration: str) -> float:
    """Half the widest interval, in seconds, in which the fault of a run in use lies; 0 of a recorded one."""
    own = (row for row in study.failover_runs if row["used"] and row["configuration"] == configuration)
    return max((row["fault_width_s"] or 0.0 for row in own), default=0.0) / 2


def _spread(study: StudyView) -> list[Highlight]:
    """The largest relative spread of a time to recovery."""
    ends = [(configuration, row) for configuration, row in _ends(study) if row["cv_pct"] is not None]
    if not ends:
        return []
    configuration, widest = max(ends, key=lambda end: end[1]["cv_pct"])
    where = f", {quoted_label(study.label_inside(configuration.configuration))}" if len(ends) > 1 else ""
    if not widest["cv_pct"]:
        none = "none that the timestamps can show."
        return [Highlight(SPREAD, none, tuple(each.configuration for each, _ in ends))]
    share = numbers.fixed(widest["cv_pct"], 0 if widest["cv_pct"] >= WHOLE_PER_CENT else 1)
    sentence = (
        f"{'up to ' if len(ends) > 1 else ''}{share} % of the mean (standard deviation{where}, "
        f"{recoveries.runs_of(study, configuration.configuration, widest['runs'])})."
    )
    return [Highlight(SPREAD, sentence, tuple(each.configuration for each, _ in ends))]


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


def _measured(study: StudyView) -> tuple[list[Highlight], str]:
    """The main measurement of each configuration, against its reference where it has one."""
    changes = _measured_changes(study)
    if not changes:
        return [_plain_measurement(study, row) for row in _main_measurements(study)[:MOST_HIGHLIGHTS]], ""
    runs = {each for row in changes for each in (row["runs"], row["reference_runs"]) if each is not None}
    basis = _means_of(runs)
    found = _compared_measurements(study, changes[:MOST_HIGHLIGHTS], has_runs=len(runs) > 1)
    sentence = f"{basis[:1].upper()}{basis[1:]}.{_proposal(study)}"
    return [*found, *_most(study, changes), *_queries(study)], sentence


def _proposal(study: StudyView) -> str:
    """What is compared with, where nobody named it."""
    if study.proposed is None:
        return ""
    return f" Reference: {study.label_inside(study.proposed.configuration)}, proposed as {study.proposed.proposed_as}."


def _measured_changes(study: StudyView) -> list[Row]:
    """The main metric that is compared with a reference, where it is."""
    compared = [row for row in study.workload_stats if row["relative_ratio"] is not None]
    metrics = {row["metric"] for row in compared}
    metric = next((each for each in MAIN_METRICS if each in metrics), None)
    return [row for row in compared if row["metric"] == metric and row["verdict"] != "reference"]


def _main_measurements(study: StudyView) -> list[Row]:
    metrics = {row["metric"] for row in study.workload_stats}
    metric = next((each for each in MAIN_METRICS if each in metrics), None)
    return [row for row in study.workload_stats if row["metric"] == metric]


def _compared_measurements(study: StudyView, rows: Sequence[Row], *, has_runs: bool) -> list[Highlight]:
    """Comparisons of a measurement. `has_runs`: each shows over how many runs its mean is."""
    references = {each.configuration: each.reference for each in study.configurations}
    found = []
    for row in rows:
        after, before = numbers.compact(row["mean"]), numbers.DASH
        if row["relative_ratio"]:
            after, before = _pair(row["metric"], row["mean"], row["mean"] / row["relative_ratio"])
        effect = _effect(row["relative_ratio"], row["ratio_low"], row["ratio_high"], row["verdict"])
        runs = f" over {_sizes(row)}" if has_runs else ""
        what, unit = _what(study, row), row["unit"]
        means = (
            f"{after} instead of {before} {what}"
            if unit in UNITS_IN_NAMES
            else (f"{what} {after} instead of {before} {unit}")
        )
        sentence = f"{means}{runs}, {effect}."
        reference = references.get(row["configuration"])
        about = tuple(filter(None, (row["configuration"], reference)))
        found.append(Highlight(_against(study, row["configuration"], reference), sentence, about))
    return found


def _plain_measurement(study: StudyView, row: Row, remark: str = "") -> Highlight:
    interval = ""
    if row["ci95_low"] is not None:
        interval = f" (95 % CI {' to '.join(_pair(row['metric'], row['ci95_low'], row['ci95_high']))})"
    mean, what = _pair(row["metric"], row["mean"], row["mean"])[0], _what(study, row)
    of_what = f"{mean} {what}" if row["unit"] in UNITS_IN_NAMES else f"{what} {mean} {row['unit']}"
    average = " on average" if row["runs"] > 1 else ""
    sentence = f"{of_what}{average}{interval}{remark}, over {counted(row['runs'], 'run')}."
    return Highlight(study.label(row["configuration"]), sentence, (row["configuration"],))


def _most(study: StudyView, changes: Sequence[Row]) -> list[Highlight]:
    """The configuration with most of the main metric, where no comparison mentions it."""
    rows = [row for row in study.workload_stats if row["metric"] == changes[0]["metric"]]
    most = max(rows, key=lambda row: row["mean"])
    if most["relative_ratio"] is not None:
        return []
    configurations = len({row["configuration"] for row in rows})
    extreme = "longest" if most["metric"] == OUTAGE else "most"
    return [_plain_measurement(study, most, f", the {extreme} of {counted(configurations, 'configuration')}")]


def _queries(study: StudyView) -> list[Highlight]:
    """Times of queries against the reference's, as one number each."""
    found = []
    for row in study.derived("relative_query_times", "main.measurement_query_ratio"):
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


def _joined(text: Sequence[Highlight], others: Sequence[Highlight]) -> tuple[list[Highlight], list[Highlight]]:
    """Highlights that go on with what others say of the same subject, and those of the others that are left."""
    more = {each.subject: each.sentence for each in others}
    joined = [
        replace(each, sentence=f"{each.sentence.removesuffix('.')}; {more[each.subject]}")
        if each.subject in more
        else each
        for each in text
    ]
    subjects = {each.subject for each in text}
    return joined, [each for each in others if each.subject not in subjects]


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


def _means_of(runs: set[int]) -> str:
    """Of how many runs means were taken, and whether that allows intervals."""
    if len(runs) > 1:
        return "means over runs, with 95 % confidence intervals (CI)"
    count = next(iter(runs))
    intervals = ", with 95 % confidence intervals (CI)" if count > 2 else ""
    return f"means of {counted(count, 'run')} in each configuration{intervals}" if count > 1 else "one run each"


def _runs_of(study: StudyView, row: Row) -> str:
    sides = [(row["configuration"], row["runs"]), (row["reference"], row["reference_runs"])]
    if recoveries.is_censored(study, (name for name, _ in sides)):
        return f", over {' and '.join(recoveries.runs_of(study, *side) for side in sides)}"
    return f", over {_sizes(row)}{' each' if row['runs'] == row['reference_runs'] else ''}"


def _sizes(row: Row) -> str:
    """Over how many runs the means of a comparison are."""
    if row["reference_runs"] in (None, row["runs"]):
        return counted(row["runs"], "run")
    return f"{numbers.count(row['runs'])} and {counted(row['reference_runs'], 'run')}"


def _claims(study: StudyView) -> list[Highlight]:
    """How the claims fare; its sign is that of the claims of which data were made."""
    marks = {mark_beside(each.built_in) for each in study.claims} - {""}
    built_in = claims.built_in_count(study)
    after = f"{numbers.NO_BREAK_SPACE}{min(marks)}" if marks else ""
    return [Highlight("Claims", f"{claims.summary(table, built_in)}{after}") for table in claims.claims(study)]


# --- what happened besides -------------------------------------------------------------------------------------------


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
    more = f"; {counted(len(failed) - 1, 'further operation')} failed" if len(failed) > 1 else ""
    about = tuple(dict.fromkeys(row["configuration"] for row in failed))
    return [Highlight("Failed operation" if len(failed) == 1 else "Failed operations", f"{sentence}{more}.", about)]


def _resyncs(study: StudyView) -> list[Highlight]:
    """The longest resynchronisation."""
    done = [row for row in study.resyncs if row["duration_s"] is not None]
    if not done:
        return []
    longest = max(done, key=lambda row: row["duration_s"])
    size = "" if longest["size_kib"] is None else f" for {numbers.fixed(longest['size_kib'], 0)} KiB"
    what = "the only one" if len(done) == 1 else f"the longest of {numbers.count(len(done))}"
    sentence = f"{what} took {numbers.compact(longest['duration_s'])} s{size} ({longest['device']})."
    return [Highlight("Resynchronisation", sentence, (longest["configuration"],))]
