"""The table of the phases of a failover."""

from reports import numbers
from reports.study.store import Row
from reports.study.view import StudyView
from reports.tables.catalogue import table
from reports.tables.fields import configuration, count, fixed, from_rows, interval, printed, worded
from reports.tables.model import Table
from reports.zero import zero_of


@table(section="runs", after="claims")
def phases(study: StudyView) -> list[Table]:
    """Start and duration of every phase."""
    place = {each.configuration: i for i, each in enumerate(study.configurations)}
    columns = (
        configuration(study),
        worded("Phase", "phase", study.phase_label),
        count("Runs", "runs"),
        fixed("Start", "mean_start_s", 1, unit="s"),
        printed("Duration", ("mean_duration_s", "stddev_duration_s"), _duration, unit="s"),
        interval(("ci95_low_s", "ci95_high_s"), 1, unit="s"),
    )
    return from_rows(
        sorted(study.phases, key=lambda row: place.get(row["configuration"], len(place))),
        f"Start after {zero_of(study)} and duration of every phase",
        columns,
        note=(
            "Mean over the runs that show both ends; duration ± sample standard deviation. "
            "Phases overlap, as the cluster works in parallel, and must not be added up."
        ),
        source="Source: relation phase_stats.",
        row_heads=2,
        is_grouped=True,
    )


def _duration(row: Row) -> str:
    return numbers.mean_and_spread(row["mean_duration_s"], row["stddev_duration_s"], row["resolution_s"])
