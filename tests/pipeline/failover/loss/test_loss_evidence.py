from typing import Any

import pytest

from pipeline.failover.evidence import ClusterLine
from pipeline.failover.loss.departures import Departure
from pipeline.failover.loss.loss_evidence import LltId, NodeLossEvidence, node_loss_evidence
from pipeline.failover.loss.node_ids import ClusterNode
from tests.support.evidence_rows import at, row


def line(second: float, kind: str, node: str = "birch", peer: str | None = None, **values: Any) -> ClusterLine:
    named = {"node": node, "node_key": node, "system": peer, "system_key": peer}
    return row(ClusterLine, second, **(named | {"kind": kind} | values))


def ring(second: float, kind: str, **values: Any) -> ClusterLine:
    return line(second, kind, stack="corosync", **values)


def manager(second: float, kind: str, peer: str | None = "alder", **values: Any) -> ClusterLine:
    return line(second, kind, peer=peer, stack="pacemaker", **values)


def evidence(*lines: ClusterLine, departures: tuple[Departure, ...] = ()) -> list[NodeLossEvidence]:
    nodes = [ClusterNode("a", "corosync", 1, "alder"), ClusterNode("a", "llt", 0, "alder")]
    return list(node_loss_evidence(lines, [], [], departures, nodes, [], [LltId("a", 0), LltId("a", 1)]))


def seconds(found: list[NodeLossEvidence]) -> list[float]:
    return [(each.at - at(0)).total_seconds() for each in found]


@pytest.mark.parametrize(
    ("lines", "lost_at"),
    [
        pytest.param([line(0, "membership", port="a", members=[1])], [0], id="the first membership lacks a known id"),
        pytest.param(
            [line(0, "boot"), line(9, "membership", port="a", members=[1])], [], id="unless GAB has just started"
        ),
        pytest.param(
            [line(0, "membership", port="a", members=[0, 1]), line(9, "membership", port="a", members=[1])],
            [9],
            id="the one before had it",
        ),
        pytest.param(
            [line(each, "expired", node_id=0, link=link) for each, link in ((0, 0), (20, 1), (29, 0))],
            [29],
            id="both links expire within ten seconds",
        ),
        pytest.param(
            [manager(0, "cluster_started", peer=None), manager(60, "peer_dead")],
            [],
            id="who starts alone has lost no peer",
        ),
        pytest.param(
            [manager(0, "cluster_started", peer=None), manager(30, "link_up"), manager(60, "peer_dead")],
            [60],
            id="unless it was there meanwhile",
        ),
        pytest.param(
            [manager(0, "shutdown_notice"), manager(60, "peer_dead")],
            [0],
            id="death after a good-bye is no further loss",
        ),
        pytest.param(
            [manager(0, "shutdown_notice"), manager(30, "member_joined"), manager(60, "peer_dead")],
            [0, 60],
            id="unless the peer came back",
        ),
        pytest.param([ring(0, "token_lost"), ring(60, "fence_done", peer="alder")], [60], id="fenced, no membership"),
        pytest.param(
            [ring(0, "token_lost"), ring(30, "membership", previous_state="1"), ring(60, "fence_done", peer="alder")],
            [30],
            id="fenced after a membership showed the loss",
        ),
    ],
)
def test_lines_that_declare_a_node_lost(lines: list[ClusterLine], lost_at: list[float]) -> None:
    assert seconds(evidence(*lines)) == lost_at


LEFT = ring(60, "membership", previous_state="1")


@pytest.mark.parametrize(
    ("lines", "is_planned"),
    [
        pytest.param([LEFT], True, id="no token was lost"),
        pytest.param([ring(59, "token_lost"), LEFT], False, id="the host lost the token"),
        pytest.param(
            [ring(0, "token_lost"), ring(9, "membership"), LEFT], True, id="it lost it before an earlier ring"
        ),
        pytest.param([LEFT, ring(61, "leave_missed", previous_state="1 3")], False, id="it left without a word"),
        pytest.param([LEFT, manager(90, "fence_start")], False, id="it is fenced"),
    ],
)
def test_member_leaves_the_ring_in_order(lines: list[ClusterLine], *, is_planned: bool) -> None:
    assert [each.is_planned for each in evidence(*lines)] == [is_planned]


@pytest.mark.parametrize(
    ("how", "more", "is_planned"),
    [
        pytest.param("shutdown", [], True, id="ordered"),
        pytest.param("shutdown", [manager(30, "member_joined")], False, id="it came back"),
        pytest.param("standby", [manager(30, "member_joined")], True, id="it stays, and runs nothing"),
        pytest.param("shutdown", [manager(0, "fence_start")], False, id="it was fenced"),
    ],
)
def test_loss_follows_from_a_departure(how: str, more: list[ClusterLine], *, is_planned: bool) -> None:
    order = row(Departure, 10, node_key="alder", how=how, is_revoked=False, until_at=at(610))
    (lost,) = evidence(*more, manager(60, "member_lost"), departures=(order,))
    assert lost.is_planned == is_planned


def test_id_without_a_name_is_what_its_host_names_in_the_same_minute() -> None:
    found = evidence(ring(0, "membership", previous_state="7"), manager(50, "member_lost", peer="cedar"))
    assert [each.lost_node for each in found] == ["cedar", "cedar"]
