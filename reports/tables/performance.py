"""Tables of what was derived from measurements and monitors: dips, scaling, queries, log writes, what DB2 chose."""

from reports import numbers
from reports.metrics import name_of, title_of
from reports.store import Row
from reports.study_view import StudyView, statement
from reports.tables.model import Cell, Column, Table, figures, number, rows_of, text, words


def dips(study: StudyView) -> list[Table]:
    """What a fault or a noted event did to the throughput."""
    found = study.derived("throughput_dips", "main.measurement_dip")
    if not found:
        return []
    rates = list(dict.fromkeys(title_of(row["metric"], row["unit"]) for row in found))
    has_rates = len(rates) > 1
    columns = (
        words("Configuration", "configuration"),
        words("Event", "text"),
        *([words("Rate", "metric")] if has_rates else []),
        figures("Runs", "runs"),
        figures("with a dip", "dip_runs"),
        figures("Before", "baseline"),
        figures("Lowest", "lowest"),
        figures("Depth", "depth_pct", unit="%"),
        figures("No work", "longest_outage_s", unit="s", spanner="Time"),
        figures("to recovery", "recovered_s", "longest_recovered_s", unit="s", spanner="Time"),
    )
    rows = [
        (
            _configuration(study, row["configuration"]),
            text(row["text"]),
            *([Cell(name_of(row["metric"]), (row["metric"],))] if has_rates else []),
            _count(row["runs"]),
            _count(row["dip_runs"]),
            _compact(row["baseline"]),
            _compact(row["lowest"]),
            number(row["depth_pct"], 1),
            number(row["longest_outage_s"], 0),
            Cell(_recovery(row), (row["recovered_s"], row["longest_recovered_s"])),
        )
        for row in found
    ]
    resolution = numbers.compact(max(row["resolution_s"] for row in found))
    note = (
        "Before: median of the intervals before the event. A dip is an interval more than 10 % below that; lowest, "
        "depth and time to recovery (back at 90 %) are means over the runs with a dip, then the longest. No work: the "
        f"longest stretch in any run. Times are known to the length of an interval, at most {resolution} s."
    )
    of_what = "the throughput" if has_rates else rates[0]
    caption = f"What each event did to {of_what}: how deep it fell, and for how long"
    source = "Source: relation measurement_dip."
    sql = statement("throughput_dips")
    return [Table("throughput-dips", caption, columns, rows_of(rows), (note,), source, sql, "", 3, is_grouped=True)]


def _recovery(row: Row) -> str:
    if not row["dip_runs"]:
        return numbers.DASH
    if not row["recovered_runs"]:
        return "not seen"
    mean = numbers.fixed(row["recovered_s"], 1)
    longest = numbers.fixed(row["longest_recovered_s"], 1)
    part = "" if row["recovered_runs"] == row["dip_runs"] else f" in {row['recovered_runs']} of {row['dip_runs']}"
    return f"{mean}{part}" if mean == longest else f"{mean}, at most {longest}{part}"


def scaling(study: StudyView) -> list[Table]:
    """Rates at several loads against growth in proportion."""
    found = study.derived("throughput_scaling", "main.measurement_scaling")
    if not found:
        return []
    columns = (
        words("Configuration", "configuration"),
        Column("Rate", ("metric", "label"), is_number=False),
        figures("Clients", "clients"),
        figures("Runs", "runs"),
        figures("Mean", "mean"),
        figures("A client", "per_client"),
        figures("Speed-up", "speed_up"),
        figures("Efficiency", "efficiency"),
        figures("A further client", "marginal_gain"),
        words("Saturated", "is_saturated"),
    )
    rows = [
        (
            _configuration(study, row["configuration"]),
            Cell(
                ", ".join(filter(None, (title_of(row["metric"], row["unit"]), row["label"]))),
                (row["metric"], row["label"]),
            ),
            _count(row["clients"]),
            _count(row["runs"]),
            _compact(row["mean"]),
            _compact(row["per_client"]),
            number(row["speed_up"], 2),
            number(row["efficiency"], 2),
            _compact(row["marginal_gain"]),
            Cell("yes" if row["is_saturated"] else "", (row["is_saturated"],)),
        )
        for row in found
    ]
    note = (
        "Speed-up: rate over that of the first row. Efficiency: speed-up over the growth of the load; 1 is growth in "
        "proportion. A further client: what each one added since the row before brought; saturated: nothing, or less "
        "than a quarter of what the step before brought."
    )
    caption = "What more clients bring: throughput at each load against growth in proportion"
    source = "Source: relation measurement_scaling."
    sql = statement("throughput_scaling")
    return [Table("throughput-scaling", caption, columns, rows_of(rows), (note,), source, sql, "", 3, is_grouped=True)]


def query_times(study: StudyView) -> list[Table]:
    """Times of all queries of a configuration against the reference's, as one number."""
    found = study.derived("relative_query_times", "main.measurement_query_ratio")
    if not found:
        return []
    has_clients = any(row["clients"] is not None for row in found)
    columns = (
        words("Configuration", "configuration"),
        words("Reference", "reference"),
        *([figures("Clients", "clients")] if has_clients else []),
        figures("Queries", "queries"),
        figures("Geometric mean", "geometric_mean_ratio", spanner="Time over the reference's"),
        figures("Least", "least_ratio", spanner="Time over the reference's"),
        figures("Greatest", "greatest_ratio", spanner="Time over the reference's"),
    )
    rows = [
        (
            _configuration(study, row["configuration"]),
            _configuration(study, row["reference"]),
            *([_count(row["clients"])] if has_clients else []),
            _count(row["queries"]),
            *(
                Cell(numbers.ratio(row[name]), (row[name],))
                for name in ("geometric_mean_ratio", "least_ratio", "greatest_ratio")
            ),
        )
        for row in found
    ]
    note = "Below 1: faster than the reference. Over the queries that both have; measurement_ratio has each of them."
    caption = "Times of queries relative to the reference: geometric mean, and the queries that gained most and least"
    source = "Source: relation measurement_query_ratio."
    sql = statement("relative_query_times")
    return [Table("relative-query-times", caption, columns, rows_of(rows), (note,), source, sql)]


