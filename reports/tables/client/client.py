"""Tables of the clients' view: their outage beside the recovery of the database, what it consists of, what failed."""

from reports import numbers
from reports.client_view import Effect, comparisons, effects, factor_names, outages
from reports.study.result_rows import origins_of
from reports.study.store import Row
from reports.study.view import StudyView, statement
from reports.tables.catalogue import table
from reports.tables.fields import (
    Field,
    configuration,
    count,
    fixed,
    from_rows,
    interval,
    ratio,
    ratio_interval,
    verdict,
    word,
)
from reports.tables.model import Cell, Column, Table, figures, rows_of, text, words
from reports.zero import zero_of

OUTAGE = "Client outage"
OUTAGE_NOTE = (
    "Outage: from the last question that was answered to the first answer after it, the middle of its bounds; mean "
    "over the runs ± sample standard deviation, with its 95 % interval. Recovery: time from the fault until the "
    "database had recovered, as its log says. Ratio of the outage to the reference's with its 95 % interval "
    "(log-delta, Welch)."
)


@table(section="results", topic="client", after="milestones")
def client_outage(study: StudyView) -> list[Table]:
    """How long clients went without the service, beside the time that the database took."""
    found = outages(study)
    if not found:
        return []
    has_targets = any(row["target"] for row in found)
    ends = {study.end_milestone(row["configuration"]) for row in found}
    recovered = next(iter(ends)) if len(ends) == 1 else "time_to_recovery"
    columns = (
        configuration(study),
        *([word("Asked", "target")] if has_targets else []),
        count("Runs", "runs"),
        Field(
            figures("Recovery", f"{recovered}_mean_s", f"{recovered}_stddev_s", unit="s"),
            lambda row: _recovery(study, row["configuration"]),
        ),
        Field(
            figures("Mean", "client_outage_s_mean_s", "client_outage_s_stddev_s", unit="s", spanner=OUTAGE),
            lambda row: _spread(row, "mean", "stddev"),
        ),
        interval(("ci95_low", "ci95_high"), 1, unit="s", spanner=OUTAGE),
        ratio("Ratio", "relative_ratio", spanner=OUTAGE),
        ratio_interval(("ratio_low", "ratio_high"), "relative_ratio", spanner=OUTAGE),
        verdict(),
    )
    every = max(row["interval_s"] or 0 for row in found)
    return from_rows(
        found,
        "How long clients went without the service, beside the time until the database had recovered",
        columns,
        note=f"{OUTAGE_NOTE} A question was asked every {numbers.resolution(round(every, 2))}."
        if every
        else OUTAGE_NOTE,
        source="Source: relations client_outage, measurement_stats and mean_comparison.",
    )


@table(section="results", topic="client", after="client-outage")
def client_effects(study: StudyView) -> list[Table]:
    """What each factor's setting led to: detection, recovery and outage; empty where nothing was set otherwise."""
    factors = factor_names(study)
    compared = comparisons(study)
    found = {(subject, item) for _, subject, item in compared}
    shown = [each for each in effects(study) if (each.subject, each.item) in found]
    keys = {configuration for configuration, _, item in compared if item in {each.item for each in shown}}
    members = [each for each in study.configurations if each.configuration in keys]
    if not factors or not shown or len(members) < 2:
        return []
    columns = (
        words("Configuration", "configuration"),
        *(words(name.replace("_", " "), name) for name in factors),
        *(column for each in shown for column in _effect_columns(each)),
    )
    rows = [
        (
            Cell(member.label, (member.configuration,)),
            *(_factor(study, member.configuration, name) for name in factors),
            *(
                cell
                for each in shown
                for cell in _effect_cells(compared.get((member.configuration, each.subject, each.item)))
            ),
        )
        for member in members
    ]
    note = (
        "Mean of the duration over the runs ± sample standard deviation, and its ratio to the reference's with the "
        "95 % interval (log-delta, Welch)."
    )
    caption = "What was set, and what was measured with it: " + ", ".join(each.label.lower() for each in shown)
    source = "Source: relations phase_stats, measurement_stats and mean_comparison."
    return [Table("client-effects", caption, columns, rows_of(rows), (note,), source, statement("client_effects"))]


@table(section="results", topic="client", after="client-effects")
def client_errors(study: StudyView) -> list[Table]:
    """Why questions of clients failed, and when."""
    rows = study.rows("client_errors")
    are_whole = all(float(row["failed_per_run"]).is_integer() for row in rows)
    columns = (
        configuration(study),
        word("Reason", "reason"),
        count("Runs", "runs"),
        fixed("Failed in a run", "failed_per_run", 0 if are_whole else 1),
        fixed("First", "mean_first_s", 1, unit="s", spanner=f"After {zero_of(study)}"),
        fixed("Last", "mean_last_s", 1, unit="s", spanner=f"After {zero_of(study)}"),
    )
    return from_rows(
        rows,
        "Why questions of the clients failed, in the order of time",
        columns,
        note=(
            "Runs: those with this reason. Failed in a run: questions, mean over all used runs of the configuration. "
            "First and last: when they were asked, mean over the runs with this reason."
        ),
        source="Source: relation client_error.",
        row_heads=2,
        is_grouped=True,
    )


def _recovery(study: StudyView, configuration: str) -> Cell:
    end = study.end_milestone(configuration)
    row = study.milestone_stats.get((configuration, end)) if end else None
    return _spread(row, "mean_s", "stddev_s")


def _effect_columns(effect: Effect) -> tuple[Column, Column]:
    item = effect.item.removesuffix("_s")
    return (
        Column("Mean", (f"{effect.item}_mean_s", f"{effect.item}_stddev_s"), "s", effect.label),
        Column("Ratio", (f"{item}_ratio", f"{item}_ratio_ci95_low", f"{item}_ratio_ci95_high"), spanner=effect.label),
    )


def _effect_cells(row: Row | None) -> tuple[Cell, Cell]:
    if row is None:
        return _spread(None), Cell(numbers.DASH, (None, None, None))
    names = ("ratio", "ratio_ci95_low", "ratio_ci95_high")
    ratio, low, high = (row[name] for name in names)
    # broken before the bracket, if anywhere
    interval = (
        "" if low is None else f" ({numbers.ratio_interval(ratio, low, high).replace(' ', numbers.NO_BREAK_SPACE)})"
    )
    printed = f"{numbers.ratio(ratio)}{interval}"
    return _spread(row, "mean", "stddev"), Cell(printed, (ratio, low, high), origins_of(row, *names))


def _factor(study: StudyView, configuration: str, name: str) -> Cell:
    row = study.factors.get(configuration, {}).get(name)
    return text(None if row is None else row["value"])


def _spread(row: Row | None, *names: str) -> Cell:
    mean, stddev = (row[name] for name in names) if row else (None, None)
    return Cell(numbers.mean_and_spread(mean, stddev), (mean, stddev), origins_of(row, *names))
