"""Tables of runs of the HADR simulator: repeats, times to ship a flush, numbers far above the average."""

from reports import numbers
from reports.store import Row
from reports.study_view import StudyView
from reports.tables.model import Cell, Column, Table, figures, number, text, words
from reports.tables.planned import Plan, count, made, milliseconds, rate, span

REPEAT_NOTE = (
    "Throughput over runs; the spread is the sample standard deviation, also in percent of the mean; the interval "
    "is Student's, from three runs on."
)
SHIPPING_NOTE = (
    "The simulator prints counts in ranges: half of the flushes took no longer than the first range, 99 of 100 no "
    "longer than the second. The true value lies within; nothing finer is known."
)
OUTLIER_NOTE = (
    "Distributions whose greatest number is more than eight times the average: what to look at when a link or a "
    "disk is suspect. Far: how many are so far above, between what the ranges allow. Times in ms, sizes in KiB."
)


def repeats(study: StudyView) -> list[Table]:
    """Settings that were run more than once, with their spread."""
    columns = (
        words("Configuration", "configuration"),
        words("Setting", "setting"),
        figures("Runs", "runs"),
        figures("Mean", "mean_mb_s", "stddev_mb_s", unit="MB/s"),
        figures("Spread", "cv_pct", unit="%"),
        figures("95 % interval", "ci95_low_mb_s", "ci95_high_mb_s", unit="MB/s"),
        figures("Least", "min_mb_s", unit="MB/s"),
        figures("Median", "median_mb_s", unit="MB/s"),
        figures("Greatest", "max_mb_s", unit="MB/s"),
    )
    plan = Plan("hadr_repeats", "Repeats of a setting of the simulator: throughput", columns, REPEAT_NOTE)
    return plan.tables(
        study,
        lambda row: (
            made(row["setting"]),
            count(row, "runs"),
            Cell(_fine(row), (row["mean_mb_s"], row["stddev_mb_s"])),
            number(row["cv_pct"], 1),
            Cell(
                numbers.interval(row["ci95_low_mb_s"], row["ci95_high_mb_s"], 2),
                (row["ci95_low_mb_s"], row["ci95_high_mb_s"]),
            ),
            *(rate(row, name) for name in ("min_mb_s", "median_mb_s", "max_mb_s")),
        ),
    )


def shipping(study: StudyView) -> list[Table]:
    """How long it took to ship a flush."""
    columns = (
        words("Configuration", "configuration"),
        words("Setting", "setting"),
        words("Run", "run", is_code=True),
        figures("Flushes", "n"),
        figures("Least", "min", unit="ms"),
        figures("Mean", "mean", unit="ms"),
        figures("50 %", "p50_low", "p50_high", unit="ms", spanner="No longer than"),
        figures("99 %", "p99_low", "p99_high", unit="ms", spanner="No longer than"),
        figures("Greatest", "max", unit="ms"),
    )
    plan = Plan("hadr_shipping", "Time to ship a flush to the standby, run by run", columns, SHIPPING_NOTE, row_heads=3)
    return plan.tables(
        study,
        lambda row: (
            made(row["setting"]),
            text(row["run"]),
            count(row, "n"),
            _microseconds(row, "min"),
            _microseconds(row, "mean"),
            _microseconds(row, "p50_low", "p50_high"),
            _microseconds(row, "p99_low", "p99_high"),
            _microseconds(row, "max"),
        ),
    )


def outliers(study: StudyView) -> list[Table]:
    """Numbers far above the average of their distribution."""
    columns = (
        words("Configuration", "configuration"),
        words("What", "metric"),
        Column("Setting and run", ("setting", "run"), is_number=False),
        figures("Numbers", "n"),
        figures("Average", "avg"),
        figures("Greatest", "max"),
        figures("Times", "max_over_avg"),
        figures("Far", "far_low", "far_high"),
        words("Line", "path", is_code=True),
    )
    plan = Plan("hadr_outliers", "Numbers far above the average", columns, OUTLIER_NOTE, row_heads=3)
    return plan.tables(
        study,
        lambda row: (
            Cell(_what(row), (row["metric"],)),
            Cell(
                ", ".join(filter(None, (numbers.rewritten(row["setting"] or ""), _run(row)))),
                (row["setting"], row["run"]),
            ),
            count(row, "n"),
            _measure(row, "avg"),
            _measure(row, "max"),
            number(row["max_over_avg"], 0),
            Cell(
                span(numbers.count(row["far_low"]), numbers.count(row["far_high"])), (row["far_low"], row["far_high"])
            ),
            Cell(f"{row['path']}:{row['line_no']}", (f"{row['path']}:{row['line_no']}",)),
        ),
    )


def _fine(row: Row) -> str:
    """Mean and deviation with the decimals that the deviation can carry, as repeats are about it."""
    return f"{numbers.fixed(row['mean_mb_s'], 3)} {numbers.PLUS_MINUS} {numbers.fixed(row['stddev_mb_s'], 3)}"


def _microseconds(row: Row, *names: str) -> Cell:
    ends = tuple(row[name] for name in names)
    printed = [milliseconds(None if end is None else end / 1e6) for end in ends]
    return Cell(span(printed[0], printed[-1]), ends)


def _measure(row: Row, name: str) -> Cell:
    """A number in the unit of its distribution: times in ms, sizes in KiB."""
    value = row[name]
    scaled = value / 1000 if row["unit"] == "microsecond" else value / 1024 if row["unit"] == "byte" else value
    return Cell(numbers.compact(scaled), (value,))


def _run(row: Row) -> str:
    return "" if row["run"] is None else str(row["run"]) if str(row["run"]).startswith("run") else f"run {row['run']}"


def _what(row: Row) -> str:
    unit = {"microsecond": "ms", "byte": "KiB"}.get(row["unit"], row["unit"])
    side = f", {row['role']}" if row["role"] in ("primary", "standby") else ""
    return f"{row['metric']}{side} ({unit})"