def log_flushes(study: StudyView) -> list[Table]:
    """Log pages that the database wrote at a time."""
    found = study.derived("log_flushes", "main.log_flush")
    if not found:
        return []
    columns = (
        words("Configuration", "configuration"),
        words("Database", "database", is_code=True),
        figures("Runs", "runs"),
        figures("Intervals", "intervals"),
        figures("Pages", "pages_written", spanner="Log, all intervals"),
        figures("Writes", "write_count", spanner="Log, all intervals"),
        figures("Mean", "flush_pages", spanner="Pages a write"),
        figures("Least", "least_flush_pages", spanner="Pages a write"),
        figures("Greatest", "greatest_flush_pages", spanner="Pages a write"),
        figures("Within a page", "partial_share", unit="%"),
    )
    rows = [
        (
            _configuration(study, row["configuration"]),
            text(row["database"]),
            _count(row["runs"]),
            _count(row["intervals"]),
            _count(row["pages_written"]),
            _count(row["write_count"]),
            *(number(row[name], 2) for name in ("flush_pages", "least_flush_pages", "greatest_flush_pages")),
            Cell(_percent(row["partial_share"]), (row["partial_share"],)),
        )
        for row in found
    ]
    note = (
        "Pages of 4 KiB; least and greatest of any interval between two snapshots. Within a page: writes that ended in "
        "one, which the next write writes again."
    )
    caption = "Size of a write to the database's log, from its monitor"
    source = "Source: relation log_flush."
    return [Table("log-flushes", caption, columns, rows_of(rows), (note,), source, statement("log_flushes"), "", 2)]


def hadr_states(study: StudyView) -> list[Table]:
    """What the monitor of HADR showed."""
    found = study.derived("hadr_states", "main.hadr_status")
    if not found:
        return []
    columns = (
        words("Configuration", "configuration"),
        words("Run", "run", is_code=True),
        words("Host", "node", is_code=True),
        words("Database", "database", is_code=True),
        words("Role", "role"),
        figures("Asked", "times_asked"),
        words("States", "states"),
        words("Mode", "syncmodes"),
        words("Connection", "connect_states"),
        figures("Log gap", "log_gap_bytes", unit="bytes", spanner="Greatest"),
        figures("Wait", "wait_recent_s", unit="s", spanner="Greatest"),
    )
    rows = [
        (
            _configuration(study, row["configuration"]),
            *(text(row[name]) for name in ("run", "node", "database", "role")),
            _count(row["times_asked"]),
            *(text(row[name]) for name in ("states", "syncmodes", "connect_states")),
            _count(row["log_gap_bytes"]),
            _compact(row["wait_recent_s"]),
        )
        for row in found
    ]
    note = "Asked: how often. States are all that were shown, in alphabetical order; gap and wait the greatest shown."
    caption = "HADR as its monitor showed it"
    source = "Source: relation hadr_status, which has every time it was asked."
    sql = statement("hadr_states")
    return [Table("hadr-states", caption, columns, rows_of(rows), (note,), source, sql, "", 4, is_grouped=True)]


def automatic_parameters(study: StudyView) -> list[Table]:
    """Parameters that the product set otherwise than in the reference."""
    found = study.derived("automatic_parameters", "main.automatic_change")
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
            _configuration(study, row["configuration"]),
            text(row["scope"]),
            text(row["name"]),
            _configuration(study, row["reference"]),
            text(row["reference_value"]),
            text(row["value"]),
        )
        for row in found
    ]
    note = "The setting is the same, AUTOMATIC; the values are what it came to."
    caption = "Parameters that the product chose, where it chose otherwise than in the reference configuration"
    source = "Source: relation automatic_change."
    sql = statement("automatic_parameters")
    return [
        Table("automatic-parameters", caption, columns, rows_of(rows), (note,), source, sql, "", 3, is_grouped=True)
    ]


def delayed_parameters(study: StudyView) -> list[Table]:
    """Parameters that were set and did not hold yet."""
    found = study.derived("delayed_parameters", "main.parameter")
    if not found:
        return []
    columns = (
        words("Scope", "scope", is_code=True),
        words("Parameter", "name", is_code=True),
        words("Value in force", "value", is_code=True),
        words("From the next start on", "delayed_value", is_code=True),
        words("Configurations", "configurations"),
    )
    rows = [
        (
            text(row["scope"]),
            text(row["name"]),
            text(row["value"]),
            text(row["delayed_value"]),
            Cell(", ".join(map(study.label, row["configurations"])), (", ".join(row["configurations"]),)),
        )
        for row in found
    ]
    note = "A run made before that start was made with the value in force."
    caption = "Parameters that had been set and did not hold yet when the configuration was printed"
    source = "Source: relation parameter."
    sql = statement("delayed_parameters")
    return [Table("delayed-parameters", caption, columns, rows_of(rows), (note,), source, sql, "", 2)]


def _configuration(study: StudyView, name: str | None) -> Cell:
    return Cell(study.label(name), (name,))


def _count(value: float | None) -> Cell:
    return Cell(numbers.count(value), (value,))


def _compact(value: float | None) -> Cell:
    return Cell(numbers.compact(value), (value,))


def _percent(share: float | None) -> str:
    return numbers.fixed(None if share is None else 100 * share, 0)
