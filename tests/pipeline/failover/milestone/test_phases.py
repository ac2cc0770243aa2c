import pytest

from pipeline.failover.milestone.milestones import Milestone, RunFault
from pipeline.failover.milestone.phases import Phase, phase
from pipeline.failover.milestone.step_begins import PhaseRule, StepBegin
from tests.support.evidence_rows import at, row

FAULT = row(RunFault, run="run01", fault_at=at(0), fault_at_low=at(-1), fault_at_high=at(1), fault_common_error_s=0.0)


def reached(name: str, second: float) -> Milestone:
    return row(
        Milestone, run="run01", stack="s", milestone=name, elapsed_s=second, resolution_s=1.0, common_error_s=0.5
    )


def bounds(begin: str, end: str, *, starts: str = "", waits: str = "") -> PhaseRule:
    lists = {"starts": starts.split(), "starts_but": [], "waits_for": waits.split()}
    return row(PhaseRule, phase="p", from_terms=begin, to_milestone=end, **lists)


def found(rule: PhaseRule, *milestones: Milestone, begun_s: float | None = None) -> list[Phase]:
    line = row(StepBegin, run="run01", phase="p", elapsed_s=begun_s, resolution_s=1.0, begin="line")
    return list(phase(milestones, [] if begun_s is None else [line], [FAULT], [rule]))


GAB, ADDRESS, STORAGE = reached("gab", 21.5), reached("ip", 28.5), reached("cvm_cfs", 25.5)


@pytest.mark.parametrize(
    ("begun_s", "expected"),
    [
        pytest.param(27.5, (27.5, 1.0, "line", None), id="a line says it"),
        pytest.param(None, (21.5, 7.0, "assumed", "gab"), id="no line says it"),
        pytest.param(40.5, (21.5, 7.0, "assumed", "gab"), id="the line is of a restart"),
    ],
)
def test_phase_begins_where_a_line_says_so(begun_s: float | None, expected: tuple[object, ...]) -> None:
    (one,) = found(bounds("gab", "ip", starts="ip"), GAB, ADDRESS, begun_s=begun_s)
    assert (one.start_s, one.duration_s, one.begin, one.begin_milestone) == expected


def test_resource_that_was_started_still_waits_for_its_storage() -> None:
    (one,) = found(bounds("gab", "ip", starts="ip", waits="cvm_cfs"), GAB, STORAGE, ADDRESS, begun_s=22.5)
    assert (one.start_s, one.begin_milestone) == (25.5, "cvm_cfs")


def test_latest_term_begins_a_phase_and_of_alternatives_the_first_that_is_shown() -> None:
    (one,) = found(bounds("fs|cvm_cfs,gab", "ip"), GAB, STORAGE, ADDRESS)
    assert (one.start_s, one.begin) == (25.5, "milestone")


def test_fault_brings_its_uncertainty() -> None:
    (one,) = found(bounds("fault", "gab"), GAB)
    assert (one.start_s, one.duration_low_s, one.duration_high_s) == (0.0, 20.0, 23.0)
    assert (one.begin, one.common_error_s) == ("fault", 0.5)


def test_phase_that_ends_before_it_can_have_begun_is_absent() -> None:
    assert found(bounds("ip", "gab"), GAB, ADDRESS) == []
