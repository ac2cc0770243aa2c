"""When the steps of a recovery were begun: as a line says, else as soon as what they wait for is online."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from operator import attrgetter
from typing import Annotated, NamedTuple

from pipeline.failover.evidence import ClusterLine
from pipeline.failover.incident.incidents import Incident
from pipeline.failover.milestone.milestones import RunFault
from pipeline.failover.milestone.recovery_steps import CrmResource
from pipeline.failover.recovery.milestone_candidates import EvidenceRule
from pipeline.failover.recovery.milestone_lines import MilestoneLine
from pipeline.failover.rules import rules
from pipeline.failover.service.resource_types import RESOURCE_LOGS, DeclaredResource, ResourceType
from pipeline.failover.service.service_windows import ServiceWindow, group_of
from pipeline.failover.service.start_orders import ResourceOrder
from pipeline.failover.stamps import SECOND_US, duration_us, end_of, microseconds
from pipeline.failover.step import CONFIGURATION, Int32, grouped, passed_on, step
from pipeline.failover.timeline import BY_LINE, Timeline
from pipeline.failover.windows import SAME_SECOND

START_KINDS = frozenset({"initiate_online", "operation_start"})
ONLINE_KINDS = frozenset({"resource_online", "operation_done"})

LOSS_IS_KNOWN = frozenset(rules("milestones")["loss_is_known"]["milestones"])
"""Milestones after which a cluster starts what waits for nothing else."""


class PhaseRule(NamedTuple):
    """A rule for a phase: what begins and ends it. `starts`: milestones of the resources that it starts; `starts_but`:
    it starts those of no other milestone.
    """

    phase: str
    stack: str
    from_terms: str
    to_milestone: str
    starts: list[str]
    starts_but: list[str]
    waits_for: list[str]


class StepBegin(NamedTuple):
    """One row per run and phase whose begin the logs show: the first start of a resource that the phase brings online.
    Where no line says that it was started, it begins as soon as what main.cf or the CIB makes it wait for is online.
    """

    configuration: str
    run: str
    phase: str
    at: Annotated[datetime, "stamp of the line as printed, UTC"]
    elapsed_s: Annotated[float, "the middle of the stamp minus the fault time, seconds"]
    resolution_s: float
    begin: Annotated[
        str,
        "line (it says that a resource is started), "
        "dependency (with it the last that the resource waits for is online)",
    ]
    resource: Annotated[str | None, "resource that is started"]
    node: str | None
    file_id: Int32
    line_no: Int32


@step(by=CONFIGURATION, of="incident")
def step_begin(
    incident: Sequence[Incident],
    cluster_line: Sequence[ClusterLine],
    study__milestone_rule: Sequence[EvidenceRule],
    study__phase_rule: Sequence[PhaseRule],
    resource_type: Sequence[ResourceType],
    declared_resource: Sequence[DeclaredResource],
    crm_resource: Sequence[CrmResource],
    resource_order: Sequence[ResourceOrder],
    service_window: Sequence[ServiceWindow],
    milestone_line: Sequence[MilestoneLine],
    run: Sequence[RunFault],
) -> Iterator[StepBegin]:
    """The begins of the phases of each incident."""
    starting = grouped((each for each in study__phase_rule if each.starts or each.starts_but), "phase")
    told = (each for each in cluster_line if each.kind in START_KINDS | ONLINE_KINDS)
    units = {unit: Timeline(rows) for (unit,), rows in grouped(told, "unit_run").items()}
    cluster = Cluster(
        {each.resource: each for each in resource_type},
        {each.resource for each in declared_resource} | {each.resource for each in crm_resource},
        {name: {each.waits_for for each in rows} for (name,), rows in grouped(resource_order, "resource").items()},
        grouped((each for each in study__milestone_rule if not each.is_user), "milestone"),
    )
    windows, lines = grouped(service_window, "run"), grouped(milestone_line, "run")
    faults = {each.run: each.fault_at for each in run}
    for each in incident:
        fault_at = faults.get(each.run)
        if fault_at is None:
            continue
        groups = {one.group: one for one in windows.get((each.run,), [])}
        starts = Starts(each, cluster, groups, units.get(each.unit_run, Timeline(())), lines.get((each.run,), []))
        for (phase,), of_stacks in starting.items():
            if (found := starts.begin_of(of_stacks)) is not None:
                yield _step_begin(each, phase, fault_at, *found)


def _step_begin(
    incident: Incident,
    phase: str,
    fault_at: datetime,
    begin: str,
    line: ClusterLine | MilestoneLine,
    resource: str | None,
) -> StepBegin:
    elapsed_us = microseconds(line.at) - microseconds(fault_at) + duration_us(line.resolution_s) // 2
    return passed_on(
        StepBegin,
        line,
        configuration=incident.configuration,
        run=incident.run,
        phase=phase,
        elapsed_s=max(elapsed_us, 0) / SECOND_US,
        begin=begin,
        resource=resource,
    )


@dataclass
class Cluster:
    """Resources of a configuration: their types, those that a file declares, and what each waits for."""

    types: Mapping[str | None, ResourceType]
    declared: set[str]
    waits: Mapping[str, set[str]]
    rules: Mapping[tuple[str], Sequence[EvidenceRule]]
    _ranks: dict[tuple[str | None, ...], int | None] = field(default_factory=dict)

    def rank(self, phase: Sequence[PhaseRule], line: ClusterLine) -> int | None:
        """Which evidence a line is of what a phase brings online; None: it is about another resource."""
        key = (phase[0].phase, *RESOURCE(line))
        if key not in self._ranks:
            found = [self._evidence(each, line) for rule in phase for each in rule.starts]
            found += [
                None if any(self._evidence(each, line) for each in rule.starts_but) else 1
                for rule in phase
                if rule.starts_but and line.source in RESOURCE_LOGS
            ]
            self._ranks[key] = min((each for each in found if each is not None), default=None)
        return self._ranks[key]

    def _evidence(self, milestone: str, line: ClusterLine) -> int | None:
        """Which evidence of a milestone is about the resource of a line; None: its resource brings another one."""
        known = self.types.get(line.resource)
        found = (
            rule.evidence
            for rule in self.rules.get((milestone,), ())
            if (known is not None and known.resource_type in rule.resource_types)
            or (line.resource_class in rule.resource_classes and line.action in rule.actions)
        )
        return min(found, default=None)

    def resources_of(self, milestone: str) -> Iterator[ResourceType]:
        """The resources that bring a milestone, by their types."""
        types = {each for rule in self.rules.get((milestone,), ()) for each in rule.resource_types}
        return (each for each in self.types.values() if each.resource_type in types)


RESOURCE = attrgetter("source", "resource", "resource_class", "action")
"""What a line says of a resource."""

Begin = tuple[str, ClusterLine | MilestoneLine, str | None]
"""What shows a begin (`line`, `dependency`), the line, and the resource."""


@dataclass
class Starts:
    """The starts of resources on the node that took over in an incident."""

    incident: Incident
    cluster: Cluster
    windows: Mapping[str | None, ServiceWindow]
    timeline: Timeline[ClusterLine]
    milestones: Sequence[MilestoneLine]

    def begin_of(self, phase: Sequence[PhaseRule]) -> Begin | None:
        """The first start of a resource of a phase, by a line, else by what it waits for."""
        ranked = [(rank, each) for each in self._lines if (rank := self.cluster.rank(phase, each)) is not None]
        best = min((rank for rank, _ in ranked), default=None)
        own = [each for rank, each in ranked if rank == best]
        line = next((each for each in own if each.kind in START_KINDS), None)
        if line is not None:
            return "line", line, line.resource
        names = {each.resource for each in own if each.resource is not None} or set(self._declared(phase))
        ready = [(found, name) for name in sorted(names) if (found := self._ready(name)) is not None]
        first = min(ready, key=lambda each: BY_LINE(each[0]), default=None)
        return None if first is None else ("dependency", *first)

    def _declared(self, phase: Iterable[PhaseRule]) -> Iterator[str]:
        """The resources that a phase brings online, where no line is about them."""
        for milestone in (each for rule in phase for each in rule.starts):
            for each in self.cluster.resources_of(milestone):
                if (window := self.windows.get(each.group)) is not None and window.is_own_group:
                    yield each.resource

    def _ready(self, resource: str) -> ClusterLine | MilestoneLine | None:
        """The line with which the last that a resource waits for is there; None where no file says what that is."""
        if _name(resource) not in self.cluster.declared:
            return None
        lines: list[ClusterLine | MilestoneLine] = [*self._awaited(_name(resource))]
        lines += [each for each in self.milestones if each.milestone in LOSS_IS_KNOWN]
        return max(lines, key=BY_LINE, default=None)

    def _awaited(self, resource: str) -> Iterator[ClusterLine]:
        """The lines with which those come online that it waits for; what was online before has no line of its own."""
        seen, open_names = {resource}, [*self.cluster.waits.get(resource, ())]
        while open_names:
            name = open_names.pop()
            if name in seen:
                continue
            seen.add(name)
            if name in self._online:
                yield self._online[name]
            else:
                open_names += self.cluster.waits.get(name, ())

    @cached_property
    def _online(self) -> Mapping[str, ClusterLine]:
        """The line with which each resource came online: the last operation, as DRBD is started and promoted."""
        found: dict[str, ClusterLine] = {}
        for each in self._lines:
            if each.kind in ONLINE_KINDS and each.resource is not None:
                found[_name(each.resource)] = each
        return found

    @cached_property
    def _lines(self) -> Sequence[ClusterLine]:
        """The lines of starts on the surviving node until its service is back."""
        # a stamp is cut: the line may lie as much later as the resolution
        span = self.timeline.within(self.incident.membership_at - SAME_SECOND, self.incident.end_at)
        return [each for each in span if self._is_own(each)]

    def _is_own(self, line: ClusterLine) -> bool:
        surviving_key = self.incident.surviving_key
        window = self.windows.get(group_of(line, self.cluster.types))
        if window is None or not window.is_own_group or line.at > window.service_end_at:
            return False
        if end_of(line.at, line.resolution_s) <= self.incident.membership_at:
            return False
        if line.source not in RESOURCE_LOGS:
            return line.node_key == surviving_key and line.state in {None, "ok"}
        return line.system_key == surviving_key and (line.kind in START_KINDS or line.is_vcs_online)


def _name(resource: str) -> str:
    """The resource as the configuration has it: `drbd:0` is an instance of `drbd`."""
    return resource.partition(":")[0]
