"""Tables of a study against an earlier one: what changed in the results, and what else was different."""

from collections.abc import Callable, Sequence
from math import log

from pipeline.ask.compare.compare import Compared, Pair
from pipeline.ask.compare.runs import RunsToAdd
from pipeline.ask.compare.studies import EarlierStudy
from reports import numbers
from reports.client_view import OUTAGE
from reports.metrics import MAIN_METRICS, in_place_of, name_of
from reports.runs_to_add import needed_words
from reports.study.view import StudyView
from reports.tables.catalogue import table
from reports.tables.model import Cell, Column, Table, figures, rows_of, text

NAMES = frozenset({"earlier", "earlier-conditions", "earlier-all"})
"""Tables that need more than a store."""

MOST_CONDITIONS = 40
NOTE = (
    "Means over the runs of each study, number of runs in brackets; ratio of the means with its 95 % interval "
    "(log-delta, Welch). The verdict is adjusted after Holm over the comparisons of its kind in the configuration."
)


@table(section="results", topic="earlier", after=None)
def earlier(study: StudyView) -> list[Table]:
    """Time to recovery and measurements of each configuration against its partner in an earlier study."""
    if study.earlier is None:
        return []
    caption = f"Time to recovery and measurements against the earlier study {study.earlier.name}"
    notes = (
        *_other_names(study.earlier),
        *not_compared(study.earlier),
        *(_set_aside(each.b) for each in study.earlier.comparisons.values() if each.b.set_aside),
        _conditions_note(len(study.earlier.conditions)),
    )
    ends = {each.configuration: study.end_milestone(each.configuration) for each in study.configurations}
    return _pairs(
        study, caption, lambda name, pair: pair.subject == "measurement" or pair.item == ends.get(name), notes
    )


@table(section="runs", after="changes-all")
def earlier_all(study: StudyView) -> list[Table]:
    """Every milestone and disk of each configuration against its partner in an earlier study."""
    if study.earlier is None:
        return []
    caption = f"Every milestone and disk against the earlier study {study.earlier.name}"
    return _pairs(study, caption, lambda _name, pair: pair.subject in {"milestone", "disk"})


def _pairs(
    study: StudyView, caption: str, is_shown: Callable[[str, Pair], bool], notes: tuple[str, ...] = ()
) -> list[Table]:
    columns = (
        Column("Configuration", ("configuration",), is_number=False),
        Column("Milestone or measurement", ("item", "unit"), is_number=False),
        figures("This study", "mean", "runs"),
        figures("Earlier", "earlier_mean", "earlier_runs"),
        figures("Difference", "difference"),
        figures("Ratio", "ratio"),
        figures("95 % interval", "ratio_ci95_low", "ratio_ci95_high"),
        Column("Verdict", ("verdict",), is_number=False),
        Column("Runs to add", ("more_runs_to_show", "more_runs_to_equal"), is_number=False),
    )
    compared = study.earlier.comparisons if study.earlier else {}
    rows = [
        _row(study.label(name), name, pair, comparison.margin_pct)
        for name, comparison in compared.items()
        for pair in comparison.pairs
        if is_shown(name, pair)
    ]
    if not rows:
        return []
    source = "Source: the stores of both studies, compared as `haledger compare` does."
    return [Table("", caption, columns, rows_of(rows), (NOTE, *notes), source, row_heads=2, is_grouped=True)]


@table(section="results", topic="earlier", after="earlier")
def earlier_conditions(study: StudyView) -> list[Table]:
    """Parameters, machines and software that differ between the studies."""
    found = study.earlier
    if found is None or not found.conditions:
        return []
    columns = tuple(
        Column(label, (name,), is_number=False, is_code=name != "configuration")
        for label, name in (
            ("Configuration", "configuration"),
            ("Where", "scope"),
            ("What", "name"),
            ("Earlier", "earlier"),
            ("This study", "value"),
        )
    )
    rows = [
        (
            Cell(study.label(each.configuration), (each.configuration,)),
            *(text(value) for value in (each.kind, each.name, each.earlier, each.value)),
        )
        for each in found.conditions
    ]
    caption = f"What else differs from the earlier study {found.name}: parameters, machines, software"
    note = "A dash: that study's files do not state it. Any of these may be why results differ."
    source = "Source: relations parameter and environment of both stores."
    return [
        Table(
            "",
            caption,
            columns,
            rows_of(rows),
            (note,),
            source,
            row_heads=3,
            is_grouped=True,
            printed_rows=MOST_CONDITIONS,
        )
    ]


