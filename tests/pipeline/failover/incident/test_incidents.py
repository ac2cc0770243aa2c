from collections.abc import Sequence
from typing import Any

import pytest

from pipeline.failover.evidence import ClusterLine, RunUnit, ServiceSign, Setting
from pipeline.failover.incident.aftermath import LossAftermath
from pipeline.failover.incident.incidents import Incident, unit_incident
from pipeline.failover.incident.missing_incidents import missing_incident
from pipeline.failover.incident.node_losses import NodeLoss
from pipeline.failover.loss.loss_evidence import NodeLossEvidence
from pipeline.failover.timer.timers import ClusterTimer
from tests.support.evidence_rows import at, row

UNIT = RunUnit("a", "run01", has_failover_logs=True, has_performance_data=False)
TIMER = row(
    ClusterTimer,
    0,
    **{f"{each}_s": 1.0 for each in ("peerinact", "stable", "deadtime", "keepalive", "hadr_timeout")},
    token_s=4.0,
    consensus_s=6.0,
)


def loss(number: int, second: float, **more: Any) -> NodeLoss:
    known: dict[str, Any] = {"lost_node": "alder", "lost_key": "alder", "lost_keys": ["alder"], "observers": ["birch"]}
    return NodeLoss("a", "run01", number, at(second), at(second + 3600), **known | more)


def start(second: float, node: str, rank: int = 1) -> ServiceSign:
    return row(ServiceSign, second, sign="start", node=node, node_key=node.lower(), writer_key=node.lower(), rank=rank)


def incidents(  # noqa: PLR0917  what a test is about comes first
    losses: Sequence[NodeLoss],
    signs: Sequence[ServiceSign] = (),
    evidence: Sequence[NodeLossEvidence] = (),
    lines: Sequence[ClusterLine] = (),
    unmoved: Sequence[int] = (),
    settings: Sequence[Setting] = (),
) -> list[Incident]:
    aftermath = [row(LossAftermath, 0, loss_no=each, is_unmoved=True) for each in unmoved]
    return list(unit_incident(losses, aftermath, [UNIT], signs, lines, evidence, [], [TIMER], settings))


HOUR_S = 3600.0
UP = start(-60, "Alder")._replace(sign="up")
BACK = row(ClusterLine, HOUR_S, kind="member_joined", node_key="birch", system_key="alder")


@pytest.mark.parametrize(
    ("signs", "lines", "is_moved"),
    [
        pytest.param([UP, start(2 * HOUR_S, "Birch")], [], True, id="after hours"),
        pytest.param([UP, start(25 * HOUR_S, "Birch")], [], False, id="after more than a day"),
        pytest.param([UP, start(2 * HOUR_S, "Birch")], [BACK], False, id="the lost node is back before"),
        pytest.param([start(-30, "Birch"), start(2 * HOUR_S, "Birch")], [], False, id="the node had it before"),
    ],
)
def test_a_service_may_move_late(signs: list[ServiceSign], lines: list[ClusterLine], is_moved: bool) -> None:  # noqa: FBT001  a case of a table
    late = loss(1, 0)._replace(end_at=at(HOUR_S))
    assert [each.has_moved for each in incidents([late], signs, lines=lines, unmoved=[1])] == [is_moved]


@pytest.mark.parametrize(
    ("follow", "next_s", "end_s"),
    [
        pytest.param(None, None, 24 * HOUR_S, id="for a day"),
        pytest.param(90.0, None, 90.0, id="as study.toml says"),
        pytest.param(None, 500.0, 500.0, id="to the next loss"),
    ],
)
def test_steps_are_followed_to_a_limit_that_study_toml_sets(
    follow: float | None, next_s: float | None, end_s: float
) -> None:
    lost = loss(1, 0)._replace(next_at=None if next_s is None else at(next_s))
    (found,) = incidents([lost], [start(9, "Birch")], settings=[row(Setting, follow=follow)])
    assert (found.end_at, found.is_to_limit) == (at(end_s), next_s is None)


@pytest.mark.parametrize(
    ("signs", "winner", "surviving"),
    [
        pytest.param([start(9, "Cedar", 2), start(10, "Birch")], None, "Birch", id="the clearest sign"),
        pytest.param([start(9, "Cedar"), start(9, "Birch"), start(10, "Cedar")], None, "Cedar", id="the most signs"),
        pytest.param([start(9, "Cedar"), start(10, "Birch", 2)], "birch", "Birch", id="the winner of a partition"),
    ],
)
def test_surviving_node(signs: list[ServiceSign], winner: str | None, surviving: str) -> None:
    (found,) = incidents([loss(1, 0, winner_key=winner)], signs)
    assert (found.surviving_node, found.surviving_key, found.has_moved) == (surviving, surviving.lower(), True)


@pytest.mark.parametrize(("stack", "surviving"), [("patroni", "Birch"), ("orchestrator", None)])
def test_who_only_watches_does_not_survive(stack: str, surviving: str | None) -> None:
    seen = row(ClusterLine, 0, stack=stack, node="Birch", node_key="birch")
    (found,) = incidents([loss(1, 0, file_id=1, line_no=1)], lines=[seen], unmoved=[1])
    assert found.surviving_node == surviving


