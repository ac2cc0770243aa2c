"""Tables of take-overs under Heartbeat, Pacemaker and their like: operations on resources, resynchronisations."""

from datetime import datetime

from reports import numbers
from reports.store import Row
from reports.study_view import StudyView, statement
from reports.tables.model import Cell, Table, figures, rows_of, text, words

UPTIME_DECIMALS = 6  # kernel uptime is printed in microseconds
STAMP_DECIMALS = 6  # db2diag.log is stamped in microseconds
PRINTED_MESSAGES = 120  # and operations: three pages
AMONG_RESULTS = 40  # operations: a page; more are looked up rather than read, and stand in the appendix of runs
LONGEST_MESSAGE = 110  # characters of a log message that fit a cell of three lines


def operations(study: StudyView) -> list[Table]:
    """Every operation on a resource, failed ones too, with begin and end."""
    if not study.operations:
        return []
    columns = (
        words("Configuration", "configuration"),
        words("Run", "run", is_code=True),
        words("Node", "node", is_code=True),
        words("Resource", "object", is_code=True),
        words("Operation", "action"),
        figures("End", "end_at", unit="UTC"),
        figures("After the fault", "start_s", "end_s", unit="s"),
        figures("Duration", "duration_s", unit="s"),
        words("Outcome", "outcome"),
    )
    rows = [
        (
            Cell(study.label(row["configuration"]), (row["configuration"],)),
            text(row["run"]),
            text(row["node"]),
            Cell(_resource(row), (row["object"],)),
            text(row["action"]),
            Cell(_moment(row["end_at"]), (row["end_at"],)),
            Cell(_span(row), (row["start_s"], row["end_s"])),
            Cell(numbers.fixed(row["duration_s"], _decimals(row)), (row["duration_s"],)),
            Cell(_outcome(row), (row["outcome"],)),
        )
        for row in study.operations
    ]
    note = (
        "Begin and end as the cluster manager logged them; stamps are cut, so that a duration from whole seconds is "
        "certain to ± 1 s. A dash: the log does not show it. Operations outside of every failover bear the run of "
        "their folder, if there is one."
    )
    caption = "Operations of the cluster manager on resources, in the order of time"
    source = "Source: relation ha_operation, which names file and line of begin and end."
    return [
        Table(
            "operations",
            caption,
            columns,
            rows_of(rows),
            (note,),
            source,
            statement("operations"),
            "",
            3,
            is_grouped=True,
            printed_rows=PRINTED_MESSAGES,
            place="runs" if len(rows) > AMONG_RESULTS else "",
        )
    ]


def story(study: StudyView) -> list[Table]:
    """What the logs of cluster managers, replication and databases say, step by step."""
    if not study.story:
        return []
    has_uptime = all(row["at"] is None for row in study.story)
    has_fault = any(row["elapsed_s"] is not None for row in study.story)
    when = figures("Uptime", "uptime_s", unit="s") if has_uptime else figures("Time", "at", unit="UTC")
    columns = (
        words("Run", "run", is_code=True),
        words("Node", "node", is_code=True),
        when,
        *([figures("After the fault", "elapsed_s", unit="s")] if has_fault else []),
        words("Message", "text"),
        words("Line", "path", is_code=True),
    )
    rows = [
        (
            Cell(_run_of(study, row), (row["run"],)),
            text(row["node"]),
            Cell(numbers.fixed(row["uptime_s"], 3), (row["uptime_s"],))
            if has_uptime
            else Cell(_moment(row["at"]), (row["at"],)),
            *([Cell(numbers.fixed(row["elapsed_s"], 1), (row["elapsed_s"],))] if has_fault else []),
            Cell(_shortened(row["text"]), (row["text"],)),
            Cell(f"{row['path']}:{row['line_no']}", (f"{row['path']}:{row['line_no']}",)),
        )
        for row in study.story
    ]
    note = "What several daemons say within one second is printed once; long messages are cut here, not in the data."
    caption = "What the logs say of membership, fencing, take-over, replication and recovery, step by step"
    source = "Source: relation ha_event."
    return [
        Table(
            "story",
            caption,
            columns,
            rows_of(rows),
            (note,),
            source,
            statement("story"),
            "",
            2,
            is_grouped=True,
            printed_rows=PRINTED_MESSAGES,
        )
    ]


