"""Milestones of runs in seconds after the fault, and clients whose clock is not that of the servers."""

import pytest

from pipeline.failover.fault.fault_estimates import FaultEstimate
from pipeline.failover.fault.fault_times import FaultTime
from pipeline.failover.fault.host_clocks import HostClock
from pipeline.failover.milestone.client_clocks import ClientClock, ClientOutage, client_clock
from pipeline.failover.milestone.milestones import Milestone, RunFault, milestone
from pipeline.failover.recovery.milestone_lines import MilestoneLine
from pipeline.failover.run.clock_errors import ClockCorrection
from pipeline.failover.run.runs import Run
from tests.support.evidence_rows import at, row

FAULT = row(
    RunFault,
    run="run01",
    fault_at=at(0),
    fault_at_low=at(-0.5),
    fault_at_high=at(0.5),
    fault_common_error_s=0.0,
)


def seconds_of(stack: str, *corrections: ClockCorrection) -> Milestone:
    line = row(MilestoneLine, 10, run="run01", stack=stack, milestone="m", resolution_s=1.0, evidence=1)
    (found,) = milestone([line], [FAULT], corrections, [], [])
    return found


@pytest.mark.parametrize(
    ("stack", "low_s", "middle_s", "high_s"),
    [
        pytest.param("any", 9.5, 10.5, 11.5, id="a stamp is cut: the step lies behind it"),
        pytest.param("client", 8.5, 10, 10.5, id="a client's answer: the service came back before it"),
    ],
)
def test_stamp_and_fault_leave_an_interval(stack: str, low_s: float, middle_s: float, high_s: float) -> None:
    found = seconds_of(stack)
    assert (found.elapsed_low_s, found.elapsed_s, found.elapsed_high_s) == (low_s, middle_s, high_s)


def test_errors_of_the_corrections_that_hold_the_line_add_up() -> None:
    ranges = [ClockCorrection(1, 1, 5, 0.25), ClockCorrection(1, 1, 1, 0.5), ClockCorrection(1, 2, 5, 9.0)]
    found = seconds_of("any", *ranges)
    assert (found.elapsed_low_s, found.elapsed_high_s) == (9.5 - 0.75, 11.5 + 0.75)


def test_uncertainty_is_of_an_even_stamp_and_a_fault_of_three_even_parts() -> None:
    assert seconds_of("any").uncertainty_s == pytest.approx((1 / 12 + 1 / 36) ** 0.5)


def test_run_without_a_fault_time_has_no_milestones() -> None:
    line = row(MilestoneLine, 10, run="run01", stack="any", milestone="m", resolution_s=1.0, evidence=1)
    assert list(milestone([line], [FAULT._replace(fault_at=None)], [], [], [])) == []


def test_a_client_whose_clock_is_off_counts_where_that_is_proved() -> None:
    printed = row(
        MilestoneLine, 60, run="run01", stack="client", milestone="client_success", resolution_s=0.1, evidence=1
    )
    off = {"run": "run01", "ahead_s": -40.0, "error_s": 0.25, "answered_at": at(60), "resolution_s": 0.1}
    (found,) = milestone([printed], [FAULT], [], [row(ClientClock, is_proved=True, **off)], [])
    assert (found.elapsed_s, found.elapsed_low_s, found.elapsed_high_s) == (20, 20 - 0.5 - 0.1 - 0.25, 20.5 + 0.25)
    assert list(milestone([printed], [FAULT], [], [row(ClientClock, is_proved=False, **off)], [])) == []


@pytest.mark.parametrize("answered_s", [60, None])
def test_a_first_success_ends_an_outage_that_the_client_saw_beside_the_fault(answered_s: int | None) -> None:
    line = row(MilestoneLine, 60, run="run01", stack="client", milestone="client_success", resolution_s=0.1, evidence=1)
    seen = row(ClientOutage, run="run01", first_answer_at=None if answered_s is None else at(answered_s))
    found = list(milestone([line], [FAULT], [], [], [seen]))
    assert [each.elapsed_s for each in found] == ([60] if answered_s else [])


