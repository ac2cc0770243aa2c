import pytest

from pipeline.failover.evidence import HaLine
from pipeline.failover.fault.fault_kinds import fault_kind
from pipeline.failover.fault.leader_signs import LostLeader
from pipeline.failover.incident.incidents import Incident
from pipeline.failover.recorded_runs import RecordedRun
from tests.support.evidence_rows import at, row


def kind(*lines: HaLine, fault: str | None = None, is_leader: bool = True, **others: object) -> str | None:
    of = {
        "run": "run01",
        "unit_run": "run01",
        "lost_key": "alder",
        "event_no": 1,
        "is_planned": False,
        "is_hadr": False,
    }
    loss = row(Incident, **(of | {"loss_at": at(5), "membership_at": at(6), "end_at": at(600)} | others))
    leaders = [row(LostLeader, run="run01")] if is_leader else []
    recorded = [row(RecordedRun, run="1", fault=fault)] if fault else []
    found = list(fault_kind([loss], leaders, lines, recorded))
    return found[0].fault_kind if found else None


def said(second: float, kind_of_line: str, peer_key: str | None = None) -> HaLine:
    return row(HaLine, second, unit_run="run01", node_key="alder", kind=kind_of_line, peer_key=peer_key)


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        pytest.param([], None, id="falls silent: host and service look alike"),
        pytest.param([said(5, "leader_down")], "service killed", id="its own host misses the service"),
        pytest.param([said(5, "leader_suspect", "alder")], "service killed", id="by its own name"),
        pytest.param([said(7, "leader_suspect", "birch")], "network cut", id="it misses the others"),
        pytest.param([said(20, "other")], "network cut", id="it goes on"),
        pytest.param([said(40, "db_start"), said(41, "leader_down")], None, id="it has started again"),
        pytest.param([said(-60, "leader_suspect", "birch")], None, id="long before"),
    ],
)
def test_logs_show_the_kind_of_a_lost_leader(lines: list[HaLine], expected: str | None) -> None:
    assert kind(*lines) == expected


def test_membership_without_a_node_is_a_lost_node() -> None:
    assert kind(is_leader=False) == "node lost"
    assert kind(is_leader=False, is_planned=True) == "planned switch"
    assert kind(is_leader=False, partition_outcome="moved") == "network cut"
    assert kind(is_leader=False, is_hadr=True) is None


def test_study_says_it_in_its_own_words() -> None:
    assert kind(said(5, "leader_down"), fault="power off") == "power off"


def test_run_that_the_study_does_not_name_has_its_word_for_the_kind() -> None:
    lost = [
        row(Incident, run=name, unit_run=name, lost_key="alder", event_no=1, is_planned=False, is_hadr=False)
        for name in ("run01", "run02")
    ]
    lost = [each._replace(loss_at=at(5), membership_at=at(6), end_at=at(600)) for each in lost]
    found = fault_kind(lost, [], [], [row(RecordedRun, run="1", fault="power off")])
    assert [each.fault_kind for each in found] == ["power off", "power off"]
