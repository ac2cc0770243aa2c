"""The table of what the monitor of HADR showed."""

from reports.study.view import StudyView
from reports.tables.catalogue import table
from reports.tables.fields import code, compact, configuration, count, from_rows, word
from reports.tables.model import Table


@table(section="results", topic="replication", after="log-flushes")
def hadr_states(study: StudyView) -> list[Table]:
    """What the monitor of HADR showed."""
    columns = (
        configuration(study),
        code("Run", "run"),
        code("Host", "node"),
        code("Database", "database"),
        word("Role", "role"),
        count("Asked", "times_asked"),
        word("States", "states"),
        word("Mode", "syncmodes"),
        word("Connection", "connect_states"),
        count("Log gap", "log_gap_bytes", unit="bytes", spanner="Greatest"),
        compact("Wait", "wait_recent_s", unit="s", spanner="Greatest"),
    )
    return from_rows(
        study.rows("hadr_states"),
        "HADR as its monitor showed it",
        columns,
        note=(
            "Asked: how often. States are all that were shown, in alphabetical order; gap and wait the greatest shown."
        ),
        source="Source: relation hadr_status, which has every time it was asked.",
        row_heads=4,
        is_grouped=True,
    )
