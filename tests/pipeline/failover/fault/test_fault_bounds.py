import pytest

from pipeline.failover.fault.fault_bounds import order_bound
from pipeline.failover.incident.incidents import Incident
from pipeline.failover.leaders.leaders import LeaderChange
from pipeline.failover.stamps import microseconds
from tests.support.evidence_rows import at, row

CHANGE = row(
    LeaderChange,
    20,
    former_key="alder",
    loss_at=at(12),
    ordered_by="take-over command",
    ordered_at=at(10),
    order_file_id=3,
    order_line_no=7,
)
PLANNED = row(Incident, run="1", lost_key="alder", loss_at=at(12), is_planned=True, is_commanded=False)


def test_planned_change_begins_with_its_order() -> None:
    (found,) = order_bound([PLANNED], [CHANGE])
    assert (found.source, found.low_us, found.high_us) == ("take-over command", *[microseconds(at(10))] * 2)
    assert (found.file_id, found.line_no) == (3, 7)


@pytest.mark.parametrize(
    ("incident", "change"),
    [
        pytest.param(PLANNED._replace(is_planned=False), CHANGE, id="a failover"),
        pytest.param(PLANNED._replace(lost_key="birch"), CHANGE, id="of another node"),
        pytest.param(PLANNED._replace(loss_at=at(21)), CHANGE, id="a later one"),
        pytest.param(PLANNED, CHANGE._replace(ordered_at=None), id="nobody ordered it"),
    ],
)
def test_other_changes_have_no_order(incident: Incident, change: LeaderChange) -> None:
    assert not list(order_bound([incident], [change]))
