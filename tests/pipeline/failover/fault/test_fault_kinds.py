import pytest

from pipeline.failover.evidence import HaLine
from pipeline.failover.fault.fault_kinds import fault_kind
from pipeline.failover.fault.injected_faults import (
    InjectedFault,
    InjectionLine,
    LoggedFault,
    NemesisOperation,
    injected_fault,
    logged_fault,
)
from pipeline.failover.fault.leader_signs import LostLeader
from pipeline.failover.incident.incidents import Incident
from pipeline.failover.recorded_runs import RecordedRun
from tests.support.evidence_rows import at, row


def kind(*lines: HaLine, fault: str | None = None, is_leader: bool = True, **others: object) -> str | None:
    of = {
        "run": "run01",
        "unit_run": "run01",
        "lost_key": "alder",
        "surviving_key": "cedar",
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
        pytest.param(
            [said(40, "timer_stated"), said(41, "leader", "birch")], None, id="it states its timers as it starts"
        ),
        pytest.param([said(40, "leader_alive", "cedar")], None, id="it is back and knows who took over"),
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


def line(
    second: float, kind: str, target: str | None = "db", action: str = "toxic", stack: str = "toxiproxy"
) -> InjectionLine:
    return row(InjectionLine, second, stack=stack, kind=kind, object=target, action=action, run="r", resolution_s=1)


def logged(*lines: InjectionLine) -> list[LoggedFault]:
    return list(logged_fault(lines))


def injected(*names: str) -> list[InjectedFault]:
    """The faults of a nemesis that asks on each even second, and has done it on the next."""
    operations = [row(NemesisOperation, n, f=name, run="r", line_no=n) for n, name in enumerate(names)]
    return list(injected_fault(operations, []))


def test_what_is_injected_within_two_seconds_is_one_fault() -> None:
    found = logged(*(line(second, "fault_injected") for second in (0, 2, 4.5)))
    assert [(each.asked_at, each.done_at) for each in found] == [(at(0), at(1)), (at(4.5), at(5.5))]


def test_fault_of_several_toxics_ends_with_the_last_one() -> None:
    (found,) = logged(
        line(0, "fault_injected"), line(1, "fault_injected"), line(8, "fault_ended"), line(9, "fault_ended")
    )
    assert (found.end_asked_at, found.end_done_at) == (at(9), at(10))


def test_end_without_an_object_ends_all_faults_of_the_tool() -> None:
    begun = line(0, "fault_asked", "a"), line(0, "fault_asked", "b"), line(0, "fault_asked", "c", stack="litmus")
    found = logged(*begun, line(9, "fault_over", None))
    assert {each.target: each.end_done_at for each in found} == {"a": at(10), "b": at(10), "c": None}


def test_end_of_a_fault_is_known_by_its_name() -> None:
    pairs = [("start-partition", "stop-partition"), ("kill", "start"), ("pause", "stop"), ("skew", "heal")]
    for begin, end in pairs:
        (found,) = injected(begin, begin, "check", "check", end, end)
        assert found.end_asked_at == (None if begin == "pause" else at(4)), begin


def test_start_begins_a_fault_where_the_test_kills_nothing() -> None:
    assert [(each.kind, each.asked_at, each.done_at) for each in injected("start", "start")] == [
        ("start", at(0), at(1))
    ]
