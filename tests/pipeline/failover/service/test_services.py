"""Which nodes had a service as a node was lost, and what lines show of it."""

from typing import Any

import pytest

from pipeline.failover.evidence import ClusterLine, ServiceSign
from pipeline.failover.incident.incidents import Incident
from pipeline.failover.leaders.leaders import LeaderChange
from pipeline.failover.leaders.unreplaced_leaders import UnreplacedLeader
from pipeline.failover.service.service_holders import service_holder
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


LOST = row(Incident, run="1", loss_at=at(60), membership_at=at(70), lost_key="alpha", lost_keys=["alpha"])


def sign(
    second: float, name: str, node: str = "alpha", writer: str = "alpha", service: str | None = None
) -> ServiceSign:
    return row(ServiceSign, second, sign=name, node_key=node, writer_key=writer, service=service)


def named(*signs: tuple[str, str]) -> list[ServiceSign]:
    return [sign(second, name, service=service) for second, (name, service) in enumerate(signs)]


@pytest.mark.parametrize(
    ("signs", "holders"),
    [
        pytest.param([sign(1, "start")], ["alpha"], id="started"),
        pytest.param([sign(1, "start"), sign(2, "stop")], [], id="stopped again"),
        pytest.param(named(("start", "ip"), ("start", "db"), ("stop", "db")), ["alpha"], id="one of two stopped"),
        pytest.param(named(("start", "db"), ("start", "db"), ("stop", "db")), [], id="one start is logged twice"),
        pytest.param(
            named(("start", "ip"), ("start", "db"), ("stop", "db"), ("stop", "ip")), [], id="each stopped in order"
        ),
        pytest.param([*named(("start", "db"), ("stop", "db")), sign(3, "up")], ["alpha"], id="a line that names none"),
        pytest.param(
            [sign(1, "up"), *named(("up", "db"), ("stop", "db"))], [], id="what no line names is what others name"
        ),
        pytest.param([sign(60, "start")], [], id="only as it was lost"),
        pytest.param([sign(65, "stop", writer="beta")], ["alpha"], id="the cluster says that it ended with the node"),
        pytest.param([sign(65, "stop")], [], id="the node itself says so"),
        pytest.param([sign(131, "stop", writer="beta")], [], id="said too late"),
        pytest.param([sign(1, "start", "beta")], ["beta"], id="another node had it"),
    ],
)
def test_a_node_has_a_service_from_its_start_to_its_stop(signs: list[ServiceSign], holders: list[str]) -> None:
    assert [each.node_key for each in service_holder([LOST], signs)] == holders


def test_what_a_node_had_ends_with_an_earlier_loss_unless_nodes_only_lost_sight_of_each_other() -> None:
    earlier = LOST._replace(run="0", loss_at=at(30), membership_at=at(30))
    cut = earlier._replace(partition_outcome="undecided")
    signs = [sign(1, "start")]
    assert [each.run for each in service_holder([earlier, LOST], signs)] == ["0"]
    assert [each.run for each in service_holder([cut, LOST], signs)] == ["0", "1"]
