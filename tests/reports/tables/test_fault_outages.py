"""The table of injected faults."""

from reports.study.store import Store
from reports.study.view import StudyView
from reports.tables.client.fault_outages import fault_outages
from tests.support.hand_made import Ledger


def test_every_injected_fault_is_a_row_with_its_outage() -> None:
    ledger = Ledger()
    run = "20030728T102700.000+0000"
    file_id = ledger.file(f"default/{run}/history.edn", "jepsen_history", "default", run, None)
    for second in (1, 2, 3, 8, 9, 10, 11):
        for at, of_type in ((second - 0.25, "invoke"), (second + 0.0, "ok")):
            ledger.add("history_operation", file_id, None, process="0", type=of_type, f="read", offset_s=at)
    for asked, f in ((3.5, "kill"), (3.75, "kill"), (9.25, "restart"), (9.5, "restart"), (10.25, "pause")):
        ledger.add("history_operation", file_id, None, process="nemesis", type="info", f=f, offset_s=asked)
    (table,) = fault_outages(StudyView(Store(ledger.build())))
    assert [[cell.text for cell in row][2:] for row in table.rows] == [
        ["1", "kill", "0.0", "6.0", "5.00", "1.00", "4.50", "2", "0"],
        ["2", "pause", "6.8", "—", "1.00", "1.00", "0.00", "1", "0"],
    ]


def test_no_injected_fault_no_table() -> None:
    assert fault_outages(StudyView(Store(Ledger().build()))) == []
