"""The table of take-overs of HADR databases."""

from reports import numbers
from reports.study.view import StudyView
from reports.tables.catalogue import table
from reports.tables.fields import code, configuration, count, fixed, from_rows, printed, word, worded
from reports.tables.model import Table
from reports.tables.stamps import moment

STAMP_DECIMALS = 6  # db2diag.log is stamped in microseconds
FORCED = {None: numbers.DASH, True: "yes", False: "no"}


@table(section="results", topic="replication", after="resynchronisations")
def hadr_takeovers(study: StudyView) -> list[Table]:
    """Every take-over of an HADR database, from the command to the new role."""
    columns = (
        configuration(study),
        code("Run", "run"),
        code("Database", "database"),
        code("Node", "node"),
        word("Its role before", "from_role"),
        worded("By force", "is_forced", lambda row: FORCED[row["is_forced"]]),
        printed("Command", "command_at", lambda row: moment(row["command_at"]), unit="UTC"),
        fixed("Duration", "duration_s", STAMP_DECIMALS, unit="s"),
        count("Failed before", "failed_attempts"),
    )
    return from_rows(
        study.rows("hadr_takeovers"),
        "Take-overs of HADR databases",
        columns,
        note=(
            "Duration: from the command to the peer state in the new role, by force to the role; a dash: the log does "
            "not show the end. Each host logs its own side. Failed before: commands directly before this one that had "
            "no end."
        ),
        source="Source: relation hadr_takeover, which names file and line of command and end.",
        row_heads=3,
        is_grouped=True,
    )
