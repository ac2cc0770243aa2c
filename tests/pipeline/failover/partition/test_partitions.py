from collections.abc import Sequence
from typing import Any

import pytest

from pipeline.failover.evidence import ClusterLine, HaLine, ServiceSign
from pipeline.failover.loss.loss_evidence import NodeLossEvidence
from pipeline.failover.loss.losses import LossEvent
from pipeline.failover.partition.partitions import network_partition
from pipeline.failover.partition.sides import PartitionLine, PartitionSide, partition_side
from tests.support.evidence_rows import at, row

CALM = {"is_boot": False, "is_panic": False}


def side(node: str, other: str, own_s: float = 0) -> PartitionSide:
    lost = {"lost": [other], "lost_by": [other]}
    known = {"event_no": 1, "node": node, "node_key": node, "event_at": at(0), "wrote": True, "end_at": at(3600)}
    return row(PartitionSide, 0, own_at=at(own_s), **lost, **known)


def sign(second: float, kind: str, node: str, writer: str | None = None) -> ServiceSign:
    return row(ServiceSign, second, sign=kind, node=node, node_key=node, writer_key=writer or node)


def line(second: float, node: str, **more: Any) -> PartitionLine:
    return row(PartitionLine, second, event_no=1, node_key=node, **CALM | more)


def fenced(second: float, node: str) -> ClusterLine:
    return row(ClusterLine, second, kind="fence_done", system_key=node, node_key="cedar")


OLD, NEW = sign(-60, "up", "alder"), sign(30, "start", "birch")
GOES_ON = line(61, "alder")
ENDS = line(60, "alder")


@pytest.mark.parametrize(
    ("seen", "outcome", "doubt"),
    [
        pytest.param(
            [OLD, NEW, fenced(9, "alder"), GOES_ON], "moved", "`birch` started the service, and `alder` was fenced"
        ),
        pytest.param([NEW, line(9, "alder", is_panic=True)], "moved", "… and `alder` went down by itself"),
        pytest.param([OLD, NEW, GOES_ON, sign(20, "stop", "alder")], "moved", "… and `alder` gave it up"),
        pytest.param(
            [OLD, NEW, GOES_ON, row(ClusterLine, 5, kind="quorum_lost", node_key="alder")],
            "moved",
            "… and `alder` lost the quorum",
        ),
        pytest.param([OLD, NEW, ENDS], "moved", "… and `alder` wrote no further line"),
        pytest.param(
            [OLD, NEW, line(300, "alder", is_boot=True)], "moved", "… and `alder` went down and started again"
        ),
        pytest.param([OLD, NEW, GOES_ON], "split_brain", "…, while `alder` had it and shows no end of it"),
        pytest.param(
            [OLD, NEW, ENDS, row(HaLine, 90, kind="split_brain", stack="drbd")],
            "split_brain",
            "… and a line reports that two nodes were active",
        ),
        pytest.param(
            [NEW, sign(31, "start", "alder"), line(62, "alder")],
            "split_brain",
            "`birch` and `alder` both started the service",
        ),
        pytest.param([NEW, GOES_ON], "undecided", "…, while `alder` went on; no line says which of them had it"),
        pytest.param([OLD, line(31, "alder")], "stayed", "the service stayed on `alder`"),
        pytest.param(
            [OLD, line(30, "alder")], "not_started", "no line shows that any of them started the service afterwards"
        ),
        pytest.param(
            [OLD, fenced(9, "alder"), fenced(9, "birch")],
            "both_down",
            "all of them went down before any started the service",
        ),
    ],
)
def test_verdict(seen: Sequence[Any], outcome: str, doubt: str) -> None:
    rows: Any = (
        [each for each in seen if isinstance(each, kind)] for kind in (PartitionLine, ClusterLine, ServiceSign, HaLine)
    )
    (found,) = network_partition([side("alder", "birch"), side("birch", "alder")], *rows)
    said = doubt.replace("… and", "`birch` started the service, and").replace("…,", "`birch` started the service,")
    assert (found.outcome, found.doubt) == (outcome, said)


def test_seconds_are_counted_by_the_own_clock() -> None:
    """Alder's clock is 100 s ahead: its line at 161 s is as late as one at 61 s."""
    sides = [side("alder", "birch", 100), side("birch", "alder")]
    outcomes = [
        next(network_partition(sides, [line(second, "alder")], [], [OLD, NEW], [])).outcome for second in (160, 161)
    ]
    assert outcomes == ["moved", "split_brain"]


def test_a_line_about_the_own_start_counts_only_if_the_node_wrote_it() -> None:
    told = sign(30, "start", "birch", writer="alder")
    (found,) = network_partition([side("alder", "birch"), side("birch", "alder")], [], [], [OLD, told], [])
    assert found.outcome == "not_started"


def test_sides_are_those_that_declare_and_are_declared_lost() -> None:
    events = [
        row(
            LossEvent,
            0,
            event_no=1,
            lost_node="Alder",
            lost_key="alder",
            loss_at=at(3),
            observers=["birch"],
            is_partition=True,
        ),
        row(
            LossEvent,
            0,
            event_no=1,
            lost_node="birch",
            lost_key="birch",
            loss_at=at(0),
            observers=["alder"],
            is_partition=True,
        ),
        row(
            LossEvent,
            0,
            event_no=2,
            lost_node="cedar",
            lost_key="cedar",
            loss_at=at(900),
            observers=["birch"],
            is_partition=False,
        ),
    ]
    evidence = [row(NodeLossEvidence, 3, node_key="birch", is_decisive=True)]
    found = list(partition_side(events, evidence))
    assert [(each.node, each.own_at, each.wrote, each.lost, each.end_at) for each in found] == [
        ("Alder", at(0), False, ["birch"], at(900)),
        ("birch", at(3), True, ["alder"], at(900)),
    ]
