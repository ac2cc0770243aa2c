"""Tables of what became of runs, where any of them did not come back by itself."""

from reports import numbers
from reports.recoveries import is_whole
from reports.store import Row
from reports.study_view import StudyView, statement
from reports.tables.model import Cell, Column, Table, figures, rows_of, text, words
from reports.words import OUTCOME_WORDS, in_words


def outcomes(study: StudyView) -> list[Table]:
    """How many runs of each configuration came back, and what is known of those that did not; none where all did."""
    if is_whole(study):
        return []
    return [_counts(study), _runs(study)]


def _counts(study: StudyView) -> Table:
    counted = [row for row in study.outcomes if row["is_counted"]]
    found = [kind for kind in OUTCOME_WORDS if kind != "recovered" and any(row["outcome"] == kind for row in counted)]
    columns = (
        words("Configuration", "configuration"),
        figures("Runs", "runs"),
        figures("Recovered", "recovered"),
        figures("Share", "share", unit="%"),
        figures("95 % interval", "ci95_low", "ci95_high", unit="%"),
        *(figures(OUTCOME_WORDS[kind].capitalize(), kind) for kind in found),
    )
    rows = [
        (
            Cell(study.label(row["configuration"]), (row["configuration"],)),
            Cell(numbers.count(row["runs"]), (row["runs"],)),
            Cell(numbers.count(row["recovered"]), (row["recovered"],)),
            Cell(numbers.fixed(100 * row["share"], 0), (row["share"],)),
            _interval(row),
            *(_count(counted, row["configuration"], kind) for kind in found),
        )
        for row in study.recovery
    ]
    note = (
        "Recovered: the service came back by itself and stayed. Interval: Wilson, 95 %. Planned take-overs and "
        "runs that the study excludes are left out. Times to recovery are means of the runs that recovered."
    )
    caption = "What became of the failovers"
    return Table(
        "recovery", caption, columns, rows_of(rows), (note,), "Source: relation recovery.", statement("recovery")
    )


def _runs(study: StudyView) -> Table:
    columns = (
        words("Configuration", "configuration"),
        words("Run", "run", is_code=True),
        words("Outcome", "outcome"),
        figures("Seen until", "censored_s", unit="s"),
        words("Why", "reason"),
        Column("Line", ("path", "line_no"), is_number=False, is_code=True),
    )
    rows = [
        (
            Cell(study.label(row["configuration"]), (row["configuration"],)),
            text(row["run"]),
            Cell(OUTCOME_WORDS[row["outcome"]], (row["outcome"],)),
            Cell(numbers.fixed(row["censored_s"], 1), (row["censored_s"],)),
            Cell(in_words(study, row["reason"]), (row["reason"],)),
            Cell(f"{row['path']}:{row['line_no']}" if row["path"] else numbers.DASH, (row["path"], row["line_no"])),
        )
        for row in study.outcomes
        if row["is_counted"] and row["outcome"] != "recovered"
    ]
    note = (
        "Seen until: seconds after the fault from which on nothing of the run counts as automatic recovery; steps "
        "before count. Relation run_outcome has all runs."
    )
    caption = "Failovers that did not come back by themselves"
    source, sql = "Source: relation run_outcome.", statement("outcomes")
    return Table("outcomes", caption, columns, rows_of(rows), (note,), source, sql, "", 2, is_grouped=True)


def _count(rows: list[Row], configuration: str, outcome: str) -> Cell:
    count = sum(row["configuration"] == configuration and row["outcome"] == outcome for row in rows)
    return Cell(numbers.count(count), (count,))


def _interval(row: Row) -> Cell:
    low, high = row["ci95_low"], row["ci95_high"]
    return Cell(numbers.interval(100 * low, 100 * high, 0), (low, high))
