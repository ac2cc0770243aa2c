"""Lines that can show a milestone of a run: those that a rule asks for, in its time, about the node it means."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from operator import attrgetter
from typing import Annotated, NamedTuple

from pipeline.failover.evidence import ClusterLine
from pipeline.failover.incident.incidents import Incident
from pipeline.failover.leaders.leader_lines import rules_of
from pipeline.failover.loss.loss_evidence import NodeLossEvidence
from pipeline.failover.recovery.incident_instants import IncidentInstant
from pipeline.failover.rules import rules
from pipeline.failover.service.resource_types import ResourceType
from pipeline.failover.service.service_windows import DATABASES, ServiceWindow, group_of
from pipeline.failover.stamps import end_of
from pipeline.failover.step import CONFIGURATION, Int16, Int32, grouped, passed_on, step
from pipeline.failover.timeline import Timeline
from pipeline.study.rules import INSTANTS

OUTLIVES_NODE = rules("milestones")["outlives_node"]
SEARCH_FROM_LOSS = frozenset(rules("milestones")["search_from_loss"]["stacks"])
MOVED_STORAGE = frozenset(rules("services")["moved_storage"])
SHARED_STORAGE = frozenset(rules("services")["shared_storage"])
OWN_GROUPS = frozenset(rules("services")["own_groups"])

FAULT = "fault"
"""What a line must follow whose step need not wait for the loss to be seen."""

LEADER_NAMED = {"leader", "leader_chosen", "leader_ready"}
"""Kinds of line in which any node says who leads."""

TOLD_BY_ALL = {"leader", "leader_chosen", "leader_suspect", "leader_down", "upstream_lost", "route_up"}
"""Of those who elect a leader each sees it at its own time, and the first counts."""

BY_NUMBER = {"expired", "inactive"}
"""Kinds of line that know the lost node by its number."""

BY_EVIDENCE = {"membership", "upstream_lost"}
"""Kinds of line of which the evidence of losses knows what nodes they miss."""

BY_PLACE = attrgetter("at", "file_id", "line_no", "part")


class EvidenceRule(NamedTuple):
    """A piece of evidence for a milestone."""

    position: int
    milestone: str
    stack: str
    evidence: int
    source: str | None
    message_ids: list[str]
    kinds: list[str]
    text_pattern: str | None
    resource_types: list[str]
    port: str | None
    resource_classes: list[str]
    actions: list[str]
    states: list[str]
    subject: str | None
    pick: str
    after: str
    before: str
    is_user: bool
    ends_recovery: int | None
    begun_by: str | None


class StorageName(NamedTuple):
    """A name under which lines of storage may mention what is the service's."""

    configuration: str
    name: str


class MilestoneCandidate(NamedTuple):
    """One row per log line and built-in piece of evidence that it satisfies, within an incident. Times in UTC.
    `milestone` picks from these. Lines of the lost node's own logs are no candidates, but those of a sentinel there.
    """

    configuration: str
    run: str
    milestone: str
    stack: Annotated[str, "cluster stack of the rule"]
    evidence: Annotated[Int32, "1 is the preferred evidence"]
    pick: Annotated[str, "first or last"]
    after: Annotated[str | None, "milestone, or `fault`, that the line must follow where the rule names one; else null"]
    before: Annotated[str | None, "milestone that the line must precede, where the rule names one; else null"]
    at: Annotated[datetime, "stamp as printed"]
    resolution_s: float
    has_message_id: Annotated[bool | None, "matched by message id, else by what its text says"]
    is_other_node: Annotated[bool, "the line is not from the surviving node's logs"]
    node: str | None
    instance: str | None
    database: str | None
    file_id: Int32
    line_no: Int32
    part: Int16


@step(by=CONFIGURATION, of="incident")
def milestone_candidate(
    incident: Sequence[Incident],
    incident_instant: Sequence[IncidentInstant],
    cluster_line: Sequence[ClusterLine],
    study__milestone_rule: Sequence[EvidenceRule],
    resource_type: Sequence[ResourceType],
    service_window: Sequence[ServiceWindow],
    node_loss_evidence: Sequence[NodeLossEvidence],
    storage_name: Sequence[StorageName],
) -> Iterator[MilestoneCandidate]:
    """What can show the milestones of each incident."""
    sought = SoughtLines([each for each in study__milestone_rule if each.text_pattern is None and not each.is_user])
    lines = (each for each in cluster_line if sought.rules_of(each) or _is_vcs_start(each))
    units = {unit: Timeline(_counted(rows), BY_PLACE) for (unit,), rows in grouped(lines, "unit_run").items()}
    cluster = Cluster(
        {each.resource: each for each in resource_type},
        any(each.source == "db2diag" for each in cluster_line),
        [each.name for each in storage_name],
        {place: {each.lost_key for each in rows} for place, rows in _by_place(node_loss_evidence).items()},
    )
    instants = {each.run: each for each in incident_instant}
    windows = grouped(service_window, "run")
    for each in incident:
        groups = {one.group: one for one in windows.get((each.run,), [])}
        timeline = units.get(each.unit_run, Timeline(()))
        yield from Failover(each, instants[each.run], groups, cluster, timeline).candidates(sought)


