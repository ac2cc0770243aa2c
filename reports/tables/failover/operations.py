"""The table of a cluster manager's operations on resources."""

from reports import numbers
from reports.study.store import Row
from reports.study.view import StudyView
from reports.tables.catalogue import table
from reports.tables.fields import code, configuration, from_rows, printed, word, worded
from reports.tables.model import Table
from reports.tables.stamps import PRINTED_MESSAGES, decimals, moment
from reports.zero import zero_of

AMONG_RESULTS = 40  # operations: a page; more are looked up rather than read, and are in the appendix of runs


@table(section="results", topic="failover", after="client-errors")
def operations(study: StudyView) -> list[Table]:
    """Every operation on a resource, failed ones too, with begin and end."""
    zero = zero_of(study)
    columns = (
        configuration(study),
        code("Run", "run"),
        code("Node", "node"),
        worded("Resource", "object", _resource, is_code=True),
        word("Operation", "action"),
        printed("End", "end_at", lambda row: moment(row["end_at"]), unit="UTC"),
        printed(f"After {zero}", ("start_s", "end_s"), _span, unit="s"),
        printed("Duration", "duration_s", lambda row: numbers.fixed(row["duration_s"], decimals(row)), unit="s"),
        worded("Outcome", "outcome", _outcome),
    )
    return from_rows(
        study.rows("operations"),
        "Operations of the cluster manager on resources, in the order of time",
        columns,
        note=(
            "Begin and end as the cluster manager logged them; stamps are cut, so that a duration from whole seconds "
            "is certain to ± 1 s. A dash: the log does not show it. Operations outside of every failover have the run "
            "of their folder, if there is one."
        ),
        source="Source: relation ha_operation, which names file and line of begin and end.",
        row_heads=3,
        is_grouped=True,
        printed_rows=PRINTED_MESSAGES,
        section="runs" if len(study.rows("operations")) > AMONG_RESULTS else "",
    )


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
