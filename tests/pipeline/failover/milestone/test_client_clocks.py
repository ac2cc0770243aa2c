"""Clients whose clock is not that of the servers: proved, unproved, and none of both."""

import pytest

from pipeline.failover.fault.fault_estimates import FaultEstimate
from pipeline.failover.fault.fault_times import FaultTime
from pipeline.failover.fault.host_clocks import HostClock
from pipeline.failover.milestone.client_clocks import ClientOutage, client_clock
from pipeline.failover.run.runs import Run
from tests.support.evidence_rows import at, row

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
