"""Tables of what was tested: formats, hosts, resources, timers, parameters."""

import re

from reports import numbers
from reports.metrics import MAIN_METRICS, UNITS_IN_NAMES, name_of
from reports.store import Row
from reports.study_view import StudyView, statement
from reports.tables.model import Cell, Column, Table, figures, rows_of, text, words
from reports.tables.places import places

NUMBER = re.compile(r"([0-9]+)")
LINE_COLUMNS = (
    ("Lines", "lines"),
    ("Parsed", "parsed_lines"),
    ("Continuation", "continuation_lines"),
    ("Ignored", "ignored_lines"),
    ("Blank", "blank_lines"),
    ("Rejected", "rejected_lines"),
)
SOURCE_DETAILS = (
    "bytes",
    "status",
    "reason",
    "format",
    "configuration",
    "run",
    "node",
    "encoding",
    "timezone",
    "timezone_source",
    "year_source",
)
PRINTED_FILES = 60  # a page of them; the attached sources.csv is the whole ledger
IDENTITY_NOTE = "Every line is one of parsed, continuation, ignored, blank and rejected; the five add up to the lines."


def formats(study: StudyView) -> list[Table]:
    """Formats found, and what became of the lines."""
    found = study.rows("formats")
    if not found:
        return []
    columns = (words("Format", "format", is_code=True), figures("Files", "files"), *_line_columns())
    rows = [(text(row["format"]), _count(row["files"]), *_line_cells(row)) for row in found]
    caption = "Log formats found in the study and what became of their lines"
    source = "Source: relation source_file."
    return [Table("formats", caption, columns, rows_of(rows), (IDENTITY_NOTE,), source, statement("formats"))]


def nodes(study: StudyView) -> list[Table]:
    """Hosts that wrote logs."""
    found = study.rows("nodes")
    if not found:
        return []
    columns = (
        words("Host", "node", is_code=True),
        words("Formats", "formats"),
        figures("Files", "files"),
        figures("Lines", "lines"),
        words("Time zone (known from)", "timezones"),
        words("First message (UTC)", "first_at"),
        words("Last message (UTC)", "last_at"),
    )
    rows = [
        (
            text(row["node"]),
            text(row["formats"]),
            _count(row["files"]),
            _count(row["lines"]),
            text(row["timezones"]),
            Cell(numbers.moment(row["first_at"]), (row["first_at"],)),
            Cell(numbers.moment(row["last_at"]), (row["last_at"],)),
        )
        for row in found
    ]
    source = "Source: relation source_file."
    return [Table("hosts", "Hosts that wrote the logs", columns, rows_of(rows), (), source, statement("nodes"))]


def resources(study: StudyView) -> list[Table]:
    """Resources by type, a row per configuration and service group."""
    if not study.store.has("main.cluster_resource"):
        return []
    found = study.rows("resources")
    keys = list(dict.fromkeys((row["configuration"], row["group"]) for row in found))
    if not keys:
        return []
    columns = (
        words("Configuration", "configuration"),
        words("Service group", "group", is_code=True),
        figures("Resources", "resources"),
        words("By type", "types"),
    )
    rows = []
    for configuration, group in keys:
        own = [row for row in found if (row["configuration"], row["group"]) == (configuration, group)]
        own.sort(key=lambda row: (-row["resources"], row["resource_type"]))
        listed = ", ".join(f"{row['resources']} {row['resource_type']}" for row in own)
        rows.append(
            (
                Cell(study.label(configuration), (configuration,)),
                text(group),
                _count(sum(row["resources"] for row in own)),
                text(listed),
            )
        )
    caption = "Resources of each service group by type"
    source = "Source: relation cluster_resource (main.cf)."
    return [
        Table("resources", caption, columns, rows_of(rows), (), source, statement("resources"), "", 2, is_grouped=True)
    ]


