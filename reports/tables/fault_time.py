"""Tables of fault times that are known: how far the inferred ones lie from them."""

from reports import numbers
from reports.store import Row
from reports.study_view import StudyView, statement
from reports.tables.model import Cell, Table, figures, rows_of, text, words

DECIMALS = 2  # fault times are inferred to a few hundredths at best
ALL = "All"


def fault_time_accuracy(study: StudyView) -> list[Table]:
    """Inferred minus true, by configuration and over all."""
    found = study.derived("fault_time_accuracy", "main.fault_time_accuracy")
    of_one = [row for row in found if row["configuration"] is not None]
    shown = found if len(of_one) > 1 else of_one
    if not shown:
        return []
    columns = (
        words("Configuration", "configuration"),
        figures("Runs", "runs"),
        figures("Inside", "inside"),
        figures("Mean", "mean_s", "stddev_s", unit="s", spanner="Inferred minus true"),
        figures("95 % interval", "ci95_low_s", "ci95_high_s", unit="s", spanner="Inferred minus true"),
        figures("Least", "min_s", unit="s", spanner="Inferred minus true"),
        figures("Median", "median_s", unit="s", spanner="Inferred minus true"),
        figures("Greatest", "max_s", unit="s", spanner="Inferred minus true"),
        figures("Interval width", "mean_width_s", unit="s"),
    )
    rows = [
        (
            Cell(ALL if row["configuration"] is None else study.label(row["configuration"]), (row["configuration"],)),
            Cell(numbers.count(row["runs"]), (row["runs"],)),
            Cell(numbers.count(row["inside"]), (row["inside"],)),
            Cell(
                f"{numbers.signed(row['mean_s'], DECIMALS)} {numbers.PLUS_MINUS} "
                f"{numbers.fixed(row['stddev_s'], DECIMALS)}",
                (row["mean_s"], row["stddev_s"]),
            ),
            Cell(
                numbers.interval(row["ci95_low_s"], row["ci95_high_s"], DECIMALS),
                (row["ci95_low_s"], row["ci95_high_s"]),
            ),
            *(_signed(row, name) for name in ("min_s", "median_s", "max_s")),
            Cell(numbers.fixed(row["mean_width_s"], DECIMALS), (row["mean_width_s"],)),
        )
        for row in shown
    ]
    note = (
        "Inferred: the middle of the interval that the logs leave, which is zero seconds in all other tables; the true "
        "time has no part in it. Negative: too early. Inside: runs whose interval holds the true time; width: mean of "
        "the intervals. Mean error ± sample standard deviation over the runs."
    )
    caption = "Fault times inferred from the logs against the true ones"
    source = "Source: relation fault_time_accuracy."
    sql = statement("fault_time_accuracy")
    return [Table("fault-time-accuracy", caption, columns, rows_of(rows), (note,), source, sql)]


def fault_time_errors(study: StudyView) -> list[Table]:
    """Inferred and true fault time of every run."""
    found = study.derived("fault_time_errors", "main.fault_time_error")
    if not found:
        return []
    columns = (
        words("Configuration", "configuration"),
        words("Run", "run", is_code=True),
        figures("True", "true_fault_at", unit="UTC"),
        words("Inferred from", "source"),
        figures("Error", "error_s", unit="s"),
        figures("Interval", "low_error_s", "high_error_s", unit="s"),
        words("Inside", "is_inside"),
    )
    rows = [
        (
            Cell(study.label(row["configuration"]), (row["configuration"],)),
            Cell(row["run"] + ("" if row["used"] else " (not used)"), (row["run"],)),
            Cell(numbers.moment(row["true_fault_at"], with_fraction=True), (row["true_fault_at"],)),
            text(row["source"]),
            _signed(row, "error_s"),
            Cell(
                f"{numbers.signed(row['low_error_s'], DECIMALS)} to {numbers.signed(row['high_error_s'], DECIMALS)}",
                (row["low_error_s"], row["high_error_s"]),
            ),
            Cell({True: "yes", False: "no"}.get(row["is_inside"], numbers.DASH), (row["is_inside"],)),
        )
        for row in found
    ]
    note = "Error: inferred minus true. Interval: what the logs leave, minus the true time; it should hold zero."
    caption = "Inferred against true fault time of every run"
    source = "Source: relation fault_time_error."
    sql = statement("fault_time_errors")
    return [Table("fault-time-errors", caption, columns, rows_of(rows), (note,), source, sql, "", 2, is_grouped=True)]


def _signed(row: Row, name: str) -> Cell:
    return Cell(numbers.signed(row[name], DECIMALS), (row[name],))
