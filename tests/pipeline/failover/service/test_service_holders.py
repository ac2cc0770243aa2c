"""Which nodes had a service as a node was lost."""

import pytest

from pipeline.failover.evidence import ServiceSign
from pipeline.failover.incident.incidents import Incident
from pipeline.failover.service.service_holders import service_holder
from tests.support.evidence_rows import at, row

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