TIMERS = (  # layer is there, its heading, the timer's, its column, name in is_..._assumed and is_..._inferred
    ("has_llt", "LLT", "peerinact", "peerinact_s", "peerinact"),
    ("has_llt", "LLT", "peertrouble", "peertrouble_s", "peertrouble"),
    ("has_llt", "LLT", "Heartbeat", "heartbeat_s", None),
    ("has_llt", "GAB", "Stable timeout", "stable_s", "stable"),
    ("has_heartbeat", "Heartbeat", "deadtime", "deadtime_s", "deadtime"),
    ("has_heartbeat", "Heartbeat", "keepalive", "keepalive_s", None),
    ("has_corosync", "Corosync", "token", "token_s", "token"),
    ("has_corosync", "Corosync", "consensus", "consensus_s", "token"),
)
ASSUMED = (
    "* Neither a configuration file nor a line of the logs shows this timer; it is the product's default. Fault times "
    "allow for all its usual values."
)
INFERRED = (
    "† No configuration file specifies this timer; it is inferred from lines of the runs, and is the middle of what "
    "they allow."
)


def timers(study: StudyView) -> list[Table]:
    """Timers in force of the cluster layers that the logs show."""
    if not study.store.has("main.cluster_timer"):
        return []
    with_failover = {row["configuration"] for row in study.failover_runs}
    found = [row for row in study.rows("timers") if row["configuration"] in with_failover]
    shown = [timer for timer in TIMERS if any(row[timer[0]] for row in found)]
    if not shown:
        return []
    columns = (
        words("Configuration", "configuration"),
        *(figures(label, name, unit="s", spanner=layer) for _, layer, label, name, _ in shown),
    )
    rows = [
        (
            Cell(study.label(row["configuration"]), (row["configuration"],)),
            *(
                _timer(row[name] if row[has_layer] else None, _timer_mark(row, timer))
                for has_layer, _, _, name, timer in shown
            ),
        )
        for row in found
    ]
    marks = "".join(cell.text for row in rows for cell in row[1:])
    notes = tuple(note for note in (ASSUMED, INFERRED) if note[0] in marks)
    caption = "Timers of the cluster layers that decide how soon a lost node is noticed"
    source = "Source: relation cluster_timer (llttab, gabtab, ha.cf, corosync.conf; lines of the runs)."
    return [Table("timers", caption, columns, rows_of(rows), notes, source, statement("timers"))]


def parameter_changes(study: StudyView) -> list[Table]:
    """Parameters that differ from the reference's."""
    if not study.store.has("main.parameter_change"):
        return []
    found = study.rows("parameter_changes")
    if not found:
        return []
    columns = (
        words("Configuration", "configuration"),
        words("Scope", "scope", is_code=True),
        words("Parameter", "name", is_code=True),
        words("Reference", "reference"),
        words("Value there", "reference_value", is_code=True),
        words("Value here", "value", is_code=True),
    )
    rows = [
        (
            Cell(study.label(row["configuration"]), (row["configuration"],)),
            text(row["scope"]),
            text(row["name"]),
            Cell(study.label(row["reference"]), (row["reference"],)),
            text(row["reference_value"]),
            text(row["value"]),
        )
        for row in found
    ]
    caption = "Configuration parameters that differ from those of the reference configuration"
    notes = ("Attributes of main.cf are left out; the relation parameter_change has them.",)
    source = "Source: relation parameter_change."
    return [
        Table(
            "parameter-changes",
            caption,
            columns,
            rows_of(rows),
            notes,
            source,
            statement("parameter_changes"),
            "",
            3,
            True,
        )
    ]


def parameters(study: StudyView) -> list[Table]:
    """Every parameter that a file states."""
    if not study.store.has("main.parameter"):
        return []
    found = study.rows("parameters")
    if not found:
        return []
    stated = {name for row in found for name in row["configurations"]}
    everywhere = [each.configuration for each in study.configurations if each.configuration in stated]
    columns = (
        words("Scope", "scope", is_code=True),
        words("Parameter", "name", is_code=True),
        words("Value", "value", is_code=True),
        words("Configurations", "configurations"),
    )
    rows = [
        (text(row["scope"]), text(row["name"]), text(row["value"]), places(study, row["configurations"], everywhere))
        for row in found
    ]
    caption = "Configuration parameters as the files state them"
    notes = ("Attributes of main.cf are in the relation cluster_attribute.",)
    source = "Source: relation parameter."
    return [Table("parameters", caption, columns, rows_of(rows), notes, source, statement("parameters"), row_heads=2)]


