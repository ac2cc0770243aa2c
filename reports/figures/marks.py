"""What marks of figures say: the order of runs, the log line behind a value, the rows that a mean comes from."""

from collections.abc import Iterable

from pipeline.store.row import Row
from reports.figures.model import Behind
from reports.study.result_rows import origins_of

FEW_RUNS = 30
"""Dots of no more runs than these are drawn in full."""

RARE = 0.5
"""Of the runs of a configuration."""


def dot_opacity(runs: float) -> float:
    """How dense dots are, so that what lies below them is seen, however many runs there are."""
    return 1.0 if runs <= FEW_RUNS else max(0.25, FEW_RUNS / runs)


def is_rare(phase: Row, most: int) -> bool:
    """Whether a phase is that of a few of the runs only, which do not stand for the others."""
    return bool(phase["runs"] < RARE * most)


def place_of(row: Row) -> str:
    """Where a run is among the others of its configuration: by its number, then by its name."""
    return f"{row['run_no'] or 0:06d} {row['run']}"


def line_of(row: Row) -> str:
    """The log line that a value comes from, to be put behind it; nothing where it comes from none."""
    return f", {row['path']}:{row['line_no']}" if row["path"] else ""


def behind(column: str, marks: Iterable[tuple[str, Row]]) -> dict[str, Behind]:
    """Where the numbers of marks come from, by their words: a column of the row that each shows."""
    return {
        words: Behind(row["configuration"], origins) for words, row in marks if (origins := origins_of(row, column))
    }