@pytest.mark.parametrize(
    ("losses", "unmoved", "numbers"),
    [
        pytest.param([loss(1, -90_000)], [1], [1], id="a node that is certainly gone"),
        pytest.param([loss(1, -90_000)], [], [], id="nothing is certain"),
        pytest.param(
            [loss(1, 0, next_at=at(7200)), loss(2, 7200)], [1], [2], id="without a move only beside none with one"
        ),
        pytest.param([loss(2, 7200, is_planned=True)], [], [2], id="planned, and nothing else"),
        pytest.param([loss(1, 7000), loss(2, 7200, is_planned=True)], [1], [1, 2], id="planned beside another one"),
        pytest.param([loss(2, 7200, is_orderly=True)], [], [2], id="it left in order, and the service moved"),
        pytest.param([loss(2, 7300, is_orderly=True)], [], [], id="it left in order, and no service moved"),
        pytest.param([loss(2, 7200, partition_outcome="stayed")], [], [], id="a partition with nobody lost"),
        pytest.param([loss(2, 7200, manifest_fault_at=at(7100), is_orderly=True)], [], [2], id="recorded"),
    ],
)
def test_losses_that_are_incidents(losses: list[NodeLoss], unmoved: list[int], numbers: list[int]) -> None:
    assert [each.loss_no for each in incidents(losses, [start(7201, "birch")], unmoved=unmoved)] == numbers


def test_recorded_fault_tells_which_incident_is_the_run() -> None:
    found = incidents([loss(1, 0), loss(2, 7200, manifest_fault_at=at(7100))], [start(1, "b"), start(7201, "b")])
    assert [(each.run, each.run_no, each.is_extra, each.loss_no) for each in found] == [
        ("run01", 1, False, 2),
        ("run01#2", 1, True, 1),
    ]


def test_signs_are_searched_from_the_longest_timers_or_the_last_life_sign_on() -> None:
    life = [row(ClusterLine, second, kind="active", node_key="birch") for second in (-41, -3)]
    (found,) = incidents([loss(1, 0)], [start(1, "birch")])
    assert found.search_start_at == at(-40)
    (found,) = incidents([loss(1, 0)], [start(1, "birch")], lines=life)
    assert found.search_start_at == at(-3)


@pytest.mark.parametrize("writer", ["birch", None])
def test_membership_is_that_of_the_surviving_node_and_its_lowest_layer(writer: str | None) -> None:
    evidence = [
        row(NodeLossEvidence, second, lost_key="alder", node_key=node, layer=layer, is_decisive=True)
        for second, node, layer in [(1, "cedar", "gab"), (2, "birch", "had"), (3, writer, "gab")]
    ]
    (found,) = incidents([loss(1, 0)], [start(5, "birch")], evidence)
    assert found.membership_at == at(3)


def test_node_known_by_its_id_alone_may_be_the_one_that_took_over() -> None:
    known = {"lost_node": "node 1", "lost_key": "node 1", "lost_keys": ["node 1"]}
    (found,) = incidents([loss(1, 0, **known)], [start(5, "cedar")])
    assert found.lost_node is None
    (found,) = incidents([loss(1, 0, **known)], [start(5, "birch")])
    assert found.lost_node == "node 1"


@pytest.mark.parametrize(
    ("seen", "basis", "reason"),
    [
        pytest.param(
            {"has_lost_logs": True},
            "not_moved",
            "no service moved after the node loss",
            id="the lost node's logs go on",
        ),
        pytest.param({}, "not_moved", "no service moved after the node loss, by the logs of `birch`, `cedar`", id="no"),
        pytest.param(
            {"is_orderly": True, "other_start_node": "birch"},
            "switched_in_order",
            "`alder` left in order, and the service was started on `birch`; no failover",
            id="a switch",
        ),
        pytest.param({"is_orderly": True, "other_start_node": "birch", "lost_node": None}, "switched_in_order", None),
    ],
)
def test_missing_incident_after_a_loss(seen: dict[str, Any], basis: str, reason: str | None) -> None:
    known = {"unit_run": "run01", "loss_no": 1, "lost_node": "alder", "observers": ["birch", "cedar"]}
    (found,) = missing_incident([UNIT], [], [row(LossAftermath, 0, **known | seen)], [], [])
    assert (found.basis, found.reason) == (basis, reason)


def test_missing_incident_without_a_loss() -> None:
    managed = start(600, "birch")._replace(unit_run="run01", is_managed=True)
    boot = row(ClusterLine, 0, unit_run="run01", kind="boot", node_key="birch")
    measured = UNIT._replace(has_failover_logs=False, has_performance_data=True)
    cases = [([UNIT], [managed], []), ([UNIT], [managed], [boot]), ([measured], [], [])]
    assert [next(iter(missing_incident(units, [], [], signs, lines))).reason for units, signs, lines in cases] == [
        "no node loss found; a service was started on `birch` at " + f"{at(600):%Y-%m-%d %H:%M:%S}",
        "no node loss found",
        None,
    ]


def test_planned_change_comes_after_the_failover_of_its_folder() -> None:
    losses = [loss(1, 0, is_planned=True, next_at=at(100)), loss(2, 100)]
    losses = [each._replace(unit_run="run01") for each in losses]
    found = incidents(losses, [start(9, "birch"), start(109, "cedar")])
    assert [(each.run, each.is_planned, each.is_extra) for each in found] == [
        ("run01", False, False),
        ("run01#2", True, True),
    ]