def _counted(lines: Sequence[ClusterLine]) -> Sequence[ClusterLine]:
    """The lines of a unit, without those of coordinators where something else has a leader: they have their own."""
    others = [each for each in lines if rules_of(each.stack).leads != "coordination"]
    return others if any(each.kind == "leader" for each in others) else lines


LOOKS = attrgetter("source", "kind", "message_id", "resource_class", "action", "state")
"""What a rule asks of a line itself."""


class SoughtLines:
    """Rules by what they ask of a line itself: lines that are alike in this are looked up once."""

    def __init__(self, known: Sequence[EvidenceRule]) -> None:
        self._rules = sorted(known, key=attrgetter("milestone", "evidence", "stack"))
        self._found: dict[tuple[str | None, ...], list[EvidenceRule]] = {}

    def rules_of(self, line: ClusterLine) -> list[EvidenceRule]:
        """The rules for lines like this."""
        found = self._found.get(key := LOOKS(line))
        if found is None:
            found = self._found[key] = [each for each in self._rules if _asks_for(each, line)]
        return found


def _asks_for(rule: EvidenceRule, line: ClusterLine) -> bool:
    return (
        line.source == rule.source
        and (line.kind in rule.kinds or line.message_id in rule.message_ids)
        and (not rule.resource_classes or line.resource_class in rule.resource_classes)
        and (not rule.actions or line.action in rule.actions)
        and (not rule.states or line.state in rule.states)
    )


def _is_vcs_start(line: ClusterLine) -> bool:
    return line.is_vcs_online or line.kind == "initiate_online"


def _by_place(evidence: Sequence[NodeLossEvidence]) -> Mapping[tuple[int, int, int], list[NodeLossEvidence]]:
    return grouped(evidence, "file_id", "line_no", "part")


@dataclass
class Cluster:
    """What a configuration knows of its resources. `missed`: keys of the nodes that a line misses, by its place."""

    resources: Mapping[str | None, ResourceType]
    has_database_log: bool
    storage_names: Sequence[str]
    missed: Mapping[tuple[int, int, int], set[str]]
    _storage: dict[str, bool] = field(default_factory=dict)

    def type_of(self, line: ClusterLine) -> str | None:
        """The type of a line's resource, where it is known."""
        known = self.resources.get(line.resource)
        return known and known.resource_type

    @cached_property
    def types(self) -> set[str]:
        """The types of all resources."""
        return {each.resource_type for each in self.resources.values()}

    @cached_property
    def has_database(self) -> bool:
        """Whether a database says itself when it is back."""
        return self.has_database_log or bool(self.types & DATABASES)

    def names_storage(self, name: str) -> bool:
        """Whether a name in a line is that of a mount or volume here; without a configuration each may be."""
        if name not in self._storage:
            self._storage[name] = not self.storage_names or any(
                name in known or (len(known) > 2 and name.endswith(known))  # `/` and a letter end many names
                for known in self.storage_names
            )
        return self._storage[name]


class Told(NamedTuple):
    """A line that a rule asks for. `is_first`: it is the first of its operation; later ones are restarts."""

    line: ClusterLine
    is_first: bool


