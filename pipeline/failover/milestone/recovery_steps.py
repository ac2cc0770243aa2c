"""Steps that mean that the service is back: what a run must show to have recovered."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, NamedTuple

from pipeline.failover.evidence import ClusterLine
from pipeline.failover.incident.incidents import Incident
from pipeline.failover.milestone.milestones import Milestone
from pipeline.failover.recovery.milestone_candidates import EvidenceRule
from pipeline.failover.service.resource_types import ResourceType
from pipeline.failover.step import CONFIGURATION, Int32, grouped, nulls_last, step
from pipeline.study.rules import STUDY_STACK

SERVICE_IS_BACK = 1
"""`ends_recovery` of a step with which the service is back; greater numbers only stand for service."""

UNRANKED = 4
"""`ends_recovery` of a step that study.toml adds without saying it: the step counts where no other does."""

ONLINE_KINDS = {"initiate_online", "resource_online", "operation_start", "operation_done"}
"""Kinds of line that show that resources come online."""

DATABASE = "database"
"""The class of the resources in a configuration of Pacemaker that hold the service."""


class CrmResource(NamedTuple):
    """A resource that a configuration of Pacemaker declares."""

    configuration: str
    resource: str
    object_class: str | None


class RecoveryStep(NamedTuple):
    """One row per configuration and step that a run must show to have recovered: the steps that mean service, by
    `ends_recovery` of the rules. They are those of the least number that a run of the configuration shows, that
    must follow on a step that a run shows, or whose resource the cluster's configuration declares while the logs
    do show resources coming online. Of steps that only stand for service the last by place counts. The headline
    is the last by place of those that a run shows. Planned take-overs have no say where the configuration has
    others.
    """

    configuration: str
    milestone: Annotated[str, "step"]
    position: Annotated[Int32, "its place among all milestones"]
    ends_recovery: Annotated[Int32, "as the rule has it; 4 for a step of study.toml that does not say"]
    is_headline: Annotated[bool, "the step that time to recovery is counted to"]
    is_shown: Annotated[bool, "some run shows it"]
    begun_by: Annotated[str | None, "step after which it must follow"]


class ServiceStep(NamedTuple):
    """A milestone that can end recovery, of all evidence for it. `source`: the log that shows it first of all."""

    milestone: str
    position: int
    ends_recovery: int
    begun_by: str | None
    source: str | None
    resource_types: frozenset[str]
    resource_classes: frozenset[str]


@step(by=CONFIGURATION, of="incident")
def recovery_step(
    incident: Sequence[Incident],
    milestone: Sequence[Milestone],
    cluster_line: Sequence[ClusterLine],
    resource_type: Sequence[ResourceType],
    crm_resource: Sequence[CrmResource],
    study__milestone_rule: Sequence[EvidenceRule],
) -> Iterator[RecoveryStep]:
    """The steps that mean service in a configuration, by place."""
    runs = _telling_runs(incident)
    if not runs:
        return
    shown = {each.milestone for each in milestone if each.run in runs}
    online_sources = {each.source for each in cluster_line if each.kind in ONLINE_KINDS}
    types = {each.resource_type for each in resource_type}
    classes = {each.object_class for each in crm_resource} & {DATABASE}
    wanted = [
        each
        for each in _service_steps(study__milestone_rule)
        if each.milestone in shown
        or each.begun_by in shown
        or (
            each.ends_recovery == SERVICE_IS_BACK
            and each.source in online_sources
            and (each.resource_types & types or each.resource_classes & classes)
        )
    ]
    least = min((each.ends_recovery for each in wanted), default=SERVICE_IS_BACK)
    alike = [each for each in wanted if each.ends_recovery == least]
    headline = max(alike, key=lambda each: (each.milestone in shown, each.position), default=None)
    for each in sorted(alike, key=lambda each: each.position):
        if each is headline or least <= SERVICE_IS_BACK:
            yield RecoveryStep(
                incident[0].configuration,
                each.milestone,
                each.position,
                each.ends_recovery,
                is_headline=each is headline,
                is_shown=each.milestone in shown,
                begun_by=each.begun_by,
            )


def _telling_runs(incidents: Sequence[Incident]) -> set[str]:
    """The runs whose steps count: planned take-overs only where nothing else happened."""
    runs = [each for each in incidents if not each.is_extra]
    unplanned = {each.run for each in runs if not each.is_planned}
    return unplanned or {each.run for each in runs}


def _service_steps(rules: Iterable[EvidenceRule]) -> list[ServiceStep]:
    """The milestones that can end recovery."""
    steps = (_service_step(name, evidence) for (name,), evidence in grouped(rules, "milestone").items())
    return [each for each in steps if each is not None]


def _service_step(name: str, evidence: Sequence[EvidenceRule]) -> ServiceStep | None:
    is_added = any(each.is_user and each.stack == STUDY_STACK for each in evidence)
    ends = min((each.ends_recovery for each in evidence if each.ends_recovery is not None), default=None)
    if ends is None and is_added:
        ends = UNRANKED
    if ends is None or ends < 0:
        return None
    return ServiceStep(
        name,
        min(each.position for each in evidence),
        ends,
        min((each.begun_by for each in evidence if each.begun_by is not None), default=None),
        min(evidence, key=lambda each: nulls_last([each.evidence, each.source])).source,
        frozenset(one for each in evidence for one in each.resource_types),
        frozenset(one for each in evidence for one in each.resource_classes),
    )
