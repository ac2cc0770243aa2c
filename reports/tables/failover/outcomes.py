"""Tables of what became of runs, where any of them did not come back by itself."""

from collections.abc import Sequence

from reports import numbers
from reports.recoveries import is_whole
from reports.study.result_rows import origins_of
from reports.study.store import Row
from reports.study.view import StudyView, kind_phrase
from reports.tables.catalogue import table
from reports.tables.fields import Field, code, configuration, count, fixed, from_rows, interval, printed, worded
from reports.tables.model import Cell, Table, figures
from reports.words import OUTCOME_WORDS, in_words
from reports.zero import zero_of


@table(section="results", topic="failover", after="timers")
def recovery(study: StudyView) -> list[Table]:
    """How many runs of each configuration came back; none where all did."""
    counted = [row for row in study.rows("outcomes") if row["is_counted"]]
    found = [kind for kind in OUTCOME_WORDS if kind != "recovered" and any(row["outcome"] == kind for row in counted)]
    columns = (
        configuration(study),
        count("Runs", "runs"),
        count("Recovered", "recovered"),
        printed("Share", "share", _share, unit="%"),
        printed("95 % interval", ("ci95_low", "ci95_high"), _interval, unit="%"),
        *(_count(counted, kind) for kind in found),
    )
    return from_rows(
        [] if is_whole(study) else study.rows("recovery"),
        "What became of the failovers",
        columns,
        note=(
            "Recovered: the service came back by itself and stayed. Interval: Wilson, 95 %. Planned take-overs and "
            "runs that the study excludes are left out. Times to recovery are means of the runs that recovered."
        ),
        source="Source: relation recovery.",
    )


@table(section="results", topic="failover", after="recovery")
def fault_kinds(study: StudyView) -> list[Table]:
    """Outcome and time to recovery by kind of fault, where runs of a configuration had several."""
    columns = (
        configuration(study),
        worded("Kind of fault", "fault_kind", lambda row: kind_phrase(row["fault_kind"])),
        count("Runs", "runs"),
        count("Recovered", "recovered"),
        printed("Time to recovery", ("mean_s", "stddev_s"), _time, unit="s"),
        interval(("ci95_low_s", "ci95_high_s"), 1, unit="s"),
    )
    return from_rows(
        study.rows("fault_kinds"),
        "Failovers by kind of fault",
        columns,
        note=(
            "Mean ± sample standard deviation over runs of one kind. All other tables and figures of means are of the "
            f"kind that most runs of the study had: {_counted_kinds(study)}."
        ),
        source="Source: relations recovery_by_kind and milestone_stats_by_kind.",
        row_heads=2,
        is_grouped=True,
    )


def _time(row: Row) -> str:
    if row["mean_s"] is None:
        return numbers.DASH
    return numbers.mean_and_spread(row["mean_s"], row["stddev_s"], row["resolution_s"])


def _counted_kinds(study: StudyView) -> str:
    found = dict.fromkeys(kind_phrase(row["fault_kind"]) for row in study.rows("fault_kinds") if row["is_counted"])
    return ", ".join(found)


@table(section="results", topic="failover", after="fault-kinds")
def outcomes(study: StudyView) -> list[Table]:
    """What is known of the runs that did not come back."""
    found = [row for row in study.rows("outcomes") if row["is_counted"] and row["outcome"] != "recovered"]
    columns = (
        configuration(study),
        code("Run", "run"),
        worded("Outcome", "outcome", lambda row: OUTCOME_WORDS[row["outcome"]]),
        fixed("Seen until", "censored_s", 1, unit="s"),
        worded("Why", "reason", lambda row: in_words(study, row["reason"])),
        worded("Line", ("path", "line_no"), _line, is_code=True),
    )
    return from_rows(
        [] if is_whole(study) else found,
        "Failovers that did not come back by themselves",
        columns,
        note=(
            f"Seen until: seconds after {zero_of(study)} from which on nothing of the run counts as automatic "
            "recovery; steps before count. Relation run_outcome has all runs."
        ),
        source="Source: relation run_outcome.",
        row_heads=2,
        is_grouped=True,
    )


def _count(rows: Sequence[Row], outcome: str) -> Field:
    """A column of how many runs of a configuration ended so."""

    def cell(row: Row) -> Cell:
        own = [each for each in rows if each["configuration"] == row["configuration"]]
        ended = sum(each["outcome"] == outcome for each in own)
        return Cell(
            numbers.count(ended), (ended,), tuple(origin for each in own for origin in origins_of(each, "outcome"))
        )

    return Field(figures(OUTCOME_WORDS[outcome].capitalize(), outcome), cell)


def _share(row: Row) -> str:
    return numbers.DASH if row["kinds"] > 1 else numbers.fixed(100 * row["share"], 0)


def _interval(row: Row) -> str:
    if row["kinds"] > 1:
        return numbers.DASH
    return numbers.interval(100 * row["ci95_low"], 100 * row["ci95_high"], 0)


def _line(row: Row) -> str:
    return f"{row['path']}:{row['line_no']}" if row["path"] else numbers.DASH
