"""The table of what the logs say of a take-over, step by step."""

from reports import numbers
from reports.study.store import Row
from reports.study.view import StudyView
from reports.tables.catalogue import table
from reports.tables.fields import Field, code, fixed, from_rows, printed, worded
from reports.tables.model import Table, text, words
from reports.tables.stamps import PRINTED_MESSAGES, moment
from reports.zero import zero_of

LONGEST_MESSAGE = 110  # characters of a log message that fit a cell of three lines


@table(section="runs", after="hadr-takeovers")
def story(study: StudyView) -> list[Table]:
    """What the logs of cluster managers, replication and databases say, step by step."""
    found = study.rows("story")
    has_uptime = all(row["at"] is None for row in found)
    has_fault = any(row["elapsed_s"] is not None for row in found)
    columns = (
        worded("Run", "run", lambda row: _run_of(study, row), is_code=True),
        code("Node", "node"),
        fixed("Uptime", "uptime_s", 3, unit="s")
        if has_uptime
        else printed("Time", "at", lambda row: moment(row["at"]), unit="UTC"),
        *([fixed(f"After {zero_of(study)}", "elapsed_s", 1, unit="s")] if has_fault else []),
        worded("Message", "text", lambda row: _shortened(row["text"])),
        Field(words("Line", "path", is_code=True), lambda row: text(f"{row['path']}:{row['line_no']}")),
    )
    return from_rows(
        found,
        "What the logs say of membership, fencing, take-over, replication and recovery, step by step",
        columns,
        note=(
            "What several daemons say within one second is printed once; long messages are cut here, not in the data."
        ),
        source="Source: relation ha_event.",
        row_heads=2,
        is_grouped=True,
        printed_rows=PRINTED_MESSAGES,
    )


def _run_of(study: StudyView, row: Row) -> str:
    label = study.label(row["configuration"])
    return label if row["run"] is None else f"{label}, {row['run']}"


def _shortened(message: str | None) -> str:
    line = (message or numbers.DASH).split("\n", 1)[0]
    return line if len(line) <= LONGEST_MESSAGE else f"{line[: LONGEST_MESSAGE - 1]}…"