def earlier_highlights(study: StudyView) -> list[tuple[str, str, str]]:
    """Of each configuration what is compared, its means in both studies, and the verdict.

    Told are its time to recovery, and of the measurements that differ the main one, at the load where it differs most.
    """
    if study.earlier is None:
        return []
    found = []
    for configuration, comparison in study.earlier.comparisons.items():
        end = study.end_milestone(configuration)
        recovery = [each for each in comparison.pairs if each.subject == "milestone" and each.item == end]
        about = f"{study.label(configuration)} against {study.earlier.name}"
        for pair in (*recovery, *main_drift(comparison.pairs)):
            here, there = _means(pair)
            means = in_place_of(here, there, _measured(pair), pair.unit)
            if pair.subject == "milestone":
                means = f"{here} s instead of {there} s"
            found.append((about, means, pair.verdict))
    return found


def main_drift(pairs: Sequence[Pair]) -> list[Pair]:
    """Of the measurements that differ after correction the first of the main ones, else any, where it differs most."""
    drifts = [each for each in pairs if each.subject == "measurement" and each.is_drift and each.ratio]
    order = {item: place for place, item in enumerate(MAIN_METRICS)}
    return sorted(drifts, key=lambda each: (order.get(each.item, len(order)), -abs(log(each.ratio or 1.0))))[:1]


def _row(label: str, configuration: str, pair: Pair, margin_pct: float | None) -> tuple[Cell, ...]:
    unit = f" ({pair.unit})" if pair.unit else ""
    to_add = RunsToAdd(pair.more_runs_to_show, pair.more_runs_to_equal)
    row = {name: getattr(pair, name) for name in NEEDED}
    mean, reference_mean = _means(pair)
    difference = numbers.signed(pair.difference, 1) if _is_time(pair) else numbers.compact(pair.difference)
    return (
        Cell(label, (configuration,)),
        Cell(f"{_measured(pair)}{unit}", (pair.item, pair.unit)),
        Cell(f"{mean} ({pair.runs})", (pair.mean, pair.runs)),
        Cell(f"{reference_mean} ({pair.reference_runs})", (pair.reference_mean, pair.reference_runs)),
        Cell(difference, (pair.difference,)),
        Cell(numbers.ratio(pair.ratio), (pair.ratio,)),
        Cell(
            numbers.ratio_interval(pair.ratio, pair.ratio_ci95_low, pair.ratio_ci95_high),
            (pair.ratio_ci95_low, pair.ratio_ci95_high),
        ),
        Cell(numbers.bound(pair.verdict), (pair.verdict,)),
        Cell(needed_words(row, to_add, margin_pct), (to_add.to_show, to_add.to_equal)),
    )


def _measured(pair: Pair) -> str:
    """What was measured, with its label and load."""
    name = pair.title if pair.subject == "milestone" else name_of(pair.item)
    return ", ".join(filter(None, (name, pair.label, f"{pair.clients} clients" if pair.clients else "")))


NEEDED = ("is_decided", "ratio_ci95_low", "runs", "reference_runs", "stddev", "reference_stddev")


def _is_time(pair: Pair) -> bool:
    return pair.subject == "milestone" or pair.item == OUTAGE


def _means(pair: Pair) -> tuple[str, str]:
    """The means of both studies as they are printed together."""
    if _is_time(pair):
        return numbers.fixed(pair.mean, 1), numbers.fixed(pair.reference_mean, 1)
    return numbers.compact_pair(pair.mean, pair.reference_mean)


def not_compared(found: EarlierStudy) -> tuple[str, ...]:
    """Configurations without a partner, in sentences."""
    return (*_only(found.only_here, "only this study has"), *_only(found.only_earlier, "only the earlier one has"))


def _other_names(found: EarlierStudy) -> tuple[str, ...]:
    """What is compared with something of another name: each study has one configuration then."""
    named = [f"{here} with {there}" for here, there in found.partners.items() if here != there]
    return (f"Each study has one configuration; compared: {named[0]}.",) if named else ()


def _only(names: tuple[str, ...], what: str) -> tuple[str, ...]:
    return (f"Not compared, as {what} it: {', '.join(names)}.",) if names else ()


def _set_aside(side: Compared) -> str:
    return f"Set aside in the earlier study, {side.label}: {'; '.join(side.set_aside)}."


def _conditions_note(count: int) -> str:
    if count == 0:
        return "As far as the files of both state it, no parameter, machine or software differs."
    return f"{count} parameters or versions differ as well (next table): each may be why results differ."
