"""Tables for who plans HADR: sync modes compared, disks, TCP windows, what bounds a run, what a change would bring."""

from collections.abc import Callable
from dataclasses import dataclass

from reports import numbers
from reports.store import Row
from reports.study_view import StudyView, statement
from reports.tables.model import Cell, Column, Table, figures, number, rows_of, text, words

NO_TEXT = numbers.DASH
PRINTED_ROWS = 80
MODE_NOTE = (
    "Mean ± sample standard deviation over runs, MB of 10⁶ bytes; congested: share of the run in which "
    "sending had to wait. Of the free mode: throughput over that of ASYNC (else SUPERASYNC) with the same "
    "flush size, disks and buffers."
)
BOUND_NOTE = (
    "The reason is that of the first run. Doubts: loopback (both ends on one host: no network was measured), "
    "short (below 10 s), throttled, aborted and the like; such runs plan nothing."
)
DISK_NOTE = (
    "A call takes the overhead plus its bytes over the rate. Fit: least squares over sizes; simple: the "
    "smallest size gives the overhead, the largest the rate."
)
WINDOW_NOTE = (
    "Window: the smaller of the buffers asked for; a dash: tuned by the system. Given: Linux grants twice "
    "what is asked for, to count its own overhead."
)
MODEL_NOTE = (
    "SYNC: write, send, the standby's write, round trip; NEARSYNC: the longer of write and send, with round "
    "trip; ASYNC and SUPERASYNC: the longer of write and send. A dash: the round trip is not known."
)


@dataclass(frozen=True, slots=True)
class _Plan:
    """A table from the report's statement of its name, grouped by configuration."""

    name: str
    caption: str
    columns: tuple[Column, ...]
    note: str

    def tables(self, study: StudyView, cells: Callable[[Row], tuple[Cell, ...]]) -> list[Table]:
        """The table, or none without rows; `cells` gives those after the configuration."""
        found = study.planning(self.name)
        if not found:
            return []
        rows = [(Cell(study.label(row["configuration"]), (row["configuration"],)), *cells(row)) for row in found]
        return [
            Table(
                name=self.name.replace("_", "-"),
                caption=self.caption,
                columns=self.columns,
                rows=rows_of(rows),
                notes=(self.note,),
                source="Source: relations of the HADR simulator, which name file and line.",
                sql=statement(self.name),
                row_heads=2,
                is_grouped=True,
                printed_rows=PRINTED_ROWS,
            )
        ]


def modes(study: StudyView) -> list[Table]:
    """Throughput, time of a flush and congestion of every sync mode and flush size."""
    columns = (
        words("Configuration", "configuration"),
        words("Mode", "syncmode"),
        figures("Flush", "flush_pages", unit="pages"),
        figures("Runs", "runs"),
        figures("Throughput", "mb_s", "stddev_mb_s", unit="MB/s"),
        figures("Per flush", "sec_per_flush", unit="ms"),
        figures("Congested", "congestion_pct", unit="%"),
        Column("Of the free mode", ("ratio", "reference_mode")),
    )
    plan = _Plan("hadr_modes", "Sync modes of HADR compared: throughput of the simulator", columns, MODE_NOTE)
    return plan.tables(
        study,
        lambda row: (
            text(row["syncmode"]),
            Cell(numbers.count(row["flush_pages"]), (row["flush_pages"],)),
            Cell(numbers.count(row["runs"]), (row["runs"],)),
            Cell(_spread(row["mb_s"], row["stddev_mb_s"]), (row["mb_s"], row["stddev_mb_s"])),
            Cell(_milliseconds(row["sec_per_flush"]), (row["sec_per_flush"],)),
            number(row["congestion_pct"], 1),
            Cell(numbers.ratio(row["ratio"]), (row["ratio"], row["reference_mode"])),
        ),
    )


def bottlenecks(study: StudyView) -> list[Table]:
    """What bound the runs of every setting."""
    columns = (
        words("Configuration", "configuration"),
        words("Setting", "setting"),
        figures("Runs", "runs"),
        words("Bound by", "verdict"),
        words("Because", "reason"),
        words("Doubts", "flags"),
    )
    plan = _Plan("hadr_bottlenecks", "What the simulator's runs were bound by", columns, BOUND_NOTE)
    return plan.tables(
        study,
        lambda row: (
            text(row["setting"] or row["syncmode"]),
            Cell(numbers.count(row["runs"]), (row["runs"],)),
            text(row["verdict"]),
            text(row["reason"]),
            Cell((row["flags"] or NO_TEXT).replace("_", " "), (row["flags"],)),
        ),
    )


