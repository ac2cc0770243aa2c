"""Tables of runs of the HADR simulator: repeats, times to ship a flush, numbers far above the average."""

from reports import numbers
from reports.study.store import Row
from reports.study.view import StudyView
from reports.tables.catalogue import table
from reports.tables.fields import Field, code, compact, count, fixed, interval, printed, worded
from reports.tables.model import Table, text, words
from reports.tables.planning.plan import made, megabytes, milliseconds, planned, span

REPEAT_NOTE = (
    "Spread: sample standard deviation in percent of the mean. Interval: Student's, of the mean, from three runs on."
)
SHIPPING_NOTE = (
    "The simulator prints counts in ranges: half of the flushes took no longer than the first range, 99 of 100 no "
    "longer than the second. The true value lies within; nothing finer is known."
)
OUTLIER_NOTE = (
    "Distributions whose greatest number is more than eight times the average: what to look at when a link or a "
    "disk is suspect. Far: how many are so far above, between what the ranges allow. Times in ms, sizes in KiB."
)


@table(section="results", topic="planning", after="hadr-disks")
def hadr_repeats(study: StudyView) -> list[Table]:
    """Settings that were run more than once, with their spread."""
    columns = (
        made("Setting", "setting"),
        count("Runs", "runs"),
        printed(
            "Spread", ("cv_pct", "mean_mb_s", "stddev_mb_s"), lambda row: numbers.fixed(row["cv_pct"], 1), unit="%"
        ),
        interval(("ci95_low_mb_s", "ci95_high_mb_s"), 2, unit="MB/s"),
        printed("Range", ("min_mb_s", "max_mb_s", "median_mb_s"), _range, unit="MB/s"),
    )
    return planned(
        study, "hadr_repeats", "Repeats of a setting of the simulator: throughput", columns, note=REPEAT_NOTE
    )


@table(section="results", topic="planning", after="hadr-repeats")
def hadr_shipping(study: StudyView) -> list[Table]:
    """How long it took to ship a flush."""
    columns = (
        made("Setting", "setting"),
        code("Run", "run"),
        count("Flushes", "n"),
        compact("Least", "min", 1e-3, unit="ms"),
        compact("Mean", "mean", 1e-3, unit="ms"),
        _microseconds("50 %", "p50_low", "p50_high", spanner="No longer than"),
        _microseconds("99 %", "p99_low", "p99_high", spanner="No longer than"),
        compact("Greatest", "max", 1e-3, unit="ms"),
    )
    caption = "Time to ship a flush to the standby, run by run"
    return planned(study, "hadr_shipping", caption, columns, note=SHIPPING_NOTE, row_heads=3)


@table(section="results", topic="planning", after="hadr-shipping")
def hadr_outliers(study: StudyView) -> list[Table]:
    """Numbers far above the average of their distribution."""
    columns = (
        worded("What", "metric", _what),
        worded("Setting and run", ("setting", "run"), _setting_and_run),
        count("Numbers", "n"),
        printed("Average", "avg", lambda row: _in_its_unit(row["avg"], row["unit"])),
        printed("Greatest", "max", lambda row: _in_its_unit(row["max"], row["unit"])),
        fixed("Times", "max_over_avg", 0),
        printed("Far", ("far_low", "far_high"), _far),
        Field(words("Line", "path", is_code=True), lambda row: text(f"{row['path']}:{row['line_no']}")),
    )
    return planned(study, "hadr_outliers", "Numbers far above the average", columns, note=OUTLIER_NOTE, row_heads=3)


def _range(row: Row) -> str:
    return span(megabytes(row["min_mb_s"]), megabytes(row["max_mb_s"]))


def _microseconds(label: str, *names: str, spanner: str = "") -> Field:
    """A column of ranges of microseconds, in milliseconds."""

    def shown(row: Row) -> str:
        ends = [milliseconds(None if row[name] is None else row[name] / 1e6) for name in names]
        return span(ends[0], ends[-1])

    return printed(label, names, shown, unit="ms", spanner=spanner)


def _in_its_unit(value: float, unit: str) -> str:
    """A number in the unit of its distribution: times in ms, sizes in KiB."""
    return numbers.compact(value / 1000 if unit == "microsecond" else value / 1024 if unit == "byte" else value)


def _far(row: Row) -> str:
    return span(numbers.count(row["far_low"]), numbers.count(row["far_high"]))


def _setting_and_run(row: Row) -> str:
    return ", ".join(filter(None, (numbers.rewritten(row["setting"] or ""), _run(row))))


def _run(row: Row) -> str:
    return "" if row["run"] is None else str(row["run"]) if str(row["run"]).startswith("run") else f"run {row['run']}"


def _what(row: Row) -> str:
    unit = {"microsecond": "ms", "byte": "KiB"}.get(row["unit"], row["unit"])
    side = f", {row['role']}" if row["role"] in ("primary", "standby") else ""
    return f"{row['metric']}{side} ({unit})"
