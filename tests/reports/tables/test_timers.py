"""The table of timers: a row per set of timers, with the configurations that have it."""

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import duckdb

from reports.study.view import statement
from reports.tables.environment.timers import timers

if TYPE_CHECKING:
    from reports.study.view import StudyView

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
