"""Tables for who plans HADR: what to use, sync modes compared, the model, disks, what a change would bring."""

from reports import numbers
from reports.study.store import Row
from reports.study.view import StudyView
from reports.tables.catalogue import table
from reports.tables.fields import code, count, fixed, printed, word, worded
from reports.tables.model import Table
from reports.tables.planning.plan import made, pages, planned, rate, size, span, wait

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
METHODS = {"fit": "least squares", "simple": "simple"}
CHANGES = (
    ("as_it_is", "As it is", ""),
    ("faster_disk", "Disk twice as fast", ""),
    ("round_trip_1", "1 ms", "Round trip"),
    ("round_trip_10", "10 ms", "Round trip"),
    ("round_trip_100", "100 ms", "Round trip"),
)


@table(section="results", topic="planning", after="hadr-states")
def hadr_recommendations(study: StudyView) -> list[Table]:
    """The recommendation of every configuration in numbers."""
    columns = (
        word("Mode", "syncmode"),
        pages(),
        count("Runs", "runs"),
        rate("Throughput", "mb_s", "stddev_mb_s"),
        printed("Less", "loss_pct", _loss, unit="%"),
        wait("Commit", "commit_wait_s", spanner="Wait"),
        wait("Alone", "alone_commit_wait_s", spanner="Wait"),
        size("Window", "needed_bytes"),
        word("Bound by", "bound_by"),
    )
    return planned(study, "hadr_recommendations", "HADR as recommended, in numbers", columns, note=RECOMMENDATION_NOTE)


def _loss(row: Row) -> str:
    """How much less than the freest mode; one that was not run is known by the model alone, and the cell says so."""
    loss = numbers.fixed(row["loss_pct"], 1)
    is_modelled = row["reference_source"] == "model" and row["loss_pct"] is not None
    return f"{loss}{numbers.NO_BREAK_SPACE}(model)" if is_modelled else loss


@table(section="results", topic="planning", after="hadr-recommendations")
def hadr_modes(study: StudyView) -> list[Table]:
    """Throughput, time of a flush and congestion of every sync mode and flush size."""
    columns = (
        word("Mode", "syncmode"),
        pages(),
        made("Disk, buffers, options", "details"),
        count("Runs", "runs"),
        rate("Throughput", "mb_s", "stddev_mb_s"),
        wait("Per flush", "sec_per_flush"),
        fixed("Congested", "congestion_pct", 1, unit="%"),
        printed("Of the free mode", ("ratio", "reference_mode"), lambda row: numbers.ratio(row["ratio"])),
    )
    caption = "Sync modes of HADR compared: throughput of the simulator"
    return planned(study, "hadr_modes", caption, columns, note=MODE_NOTE)


@table(section="results", topic="planning", after="hadr-modes")
def hadr_bottlenecks(study: StudyView) -> list[Table]:
    """What bound the runs of every setting."""
    columns = (
        made("Setting", "setting", "syncmode"),
        count("Runs", "runs"),
        word("Bound by", "verdict"),
        worded("Because", "reason", lambda row: numbers.bound(row["reason"] or numbers.DASH)),
        worded("Doubts", "flags", lambda row: (row["flags"] or numbers.DASH).replace("_", " ")),
    )
    return planned(study, "hadr_bottlenecks", "What the simulator's runs were bound by", columns, note=BOUND_NOTE)


@table(section="results", topic="planning", after="hadr-buffers")
def hadr_model(study: StudyView) -> list[Table]:
    """Seconds per flush by the model and as measured."""
    columns = (
        word("Mode", "syncmode"),
        pages(),
        made("Disk, buffers, options", "details"),
        wait("Write", "write_s", spanner="By the model"),
        wait("Send", "send_s", spanner="By the model"),
        wait("Round trip", "round_trip_s", spanner="By the model"),
        wait("Per flush", "sec_per_flush", spanner="By the model"),
        wait("Per flush", "measured_sec_per_flush", spanner="Measured"),
        count("Runs", "measured_runs", spanner="Measured"),
        printed("Error", "error_pct", lambda row: numbers.signed(row["error_pct"], 1), unit="%"),
    )
    return planned(
        study, "hadr_model", "Time of a flush: the model against what was measured", columns, note=MODEL_NOTE
    )


@table(section="results", topic="planning", after="hadr-what-if")
def hadr_disks(study: StudyView) -> list[Table]:
    """Disks that tests describe, fitted both ways."""
    columns = (
        worded("Operation", ("op", "cached"), lambda row: row["op"] + (", cached" if row["cached"] else "")),
        code("Folder", "folder"),
        count("Tests", "tests"),
        printed("Sizes", ("min_pages", "max_pages"), _sizes, unit="pages"),
        fixed("Rate", "fit_mb_s", 2, unit="MB/s", spanner="Least squares"),
        wait("Overhead", "fit_overhead_s", spanner="Least squares"),
        fixed("Rate", "simple_mb_s", 2, unit="MB/s", spanner="Simple"),
        wait("Overhead", "simple_overhead_s", spanner="Simple"),
        worded("To use", "method", _to_use),
    )
    caption = "Disks as their tests describe them: overhead of a call, and transfer rate"
    return planned(study, "hadr_disks", caption, columns, note=DISK_NOTE)


def _sizes(row: Row) -> str:
    return span(numbers.count(row["min_pages"]), numbers.count(row["max_pages"]))


def _to_use(row: Row) -> str:
    return ": ".join(filter(None, (METHODS.get(row["method"]), row["remark"]))) or numbers.DASH


@table(section="results", topic="planning", after="hadr-model")
def hadr_what_if(study: StudyView) -> list[Table]:
    """What a faster disk or another distance would bring, by the model."""
    columns = (
        word("Disk", "disk"),
        pages(),
        word("Mode", "syncmode"),
        *(rate(label, name, spanner=spanner) for name, label, spanner in CHANGES),
    )
    return planned(
        study, "hadr_what_if", "What a change would bring: throughput by the model", columns, note=WHAT_IF_NOTE
    )
