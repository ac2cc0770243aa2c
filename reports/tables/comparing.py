"""What tables of comparisons have in common: runs to add, and why a configuration is the reference."""

from collections.abc import Sequence

from pipeline.ask.compare.runs import runs_to_add
from reports.runs_to_add import needed_words
from reports.study.store import Row
from reports.study.view import StudyView
from reports.tables.fields import Field
from reports.tables.model import Cell, Column

RUNS_NOTE = (
    "Runs to add: how many more the configuration with fewer needs, if means and spreads stay as they are, so that "
    "four of five such studies would show this difference, or so that the interval would lie inside the margin."
)


def proposal(study: StudyView) -> tuple[str, ...]:
    """The note on a reference that nobody named; empty where somebody did."""
    if study.proposed is None:
        return ()
    label, reason = study.label_inside(study.proposed.configuration), study.proposed.proposed_as
    return (f"Nobody named a reference: {label} is proposed, {reason}. “reference” in study.toml names another one.",)


def runs_field(study: StudyView, rows: Sequence[Row]) -> tuple[Field, ...]:
    """The column of runs to add; none where every comparison is decided. `rows`: with columns of `comparison`."""
    margin_pct = study.setting.get("margin_pct")
    words = [_needed(row, margin_pct) for row in rows]
    if not any(words):
        return ()
    column = Column("Runs to add", ("more_runs_to_show", "more_runs_to_equal"), is_number=False)
    return (Field(column, lambda row: _cell(row, margin_pct)),)


def _cell(row: Row, margin_pct: float | None) -> Cell:
    open_ = runs_to_add(row)
    return Cell(_needed(row, margin_pct), (open_.to_show, open_.to_equal))


def _needed(row: Row, margin_pct: float | None) -> str:
    return "" if row["is_decided"] is None else needed_words(row, runs_to_add(row), margin_pct)


def runs_note(fields: Sequence[Field]) -> tuple[str, ...]:
    """What runs to add are, where a column shows them."""
    return (RUNS_NOTE,) if any(each.column.label == "Runs to add" for each in fields) else ()
