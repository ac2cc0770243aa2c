"""The table of resynchronisations of replicated devices."""

from reports import numbers
from reports.study.view import StudyView
from reports.tables.catalogue import table
from reports.tables.fields import code, configuration, fixed, from_rows, printed, word
from reports.tables.model import Table
from reports.tables.stamps import decimals, moment

AMONG_RESULTS = 12
"""Resynchronisations that the results list; of more than these they would be a page of their own before any answer."""


@table(section="results", topic="replication", after="operations")
def resynchronisations(study: StudyView) -> list[Table]:
    """Every resynchronisation of a replicated device."""
    columns = (
        configuration(study),
        code("Run", "run"),
        code("Node", "node"),
        code("Device", "device"),
        word("Side", "side"),
        printed("Begin", "start_at", lambda row: moment(row["start_at"]), unit="UTC"),
        printed("Duration", "duration_s", lambda row: numbers.fixed(row["duration_s"], decimals(row)), unit="s"),
        fixed("Reported", "reported_s", 0, unit="s"),
        fixed("Size", "size_kib", 0, unit="KiB"),
        fixed("Rate", "rate_kib_per_s", 0, unit="KiB/s"),
    )
    return from_rows(
        study.rows("resynchronisations"),
        "Resynchronisations of replicated devices",
        columns,
        note=(
            "Duration: from the line that begins to the line that ends it, by kernel uptime where both have it, else "
            "by their stamps. Reported: DRBD's own figure in whole seconds. Devices are resynchronised in parallel: "
            "durations are not to be added up."
        ),
        source="Source: relation drbd_resync, which names file and line of begin and end.",
        row_heads=3,
        is_grouped=True,
        section="runs" if len(study.rows("resynchronisations")) > AMONG_RESULTS else "",
    )
