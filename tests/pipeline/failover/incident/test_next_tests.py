from collections.abc import Sequence

import pytest

from pipeline.failover.evidence import ClusterLine, ServiceSign
from pipeline.failover.incident.next_tests import NextTests
from pipeline.failover.incident.node_losses import NodeLoss
from pipeline.failover.leaders.leaders import LeaderChange
from pipeline.failover.timeline import Timeline
from tests.support.evidence_rows import at, row

LOST = row(NodeLoss, loss_no=1, loss_at=at(0), lost_key="alder", lost_keys=["alder"])
LED = [row(LeaderChange, 20, former_key="alder", leader_key="birch", loss_at=at(0))]
BACK = [
    row(ServiceSign, 10, sign="start", node_key="birch"),
    row(ServiceSign, 20, sign="idle", node_key="birch", is_last_step=True),
]


def line(second: float, kind: str, node_key: str = "alder", stack: str = "postgresql") -> ClusterLine:
    return row(ClusterLine, second, kind=kind, node_key=node_key, stack=stack)


def begins(
    lines: Sequence[ClusterLine],
    changes: Sequence[LeaderChange] = (),
    signs: Sequence[ServiceSign] = (),
    following: NodeLoss | None = None,
) -> float:
    found = NextTests(lines, changes, Timeline(signs)).begins_at(LOST, following, "birch", at(600))
    return (found - at(0)).total_seconds()


@pytest.mark.parametrize(
    ("lines", "begin_s"),
    [
        pytest.param([], 600, id="no line shows it"),
        pytest.param([line(60, "group_started", "cedar", "patroni")], 60, id="the group is a new one"),
        pytest.param([line(60, "leader", stack="patroni")], 60, id="the lost node leads without a failover"),
        pytest.param([line(60, "leader", stack="etcd")], 600, id="coordinators serve nobody"),
        pytest.param([line(60, "db_ready")], 60, id="its database opens as primary"),
        pytest.param([line(60, "db_ready"), line(60, "db_ready", "birch")], 600, id="one log was collected twice"),
        pytest.param([line(15, "db_ready")], 600, id="before the service is back"),
        pytest.param([line(60, "db_ready", "cedar")], 600, id="another one's database is another matter"),
        pytest.param([line(60, "db_ready", stack="mysql")], 600, id="a replica is ready too"),
        pytest.param([line(60, "boot"), line(70, "boot", "birch")], 60, id="both start together"),
        pytest.param([line(60, "boot"), line(50, "boot", "birch")], 50, id="the surviving node first"),
        pytest.param([line(60, "boot"), line(71, "boot", "birch")], 600, id="one of them long after"),
        pytest.param([line(15, "boot"), line(15, "boot", "birch")], 600, id="both were lost"),
        pytest.param(
            [line(60, "db_ready", stack="mysql"), line(65, "db_ready", "birch", "mysql")], 60, id="databases that start"
        ),
    ],
)
def test_test_begins_once_the_service_is_back(lines: list[ClusterLine], begin_s: float) -> None:
    assert (begins(lines, LED), begins(lines, signs=BACK)) == (begin_s, begin_s)


@pytest.mark.parametrize(
    ("second", "lost", "changes", "begin_s"),
    [
        pytest.param(100, "alder", LED, 60, id="what is nearer to the next loss is of that"),
        pytest.param(100, "birch", LED, 600, id="unless the surviving node is lost"),
        pytest.param(100, "alder", [], 600, id="steps of a cluster manager may take long"),
    ],
)
def test_first_signs_of_a_loss_stand_before_it(
    second: float, lost: str, changes: list[LeaderChange], begin_s: float
) -> None:
    following = row(NodeLoss, loss_no=2, loss_at=at(second), lost_key=lost)
    assert begins([], changes, BACK, following) == begin_s
