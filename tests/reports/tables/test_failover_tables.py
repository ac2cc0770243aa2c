"""Tables about faults and timers."""

from types import SimpleNamespace
from typing import Any, cast

import duckdb

from reports.study.store import Store
from reports.study.view import StudyView, statement
from reports.tables.client.fault_outages import fault_outages
from reports.tables.environment.timers import timers
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


ROWS = """
create table configuration_order as
    select * from (values (0, 'plain'), (1, 'quick'), (2, 'spare')) as names (position, configuration);
create table cluster_line as
    select configuration, 'llt' as source, null::varchar as stack, 'expired' as kind from configuration_order;
create table cluster_timer as select
    configuration, case configuration when 'plain' then 16.0 else 3.0 end::double as peerinact_s,
    2.0::double as peertrouble_s,
    0.5::double as heartbeat_s, 2.0::double as stable_s, null::double as deadtime_s, null::double as keepalive_s,
    null::double as token_s, null::double as consensus_s, false as is_peerinact_assumed,
    false as is_peertrouble_assumed, false as is_stable_assumed, false as is_deadtime_assumed,
    false as is_token_assumed, false as is_peerinact_inferred, false as is_peertrouble_inferred,
    false as is_stable_inferred, false as is_token_inferred
from configuration_order;
"""


def study() -> "StudyView":
    connection = duckdb.connect()
    connection.execute(ROWS)

    def rows(name: str) -> list[dict[str, Any]]:
        found = connection.sql(statement(name).replace("main.", ""))
        return [dict(zip(found.columns, row, strict=True)) for row in found.fetchall()]

    names = ("plain", "quick", "spare")
    return cast(
        "StudyView",
        SimpleNamespace(
            rows=rows,
            label=str.title,
            failover_runs=[{"configuration": each} for each in names],
        ),
    )


def test_equal_timers_are_one_row() -> None:
    (table,) = timers(study())
    assert [[cell.text for cell in row] for row in table.rows] == [
        ["Plain", "16", "2", "0.5", "2"],
        ["all but Plain", "3", "2", "0.5", "2"],
    ]
    assert table.rows[1][0].values == ("quick, spare",)