@dataclass
class Failover:
    """An incident and its lines, with what became of each service group."""

    incident: Incident
    instant: IncidentInstant
    windows: Mapping[str | None, ServiceWindow]
    cluster: Cluster
    timeline: Timeline[ClusterLine]
    _spans: dict[tuple[str, str, str], tuple[datetime, datetime]] = field(default_factory=dict)

    def candidates(self, sought: SoughtLines) -> Iterator[MilestoneCandidate]:
        """The lines that a rule asks for, with the rule."""
        begun: set[tuple[object, ...]] = set()
        for line in self.timeline.within(self.incident.search_start_at, self.incident.end_at):
            known = sought.rules_of(line) if self._is_heard(line) else []
            line_end = end_of(line.at, line.resolution_s) if known else line.at
            for rule in known:
                after_at, before_at = self._span(rule.after, rule.before, rule.stack)
                if line_end > after_at and line.at <= before_at:
                    step_of = (rule.milestone, rule.evidence)
                    operation = (*step_of, line.kind, line.node_key, line.resource, line.action, line.group)
                    told = Told(line, is_first=operation not in begun)
                    begun.add(operation)
                    if self._is_meant(rule, line) and SUBJECTS[rule.subject](self, told):
                        yield _candidate(self.incident, rule, line)

    def _is_heard(self, line: ClusterLine) -> bool:
        """Whether a line counts by its writer: the lost node's own lines do not."""
        return line.node_key not in self._lost or line.kind in OUTLIVES_NODE.get(line.stack, ())

    @cached_property
    def _lost(self) -> set[str]:
        return {self.incident.lost_key, *self.incident.lost_keys}

    def _span(self, after: str, before: str, stack: str) -> tuple[datetime, datetime]:
        """When a line may stand by the instants that a rule names: after the first, and no later than the other."""
        if (after, before, stack) not in self._spans:
            instants = {
                "search_start": self.incident.search_start_at,
                "fault": self.incident.search_start_at,
                "membership": self.incident.membership_at,
                "service_end": self.instant.service_end_at,
                "database_start": self.instant.database_start_at,
            }
            # a milestone's own line lies behind the membership change
            after_at = instants.get(after, self.incident.membership_at)
            if after == "search_start" and stack in SEARCH_FROM_LOSS:
                after_at = max(after_at, self.incident.loss_at)
            # each group has an end of its own: see `_is_meant`
            before_at = self.incident.end_at if before == "service_end" else instants.get(before, self.incident.end_at)
            self._spans[after, before, stack] = after_at, before_at
        return self._spans[after, before, stack]

    def _is_meant(self, rule: EvidenceRule, line: ClusterLine) -> bool:
        """Whether a line has the type of resource and the port that a rule asks for, before its service is back."""
        if rule.resource_types and self.cluster.type_of(line) not in rule.resource_types:
            return False
        if rule.port is not None and line.port != rule.port:
            return False
        window = self.window_of(line)
        return rule.before != "service_end" or (window is not None and line.at <= window.service_end_at)

    def window_of(self, line: ClusterLine) -> ServiceWindow | None:
        """The window of the service group that a line is about."""
        return self.windows.get(group_of(line, self.cluster.resources))

    def initiated_at(self, line: ClusterLine) -> datetime | None:
        """When VCS began to start the resource of a line, by the same log."""
        return self._initiations.get((line.file_id, line.resource, line.system_key))

    @cached_property
    def _initiations(self) -> Mapping[tuple[int, str | None, str | None], datetime]:
        found: dict[tuple[int, str | None, str | None], datetime] = {}
        for line in self.timeline.within(self.incident.membership_at, self.incident.end_at):
            if line.kind == "initiate_online":
                found.setdefault((line.file_id, line.resource, line.system_key), line.at)
        return found

    @cached_property
    def has_shared_storage(self) -> bool:
        """Whether all nodes have the storage at once, or no mount and disk group moved."""
        return bool(self.cluster.types & SHARED_STORAGE) or not any(
            each.is_vcs_online and self.cluster.type_of(each) in MOVED_STORAGE
            for each in self.timeline.within(self.incident.membership_at, self.incident.end_at)
        )


def _is_of_survivor(failover: Failover, told: Told) -> bool:
    line, surviving_key = told.line, failover.incident.surviving_key
    if line.kind in LEADER_NAMED:
        return (line.node_key if line.system_key is None else line.system_key) == surviving_key
    if line.source == "ha":
        return line.node_key == surviving_key and (line.kind != "operation_done" or told.is_first)
    window, initiated_at = failover.window_of(line), failover.initiated_at(line)
    return (
        line.is_vcs_online
        and line.system_key == surviving_key
        and window is not None
        and window.is_own_group
        # one that VCS began to start only afterwards had been online before
        and (initiated_at is None or initiated_at <= line.at)
    )


def _is_of_group(failover: Failover, told: Told) -> bool:
    line, window = told.line, failover.window_of(told.line)
    return (
        told.is_first
        and line.system_key == failover.incident.surviving_key
        and line.group not in OWN_GROUPS
        and (window is None or window.is_own_group)
        and not failover.cluster.has_database
    )


def _is_about_lost(failover: Failover, told: Told) -> bool:
    line, lost_key, lost_id = told.line, failover.incident.lost_key, failover.incident.lost_id
    if line.kind in BY_NUMBER:
        return lost_id is None or line.node_id == lost_id
    if line.kind in BY_EVIDENCE:
        missed = failover.cluster.missed.get((line.file_id, line.line_no, line.part), set())
        return lost_key in missed or (lost_key == "" and bool(missed))
    is_named = lost_key in {"", line.system_key} or (line.source == "ha" and line.system_key is None)
    return is_named and (line.kind != "system_state" or (line.state or "").upper() == "FAULTED")


def _is_of_shared_storage(failover: Failover, told: Told) -> bool:
    name = told.line.object
    return failover.has_shared_storage and (name is None or failover.cluster.names_storage(name))


SUBJECTS: Mapping[str | None, Callable[[Failover, Told], bool]] = {
    None: lambda _failover, _told: True,
    "surviving_node": _is_of_survivor,
    "service_group": _is_of_group,
    "lost_node": _is_about_lost,
    "clustered_storage": _is_of_shared_storage,
}
"""Whom a line must be about: `subject` of a rule."""


def _candidate(incident: Incident, rule: EvidenceRule, line: ClusterLine) -> MilestoneCandidate:
    is_other = line.node_key not in {incident.surviving_key, None}
    return passed_on(
        MilestoneCandidate,
        line,
        configuration=incident.configuration,
        run=incident.run,
        milestone=rule.milestone,
        stack=rule.stack,
        evidence=rule.evidence,
        pick=rule.pick,
        after=None if rule.after in INSTANTS and rule.after != FAULT else rule.after,
        before=None if rule.before in INSTANTS else rule.before,
        has_message_id=None if line.message_id is None else line.message_id in rule.message_ids,
        is_other_node=is_other and line.source != "client" and line.kind not in TOLD_BY_ALL,
    )