def disks(study: StudyView) -> list[Table]:
    """Disks that tests describe."""
    columns = (
        words("Configuration", "configuration"),
        words("Operation", "op"),
        words("Folder", "folder", is_code=True),
        figures("Tests", "tests"),
        figures("Sizes", "min_pages", "max_pages", unit="pages"),
        figures("Rate", "disk_mb_s", unit="MB/s"),
        figures("Overhead", "disk_overhead_s", unit="ms"),
        words("Method", "method"),
    )
    plan = _Plan(
        "hadr_disks", "Disks as their tests describe them: overhead of a call, and transfer rate", columns, DISK_NOTE
    )
    return plan.tables(
        study,
        lambda row: (
            text(row["op"]),
            text(row["folder"]),
            Cell(numbers.count(row["tests"]), (row["tests"],)),
            Cell(_range(row["min_pages"], row["max_pages"]), (row["min_pages"], row["max_pages"])),
            number(row["disk_mb_s"], 1),
            Cell(_milliseconds(row["disk_overhead_s"]), (row["disk_overhead_s"],)),
            Cell(row["method"] or row["remark"] or NO_TEXT, (row["method"],)),
        ),
    )


def windows(study: StudyView) -> list[Table]:
    """TCP windows against what the network needs, with advice."""
    columns = (
        words("Configuration", "configuration"),
        words("Mode", "syncmode"),
        figures("Window", "window_bytes", unit="KiB"),
        figures("Given", "granted_bytes", unit="KiB"),
        figures("Needed", "needed_bytes", unit="KiB"),
        figures("Limit", "limit_mb_s", unit="MB/s"),
        figures("Measured", "mb_s", unit="MB/s"),
        words("Advice", "advice"),
    )
    plan = _Plan("hadr_windows", "TCP window of the runs against send rate times round trip", columns, WINDOW_NOTE)
    return plan.tables(
        study,
        lambda row: (
            text(row["syncmode"]),
            *(Cell(_kibibytes(row[name]), (row[name],)) for name in ("window_bytes", "granted_bytes", "needed_bytes")),
            number(row["limit_mb_s"], 1),
            number(row["mb_s"], 1),
            Cell(row["advice"] or row["verdict"] or NO_TEXT, (row["advice"],)),
        ),
    )


def what_if(study: StudyView) -> list[Table]:
    """What a faster disk or another distance would bring, by the model."""
    changes = (
        ("as_it_is", "As it is", ""),
        ("faster_disk", "Disk twice as fast", ""),
        ("round_trip_1", "1 ms", "Round trip"),
        ("round_trip_10", "10 ms", "Round trip"),
        ("round_trip_100", "100 ms", "Round trip"),
    )
    columns = (
        words("Configuration", "configuration"),
        words("Disk", "disk"),
        figures("Flush", "flush_pages", unit="pages"),
        words("Mode", "syncmode"),
        *(figures(label, name, unit="MB/s", spanner=spanner) for name, label, spanner in changes),
    )
    plan = _Plan("hadr_what_if", "What a change would bring: throughput by the model", columns, MODEL_NOTE)
    return plan.tables(
        study,
        lambda row: (
            text(row["disk"]),
            Cell(numbers.count(row["flush_pages"]), (row["flush_pages"],)),
            text(row["syncmode"]),
            *(number(row[name], 1) for name, _, _ in changes),
        ),
    )


def _spread(mean: float | None, stddev: float | None) -> str:
    printed = numbers.fixed(mean, 2)
    return printed if stddev is None else f"{printed} {numbers.PLUS_MINUS} {numbers.fixed(stddev, 2)}"


def _milliseconds(seconds: float | None) -> str:
    return numbers.compact(None if seconds is None else 1000 * seconds)


def _kibibytes(count: float | None) -> str:
    return numbers.fixed(None if count is None else count / 1024, 0)


def _range(low: float | None, high: float | None) -> str:
    if low is None or high is None or low == high:
        return numbers.count(low)
    return f"{numbers.count(low)} to {numbers.count(high)}"
