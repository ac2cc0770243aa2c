import pytest

from pipeline.failover.milestone.client_clocks import ClientClock, ClientOutage
from pipeline.failover.milestone.milestones import Milestone, RunFault, milestone
from pipeline.failover.recovery.milestone_lines import MilestoneLine
from pipeline.failover.run.clock_errors import ClockCorrection
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
    outage = row(ClientOutage, run="run01", first_answer_at=None if answered_s is None else at(answered_s))
    found = list(milestone([line], [FAULT], [], [], [outage]))
    assert [each.elapsed_s for each in found] == ([60] if answered_s else [])


def test_times_count_from_the_first_symptom_where_nothing_bounds_the_fault() -> None:
    seen = FAULT._replace(fault_at_low=None, fault_at_high=at(1))
    line = row(MilestoneLine, 0, run="run01", stack="any", milestone="m", resolution_s=1.0, evidence=1)
    (found,) = milestone([line], [seen], [], [], [])
    assert (found.elapsed_low_s, found.elapsed_s, found.elapsed_high_s) == (0, 0.5, 1)
