"""What is measured, in words: names of metrics as captions, axes and tables print them."""

from collections.abc import Iterable

MAIN_METRICS = (
    "client_outage_s",
    "tps",
    "nopm",
    "tpmC",
    "tpm",
    "events_per_hour",
    "qps",
    "iops",
    "MB/s",
    "elapsed_s",
    "latency_avg_ms",
)
"""What a study of performance is about: the first that it measures."""


def main_metric(measured: Iterable[str]) -> str | None:
    """The metric that a study which measures these is about; None where it is about none of them."""
    found = set(measured)
    return next((each for each in MAIN_METRICS if each in found), None)


NAMES = {
    "client_outage_s": "outage of the clients",
    "tps": "transactions per second",
    "tpm": "transactions per minute",
    "nopm": "new orders per minute",
    "tpmC": "new orders per minute (tpmC)",
    "tpmTOTAL": "transactions per minute (tpmTOTAL)",
    "qps": "queries per second",
    "iops": "disk operations per second",
    "events_per_hour": "events per hour",
    "elapsed_s": "elapsed time",
    "latency_avg_ms": "mean latency",
    "latency_stddev_ms": "standard deviation of the latency",
    "latency_p95_ms": "95th percentile of the latency",
    "initial_connection_ms": "time to connect",
    "failed": "failed transactions",
    "transactions": "transactions",
    "r_per_s": "reads per second",
    "w_per_s": "writes per second",
    "rkb_per_s": "KiB read per second",
    "wkb_per_s": "KiB written per second",
    "f_per_s": "flushes per second",
    "d_per_s": "discards per second",
    "rrqm_per_s": "reads merged per second",
    "wrqm_per_s": "writes merged per second",
    "tkb_per_s": "KiB transferred per second",
    "util_pct": "disk in use, %",
    "await_ms": "mean time of a request, ms",
    "r_await_ms": "mean time of a read, ms",
    "w_await_ms": "mean time of a write, ms",
    "f_await_ms": "mean time of a flush, ms",
    "areq_kb": "mean size of a request, KiB",
    "rareq_kb": "mean size of a read, KiB",
    "wareq_kb": "mean size of a write, KiB",
    "aqu_sz": "requests under way, mean",
    "busy_pct": "processors in use, %",
}
UNITS_IN_NAMES = ("1/s", "1/min", "1/h", "count", "", None)
"""Units that the name of a metric shows already."""


AROUND_THE_FAULT = {
    "_before_fault": "{} before the fault",
    "_standstill_s": "time without any work ({})",
    "_recovery_s": "time from the fault until back ({})",
}
"""What the pipeline derives from a rate around a fault, by the end of its name."""


def name_of(metric: str, unit: str | None = None) -> str:
    """The metric in words, in small letters; one that is not known keeps its name.

    `unit`: what is printed beside the name, which then does not end in it too.
    """
    for end, words in AROUND_THE_FAULT.items():
        if metric.endswith(end):
            return words.format(name_of(metric.removesuffix(end)))
    if metric in NAMES:
        return NAMES[metric]
    end = next((f"_{end}" for end, each in UNITS_OF_COLUMNS.items() if each == unit), "")
    return metric.removesuffix(end).replace("_", " ")


def title_of(metric: str, unit: str | None) -> str:
    """The metric in words with its unit, as an axis or a heading of a group is named."""
    name = name_of(metric, unit)
    return name if unit in UNITS_IN_NAMES or unit == metric else f"{name}, {unit}"


def in_place_of(after: str, before: str, what: str, unit: str | None) -> str:
    """Two values of one quantity in words: `12 instead of 9 transactions`, `mean latency 3 instead of 4 ms`."""
    if unit in UNITS_IN_NAMES:
        return f"{after} instead of {before} {what}"
    return f"{what} {after} instead of {before} {unit}"


UNITS_OF_COLUMNS = {
    "kib_per_s": "KiB/s",
    "mb_s": "MB/s",
    "bytes": "bytes",
    "kib": "KiB",
    "pct": "%",
    "ms": "ms",
    "s": "s",
}
"""Units by the ends of the names of columns, the longer first."""


def column_in_words(column: str) -> str:
    """A column of a relation in words, its unit apart; what ends in no unit of these keeps its words."""
    for end, unit in UNITS_OF_COLUMNS.items():
        if column == end:
            return unit
        if column.endswith(f"_{end}"):
            return f"{column.removesuffix(f'_{end}').replace('_', ' ')}, {unit}"
    return column.replace("_", " ")
