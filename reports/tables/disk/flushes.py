"""The table of writes to a database's log."""

from reports import numbers
from reports.study.view import StudyView
from reports.tables.catalogue import table
from reports.tables.fields import code, configuration, count, fixed, from_rows, printed
from reports.tables.model import Table

LOG, PAGES = "Log, all intervals", "Pages a write"


@table(section="results", topic="disk", after="throughput-dips")
def log_flushes(study: StudyView) -> list[Table]:
    """Log pages that the database wrote at a time."""
    columns = (
        configuration(study),
        code("Database", "database"),
        count("Runs", "runs"),
        count("Intervals", "intervals"),
        count("Pages", "pages_written", spanner=LOG),
        count("Writes", "write_count", spanner=LOG),
        fixed("Mean", "flush_pages", 2, spanner=PAGES),
        fixed("Least", "least_flush_pages", 2, spanner=PAGES),
        fixed("Greatest", "greatest_flush_pages", 2, spanner=PAGES),
        printed("Within a page", "partial_share", lambda row: _percent(row["partial_share"]), unit="%"),
    )
    return from_rows(
        study.rows("log_flushes"),
        "Size of a write to the database's log, from its monitor",
        columns,
        note=(
            "Pages of 4 KiB; least and greatest of any interval between two snapshots. Within a page: writes that "
            "ended in one, which the next write writes again."
        ),
        source="Source: relation log_flush.",
        row_heads=2,
    )


def _percent(share: float | None) -> str:
    return numbers.fixed(None if share is None else 100 * share, 0)
