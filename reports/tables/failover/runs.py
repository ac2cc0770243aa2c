"""The table of every run with its fault time."""

from reports import numbers
from reports.study.store import Row
from reports.study.view import StudyView
from reports.tables.catalogue import table
from reports.tables.fields import code, configuration, from_rows, moment, printed, word, worded
from reports.tables.model import Table


@table(section="runs", after="phases")
def runs(study: StudyView) -> list[Table]:
    """Fault time of every run, and how it is known."""
    columns = (
        configuration(study),
        code("Run", "run"),
        code("Lost", "lost_node"),
        code("Took over", "surviving_node"),
        moment("Fault", "fault_at", with_fraction=True),
        printed(
            "Interval",
            ("fault_at_low", "fault_at_high"),
            lambda row: numbers.fixed(row["fault_width_s"], 1),
            unit="s",
        ),
        word("Fault time from", "fault_source"),
        worded("Remarks", "flags", lambda row: _remarks(row) or numbers.DASH),
    )
    found = study.failover_runs
    used = sum(bool(row["used"]) for row in found)
    return from_rows(
        found,
        "Fault time of every run, with its interval and the evidence it rests on",
        columns,
        note=(
            "Interval: width of the span that the evidence leaves for the fault; the middle is printed and is zero "
            f"seconds. {used} of {len(found)} runs are used in the statistics."
        ),
        source="Source: relation run.",
        row_heads=2,
        is_grouped=True,
    )


def _remarks(row: Row) -> str:
    excluded = "" if row["used"] else f"not used: {row['excluded_reason'] or 'no reason given'}"
    flags = (row["flags"] or "").replace("_", " ")
    return "; ".join(filter(None, (excluded, flags)))
