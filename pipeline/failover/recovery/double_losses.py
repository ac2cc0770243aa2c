"""Surviving nodes that were lost too, before the service was back."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from operator import attrgetter
from typing import Annotated, NamedTuple, TypeVar

from pipeline.failover.evidence import BOOTS, ClusterLine, ServiceSign
from pipeline.failover.incident.incidents import Incident
from pipeline.failover.loss.loss_evidence import NodeLossEvidence
from pipeline.failover.loss.losses import LossEvent
from pipeline.failover.loss.restarts import Work
from pipeline.failover.loss.unit_lines import INSTANT
from pipeline.failover.recovery.milestone_candidates import EvidenceRule, MilestoneCandidate
from pipeline.failover.rules import rules
from pipeline.failover.step import CONFIGURATION, Int32, grouped, step
from pipeline.failover.timeline import BY_LINE, Timeline, Timelines
from pipeline.failover.windows import FOLLOWED, SERVICE_KEPT, SHUT_DOWN_BEFORE

T = TypeVar("T")

RETURNS = {"membership", "system_state", "member_joined", "link_up", "status_up"}


class SurvivorWatch(NamedTuple):
    """One row per incident with a surviving node: while what its loss would be part of the incident, until a node that
    was lost has come back, both times exclusive. Times in UTC.
    """

    configuration: str
    unit_run: str | None
    run: str
    surviving_key: Annotated[str, "surviving node, in small letters"]
    membership_at: datetime
    until_at: Annotated[datetime, "return of the lost node, end of the incident, or one hour after the loss"]
    is_started_again: Annotated[bool, "the node or its cluster manager starts meanwhile"]


class SurvivorLine(NamedTuple):
    """What a line of the system log of a surviving node says: nothing of these, for the last line of an instant."""

    configuration: str
    run: str
    at: datetime
    file_id: Int32
    line_no: Int32
    is_boot: bool
    is_panic: bool
    is_shutdown: bool


class DoubleLoss(NamedTuple):
    """One row per incident whose surviving node was lost too: before a node that was lost had come back, and before
    the service was back for a minute. Times in UTC. Shown by the other nodes, or by the node's own log: it
    panics, or starts again without having been shut down. A node lost while it was taking over, from which a
    third took over, is in the incident's `is_target_lost`, and is here as well. A node that starts again minutes
    after the service was back has a fault of its own, or none: it says nothing of this recovery.
    """

    configuration: str
    run: str
    node: Annotated[str | None, "node that was lost too"]
    at: Annotated[datetime, "time of the line that shows it"]
    how: Annotated[str, "declared lost, fenced, panicked, restarted"]
    file_id: Int32
    line_no: Int32


@step(of="incident")
def survivor_watch(incident: Sequence[Incident], cluster_line: Sequence[ClusterLine]) -> Iterator[SurvivorWatch]:
    """Watch the surviving nodes of a unit until the lost ones are back."""
    watched = [each for each in incident if each.surviving_key is not None and not each.is_commanded]
    if not watched:
        return
    returns = Timeline(each for each in cluster_line if each.kind in RETURNS)
    boots = Timelines((each for each in cluster_line if each.kind in BOOTS), attrgetter("node_key"))
    for each in watched:
        until_at = min(_return_at(each, returns) or each.loss_at + FOLLOWED, each.end_at)
        is_started_again = bool(boots.of(each.surviving_key).within(each.membership_at + INSTANT, until_at))
        yield SurvivorWatch(
            each.configuration,
            each.unit_run,
            each.run,
            each.surviving_key or "",
            each.membership_at,
            until_at,
            is_started_again,
        )


def _return_at(incident: Incident, lines: Timeline[ClusterLine]) -> datetime | None:
    """When another node first has the lost one as a member again, from then on the next loss is one of its own."""
    if not incident.lost_key:
        return None
    for line in lines.between(incident.membership_at + INSTANT, incident.loss_at + FOLLOWED):
        # a lost node that lives on counts itself as a member
        if line.node_key not in incident.lost_keys and _is_return(line, incident):
            return line.at
    return None


def _is_return(line: ClusterLine, incident: Incident) -> bool:
    if line.kind == "membership":
        return incident.lost_id is not None and incident.lost_id in (line.members or [])
    if line.kind == "system_state" and (line.state or "").upper() not in rules("losses")["returns"]["states"]:
        return False
    return line.system_key == incident.lost_key


@step(by=CONFIGURATION, of="survivor_watch")
def double_loss(
    survivor_watch: Sequence[SurvivorWatch],
    incident: Sequence[Incident],
    survivor_line: Sequence[SurvivorLine],
    cluster_line: Sequence[ClusterLine],
    node_loss_evidence: Sequence[NodeLossEvidence],
    loss_event: Sequence[LossEvent],
    service_sign: Sequence[ServiceSign],
    milestone_candidate: Sequence[MilestoneCandidate],
    study__milestone_rule: Sequence[EvidenceRule],
) -> Iterator[DoubleLoss]:
    """The first line of each incident by which its surviving node is lost before the service was back."""
    incidents = {each.run: each for each in incident}
    service = Service(milestone_candidate, study__milestone_rule, service_sign)
    others = OtherLines(node_loss_evidence, loss_event, cluster_line)
    own = OwnLines(survivor_line, cluster_line)
    for watch in survivor_watch:
        lost = incidents[watch.run]
        losses = [*others.losses(watch, lost), *own.losses(watch, lost)]
        recovered_at = service.recovered_at(watch)
        first = next((each for each in sorted(losses, key=BY_LINE) if each.is_before(recovered_at)), None)
        if first:
            yield DoubleLoss(watch.configuration, watch.run, *first[:5])


class Loss(NamedTuple):
    """A line that shows that a surviving node was lost. `gone_at`: when at the earliest; None: unknown."""

    node: str | None
    at: datetime
    how: str
    file_id: int
    line_no: int
    gone_at: datetime | None

    def is_before(self, recovered_at: datetime | None) -> bool:
        """Whether the node was lost before the service was back, or had just come back."""
        return recovered_at is None or self.gone_at is None or self.gone_at <= recovered_at + SERVICE_KEPT


def _while(watch: SurvivorWatch, lines: Timeline[T]) -> Sequence[T]:
    return lines.within(watch.membership_at + INSTANT, watch.until_at)


class OtherLines:
    """The lines of a configuration by which other nodes declare a surviving one lost, or fence it."""

    def __init__(
        self, evidence: Iterable[NodeLossEvidence], events: Iterable[LossEvent], lines: Iterable[ClusterLine]
    ) -> None:
        decisive = (each for each in evidence if each.is_decisive and not each.is_planned)
        self._declared = Timelines(decisive, attrgetter("unit_run", "lost_key"))
        self._targets = grouped((each for each in events if each.is_target), "unit_run", "event_no")
        fencings = (each for each in lines if each.kind == "fence_done")
        self._fenced = Timelines(fencings, attrgetter("unit_run", "system_key"))

    def losses(self, watch: SurvivorWatch, lost: Incident) -> Iterator[Loss]:
        """The losses of a surviving node, and of one that was lost as it was taking over."""
        key = watch.unit_run, watch.surviving_key
        for line in _while(watch, self._declared.of(key)):
            if line.node_key not in lost.lost_keys:
                yield Loss(lost.surviving_node, line.at, "declared lost", line.file_id, line.line_no, line.at)
        for event in self._targets.get((watch.unit_run, lost.event_no), []):
            yield Loss(event.lost_node, event.loss_at, "declared lost", event.file_id, event.line_no, event.loss_at)
        for fencing in _while(watch, self._fenced.of(key)):
            yield Loss(lost.surviving_node, fencing.at, "fenced", fencing.file_id, fencing.line_no, fencing.at)


class OwnLines:
    """The lines of surviving nodes of a configuration about themselves, in system logs and of cluster managers."""

    def __init__(self, lines: Iterable[SurvivorLine], cluster_lines: Sequence[ClusterLine]) -> None:
        self._lines = Timelines(lines, attrgetter("run"))
        boots = (each for each in cluster_lines if each.kind in BOOTS)
        self._boots = Timelines(boots, attrgetter("unit_run", "node_key"))
        self._work = Work(cluster_lines)
        leaves = (each for each in cluster_lines if _is_leave(each))
        self._leaves = Timelines(leaves, lambda each: (each.unit_run, each.system_key or each.node_key))

    def losses(self, watch: SurvivorWatch, lost: Incident) -> Iterator[Loss]:
        """Panics and starts of a node, but those after somebody shut it down."""
        lines, key = self._lines.of(watch.run), (watch.unit_run, watch.surviving_key)
        shutdowns = [each.at for each in lines.rows if each.is_shutdown and not each.is_panic and not each.is_boot]
        shutdowns += [each.at for each in _while(watch, self._leaves.of(key))]
        shown: list[tuple[SurvivorLine | ClusterLine, str]] = [
            (each, "panicked" if each.is_panic else "restarted")
            for each in lines.rows
            if each.is_panic or (each.is_boot and not self._work.contradicts_start(*key, each.at))
        ]
        shown += [(each, "restarted") for each in _while(watch, self._boots.of(key))]
        for line, how in shown:
            if not any(line.at - SHUT_DOWN_BEFORE <= at <= line.at for at in shutdowns):
                before = lines.last_before(line.at)  # it may have been gone since
                gone_at = before and before.at
                yield Loss(lost.surviving_node, line.at, how, line.file_id, line.line_no, gone_at)


def _is_leave(line: ClusterLine) -> bool:
    """Whether a cluster manager says that a node leaves in order."""
    states = rules("losses")["departures"]["states"]
    return line.kind == "shutdown_notice" or (line.kind == "system_state" and (line.state or "").upper() in states)


class Service:
    """When the service of each run of a configuration was back."""

    def __init__(
        self,
        candidates: Iterable[MilestoneCandidate],
        milestone_rules: Iterable[EvidenceRule],
        signs: Iterable[ServiceSign],
    ) -> None:
        ends: dict[str, int] = {}
        for rule in milestone_rules:
            if rule.ends_recovery is not None and rule.ends_recovery >= 0:
                ends[rule.milestone] = min(rule.ends_recovery, ends.get(rule.milestone, rule.ends_recovery))
        shown: dict[tuple[str, str], datetime] = {}
        for each in candidates:
            if each.milestone in ends:
                step_of_run = each.run, each.milestone
                shown[step_of_run] = min(each.at, shown.get(step_of_run, each.at))
        # of the steps that mean service those of the least number that the configuration shows
        least = min((ends[milestone] for _, milestone in shown), default=None)
        self._steps: dict[str, datetime] = {}
        for (run, milestone), at in shown.items():
            if ends[milestone] == least:
                self._steps[run] = max(at, self._steps.get(run, at))
        self._signs = Timelines(signs, attrgetter("unit_run", "node_key"))

    def recovered_at(self, watch: SurvivorWatch) -> datetime | None:
        """When the last of the steps that mean service is shown; None: it is not."""
        return self._steps.get(watch.run) or self._idle_at(watch)

    def _idle_at(self, watch: SurvivorWatch) -> datetime | None:
        """Where no step means service, as the types of resources are not known: the manager has nothing left to do."""
        signs = self._signs.of((watch.unit_run, watch.surviving_key)).since(watch.membership_at + INSTANT)
        start_at = next((each.at for each in signs if each.sign == "start"), None)
        if start_at is None:
            return None
        return next((each.at for each in signs if each.is_last_step and each.at > start_at), None)
