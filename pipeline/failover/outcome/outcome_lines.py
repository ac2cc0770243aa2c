"""Lines that say what became of a failover, besides its steps."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Annotated, NamedTuple, TypeVar

from pipeline.failover.evidence import ClusterLine
from pipeline.failover.incident.incidents import Incident
from pipeline.failover.incident.node_losses import NodeLoss
from pipeline.failover.loss.restarts import Work
from pipeline.failover.milestone.recovery_steps import SERVICE_IS_BACK
from pipeline.failover.recovery.milestone_candidates import EvidenceRule, SoughtLines
from pipeline.failover.rules import rules
from pipeline.failover.service.planned_changes import GOES_DOWN, PlannedChanges
from pipeline.failover.service.resource_types import ResourceType
from pipeline.failover.service.service_windows import ServiceWindow
from pipeline.failover.step import CONFIGURATION, Int32, grouped, nulls_last, step
from pipeline.failover.timeline import Timeline

T = TypeVar("T")

BY_A_PERSON = {"by_hand", "stop"}
"""What may be said as soon as the node is lost, before the cluster notices it."""

LOGS_BY_KIND = frozenset(rules("outcome")["logs_by_kind"])
"""Logs of which a rule asks for the kind of a line alone, not for its text."""


class OutcomeText(NamedTuple):
    """A line whose text, or kind, says what became of a failover."""

    configuration: str
    unit_run: str | None
    says: str
    node_key: str | None
    system_key: str | None
    group: str | None
    at: datetime
    text: str | None
    file_id: int
    line_no: int


class OutcomeRule(NamedTuple):
    """A kind of line that says what became of a failover."""

    says: str
    source: str
    kinds: list[str]
    actions: list[str]


class OutcomeLine(NamedTuple):
    """One row per incident and log line that says what became of it, besides its steps. Times in UTC. See
    `study.outcome_rule`. Lines of the lost node's own logs, and lines about other nodes than the surviving one,
    are left out.
    """

    configuration: str
    run: str
    says: Annotated[
        str,
        "fault (a step failed), left (a step failed in a service group that never came online, while another "
        "one did), down (the service went down), start (the node restarted), by_hand, stop, lost (the node "
        "was lost as well), back (a step that means service was done, however late), later (a step that means or "
        "stands for service was done when steps were followed no longer)",
    ]
    at: Annotated[datetime, "stamp as printed"]
    text: str | None
    file_id: Int32 | None
    line_no: Int32 | None


@step(by=CONFIGURATION, of="incident", is_stored=False)
def outcome_line(
    incident: Sequence[Incident],
    outcome_text: Sequence[OutcomeText],
    cluster_line: Sequence[ClusterLine],
    service_window: Sequence[ServiceWindow],
    resource_type: Sequence[ResourceType],
    node_loss: Sequence[NodeLoss],
    study__outcome_rule: Sequence[OutcomeRule],
    study__milestone_rule: Sequence[EvidenceRule],
) -> Iterator[OutcomeLine]:
    """What the lines of a configuration say of its incidents, by run and time."""
    ending = SoughtLines([each for each in study__milestone_rule if each.ends_recovery == SERVICE_IS_BACK])
    texts = _by_unit([*outcome_text, *_texts_by_kind(cluster_line, study__outcome_rule)])
    onlines = _by_unit(each for each in cluster_line if each.kind == "group_online" and each.group is not None)
    standing = SoughtLines(
        [
            each
            for each in study__milestone_rule
            if (each.ends_recovery or 0) >= SERVICE_IS_BACK and each.source not in rules("outcome")["client_logs"]
        ]
    )
    ends = _by_unit(each for each in cluster_line if standing.rules_of(each))
    work, planned = Work(cluster_line), PlannedChanges(node_loss)
    types: dict[str | None, str] = {each.resource: each.resource_type for each in resource_type}
    windows = grouped(service_window, "run")
    losses = grouped(node_loss, "unit_run", "lost_key")
    found: list[OutcomeLine] = []
    for each in incident:
        own = {window.group for window in windows.get((each.run,), []) if window.is_own_group}
        takeover = TakeOver(each, own, onlines.get(each.unit_run, Timeline(())), work, planned)
        found += takeover.texts(texts.get(each.unit_run, Timeline(())))
        known_ends = ends.get(each.unit_run, Timeline(()))
        found += takeover.back("back", known_ends.within(each.membership_at, each.end_at), ending, types)
        later = known_ends.since(each.end_at) if each.next_at is None else known_ends.within(each.end_at, each.next_at)
        later = later if each.is_to_limit else ()
        found += list(takeover.back("later", later, ending, types)) or takeover.back("later", later, standing, types)
        found += takeover.lost(losses.get((each.unit_run, each.surviving_key), []))
    yield from sorted(found, key=lambda each: (each.run, *nulls_last([each.at, each.file_id, each.line_no, each.says])))


def _by_unit(rows: Iterable[T]) -> Mapping[str | None, Timeline[T]]:
    return {unit: Timeline(own) for (unit,), own in grouped(rows, "unit_run").items()}


def _texts_by_kind(lines: Iterable[ClusterLine], known: Sequence[OutcomeRule]) -> Iterator[OutcomeText]:
    """What lines say by their kind alone: failed operations, and what a database needs."""
    operations = [each for each in known if "operation_failed" in each.kinds]
    by_kind = [each for each in known if each.source in LOGS_BY_KIND]
    for line in lines:
        if line.kind == "operation_done" and line.state == "failed":
            is_named = line.action is not None and line.resource is not None
            text = f"{line.action} of {line.resource} failed" if is_named else None
            fitting = (each for each in operations if not each.actions or line.action in each.actions)
            yield from (_text_of(line, each.says, text) for each in fitting)
        elif line.source in LOGS_BY_KIND:
            fitting = (each for each in by_kind if each.source == line.source and line.kind in each.kinds)
            yield from (_text_of(line, each.says, line.kind.replace("_", " ")) for each in fitting)


def _text_of(line: ClusterLine, says: str, text: str | None) -> OutcomeText:
    # a database that goes down says so of itself
    system_key = line.node_key if says == "down" and line.node is not None else None
    place = (line.file_id, line.line_no)
    return OutcomeText(line.configuration, line.unit_run, says, line.node_key, system_key, None, line.at, text, *place)


@dataclass
class TakeOver:
    """The take-over that follows on an incident. `own_groups`: those whose failover counts; `onlines`: of the unit."""

    incident: Incident
    own_groups: set[str | None]
    onlines: Timeline[ClusterLine]
    work: Work
    planned: PlannedChanges

    def texts(self, lines: Timeline[OutcomeText]) -> Iterator[OutcomeLine]:
        """What lines say about it."""
        incident = self.incident
        for line in lines.within(min(incident.loss_at, incident.membership_at), incident.end_at):
            since = incident.loss_at if line.says in BY_A_PERSON else incident.membership_at
            if line.at >= since and self._is_about_survivor(line) and self._is_of_own_group(line.group):
                yield self._line("left" if self._is_left_behind(line) else line.says, line.at, line.text, line)

    def _is_about_survivor(self, line: OutcomeText) -> bool:
        """Whether a line is about the surviving node, as the lost node does not write it."""
        incident = self.incident
        if line.node_key == incident.lost_key or (line.says == "start" and line.node_key != incident.surviving_key):
            return False
        if line.says == "start" and self.work.contradicts_start(line.unit_run, line.node_key, line.at):
            return False
        is_down = line.says in GOES_DOWN and incident.surviving_key is not None
        if is_down and self.planned.explain(line.unit_run, incident.surviving_key, line.at):
            return False
        # nothing started anywhere, and no node was lost: what faulted is what the fault hit
        is_hit = line.says == "fault" and incident.surviving_key is None and not incident.lost_key
        return line.system_key is None or line.system_key == incident.surviving_key or is_hit

    def _is_of_own_group(self, group: str | None) -> bool:
        return group is None or not self.own_groups - {None} or group in self.own_groups

    def _is_left_behind(self, line: OutcomeText) -> bool:
        """Whether a step failed in a group that counts and never came online, while another one did."""
        is_own = line.group is not None and line.group in self.own_groups
        return line.says == "fault" and is_own and bool(self._online_groups) and line.group not in self._online_groups

    @cached_property
    def _online_groups(self) -> set[str | None]:
        """The groups that came online on the surviving node."""
        lines = self.onlines.within(self.incident.membership_at, self.incident.end_at)
        return {each.group for each in lines if each.system_key == self.incident.surviving_key}

    def back(
        self, says: str, lines: Iterable[ClusterLine], ending: SoughtLines, types: Mapping[str | None, str]
    ) -> Iterator[OutcomeLine]:
        """The steps that end a recovery."""
        incident = self.incident
        for line in lines:
            if line.node_key != incident.lost_key and line.system_key in {None, incident.surviving_key}:
                fitting = (
                    each.milestone
                    for each in ending.rules_of(line)
                    if not each.resource_types or types.get(line.resource) in each.resource_types
                )
                yield from (self._line(says, line.at, f"`{name}`", line) for name in sorted(set(fitting)))

    def lost(self, losses: Iterable[NodeLoss]) -> Iterator[OutcomeLine]:
        """Losses of the surviving node after which no further node takes over."""
        for each in losses:
            if self.incident.loss_at < each.loss_at <= self.incident.end_at:
                says = "stop" if each.is_orderly or each.is_planned else "lost"
                yield self._line(says, each.loss_at, f"{each.lost_node} was lost as well", each)

    def _line(
        self, says: str, at: datetime, text: str | None, line: OutcomeText | ClusterLine | NodeLoss
    ) -> OutcomeLine:
        return OutcomeLine(self.incident.configuration, self.incident.run, says, at, text, line.file_id, line.line_no)
