from collections.abc import Mapping
from typing import Any

import pytest

from pipeline.failover.evidence import ClusterLine
from pipeline.failover.fault.fault_bounds import Bound, declared_bound, order_bound
from pipeline.failover.fault.fault_disagreements import fault_disagreement
from pipeline.failover.fault.fault_estimates import FaultEstimate, fault_estimate
from pipeline.failover.fault.fault_lines import ClientFault, link_sign
from pipeline.failover.fault.fault_times import FaultTime, fault_time
from pipeline.failover.fault.host_clocks import HostClock
from pipeline.failover.fault.leader_signs import LogSpan, LostLeader
from pipeline.failover.fault_sources import source_rule
from pipeline.failover.incident.incidents import Incident
from pipeline.failover.leaders.leaders import LeaderChange
from pipeline.failover.loss.loss_evidence import NodeLossEvidence
from pipeline.failover.recorded_runs import RecordedRun
from pipeline.failover.stamps import microseconds
from pipeline.failover.timer.timers import ClusterTimer
from tests.support.evidence_rows import at, row

TIMERS = row(
    ClusterTimer,
    membership_low_s=21.0,
    membership_high_s=21.0,
    heartbeat_s=0.5,
    hold_s=0.18,
    token_low_s=1.0,
    token_high_s=1.0,
    consensus_low_s=1.2,
    consensus_high_s=1.2,
    deadtime_low_s=30.0,
    deadtime_high_s=30.0,
    keepalive_s=2.0,
    peerinact_low_s=16.0,
    peerinact_high_s=16.0,
)


def _estimate(source: str, low: float, high: float, **values: Any) -> FaultEstimate:
    ends = {"low_at": at(low), "middle_at": at((low + high) / 2), "high_at": at(high)}
    errors = {"timer_error_s": 0.0, "common_share": 0.1, "undecided_s": 0.0}
    known = {"line_count": 1, "is_consistent": True, "is_assumed": False, **errors}
    rank = source_rule(source).rank
    return row(FaultEstimate, run="1", source=source, rank=rank, **{**known, "is_inferred": False, **ends, **values})


INCIDENT = row(Incident, run="1", loss_at=at(50), file_id=1, is_planned=False)


def _times(*estimates: FaultEstimate, incident: Incident = INCIDENT) -> list[FaultTime]:
    """The fault times of a loss that was first seen after 50 s."""
    return list(fault_time([incident], estimates, [row(LogSpan, file_id=1, resolution_s=1.0)], []))


def _time(*estimates: FaultEstimate) -> tuple[float, float, list[str]]:
    (found,) = _times(*estimates)
    assert found.low_at is not None
    low, high = ((end - at(0)).total_seconds() for end in (found.low_at, found.high_at))
    return low, high, found.sources


def test_sources_narrow_each_other() -> None:
    found = _time(_estimate("inactive series", 0, 10), _estimate("client questions", 5, 20))
    assert found == (5, 10, ["inactive series", "client questions"])


def test_leader_that_fails_is_the_first_to_say_so() -> None:
    failed = row(LostLeader, run="1", loss_at=at(47))
    (found,) = fault_time([INCIDENT], [], [row(LogSpan, file_id=1, resolution_s=1.0)], [failed])
    assert (found.middle_at, found.high_at) == (at(47), at(48))


def test_of_one_clockwork_the_most_trusted_counts_alone_unless_its_timer_is_open() -> None:
    expired = _estimate("expired", 5, 20)
    assert _time(_estimate("in trouble", 0, 10), expired) == (0, 10, ["in trouble"])
    assert _time(_estimate("in trouble", 0, 10, is_assumed=True), expired) == (5, 10, ["in trouble", "expired"])


@pytest.mark.parametrize(
    ("source", "width_s", "common_s"),
    [
        pytest.param("inactive series", 2.5, 0.5, id="half of the second that LLT counts"),
        pytest.param("inactive series", 0.6, 0.3, id="never more than half of the width"),
        pytest.param("dead time", 4.0, 2.0, id="no line says when the last heartbeat was"),
        pytest.param("token loss", 0.2, 0.1, id="how long a token was kept"),
        pytest.param("leader signs", 34.0, 17.0, id="windows of one cause"),
    ],
)
def test_what_nothing_decides_is_common_in_full(source: str, width_s: float, common_s: float) -> None:
    low_us = microseconds(at(0))
    plain = {"is_consistent": True, "timer_error_s": 0.0, "hold_s": 0.2, "line_count": 1}
    bound = row(Bound, run="1", source=source, low_us=low_us, high_us=low_us + round(1e6 * width_s), **plain)
    (found,) = fault_estimate([row(Incident, run="1", is_commanded=False)], [], [bound], [], [], [], [])
    assert found.common_error_s == pytest.approx(common_s)


@pytest.mark.parametrize("moment", ["shutdown notice", "take-over command", "marker line"])
def test_moment_is_intersected_with_nothing(moment: str) -> None:
    assert _time(_estimate(moment, 2, 2), _estimate("leader signs", 0, 10))[2] == [moment]


