"""Tables of recovery steps against those of the reference."""

from collections.abc import Sequence

from reports import numbers, recoveries
from reports.recoveries import run_range
from reports.study.store import Row
from reports.study.view import StudyView, statement
from reports.tables.catalogue import table
from reports.tables.comparing import proposal, runs_field, runs_note
from reports.tables.fields import fixed, from_rows, printed, ratio, ratio_interval, verdict, worded
from reports.tables.model import Table


@table(section="results", topic="failover", after="outcomes")
def changes(study: StudyView) -> list[Table]:
    """The time to recovery of every configuration against its reference."""
    found = study.end_changes
    caption = f"Time to recovery of each configuration against {_common(study, found) or 'its reference'}"
    if len({row["milestone"] for row in found}) != 1:
        return _changes(study, found, caption)
    return _changes(study, found, f"{caption} ({study.milestone_phrase(found[0]['milestone'])})", ())


@table(section="runs", after="changes")
def changes_all(study: StudyView) -> list[Table]:
    """The same of every milestone."""
    caption = "Every milestone of each configuration against its reference"
    return _changes(study, study.rows("changes"), caption, is_grouped=True)


def _changes(
    study: StudyView,
    found: Sequence[Row],
    caption: str,
    heads: tuple[str, ...] = ("milestone",),
    *,
    is_grouped: bool = False,
) -> list[Table]:
    if not found:
        return []
    common = "" if is_grouped else _common(study, found)
    is_one_mean = bool(common) and not heads
    columns = (
        worded("Configuration", "configuration", lambda row: _compared(study, row, common)),
        *(worded("Milestone", name, lambda row: study.milestones[row["milestone"]].label) for name in heads),
        fixed("Mean", "mean_s", 1, unit="s"),
        *([] if is_one_mean else [fixed("Reference", "reference_mean_s", 1, unit="s")]),
        printed(
            "Difference",
            ("difference_s", *(["reference_mean_s"] if is_one_mean else []), "reference"),
            lambda row: numbers.signed(row["difference_s"], 1),
            unit="s",
        ),
        ratio("Ratio", "ratio"),
        ratio_interval(("ratio_ci95_low", "ratio_ci95_high"), "ratio"),
        printed("p", ("p_holm", "p_value"), lambda row: numbers.p_value(row["p_holm"])),
        verdict(),
        *runs_field(study, found),
    )
    sides = dict.fromkeys(row[key] for row in found for key in ("configuration", "reference"))
    reference = f"; that of the reference is {numbers.fixed(found[0]['reference_mean_s'], 1)} s" if is_one_mean else ""
    note = (
        f"Means over {run_range(found)} runs each{reference}. "
        "Ratio of the means with its 95 % interval (log-delta, Welch); "
        "p of Welch's t test, adjusted after Holm for all comparisons of the study. The verdict follows from both."
    )
    return from_rows(
        found,
        caption,
        columns,
        note=(note, *runs_note(columns), *proposal(study), *recoveries.note(study, sides)),
        source="Source: relation comparison.",
        sql=statement("changes"),
        row_heads=1 + len(heads),
        is_grouped=is_grouped,
    )


def _common(study: StudyView, rows: Sequence[Row]) -> str:
    """The label of what several rows are all compared with; empty where they are not, or there is one row."""
    references = {row["reference"] for row in rows}
    return study.label_inside(references.pop()) if len(references) == 1 and len(rows) > 1 else ""


def _compared(study: StudyView, row: Row, common: str) -> str:
    """What is compared, and with what, where the caption does not say so."""
    label = study.label(row["configuration"])
    return label if common else f"{label} against {study.label_inside(row['reference'])}"
