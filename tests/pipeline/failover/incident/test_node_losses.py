from typing import Any

import pytest

from pipeline.failover.evidence import ClusterLine, RecordedFault, ServiceSign, UnitFile
from pipeline.failover.incident.node_losses import (
    NodeLoss,
    node_loss,
)
from pipeline.failover.loss.departures import Departure
from pipeline.failover.loss.hadr_losses import HadrLoss
from pipeline.failover.loss.losses import LossEvent
from pipeline.failover.partition.partitions import NetworkPartition
from tests.support.evidence_rows import at, row


def event(second: float, node: str, **more: Any) -> LossEvent:
    known = {"event_no": 1, "lost_node": node, "lost_key": node, "loss_at": at(second), "observers": ["birch"]}
    known |= {"is_target": False, "is_planned": False}
    return row(LossEvent, second, **known | more)


def losses(*events: LossEvent, **more: Any) -> list[NodeLoss]:
    names = ("network_partition", "hadr_loss", "recorded_fault", "node_loss_evidence", "service_sign", "cluster_line")
    return list(node_loss(events, *(more.get(each, []) for each in (*names, "departure", "unit_file"))))


def test_of_several_nodes_the_one_with_the_service_is_lost() -> None:
    (loss,) = losses(
        *(event(100, "alder"), event(101, "cedar"), event(102, "ash", is_target=True)),
        service_sign=[
            row(ServiceSign, 10, sign="start", node_key="alder"),
            row(ServiceSign, 50, sign="up", node_key="cedar"),
            row(ServiceSign, 101, sign="start", node_key="ash"),
        ],
    )
    assert (loss.lost_node, loss.lost_keys, loss.is_target_lost) == ("cedar", ["alder", "ash", "cedar"], True)


def test_of_nodes_that_had_the_service_until_they_were_lost_the_first_is_lost() -> None:
    signs = [row(ServiceSign, second, sign="up", node_key=node) for second, node in ((99.9, "cedar"), (102.9, "alder"))]
    (loss,) = losses(event(100, "cedar"), event(103, "alder"), service_sign=signs)
    assert (loss.lost_node, loss.loss_at) == ("cedar", at(100))


def test_of_a_partition_those_against_the_winner_are_lost() -> None:
    cut = row(NetworkPartition, 0, event_no=1, outcome="moved", winner_key="birch", lost=["cedar", "alder"])
    (loss,) = losses(event(100, "alder"), event(101, "birch"), event(102, "cedar"), network_partition=[cut])
    assert (loss.lost_node, loss.lost_keys, loss.winner_key) == ("cedar", ["cedar", "alder"], "birch")


@pytest.mark.parametrize(
    ("recorded", "expected"),
    [
        pytest.param([95], [(100, 95)], id="the loss follows"),
        pytest.param([105], [(100, 105)], id="a clock is ahead"),
        pytest.param([80, 95], [(100, 95)], id="the nearer of two"),
        pytest.param([106], [(100, None), (106, 106)], id="nothing follows"),
    ],
)
def test_recorded_fault(recorded: list[float], expected: list[tuple[float, float | None]]) -> None:
    faults = [row(RecordedFault, 0, fault_at=at(each)) for each in recorded]
    found = losses(event(100, "alder"), recorded_fault=faults)
    times = [(at(loss), fault if fault is None else at(fault)) for loss, fault in expected]
    assert [(each.loss_at, each.manifest_fault_at) for each in found] == times


def test_a_standby_alone_shows_a_loss_unless_the_cluster_does() -> None:
    missed = row(HadrLoss, 0, loss_at=at(200), command_at=None, lost_key="alder", observer_key="birch")
    assert [each.is_hadr for each in losses(event(100, "alder"), hadr_loss=[missed])] == [False]
    assert [each.is_hadr for each in losses(hadr_loss=[missed])] == [True]


@pytest.mark.parametrize(
    ("commands", "is_planned"),
    [
        pytest.param([(0, None)], [True], id="without force"),
        pytest.param([(0, None), (60, "forced")], [False], id="force is added within a minute"),
        pytest.param([(0, None), (61, "forced")], [True, False], id="two orders"),
    ],
)
def test_ordered_take_over(commands: list[tuple[float, str | None]], is_planned: list[bool]) -> None:
    lines = [row(ClusterLine, at_s, kind="hadr_takeover_command", state=state) for at_s, state in commands]
    assert [each.is_planned for each in losses(cluster_line=lines) if each.is_commanded] == is_planned


@pytest.mark.parametrize(
    ("states", "is_orderly"),
    [
        pytest.param(["RUNNING", "LEAVING"], True, id="it leaves"),
        pytest.param(["LEAVING", "EXITING"], True, id="it is about to end"),
        pytest.param(["EXITED", "FAULTED"], True, id="the state of the loss says nothing"),
        pytest.param(["EXITED", "RUNNING"], False, id="it is back"),
    ],
)
def test_state_of_leaving(states: list[str], *, is_orderly: bool) -> None:
    lines = [
        row(ClusterLine, second, kind="system_state", system_key="alder", state=state)
        for second, state in enumerate(states)
    ]
    assert [each.is_orderly for each in losses(event(100, "alder"), cluster_line=lines)] == [is_orderly]


def test_planned_loss_after_an_order_to_the_cluster_manager() -> None:
    order = row(Departure, 90, node_key="*", until_at=at(690), file_id=7)
    planned = event(100, "alder", is_planned=True)
    for log, is_orderly in (("vcs_engine", True), ("syslog", False)):
        file = row(UnitFile, 0, file_id=7, format=log)
        assert [each.is_orderly for each in losses(planned, departure=[order], unit_file=[file])] == [is_orderly]


@pytest.mark.parametrize(
    ("unit_run", "lost_at", "switches", "ordered"),
    [
        pytest.param(None, None, [(0, "birch")], [0], id="in a folder of all tests"),
        pytest.param("run01", None, [(0, "birch")], [], id="a run folder says so as a whole"),
        pytest.param(None, -800, [(0, "birch")], [], id="it belongs to a loss"),
        pytest.param(None, -1000, [(0, "birch")], [0], id="the loss was long before"),
        pytest.param(
            None,
            -1000,
            [(0, "alder"), (1, "alder"), (400, "birch"), (800, "alder")],
            [400, 800],
            id="back to the lost node, as two logs say, and to and fro again",
        ),
    ],
)
def test_ordered_switch(
    unit_run: str | None, lost_at: float | None, switches: list[tuple[float, str]], ordered: list[float]
) -> None:
    lines = [
        row(ClusterLine, second, kind="group_switch", unit_run=unit_run, system_key=node) for second, node in switches
    ]
    found = losses(*([] if lost_at is None else [event(lost_at, "alder")]), cluster_line=lines)
    assert [each.loss_at for each in found if each.is_commanded and each.is_planned] == [at(each) for each in ordered]
