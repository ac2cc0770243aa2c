"""Tables for who plans HADR: what to use, sync modes compared, the model, disks, what a change would bring."""

from dataclasses import replace

from reports import numbers
from reports.store import Row
from reports.study_view import StudyView
from reports.tables.model import Cell, Column, Table, figures, number, text, words
from reports.tables.planned import Plan, count, kibibytes, made, megabytes, milliseconds, rate, span

RECOMMENDATION_NOTE = (
    "Mode: the safest that will do; see the text. Less: than the freest mode ships, or would ship by the model where "
    "it was not run (model). Commit: mean wait of a commit at full load, one and a half flushes; alone: on the "
    "simulated disk without HADR. Window: send rate times round trip."
)
MODE_NOTE = (
    "Mean ± sample standard deviation over runs, MB of 10⁶ bytes; congested: share of the run in which sending "
    "had to wait. Of the free mode: throughput over that of ASYNC (else SUPERASYNC) with the same flush size, "
    "disks and buffers."
)
BOUND_NOTE = (
    "The reason is that of the first run. Doubts: loopback (both ends on one host: no network was measured), "
    "short (below 10 s), throttled, aborted and the like; such runs plan nothing."
)
DISK_NOTE = (
    "A call takes the overhead plus its bytes over the rate. Least squares over all sizes; simple: the smallest "
    "size gives the overhead, the largest the rate. Times that noise makes absurd leave only the simple method."
)
MODEL_NOTE = (
    "Time of a flush under SYNC: write, send, the standby's write, round trip; NEARSYNC: the longer of write and send "
    "with round trip; both asynchronous modes: the longer of write and send. Error: measured above the model."
)
WHAT_IF_NOTE = "By the same model as the times of flushes. A dash: the round trip is not known."


def recommendations(study: StudyView) -> list[Table]:
    """The recommendation of every configuration in numbers."""
    columns = (
        words("Configuration", "configuration"),
        words("Mode", "syncmode"),
        figures("Flush", "flush_pages", unit="pages"),
        figures("Runs", "runs"),
        figures("Throughput", "mb_s", "stddev_mb_s", unit="MB/s"),
        figures("Less", "loss_pct", unit="%"),
        figures("Commit", "commit_wait_s", unit="ms", spanner="Wait"),
        figures("Alone", "alone_commit_wait_s", unit="ms", spanner="Wait"),
        figures("Window", "needed_bytes", unit="KiB"),
        words("Bound by", "bound_by"),
    )
    plan = Plan("hadr_recommendations", "HADR as recommended, in numbers", columns, RECOMMENDATION_NOTE)
    return plan.tables(
        study,
        lambda row: (
            text(row["syncmode"]),
            count(row, "flush_pages"),
            count(row, "runs"),
            rate(row, "mb_s", "stddev_mb_s"),
            _loss(row),
            Cell(milliseconds(row["commit_wait_s"]), (row["commit_wait_s"],)),
            Cell(milliseconds(row["alone_commit_wait_s"]), (row["alone_commit_wait_s"],)),
            Cell(kibibytes(row["needed_bytes"]), (row["needed_bytes"],)),
            text(row["bound_by"]),
        ),
    )


def _loss(row: Row) -> Cell:
    """How much less than the freest mode; one that was not run is known by the model alone, and the cell says so."""
    loss = number(row["loss_pct"], 1)
    is_modelled = row["reference_source"] == "model" and row["loss_pct"] is not None
    return replace(loss, text=f"{loss.text}{numbers.NO_BREAK_SPACE}(model)") if is_modelled else loss


