"""Which steps a run must show to have recovered."""

from collections.abc import Iterable

from pipeline.failover.incident.incidents import Incident
from pipeline.failover.milestone.milestones import Milestone
from pipeline.failover.milestone.recovery_steps import RecoveryStep
from pipeline.failover.milestone.recovery_steps import recovery_step as found
from pipeline.failover.recovery.milestone_candidates import EvidenceRule
from pipeline.failover.service.resource_types import ResourceType
from tests.support.evidence_rows import row


def rule(position: int, name: str, ends: int | None, begun_by: str | None = None, types: str = "") -> EvidenceRule:
    known = {"stack": "vcs", "source": "vcs", "evidence": 1, "resource_classes": [], "resource_types": types.split()}
    return row(EvidenceRule, position=position, milestone=name, ends_recovery=ends, begun_by=begun_by, **known)


RULES = [rule(1, "ip", None), rule(2, "recovery", 1, "start"), rule(3, "db", 1, None, "Db2udb"), rule(4, "idle", 2)]


def steps(shown: Iterable[tuple[str, str]], planned: Iterable[str] = ()) -> list[RecoveryStep]:
    runs = sorted({run for run, _ in shown})
    incidents = [row(Incident, run=run, is_planned=run in planned) for run in runs]
    resources = [row(ResourceType, resource="db2", resource_type="Db2udb")]
    return list(
        found(incidents, [row(Milestone, run=run, milestone=name) for run, name in shown], [], resources, [], RULES)
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
