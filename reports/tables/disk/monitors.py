"""Tables of what disks and processors did."""

from collections import Counter
from collections.abc import Sequence

from reports import numbers
from reports.metrics import name_of
from reports.study.store import Row
from reports.study.view import StudyView
from reports.tables.catalogue import table
from reports.tables.comparing import proposal
from reports.tables.fields import (
    Field,
    code,
    configuration,
    count,
    fixed,
    from_rows,
    printed,
    ratio,
    ratio_interval,
    verdict,
    worded,
)
from reports.tables.model import Table

REQUESTS, DATA, WAIT = "Requests, 1/s", "Data, KiB/s", "Wait, ms"
DISK_COLUMNS = (  # its values, heading, unit, heading above, decimals
    (("r_per_s",), "Reads", "", REQUESTS, 1),
    (("w_per_s",), "Writes", "", REQUESTS, 1),
    (("f_per_s",), "Flushes", "", REQUESTS, 1),
    (("tps",), "All", "", REQUESTS, 1),
    (("rkb_per_s",), "Read", "", DATA, 0),
    (("wkb_per_s", "wkb_stddev"), "Written", "", DATA, 0),
    (("await_ms",), "All", "", WAIT, 2),
    (("w_await_ms",), "Writes", "", WAIT, 2),
    (("aqu_sz",), "Queue", "", "", 2),
    (("util_pct",), "Busy", "%", "", 1),
)
SPREAD_NOTE = "Written: ± sample standard deviation."
REPLICATED_NOTE = "A replicated device and its disk carry the same requests and are not to be added up."
MOST_PRINTED_CHANGES = 20
PROCESSORS = "How busy the processors were in each configuration"
AMONG_RESULTS = 3  # hosts of a configuration; of more, their processors are summarised and looked up one by one


@table(section="results", topic="disk", after="hadr-outliers")
def iostat_disks(study: StudyView) -> list[Table]:
    """What every disk did in each configuration."""
    found = study.rows("iostat_disks")
    shown = [each for each in DISK_COLUMNS if any(_has_values(row, each[0][0]) for row in found)]
    columns = (
        code("Device", "device"),
        configuration(study),
        code("Host", "node"),
        count("Runs", "runs"),
        *(
            _spread(label, names, decimals, unit=unit, spanner=spanner)
            for names, label, unit, spanner, decimals in shown
        ),
    )
    return from_rows(
        found,
        "What the disks did in each configuration",
        columns,
        note=(
            "Means over runs of the mean of each run, without the report since boot.",
            *([SPREAD_NOTE] if any(row["wkb_stddev"] is not None for row in found) else []),
            *([REPLICATED_NOTE] if len({row["device"] for row in found}) > 1 else []),
        ),
        source="Source: relation iostat_summary.",
        row_heads=3,
        is_grouped=True,
    )


@table(section="results", topic="disk", after="iostat-disks")
def disk_changes(study: StudyView) -> list[Table]:
    """What the disks of each configuration did, against its reference."""
    columns = (
        code("Device", "label"),
        worded("Measured", "metric", lambda row: name_of(row["metric"])),
        configuration(study),
        printed("Mean", ("mean", "stddev"), lambda row: numbers.compact_and_spread(row["mean"], row["stddev"])),
        printed(
            "Reference",
            ("reference_mean", "reference_stddev"),
            lambda row: numbers.compact_and_spread(row["reference_mean"], row["reference_stddev"]),
        ),
        ratio("Ratio", "ratio"),
        ratio_interval(("ratio_ci95_low", "ratio_ci95_high"), "ratio"),
        verdict(),
    )
    return from_rows(
        study.rows("disk_changes"),
        "Disks of each configuration against the reference",
        columns,
        note=(
            (
                "Mean ± sample standard deviation over the means of the runs; ratio with its 95 % interval (log-delta, "
                "Welch). The verdict is adjusted after Holm over all rows."
            ),
            *proposal(study),
        ),
        source="Source: relations disk_load and comparison.",
        row_heads=3,
        is_grouped=True,
        printed_rows=MOST_PRINTED_CHANGES,
    )


def _has_values(row: Row, name: str) -> bool:
    """Whether a row has a value that no other of its columns implies: transfers are reads and writes together."""
    return row[name] is not None and not (name == "tps" and row["r_per_s"] is not None and row["w_per_s"] is not None)


@table(section="results", topic="disk", after="disk-changes")
def processors(study: StudyView) -> list[Table]:
    """How busy the processors were in each configuration."""
    found = _processors(study)
    has_many_hosts = _has_many_hosts(found)
    columns = (
        configuration(study),
        code("Host", "node"),
        code("Tool", "source"),
        count("Runs", "runs"),
        fixed("User", "user_pct", 1, unit="%"),
        fixed("System", "system_pct", 1, unit="%"),
        fixed("Waiting for disks", "iowait_pct", 1, unit="%"),
        fixed("Idle", "idle_pct", 1, unit="%"),
        _spread("Busy", ("busy_pct", "busy_stddev"), 1, unit="%"),
    )
    return from_rows(
        found,
        "How busy the processors were on each host" if has_many_hosts else PROCESSORS,
        columns,
        note=(
            "Shares of the time of all processors: means over runs of the mean of each run, without the report since "
            "boot. Busy: neither idle nor waiting for disks, ± sample standard deviation."
        ),
        source="Source: relation processor_share.",
        row_heads=3,
        section="machines" if has_many_hosts else "",
    )


@table(section="results", topic="disk", after="processors")
def processors_by_configuration(study: StudyView) -> list[Table]:
    """How busy the processors of many hosts were together."""
    columns = (
        configuration(study),
        count("Hosts", "hosts"),
        count("Runs", "runs"),
        _spread("All hosts", ("busy_pct", "busy_stddev"), 1, unit="%", spanner="Busy"),
        _host("Idlest host", "idlest"),
        _host("Busiest host", "busiest"),
    )
    return from_rows(
        study.rows("processors_by_configuration") if _has_many_hosts(_processors(study)) else [],
        PROCESSORS,
        columns,
        note=(
            "Busy: neither idle nor waiting for disks. All hosts: their mean in each run, mean over the runs ± sample "
            "standard deviation. Idlest and busiest: by the mean of a host over the runs. Table “How busy the "
            "processors were on each host” has each."
        ),
        source="Source: relation processor_share.",
    )


def _processors(study: StudyView) -> Sequence[Row]:
    """A row for each configuration and host; none without runs or processors."""
    return study.rows("processors") if study.rows("runs") else []


def _has_many_hosts(found: Sequence[Row]) -> bool:
    hosts = Counter(each for each, _ in {(row["configuration"], row["node"]) for row in found})  # of several sources
    return max(hosts.values(), default=0) > AMONG_RESULTS


def _host(label: str, name: str) -> Field:
    """A column of how busy a host was, and which it was."""

    def shown(row: Row) -> str:
        return f"{numbers.fixed(row[f'{name}_pct'], 1)} ({row[name]})"

    return printed(label, (f"{name}_pct", name), shown, unit="%", spanner="Busy")


def _spread(label: str, names: tuple[str, ...], decimals: int, **heading: str) -> Field:
    """A column of means, with their deviation where there is one."""

    def shown(row: Row) -> str:
        mean, *deviations = (row[name] for name in names)
        spreads = (f" {numbers.PLUS_MINUS} {numbers.fixed(each, decimals)}" for each in deviations if each is not None)
        return numbers.fixed(mean, decimals) + "".join(spreads)

    return printed(label, names, shown, **heading)
