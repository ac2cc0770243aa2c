from typing import Any

import pytest

from pipeline.failover.evidence import ClusterLine, ServiceSign
from pipeline.failover.incident.incidents import Incident
from pipeline.failover.loss.loss_evidence import NodeLossEvidence
from pipeline.failover.loss.losses import LossEvent
from pipeline.failover.recovery.double_losses import SurvivorLine, SurvivorWatch, double_loss, survivor_watch
from pipeline.failover.recovery.milestone_candidates import EvidenceRule, MilestoneCandidate
from tests.support.evidence_rows import at, row

INCIDENT = row(
    Incident,
    0,
    run="1",
    event_no=1,
    loss_at=at(0),
    membership_at=at(10),
    end_at=at(86_400),
    is_commanded=False,
    lost_id=0,
    lost_key="alder",
    lost_keys=["alder"],
    surviving_node="birch",
    surviving_key="birch",
)
WATCH = SurvivorWatch("a", None, "1", "birch", at(10), at(3600), is_started_again=False)
RULES = [row(EvidenceRule, 0, milestone="recovered", ends_recovery=1)]
KINDS = (SurvivorLine, ClusterLine, NodeLossEvidence, LossEvent, ServiceSign, MilestoneCandidate)


def wrote(second: float, **what: bool) -> SurvivorLine:
    said = {"is_boot": False, "is_panic": False, "is_shutdown": False}
    return row(SurvivorLine, second, run="1", **said | what)


def cluster(second: float, kind: str, writer: str = "cedar", **more: Any) -> ClusterLine:
    return row(ClusterLine, second, kind=kind, node_key=writer, **more)


def declared(second: float, writer: str = "cedar", **more: Any) -> NodeLossEvidence:
    known = {"lost_key": "birch", "node_key": writer, "is_decisive": True, "is_planned": False}
    return row(NodeLossEvidence, second, **known | more)


def recovered(second: float) -> MilestoneCandidate:
    return row(MilestoneCandidate, second, run="1", milestone="recovered")


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        pytest.param([declared(30)], (30, "declared lost"), id="a third node says so"),
        pytest.param([declared(30, "alder")], None, id="the lost node says so"),
        pytest.param([declared(30, is_planned=True)], None, id="it leaves in order"),
        pytest.param([cluster(30, "fence_done", system_key="birch")], (30, "fenced"), id="it is fenced"),
        pytest.param([wrote(30, is_panic=True), wrote(90, is_boot=True)], (30, "panicked"), id="it panics"),
        pytest.param([wrote(30, is_boot=True)], (30, "restarted"), id="it starts again"),
        pytest.param([cluster(30, "cluster_started", "birch")], (30, "restarted"), id="its cluster manager does"),
        pytest.param([wrote(30, is_shutdown=True), wrote(630, is_boot=True)], None, id="it was shut down"),
        pytest.param([wrote(30, is_shutdown=True), wrote(631, is_boot=True)], (631, "restarted"), id="long before"),
        pytest.param(
            [cluster(30, "system_state", system_key="birch", state="Exited"), wrote(90, is_boot=True)],
            None,
            id="it left its cluster",
        ),
        pytest.param([recovered(100), declared(160)], (160, "declared lost"), id="as the service was back"),
        pytest.param([recovered(100), declared(161)], None, id="when it had been back for a minute"),
        pytest.param([recovered(100), wrote(160), wrote(300, is_boot=True)], (300, "restarted"), id="it may be gone"),
        pytest.param([recovered(100), wrote(161), wrote(300, is_boot=True)], None, id="it lived on"),
        pytest.param(
            [
                row(ServiceSign, 40, sign="start", node_key="birch"),
                row(ServiceSign, 50, sign="idle", node_key="birch", is_last_step=True),
                declared(111),
            ],
            None,
            id="without known steps, when the manager has nothing left to do",
        ),
    ],
)
def test_loss_of_the_surviving_node(lines: list[Any], expected: tuple[float, str] | None) -> None:
    rows: list[Any] = [[each for each in lines if isinstance(each, kind)] for kind in KINDS]
    found = [(each.at, each.how) for each in double_loss(*[[WATCH], [INCIDENT], *rows, RULES])]
    assert found == ([(at(expected[0]), expected[1])] if expected else [])


def test_target_that_was_lost_as_it_took_over() -> None:
    target = row(LossEvent, 0, event_no=1, lost_node="ash", loss_at=at(20), is_target=True)
    (found,) = double_loss([WATCH], [INCIDENT], [], [], [], [target], [], [], RULES)
    assert (found.node, found.at, found.how) == ("ash", at(20), "declared lost")


@pytest.mark.parametrize(
    ("line", "until_s"),
    [
        pytest.param(cluster(90, "membership", members=[0, 1]), 90, id="a membership with it"),
        pytest.param(cluster(90, "system_state", system_key="alder", state="Running"), 90, id="it runs"),
        pytest.param(cluster(90, "member_joined", system_key="alder"), 90, id="it joins"),
        pytest.param(cluster(90, "membership", "alder", members=[0]), 3600, id="its own membership"),
        pytest.param(cluster(10, "member_joined", system_key="alder"), 3600, id="before the membership changed"),
    ],
)
def test_survivor_is_watched_until_the_lost_node_is_back(line: ClusterLine, until_s: float) -> None:
    assert [each.until_at for each in survivor_watch([INCIDENT], [line])] == [at(until_s)]
