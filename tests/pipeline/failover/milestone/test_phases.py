"""Phases of a run: where they begin and end, and which steps it must show to have recovered."""

from collections.abc import Iterable

import pytest

from pipeline.failover.incident.incidents import Incident
from pipeline.failover.milestone.milestones import Milestone, RunFault
from pipeline.failover.milestone.phases import Phase, phase
from pipeline.failover.milestone.recovery_steps import RecoveryStep, recovery_step
from pipeline.failover.milestone.step_begins import PhaseRule, StepBegin
from pipeline.failover.recovery.milestone_candidates import EvidenceRule
from pipeline.failover.service.resource_types import ResourceType
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


def rule(position: int, name: str, ends: int | None, begun_by: str | None = None, types: str = "") -> EvidenceRule:
    known = {"stack": "vcs", "source": "vcs", "evidence": 1, "resource_classes": [], "resource_types": types.split()}
    return row(EvidenceRule, position=position, milestone=name, ends_recovery=ends, begun_by=begun_by, **known)


RULES = [rule(1, "ip", None), rule(2, "recovery", 1, "start"), rule(3, "db", 1, None, "Db2udb"), rule(4, "idle", 2)]


def steps(shown: Iterable[tuple[str, str]], planned: Iterable[str] = ()) -> list[RecoveryStep]:
    runs = sorted({run for run, _ in shown})
    incidents = [row(Incident, run=run, is_planned=run in planned) for run in runs]
    resources = [row(ResourceType, resource="db2", resource_type="Db2udb")]
    return list(
        recovery_step(
            incidents, [row(Milestone, run=run, milestone=name) for run, name in shown], [], resources, [], RULES
        )
    )


def test_a_step_that_must_follow_on_a_shown_one_is_wanted_and_one_that_only_stands_for_service_is_not() -> None:
    wanted = steps([("1", "start"), ("1", "db"), ("1", "idle")])
    assert [(each.milestone, each.is_shown, each.is_headline) for each in wanted] == [
        ("recovery", False, False),
        ("db", True, True),
    ]


def test_a_planned_take_over_counts_only_where_nothing_else_happened() -> None:
    assert [each.milestone for each in steps([("1", "db"), ("2", "idle")], planned="1")] == ["idle"]
    assert [each.milestone for each in steps([("1", "db"), ("2", "idle")], planned="12")] == ["db"]


def test_a_declared_resource_is_no_step_where_no_log_shows_resources_coming_online() -> None:
    assert steps([("1", "ip")]) == []
