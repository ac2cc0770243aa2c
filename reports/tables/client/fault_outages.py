"""Table of the faults that a test injected, and of what clients saw of each."""

from reports.study.view import StudyView
from reports.tables.catalogue import table
from reports.tables.fields import code, configuration, count, fixed, from_rows
from reports.tables.model import Table

PRINTED = 40
GAP = "Longest time without an answer"


@table(section="results", topic="client", after="client-errors")
def fault_outages(study: StudyView) -> list[Table]:
    """Every injected fault with the outage of its own."""
    found = study.rows("fault_outages")
    columns = (
        configuration(study),
        code("Run", "run"),
        count("No.", "fault_no"),
        code("Fault", "kind"),
        fixed("Asked at", "asked_s", 1, unit="s"),
        fixed("Lasted", "lasted_s", 1, unit="s"),
        fixed("In the fault", "gap_s", 2, unit="s", spanner=GAP),
        fixed("Outside", "usual_gap_s", 2, unit="s", spanner=GAP),
        fixed("Outage", "outage_s", 2, unit="s"),
        count("Answered", "answered"),
        count("Failed", "failed"),
    )
    return from_rows(
        found,
        "Outage of the clients per injected fault",
        columns,
        note=(
            "Asked at: after the first fault of the run. Lasted: until it was healed. Outside: longest time without an "
            "answer outside of all faults. Outage: the longest time without an answer that overlaps the fault, as far "
            "as it is after the fault, where it is longer than outside. Where several faults overlap the same one, no "
            "line says which of them made it. Answered, failed: operations asked during the fault."
        ),
        source="Source: relations injected_fault and fault_outage.",
        row_heads=4,
        is_grouped=True,
        printed_rows=PRINTED,
    )