def test_times_count_from_the_first_symptom_where_nothing_bounds_the_fault() -> None:
    seen = FAULT._replace(fault_at_low=None, fault_at_high=at(1))
    line = row(MilestoneLine, 0, run="run01", stack="any", milestone="m", resolution_s=1.0, evidence=1)
    (found,) = milestone([line], [seen], [], [], [])
    assert (found.elapsed_low_s, found.elapsed_s, found.elapsed_high_s) == (0, 0.5, 1)


RUN = row(Run, run="run01", fault_at=at(0), fault_at_low=at(-0.2), fault_at_high=at(0.2))


def outage(ahead_s: float) -> ClientOutage:
    """The client's clock is so much ahead: of an outage from the fault up to 20 s after it."""
    seen = {"last_success_at": at(-0.1 + ahead_s), "first_failure_at": at(0.1 + ahead_s)}
    return row(ClientOutage, run="run01", node="client", first_answer_at=at(20 + ahead_s), interval_s=0.1, **seen)


def clock(basis: str, low_s: float, high_s: float) -> HostClock:
    return row(HostClock, run="run01", node_key="client", basis=basis, low_s=low_s, high_s=high_s)


@pytest.mark.parametrize("ahead_s", [3.0, -3.0, 40.0, -40.0, 18000.0, -18000.0])
def test_a_proved_difference_is_added_to_the_stamps_of_a_client(ahead_s: float) -> None:
    (found,) = client_clock([RUN], [], [], [clock("refusals", -ahead_s - 0.004, -ahead_s + 0.004)], [outage(ahead_s)])
    assert found.is_proved
    assert found.ahead_s == pytest.approx(-ahead_s)
    assert found.error_s == pytest.approx(0.004)


@pytest.mark.parametrize("ahead_s", [3.0, -3.0, 40.0, -40.0, 18000.0, -18000.0])
@pytest.mark.parametrize("clocks", [[], [clock("agreement", -0.5, 0.5)]])
def test_an_outage_at_another_time_than_the_fault_shows_a_difference_that_nothing_proves(
    ahead_s: float, clocks: list[HostClock]
) -> None:
    (found,) = client_clock([RUN], [], [], clocks, [outage(ahead_s)])
    assert not found.is_proved
    assert found.ahead_s == pytest.approx(-ahead_s)


@pytest.mark.parametrize(
    ("clocks", "ahead_s"),
    [
        pytest.param([], 0.4, id="nothing compares the clocks, and they may agree"),
        pytest.param([clock("agreement", -0.5, 0.5)], 0.4, id="taken to agree"),
        pytest.param([clock("refusals", -0.004, 0.004)], 3.0, id="proved to agree: the service was there for longer"),
        pytest.param([clock("same host", 0.0, 0.0)], 3.0, id="the same clock"),
    ],
)
def test_clocks_that_may_agree_are_not_off(clocks: list[HostClock], ahead_s: float) -> None:
    assert list(client_clock([RUN], [], [], clocks, [outage(ahead_s)])) == []


def test_a_fault_time_that_the_client_s_own_clock_gave_is_not_moved_by_the_servers() -> None:
    """The servers leave a wide interval, of which the client's questions leave the edge."""
    wide = RUN._replace(fault_at_low=at(-20))
    own = row(FaultTime, run="run01", sources=["client questions", "leader signs"])
    assert len(list(client_clock([wide], [own], [], [], [outage(0.6)]))) == 1
    assert list(client_clock([wide], [], [], [], [outage(0.6)])) == []
    unproved = row(FaultEstimate, run="run01", source="client questions", rank=11)
    assert len(list(client_clock([wide], [], [unproved], [], [outage(0.6)]))) == 1


def test_a_run_without_a_fault_or_an_answer_tells_nothing() -> None:
    assert list(client_clock([RUN._replace(fault_at=None)], [], [], [], [outage(3)])) == []
    assert list(client_clock([RUN], [], [], [], [outage(3)._replace(first_answer_at=None)])) == []