def modes(study: StudyView) -> list[Table]:
    """Throughput, time of a flush and congestion of every sync mode and flush size."""
    columns = (
        words("Configuration", "configuration"),
        words("Mode", "syncmode"),
        figures("Flush", "flush_pages", unit="pages"),
        words("Disk, buffers, options", "details"),
        figures("Runs", "runs"),
        figures("Throughput", "mb_s", "stddev_mb_s", unit="MB/s"),
        figures("Per flush", "sec_per_flush", unit="ms"),
        figures("Congested", "congestion_pct", unit="%"),
        Column("Of the free mode", ("ratio", "reference_mode")),
    )
    plan = Plan("hadr_modes", "Sync modes of HADR compared: throughput of the simulator", columns, MODE_NOTE)
    return plan.tables(
        study,
        lambda row: (
            text(row["syncmode"]),
            count(row, "flush_pages"),
            made(row["details"]),
            count(row, "runs"),
            rate(row, "mb_s", "stddev_mb_s"),
            Cell(milliseconds(row["sec_per_flush"]), (row["sec_per_flush"],)),
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
    plan = Plan("hadr_bottlenecks", "What the simulator's runs were bound by", columns, BOUND_NOTE)
    return plan.tables(
        study,
        lambda row: (
            made(row["setting"] or row["syncmode"]),
            count(row, "runs"),
            text(row["verdict"]),
            Cell(numbers.bound(row["reason"] or numbers.DASH), (row["reason"],)),
            Cell((row["flags"] or numbers.DASH).replace("_", " "), (row["flags"],)),
        ),
    )


def models(study: StudyView) -> list[Table]:
    """Seconds per flush by the model and as measured."""
    columns = (
        words("Configuration", "configuration"),
        words("Mode", "syncmode"),
        figures("Flush", "flush_pages", unit="pages"),
        figures("Write", "write_s", unit="ms", spanner="By the model"),
        figures("Send", "send_s", unit="ms", spanner="By the model"),
        figures("Round trip", "round_trip_s", unit="ms", spanner="By the model"),
        figures("Per flush", "sec_per_flush", unit="ms", spanner="By the model"),
        figures("Per flush", "measured_sec_per_flush", unit="ms", spanner="Measured"),
        figures("Runs", "measured_runs", spanner="Measured"),
        figures("Error", "error_pct", unit="%"),
    )
    plan = Plan("hadr_model", "Time of a flush: the model against what was measured", columns, MODEL_NOTE)
    times = ("write_s", "send_s", "round_trip_s", "sec_per_flush", "measured_sec_per_flush")
    return plan.tables(
        study,
        lambda row: (
            text(row["syncmode"]),
            count(row, "flush_pages"),
            *(Cell(milliseconds(row[name]), (row[name],)) for name in times),
            count(row, "measured_runs"),
            Cell(numbers.signed(row["error_pct"], 1), (row["error_pct"],)),
        ),
    )


def disks(study: StudyView) -> list[Table]:
    """Disks that tests describe, fitted both ways."""
    columns = (
        words("Configuration", "configuration"),
        Column("Operation", ("op", "cached"), is_number=False),
        words("Folder", "folder", is_code=True),
        figures("Tests", "tests"),
        figures("Sizes", "min_pages", "max_pages", unit="pages"),
        figures("Rate", "fit_mb_s", unit="MB/s", spanner="Least squares"),
        figures("Overhead", "fit_overhead_s", unit="ms", spanner="Least squares"),
        figures("Rate", "simple_mb_s", unit="MB/s", spanner="Simple"),
        figures("Overhead", "simple_overhead_s", unit="ms", spanner="Simple"),
        words("To use", "method"),
    )
    plan = Plan(
        "hadr_disks", "Disks as their tests describe them: overhead of a call, and transfer rate", columns, DISK_NOTE
    )
    to_use = {"fit": "least squares", "simple": "simple"}
    return plan.tables(
        study,
        lambda row: (
            Cell(row["op"] + (", cached" if row["cached"] else ""), (row["op"], row["cached"])),
            text(row["folder"]),
            count(row, "tests"),
            Cell(
                span(numbers.count(row["min_pages"]), numbers.count(row["max_pages"])),
                (row["min_pages"], row["max_pages"]),
            ),
            number(row["fit_mb_s"], 2),
            Cell(milliseconds(row["fit_overhead_s"]), (row["fit_overhead_s"],)),
            number(row["simple_mb_s"], 2),
            Cell(milliseconds(row["simple_overhead_s"]), (row["simple_overhead_s"],)),
            Cell(": ".join(filter(None, (to_use.get(row["method"]), row["remark"]))) or numbers.DASH, (row["method"],)),
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
    plan = Plan("hadr_what_if", "What a change would bring: throughput by the model", columns, WHAT_IF_NOTE)
    return plan.tables(
        study,
        lambda row: (
            text(row["disk"]),
            count(row, "flush_pages"),
            text(row["syncmode"]),
            *(Cell(megabytes(row[name]), (row[name],)) for name, _, _ in changes),
        ),
    )