def test_fault_is_no_later_than_its_first_symptom() -> None:
    likely, coarse = (_estimate("client questions", low, 60, middle_at=at(50.9)) for low in (48, 50.5))
    assert (_time(likely), _times(likely)[0].middle_at) == ((48, 51, ["client questions"]), at(50))
    assert _times(coarse)[0].middle_at == at(50.5)
    late, wide = _estimate("client questions", 52, 60), _estimate("leader signs", 40, 51)
    assert _time(late, wide) == (40, 51, ["leader signs"])
    assert _time(_estimate("marker line", 55, 56), wide)[2] == ["leader signs"]


@pytest.mark.parametrize(
    "estimates",
    [
        pytest.param([], id="no source"),
        pytest.param([_estimate("leader signs", -7200, 51)], id="longer than steps are looked for"),
        pytest.param([_estimate("marker line", 55, 56)], id="nothing but what puts it after the first symptom"),
    ],
)
def test_times_count_from_the_first_symptom_where_nothing_bounds_the_fault(estimates: list[FaultEstimate]) -> None:
    (found,) = _times(*estimates)
    assert (found.source, found.low_at, found.middle_at, found.high_at) == ("first symptom", None, at(50), at(51))
    assert found.common_error_s == 0


def test_no_symptom_is_needed_where_a_person_or_an_order_says_when() -> None:
    assert not _times(_estimate("manifest", 40, 40))
    assert not _times(incident=INCIDENT._replace(is_planned=True))


def test_source_that_leaves_nothing_is_left_out_and_disagrees() -> None:
    estimates = [_estimate("inactive series", 0, 1), _estimate("client questions", 1.5, 2)]
    assert _time(*estimates) == (0, 1, ["inactive series"])
    (found,) = fault_disagreement(estimates, _times(*estimates), [])
    assert (found.source, found.other_source) == ("inactive series", "client questions")


def test_marker_after_the_first_symptom_disagrees_with_it() -> None:
    estimates = [_estimate("marker line", 55, 56), _estimate("leader signs", -7200, 51)]
    (found,) = fault_disagreement(estimates, _times(*estimates[:1]), [])
    assert (found.source, found.other_source, found.difference_s) == ("first symptom", "marker line", 5.5)


def test_true_time_is_compared_by_the_number_of_its_run() -> None:
    estimates = [_estimate("inactive series", 0, 1)._replace(run="run03")]
    times = _times(*estimates, incident=INCIDENT._replace(run="run03"))
    recorded = [row(RecordedRun, run=run, true_fault_at=at(9)) for run in ("3", "4")]
    assert [each.other_source for each in fault_disagreement(estimates, times, recorded)] == ["true_fault_at"]


def _bounds(layer: str, **values: Any) -> list[Any]:  # approximate numbers compare with any
    incident = row(
        Incident,
        unit_run="1",
        run="1",
        loss_at=at(0),
        end_at=at(100),
        lost_key="b",
        is_hadr=False,
        is_planned=values.get("is_planned", False),
        search_start_at=at(0),
        membership_at=at(50),
    )
    line = {"unit_run": "1", "layer": layer, "lost_key": "b", "node_key": "a", "is_decisive": True, "is_planned": False}
    evidence = row(NodeLossEvidence, 50, **{**line, **values})
    stamp = row(ClusterLine, 50, resolution_s=1.0)
    found = declared_bound([incident], [TIMERS], [evidence], [], [stamp])
    start_us = microseconds(at(0))
    return [(each.source, (each.low_us - start_us) / 1e6, (each.high_us - start_us) / 1e6) for each in found]


@pytest.mark.parametrize(
    ("layer", "source", "low", "high"),
    [
        pytest.param("gab", "membership", 50 - 22, 50 - 19 + 1.5, id="a tick late, two early, stamp and heartbeat"),
        pytest.param("heartbeat", "dead time", 50 - 30 - 1, 50 - 30 + 3, id="a tick late, a heartbeat early"),
        pytest.param("corosync", "token timeout", 50 - 2.2 - 0.19, 50 - 2.2 + 1.19, id="kept for the hold time"),
        pytest.param("pacemaker", "token timeout", 50 - 2.2 - 1, 50 - 2.2 + 1.19, id="and said a token later"),
    ],
)
def test_layer_that_declares_a_node_lost_bounds_the_fault(layer: str, source: str, low: float, high: float) -> None:
    assert _bounds(layer) == [(source, pytest.approx(low), pytest.approx(high))]


def test_good_bye_is_the_fault_itself() -> None:
    assert _bounds("heartbeat", is_planned=True) == [("shutdown notice", 50, 50)]


