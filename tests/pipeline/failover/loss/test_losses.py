from collections.abc import Sequence
from datetime import datetime

import pytest

from pipeline.failover.evidence import ClusterLine
from pipeline.failover.leaders.leaders import LeaderChange
from pipeline.failover.loss.loss_evidence import NodeLossEvidence
from pipeline.failover.loss.losses import LostNode, lost_node
from tests.support.evidence_rows import at, row


def evidence(second: float, layer: str = "gab", node_key: str | None = "birch") -> NodeLossEvidence:
    lost = {"lost_id": 0, "lost_node": "alder", "lost_key": "alder"}
    return row(NodeLossEvidence, second, layer=layer, node_key=node_key, is_decisive=True, is_planned=False, **lost)


def losses(
    *found: NodeLossEvidence, line: ClusterLine | None = None, led: Sequence[LeaderChange] = ()
) -> list[LostNode]:
    return list(lost_node(found, [line] if line else [], led))


@pytest.mark.parametrize(
    ("seconds", "starts"),
    [
        pytest.param([0, 60, 120], [at(0)], id="no pause is longer than a minute"),
        pytest.param([0, 61], [at(0), at(61)], id="a longer pause divides"),
    ],
)
def test_pause_divides_losses(seconds: list[float], starts: list[datetime]) -> None:
    assert [each.loss_at for each in losses(*map(evidence, seconds))] == starts


def change(second: float, leader: str, former: str, missed: float) -> LeaderChange:
    names = {"leader_key": leader, "former_key": former, "stack": "redis", "group": ""}
    return row(LeaderChange, second, loss_at=at(missed), **names)


@pytest.mark.parametrize(
    ("led", "starts"),
    [
        pytest.param([change(8, "alder", "birch", 8)], [at(0), at(14)], id="a node that leads again was back"),
        pytest.param([change(8, "birch", "cedar", 8)], [at(0)], id="that another one leads divides nothing"),
        pytest.param(
            [change(1, "birch", "alder", 0), change(15, "birch", "alder", 14)],
            [at(0), at(14)],
            id="a leader that is replaced a second time was back",
        ),
        pytest.param(
            [change(1, "birch", "alder", 0), change(15, "birch", "alder", 0)],
            [at(0)],
            id="unless it was missed only once",
        ),
    ],
)
def test_return_as_leader_divides_losses(led: list[LeaderChange], starts: list[datetime]) -> None:
    assert [each.loss_at for each in losses(evidence(0), evidence(14), led=led)] == starts


@pytest.mark.parametrize(
    ("members", "count"),
    [
        pytest.param([1], 1, id="while the node is out a link that flaps is no loss"),
        pytest.param([0, 1], 2, id="after its return it is"),
    ],
)
def test_flapping_link(members: list[int], count: int) -> None:
    line = row(ClusterLine, 300, kind="membership", members=members)
    assert len(losses(evidence(0), evidence(600, "llt"), line=line)) == count


def test_loss_that_no_known_host_wrote_has_no_observers() -> None:
    assert [each.observers for each in losses(evidence(0, node_key=None))] == [None]
