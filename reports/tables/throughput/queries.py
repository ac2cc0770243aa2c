"""The table of times of queries against the reference's."""

from reports.study.view import StudyView
from reports.tables.catalogue import table
from reports.tables.fields import configuration, count, from_rows, ratio
from reports.tables.model import Table

TIME = "Time over the reference's"


@table(section="results", topic="throughput", after="throughput-scaling")
def relative_query_times(study: StudyView) -> list[Table]:
    """Times of all queries of a configuration against the reference's, as one number."""
    found = study.rows("relative_query_times")
    has_clients = any(row["clients"] is not None for row in found)
    columns = (
        configuration(study),
        configuration(study, "Reference", "reference"),
        *([count("Clients", "clients")] if has_clients else []),
        count("Queries", "queries"),
        ratio("Geometric mean", "geometric_mean_ratio", spanner=TIME),
        ratio("Least", "least_ratio", spanner=TIME),
        ratio("Greatest", "greatest_ratio", spanner=TIME),
    )
    return from_rows(
        found,
        "Times of queries relative to the reference: geometric mean, and the queries that gained most and least",
        columns,
        note="Below 1: faster than the reference. Over the queries that both have; mean_comparison has each of them.",
        source="Source: relation measurement_query_ratio.",
    )
