"""Tables of fault times that are known: how far the inferred ones lie from them."""

from reports import numbers
from reports.study.store import Row
from reports.study.view import StudyView
from reports.tables.catalogue import table
from reports.tables.fields import Field, configuration, count, fixed, from_rows, interval, moment, printed, word, worded
from reports.tables.model import Table

DECIMALS = 2  # fault times are inferred to a few hundredths at best
ERROR = "Inferred minus true"


@table(section="results", topic="truth", after="delayed-parameters")
def fault_time_accuracy(study: StudyView) -> list[Table]:
    """Inferred minus true, by configuration and over all."""
    found = study.rows("fault_time_accuracy")
    of_one = [row for row in found if row["configuration"] is not None]
    shown = found if len(of_one) > 1 else of_one
    columns = (
        worded("Configuration", "configuration", lambda row: _named(study, row["configuration"])),
        count("Runs", "runs"),
        count("Inside", "inside"),
        printed("Mean", ("mean_s", "stddev_s"), _mean, unit="s", spanner=ERROR),
        interval(("ci95_low_s", "ci95_high_s"), DECIMALS, unit="s", spanner=ERROR),
        _signed("Least", "min_s", spanner=ERROR),
        _signed("Median", "median_s", spanner=ERROR),
        _signed("Greatest", "max_s", spanner=ERROR),
        fixed("Interval width", "mean_width_s", DECIMALS, unit="s"),
    )
    return from_rows(
        shown,
        "Fault times inferred from the logs against the true ones",
        columns,
        note=(
            "Inferred: the middle of the interval that the logs leave, which is zero seconds in all other tables; the "
            "true time has no part in it. Negative: too early. Inside: runs whose interval holds the true time; width: "
            "mean of the intervals. Mean error ± sample standard deviation over the runs."
        ),
        source="Source: relation fault_time_accuracy.",
    )


@table(section="runs", after="runs")
def fault_time_errors(study: StudyView) -> list[Table]:
    """Inferred and true fault time of every run."""
    columns = (
        configuration(study),
        worded("Run", "run", lambda row: row["run"] + ("" if row["used"] else " (not used)"), is_code=True),
        moment("True", "true_fault_at", with_fraction=True),
        word("Inferred from", "source"),
        _signed("Error", "error_s"),
        printed("Interval", ("low_error_s", "high_error_s"), _span, unit="s"),
        worded("Inside", "is_inside", lambda row: {True: "yes", False: "no"}.get(row["is_inside"], numbers.DASH)),
    )
    return from_rows(
        study.rows("fault_time_errors"),
        "Inferred against true fault time of every run",
        columns,
        note="Error: inferred minus true. Interval: what the logs leave, minus the true time; it should hold zero.",
        source="Source: relation fault_time_error.",
        row_heads=2,
        is_grouped=True,
    )


def _named(study: StudyView, configuration: str | None) -> str:
    return "All" if configuration is None else study.label(configuration)


def _mean(row: Row) -> str:
    mean, stddev = numbers.signed(row["mean_s"], DECIMALS), numbers.fixed(row["stddev_s"], DECIMALS)
    return f"{mean} {numbers.PLUS_MINUS} {stddev}"


def _span(row: Row) -> str:
    return f"{numbers.signed(row['low_error_s'], DECIMALS)} to {numbers.signed(row['high_error_s'], DECIMALS)}"


def _signed(label: str, name: str, **heading: str) -> Field:
    return printed(label, name, lambda row: numbers.signed(row[name], DECIMALS), unit="s", **heading)
