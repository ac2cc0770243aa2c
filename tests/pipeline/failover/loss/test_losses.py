from collections.abc import Sequence
from datetime import datetime
from typing import Any

import pytest

from pipeline.failover.evidence import ClusterLine
from pipeline.failover.leaders.leaders import LeaderChange
from pipeline.failover.loss.loss_evidence import NodeLossEvidence
from pipeline.failover.loss.losses import LossEvent, losses_of
from tests.support.evidence_rows import at, row


def evidence(second: float, layer: str = "gab", node_key: str | None = "birch") -> NodeLossEvidence:
    lost = {"lost_id": 0, "lost_node": "alder", "lost_key": "alder"}
    return row(NodeLossEvidence, second, layer=layer, node_key=node_key, is_decisive=True, is_planned=False, **lost)


def losses(
    *found: NodeLossEvidence, lines: Sequence[ClusterLine] = (), led: Sequence[LeaderChange] = ()
) -> Sequence[LossEvent]:
    return losses_of(found, lines, led)


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


JOINS: dict[str, dict[str, Any]] = {
    "gab": {"kind": "membership", "members": [0, 1]},
    "corosync": {"kind": "membership", "state": "0"},
    "pacemaker": {"kind": "member_joined", "system_key": "alder"},
    "had": {"kind": "system_state", "system_key": "alder", "state": "RUNNING"},
}


@pytest.mark.parametrize("join", JOINS.values(), ids=JOINS)
@pytest.mark.parametrize(
    ("again", "joined", "started", "count"),
    [
        pytest.param(20, (12, "birch"), "alder", 2, id="a node that starts and joins is lost anew"),
        pytest.param(20, (12, "birch"), "birch", 2, id="so is one that joins who starts"),
        pytest.param(20, (12, "birch"), "cedar", 1, id="a member for seconds is of one loss without a start"),
        pytest.param(25, (12, "birch"), None, 2, id="a member for longer was back"),
        pytest.param(20, (12, "cedar"), "alder", 1, id="what another host saw first may be late"),
        pytest.param(20, (22, "birch"), "alder", 1, id="who only starts has not joined"),
    ],
)
def test_return_to_its_cluster_divides_losses(
    join: dict[str, Any], again: float, joined: tuple[float, str], started: str | None, count: int
) -> None:
    lines = [row(ClusterLine, joined[0], node=joined[1], node_key=joined[1], **join)]
    lines += [row(ClusterLine, 10, kind="boot", node_key=started)] if started else []
    assert len(losses(evidence(0), evidence(again), lines=lines)) == count


def test_node_that_is_fenced_after_it_returned_is_lost_once() -> None:
    lines = [row(ClusterLine, 12, node="birch", node_key="birch", **JOINS["pacemaker"])]
    lines += [row(ClusterLine, 24, kind="fence_start", system_key="alder")]
    assert len(losses(evidence(0), evidence(25), lines=lines)) == 1


@pytest.mark.parametrize(
    ("members", "count"),
    [
        pytest.param([1], 1, id="while the node is out a link that flaps is no loss"),
        pytest.param([0, 1], 2, id="after its return it is"),
    ],
)
def test_flapping_link(members: list[int], count: int) -> None:
    line = row(ClusterLine, 300, kind="membership", members=members)
    assert len(losses(evidence(0), evidence(600, "llt"), lines=[line])) == count


def test_loss_that_no_known_host_wrote_has_no_observers() -> None:
    assert [each.observers for each in losses(evidence(0, node_key=None))] == [None]
