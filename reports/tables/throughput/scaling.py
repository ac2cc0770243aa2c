"""The table of throughput at several loads."""

from reports.metrics import title_of
from reports.study.store import Row
from reports.study.view import StudyView
from reports.tables.catalogue import table
from reports.tables.fields import compact, configuration, count, fixed, from_rows, worded
from reports.tables.model import Table


@table(section="results", topic="throughput", after="measurements")
def throughput_scaling(study: StudyView) -> list[Table]:
    """Rates at several loads against growth in proportion."""
    columns = (
        configuration(study),
        worded("Rate", ("metric", "label"), _rate),
        count("Clients", "clients"),
        count("Runs", "runs"),
        compact("Mean", "mean"),
        compact("A client", "per_client"),
        fixed("Speed-up", "speed_up", 2),
        fixed("Efficiency", "efficiency", 2),
        compact("A further client", "marginal_gain"),
        worded("Saturated", "is_saturated", lambda row: "yes" if row["is_saturated"] else ""),
    )
    return from_rows(
        study.rows("throughput_scaling"),
        "What more clients bring: throughput at each load against growth in proportion",
        columns,
        note=(
            "Speed-up: rate over that of the first row. Efficiency: speed-up over the growth of the load; 1 is growth "
            "in proportion. A further client: what each one added since the row before brought; saturated: nothing, or "
            "less than a quarter of what the step before brought."
        ),
        source="Source: relation measurement_scaling.",
        row_heads=3,
        is_grouped=True,
    )


def _rate(row: Row) -> str:
    return ", ".join(filter(None, (title_of(row["metric"], row["unit"]), row["label"])))
