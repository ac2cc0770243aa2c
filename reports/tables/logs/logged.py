"""What the logs themselves tell, of a study without a failover."""

from collections.abc import Sequence
from typing import Final

from reports import numbers
from reports.study.store import Row
from reports.study.view import StudyView
from reports.tables.catalogue import table
from reports.tables.fields import Field, code, count, from_rows, printed, word, worded
from reports.tables.model import Table, text, words
from reports.tables.stamps import moment
from reports.typeset.text import shortened
from reports.words import planned_runs

PRINTED_ROWS: Final = 16
"""Rows of a table that are printed; the data file has all."""
LONGEST_MESSAGE: Final = 110
"""Characters of a message that fit a cell of three lines."""


@table(section="results", topic="logs", after="story")
def log_errors(study: StudyView) -> list[Table]:
    """What the logs themselves call an error or worse, the first of each message."""
    columns = (
        worded("Configuration", "configuration", lambda row: study.label(row["configuration"])),
        word("Severity", "severity"),
        worded("Message", "text", _message),
        word("Meaning", "meaning"),
        count("Lines", "lines"),
        code("Host", "nodes"),
        printed("From, to", ("first_at", "last_at"), _span, unit="UTC"),
        _line(),
    )
    return _logged(
        study,
        "log_errors",
        "What the logs themselves call an error, the gravest first",
        columns,
        note="The first line of each message; lines that differ in numbers and instants alone are one message.",
        source="Source: relation log_error, which tells runs apart.",
    )


@table(section="results", topic="logs", after="log-errors")
def state_changes(study: StudyView) -> list[Table]:
    """What changed its state, from what to what."""
    columns = (
        worded("Run", "run", lambda row: _run_of(study, row), is_code=True),
        printed("Time", "at", lambda row: moment(row["at"]), unit="UTC"),
        code("Host", "node"),
        word("Kind", "subject"),
        worded("Name", "name", lambda row: shortened(row["name"], LONGEST_MESSAGE // 2), is_code=True),
        word("From", "from_state"),
        word("To", "to_state"),
        _line(),
    )
    return _logged(
        study,
        "state_changes",
        "What changed its state",
        columns,
        note=f"From: {numbers.DASH} where no line told the state before.",
        source="Source: relation state_change.",
    )


@table(section="results", topic="logs", after="state-changes")
def unmade_incidents(study: StudyView) -> list[Table]:
    """Lines about a loss that no incident rests on, and what is missing."""
    columns = (
        worded("Run", "run", lambda row: _run_of(study, row), is_code=True),
        printed("Time", "at", lambda row: moment(row["at"]), unit="UTC"),
        code("Host", "node"),
        code("Lost", "peer"),
        word("Taken for", "taken_for"),
        word("Missing for an incident", "missing"),
        worded("Message", "text", _message),
        _line(),
    )
    return _logged(
        study,
        "unmade_incidents",
        "Lines about a lost node or leader, and why they are no incident",
        columns,
        source="Source: relation loss_candidate.",
    )


def _logged(  # noqa: PLR0913  a table has that many parts
    study: StudyView,
    statement: str,
    caption: str,
    columns: Sequence[Field],
    *,
    source: str,
    note: str = "",
) -> list[Table]:
    """The table of a statement about what logs tell; none beside a failover."""
    if _has_failover(study):
        return []
    rows = study.rows(statement)
    return from_rows(rows, caption, columns, note=note or (), source=source, is_grouped=True, printed_rows=PRINTED_ROWS)


def _has_failover(study: StudyView) -> bool:
    """Whether a node was lost in some run, unplanned."""
    planned = planned_runs(study)
    return any((row["configuration"], row["run"]) not in planned for row in study.failover_runs)


def _line() -> Field:
    return Field(words("Line", "path", is_code=True), lambda row: text(f"{row['path']}:{row['line_no']}"))


def _run_of(study: StudyView, row: Row) -> str:
    label = study.label(row["configuration"])
    return label if row["run"] is None else f"{label}, {row['run']}"


def _message(row: Row) -> str:
    words_of = " ".join((row["text"] or numbers.DASH).split())
    return words_of if len(words_of) <= LONGEST_MESSAGE else f"{words_of[: LONGEST_MESSAGE - 1]}\u2026"


def _span(row: Row) -> str:
    first, last = row["first_at"], row["last_at"]
    if first == last:
        return moment(first)
    return f"{moment(first)}, {moment(last)}"
