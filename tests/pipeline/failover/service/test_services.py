from typing import Any

import pytest

from pipeline.failover.evidence import ClusterLine
from pipeline.failover.leaders.leaders import LeaderChange
from pipeline.failover.leaders.unreplaced_leaders import UnreplacedLeader
from pipeline.failover.service.services import service_sign
from tests.support.evidence_rows import at, row


@pytest.mark.parametrize(
    ("values", "sign"),
    [
        pytest.param(
            {"kind": "resource_online", "is_vcs_online": True}, ("start", 2, False), id="VCS brought it online"
        ),
        pytest.param({"kind": "resource_online", "is_vcs_online": False}, ("up", 2, False), id="it came online"),
        pytest.param({"kind": "group_online"}, ("up", 2, True), id="its group is complete"),
        pytest.param(
            {"kind": "operation_done", "action": "promote", "resource_class": "database"},
            ("start", 1, False),
            id="a database was promoted",
        ),
        pytest.param({"kind": "recovery_ok"}, ("start", 3, True), id="a database has recovered"),
        pytest.param({"kind": "operation_done", "action": "stop", "state": "ok"}, ("stop", 2, False), id="stopped"),
        pytest.param({"kind": "operation_done", "action": "stop", "state": "failed"}, None, id="could not stop"),
        pytest.param(
            {"kind": "operation_start", "action": "start", "resource_class": "fencing"},
            None,
            id="fencing is no service",
        ),
    ],
)
def test_sign_of_a_line(values: dict[str, Any], sign: tuple[str, int, bool] | None) -> None:
    line = row(ClusterLine, 0, node="birch", node_key="birch", **values)
    found = service_sign([line], [], [], [], [])
    assert [(each.sign, each.rank, each.is_last_step) for each in found] == ([] if sign is None else [sign])


def test_sentinel_beside_the_lost_leader_is_no_writer() -> None:
    change = row(LeaderChange, 0, leader="birch", leader_key="birch", former_key="alder", node_key="alder")
    (found,) = service_sign([], [change], [], [], [])
    assert (found.sign, found.node_key, found.writer_key) == ("start", "birch", None)


def test_leader_that_nobody_replaced_had_the_service_until_it_was_missed() -> None:
    missed = [
        row(UnreplacedLeader, second, former="alder", former_key="alder", loss_at=at(1), line_no=second)
        for second in (1, 2)
    ]
    (found,) = service_sign([], [], missed, [], [])
    assert (found.sign, found.node_key, found.line_no, found.at) == ("up", "alder", 1, at(0.999999))