def resyncs(study: StudyView) -> list[Table]:
    """Every resynchronisation of a replicated device."""
    if not study.resyncs:
        return []
    columns = (
        words("Configuration", "configuration"),
        words("Run", "run", is_code=True),
        words("Node", "node", is_code=True),
        words("Device", "device", is_code=True),
        words("Side", "side"),
        figures("Begin", "start_at", unit="UTC"),
        figures("Duration", "duration_s", unit="s"),
        figures("Reported", "reported_s", unit="s"),
        figures("Size", "size_kib", unit="KiB"),
        figures("Rate", "rate_kib_per_s", unit="KiB/s"),
    )
    rows = [
        (
            Cell(study.label(row["configuration"]), (row["configuration"],)),
            text(row["run"]),
            text(row["node"]),
            text(row["device"]),
            text(row["side"]),
            Cell(_moment(row["start_at"]), (row["start_at"],)),
            Cell(numbers.fixed(row["duration_s"], _decimals(row)), (row["duration_s"],)),
            Cell(numbers.fixed(row["reported_s"], 0), (row["reported_s"],)),
            Cell(numbers.fixed(row["size_kib"], 0), (row["size_kib"],)),
            Cell(numbers.fixed(row["rate_kib_per_s"], 0), (row["rate_kib_per_s"],)),
        )
        for row in study.resyncs
    ]
    note = (
        "Duration: from the line that begins to the line that ends it, by kernel uptime where both bear it, else by "
        "their stamps. Reported: DRBD's own figure in whole seconds. Devices are resynchronised in parallel: durations "
        "are not to be added up."
    )
    source = "Source: relation drbd_resync, which names file and line of begin and end."
    return [
        Table(
            "resynchronisations",
            "Resynchronisations of replicated devices",
            columns,
            rows_of(rows),
            (note,),
            source,
            statement("resyncs"),
            "",
            3,
            is_grouped=True,
        )
    ]


def hadr_takeovers(study: StudyView) -> list[Table]:
    """Every take-over of an HADR database, from the command to the new role."""
    if not study.hadr_takeovers:
        return []
    columns = (
        words("Configuration", "configuration"),
        words("Run", "run", is_code=True),
        words("Database", "database", is_code=True),
        words("Node", "node", is_code=True),
        words("Its role before", "from_role"),
        words("By force", "is_forced"),
        figures("Command", "command_at", unit="UTC"),
        figures("Duration", "duration_s", unit="s"),
        figures("Failed before", "failed_attempts"),
    )
    forced = {None: numbers.DASH, True: "yes", False: "no"}
    rows = [
        (
            Cell(study.label(row["configuration"]), (row["configuration"],)),
            text(row["run"]),
            text(row["database"]),
            text(row["node"]),
            text(row["from_role"]),
            Cell(forced[row["is_forced"]], (row["is_forced"],)),
            Cell(_moment(row["command_at"]), (row["command_at"],)),
            Cell(numbers.fixed(row["duration_s"], STAMP_DECIMALS), (row["duration_s"],)),
            Cell(numbers.count(row["failed_attempts"]), (row["failed_attempts"],)),
        )
        for row in study.hadr_takeovers
    ]
    note = (
        "Duration: from the command to the peer state in the new role, by force to the role; a dash: the log does not "
        "show the end. Each host logs its own side. Failed before: commands directly before this one that had no end."
    )
    source = "Source: relation hadr_takeover, which names file and line of command and end."
    return [
        Table(
            "hadr-takeovers",
            "Take-overs of HADR databases",
            columns,
            rows_of(rows),
            (note,),
            source,
            statement("hadr_takeovers"),
            "",
            3,
            is_grouped=True,
        )
    ]


def _run_of(study: StudyView, row: Row) -> str:
    label = study.label(row["configuration"])
    return label if row["run"] is None else f"{label}, {row['run']}"


def _shortened(message: str | None) -> str:
    line = (message or numbers.DASH).split("\n", 1)[0]
    return line if len(line) <= LONGEST_MESSAGE else f"{line[: LONGEST_MESSAGE - 1]}…"


def _resource(row: Row) -> str:
    """The resource, with the agent that works on it where its name does not tell."""
    name, agent = row["object"] or "", row["agent"] or ""
    if not name or not agent or agent.lower() in name.lower():
        return name or agent or numbers.DASH
    return f"{agent} {name}"


def _outcome(row: Row) -> str:
    if row["outcome"] == "failed" and row["return_code"] is not None:
        return f"failed, return code {row['return_code']}"
    return "not logged" if row["outcome"] == "unknown" else str(row["outcome"])


def _span(row: Row) -> str:
    if row["start_s"] is None or row["end_s"] is None:
        return numbers.fixed(row["end_s"] if row["start_s"] is None else row["start_s"], 1)
    return f"{numbers.fixed(row['start_s'], 1)} to {numbers.fixed(row['end_s'], 1)}"


def _moment(value: datetime | None) -> str:
    """An instant, with tenths where its stamp has a fraction."""
    return numbers.moment(value, with_fraction=value is not None and value.microsecond > 0)


def _is_fine(row: Row) -> bool:
    """Whether the stamps tell more than whole seconds."""
    return row["resolution_s"] is not None and row["resolution_s"] < 1


def _decimals(row: Row) -> int:
    """Decimals that the clock behind a duration has, three at most for stamps."""
    if row.get("duration_source") == "uptime":
        return UPTIME_DECIMALS
    return 3 if _is_fine(row) else 0