def measurements(study: StudyView) -> list[Table]:
    """Run-level measurements per configuration, grouped by what was measured."""
    found = sorted(study.workload_stats, key=_measured_first)
    if not found:
        return []
    columns = (
        words("Measured", "metric"),
        words("Configuration", "configuration"),
        figures("Runs", "runs"),
        figures("Mean", "mean", "stddev"),
        figures("Ratio", "relative_ratio"),
        figures("95 % interval", "ratio_low", "ratio_high"),
        words("Verdict", "verdict"),
    )
    rows = [
        (
            Cell(_measured(row), (row["metric"],)),
            Cell(study.label(row["configuration"]), (row["configuration"],)),
            _count(row["runs"]),
            Cell(_mean_and_spread(row), (row["mean"], row["stddev"])),
            Cell(numbers.ratio(row["relative_ratio"]), (row["relative_ratio"],)),
            Cell(numbers.interval(row["ratio_low"], row["ratio_high"], 3), (row["ratio_low"], row["ratio_high"])),
            Cell(numbers.bound(row["verdict"] or numbers.DASH), (row["verdict"],)),
        )
        for row in found
    ]
    caption = "Measurements of each configuration, with the ratio of its mean to the reference's"
    notes = ("Mean ± sample standard deviation over runs; ratio with its 95 % interval (log-delta, Welch).",)
    source = "Source: relations measurement_stats and measurement_ratio."
    sql = statement("measurements")
    return [Table("measurements", caption, columns, rows_of(rows), notes, source, sql, "", 2, is_grouped=True)]


def _measured_first(row: Row) -> tuple[int, list[str | int], str]:
    """Throughput before times, times before everything else; query 2 before query 10."""
    metric = row["metric"]
    rank = MAIN_METRICS.index(metric) if metric in MAIN_METRICS else len(MAIN_METRICS)
    parts = [int(part) if place % 2 else part for place, part in enumerate(NUMBER.split(metric))]
    return rank, parts, str(row["unit"])


def _measured(row: Row) -> str:
    parts = [name_of(row["metric"]), row.get("label"), f"{row['clients']} clients" if row.get("clients") else None]
    named = ", ".join(str(each) for each in parts if each)
    return named if row["unit"] in UNITS_IN_NAMES else f"{named} ({row['unit']})"


def _mean_and_spread(row: Row) -> str:
    return numbers.compact_and_spread(row["mean"], row["stddev"])


def sources(study: StudyView) -> list[Table]:
    """Every input file."""
    found = study.manifest_rows
    if not found:
        return []
    columns = (
        words("File", "path", is_code=True),
        words("SHA-256 (first 12)", "sha256", is_code=True),
        Column("Format or status", SOURCE_DETAILS, is_number=False),
        *_line_columns(),
    )
    rows = [
        (
            text(row["path"]),
            Cell((row["sha256"] or numbers.DASH)[:12], (row["sha256"],)),
            Cell(_format_or_status(row), tuple(row[name] for name in SOURCE_DETAILS)),
            *_line_cells(row),
        )
        for row in found
    ]
    caption = "Every file of the study with its SHA-256 and line accounting"
    notes = (IDENTITY_NOTE,)
    source = "Source: relation source_file; the attached sources.csv has the full hashes."
    return [
        Table(
            "sources",
            caption,
            columns,
            rows_of(rows),
            notes,
            source,
            statement("sources"),
            printed_rows=PRINTED_FILES,
        )
    ]


def _line_columns() -> list[Column]:
    return [figures(label, name) for label, name in LINE_COLUMNS]


def _line_cells(row: Row) -> list[Cell]:
    return [_count(row[name]) for _, name in LINE_COLUMNS]


def _count(value: float | None) -> Cell:
    return Cell(numbers.count(value), (value,))


def _timer_mark(row: Row, timer: str | None) -> str:
    if timer is not None and row[f"is_{timer}_assumed"]:
        return ASSUMED[0]
    return INFERRED[0] if timer is not None and row.get(f"is_{timer}_inferred") else ""


def _timer(value: float | None, mark: str) -> Cell:
    if value is None:
        return Cell(numbers.DASH, (None,))
    return Cell(numbers.stated(value) + mark, (value,))


def _format_or_status(row: Row) -> str:
    if row["status"] == "parsed":
        return str(row["format"])
    return f"{row['status']}: {row['reason']}" if row["reason"] else str(row["status"])