def test_node_of_a_ring_of_three_may_have_held_the_token_before() -> None:
    hold = {"source": "token loss", "is_consistent": True, "timer_error_s": 0.0, "hold_s": 0.2, "line_count": 1}
    incident = row(Incident, run="1", is_commanded=False)
    for width, cause in ((0.2, "token hold 0.20 s, corosync"), (0.4, "token hold 0.20 s, corosync, twice")):
        low_us = microseconds(at(0))
        bound = row(Bound, run="1", low_us=low_us, high_us=low_us + round(1e6 * width), **hold)
        assert [each.common_cause for each in fault_estimate([incident], [], [bound], [], [], [], [])] == [cause]


def test_link_shows_the_last_heartbeat_by_the_seconds_that_it_prints() -> None:
    incident = row(Incident, run="1", search_start_at=at(0), membership_at=at(50), lost_key="b")
    flapped = row(ClusterLine, 10, source="llt", kind="inactive", silent_s=9.0, resolution_s=1.0, outage_key=1)
    silent = row(ClusterLine, 30, source="llt", kind="inactive", silent_s=10.0, resolution_s=1.0, outage_key=2)
    (found,) = link_sign([incident], [TIMERS], [flapped, silent])
    assert (found.low_at, found.high_at) == (at(19), at(21))


@pytest.mark.parametrize(
    ("client_low", "basis", "best"),
    [
        pytest.param(3.0, "agreement", "leader signs", id="unproved, and it contradicts the servers"),
        pytest.param(-120.0, "agreement", "leader signs", id="unproved, and long before"),
        pytest.param(-25.0, "agreement", "client questions", id="unproved: a leader that is cut off goes on writing"),
        pytest.param(3.0, "refusals", "client questions", id="compared"),
        pytest.param(-1.0, "agreement", "client questions", id="unproved, and nothing contradicts it"),
    ],
)
def test_a_clock_that_nothing_compares_overrules_no_other(client_low: float, basis: str, best: str) -> None:
    (found,) = _times(*_estimates({"1": client_low}, {"1": basis}))
    assert found.source == best


@pytest.mark.parametrize(
    ("client_lows", "bases", "sources"),
    [
        pytest.param((-3.0, -2.0), "agreement", ["client questions", "leader signs"], id="it may be right in both"),
        pytest.param((-3.0, 3.0), "agreement", ["leader signs"], id="the other run contradicts it"),
        pytest.param((-3.0, -2.0), "refusals", ["leader signs"], id="the other run proves that it is off"),
    ],
)
def test_a_clock_that_is_off_in_one_run_narrows_the_fault_of_no_other(
    client_lows: tuple[float, float], bases: str, sources: list[str]
) -> None:
    estimates = _estimates(dict(zip("12", client_lows, strict=True)), {"1": "agreement", "2": bases}, off_s=-3.0)
    (found,) = _times(*(each for each in estimates if each.run == "1"))
    assert found.sources == sources


def _estimates(client_lows: Mapping[str, float], bases: Mapping[str, str], off_s: float = 0.0) -> list[FaultEstimate]:
    """What leader signs from 20 s before and a client's questions say, by run. `off_s`: of clocks that are compared."""

    def bound(run: str, source: str, low: float, high: float) -> Bound:
        return Bound("default", run, source, microseconds(at(low)), microseconds(at(high)), 2, 1, 1)

    bounds = [bound(run, "client questions", low, low + 0.2) for run, low in client_lows.items()]
    bounds += [bound(run, "leader signs", -20, 0) for run in client_lows]
    clients = [row(ClientFault, run=run, basis=bases[run], likely_at=at(low + 0.1)) for run, low in client_lows.items()]
    clocks = [row(HostClock, run=run, basis=bases[run], low_s=off_s - 0.1, high_s=off_s + 0.1) for run in client_lows]
    return list(fault_estimate([row(Incident, run=run) for run in client_lows], [], bounds, [], [], clients, clocks))


CHANGE = row(
    LeaderChange,
    20,
    former_key="alder",
    loss_at=at(12),
    ordered_by="take-over command",
    ordered_at=at(10),
    order_file_id=3,
    order_line_no=7,
)
PLANNED = row(Incident, run="1", lost_key="alder", loss_at=at(12), is_planned=True, is_commanded=False)


def test_planned_change_begins_with_its_order() -> None:
    (found,) = order_bound([PLANNED], [CHANGE])
    assert (found.source, found.low_us, found.high_us) == ("take-over command", *[microseconds(at(10))] * 2)
    assert (found.file_id, found.line_no) == (3, 7)


@pytest.mark.parametrize(
    ("incident", "change"),
    [
        pytest.param(PLANNED._replace(is_planned=False), CHANGE, id="a failover"),
        pytest.param(PLANNED._replace(lost_key="birch"), CHANGE, id="of another node"),
        pytest.param(PLANNED._replace(loss_at=at(21)), CHANGE, id="a later one"),
        pytest.param(PLANNED, CHANGE._replace(ordered_at=None), id="nobody ordered it"),
    ],
)
def test_other_changes_have_no_order(incident: Incident, change: LeaderChange) -> None:
    assert not list(order_bound([incident], [change]))
