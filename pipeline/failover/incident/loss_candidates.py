"""Every line about a lost node or leader, and what it was taken for: the decision, read back line by line."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter
from typing import Annotated, NamedTuple

from pipeline.failover.evidence import BOOTS, ClusterLine, host_key
from pipeline.failover.incident.incidents import Incident
from pipeline.failover.incident.missing_incidents import MissingIncident
from pipeline.failover.leaders.leader_lines import BY_PART, SIGNS_OF_LIFE, LeaderLine, rules_of
from pipeline.failover.loss.loss_evidence import NodeLossEvidence
from pipeline.failover.rules import rules
from pipeline.failover.step import CONFIGURATION, Int32, grouped, passed_on, step
from pipeline.failover.timeline import Timeline, Timelines
from pipeline.failover.windows import ELECTION, FOLLOWED, JUST_STARTED, MISSED_BEFORE, QUORUM_DECIDED

DECISIONS = {"leader_wanted", "leader_chosen"}
"""Kinds of lines that name at most who is to lead."""
LEADS = {*DECISIONS, "leader"}
OF_ITSELF = {*BOOTS, "vrrp_fault"}
"""Kinds of lines by which their writer is gone."""
LEADER_KINDS = {
    *("leader", "leader_down", "leader_suspect", "leader_missing", "upstream_lost", "member_gone", "give_up"),
    *("election_failed", "vrrp_fault", *DECISIONS),
}
LEAVES = {*BOOTS, "vrrp_backup", "give_up", "program_stopped", "db_shutdown", "shutdown_notice"}
"""Kinds of lines by which their writer leads no longer."""
STARTS = {"group_started", "db_start", *BOOTS}
DECLARING_KINDS = {
    *("peer_dead", "member_lost", "shutdown_notice", "expired", "down_state", "fence_done", "fence_failed"),
    *("hadr_partner_lost", "hadr_takeover_command", "quorum_lost", "token_lost", "ping_ack_missing"),
}


class LossLine(NamedTuple):
    """One row per log line that says that a node or leader is lost, replaced or gone: what it was taken for. Times in
    UTC. `loss_candidate` adds its text.
    """

    configuration: str
    unit_run: str | None
    file_id: Int32
    line_no: Int32
    at: datetime
    node: Annotated[str | None, "host that wrote the line"]
    peer: Annotated[str | None, "node or leader that is gone, as far as the line or its layer names it"]
    kind: Annotated[str, "what the line says"]
    taken_for: Annotated[str, "incident, same event, planned, start, none"]
    incident_run: Annotated[str | None, "run of the incident"]
    missing: Annotated[str | None, "key or line that is missing to make it an incident"]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A line about a loss with what the fold made of it, and what can explain why not.

    `incident`: that the line is evidence of; `around`: in whose time it lies, of a node that it may be about; `later`:
    the next one of such a node.
    """

    line: ClusterLine
    evidence: NodeLossEvidence | None
    incident: Incident | None
    around: Incident | None
    later: Incident | None
    lines: "Lines"
    unit_reason: str | None

    @property
    def is_first(self) -> bool:
        """Whether the incident rests on this very line."""
        return self.incident is not None and _place(self.incident) == _place(self.line)

    @property
    def is_planned(self) -> bool:
        """Whether the node leaves in order."""
        return (self.evidence is not None and self.evidence.is_planned) or self.line.kind == "shutdown_notice"

    @property
    def is_about_leader(self) -> bool:
        """Whether a line of a stack whose nodes elect a leader says it."""
        return self.line.kind in LEADER_KINDS

    @property
    def is_long_before(self) -> bool:
        """Whether a leader is lost some minutes later."""
        return self.later is not None and self.later.loss_at <= self.line.at + MISSED_BEFORE

    @property
    def leaves_a_group(self) -> bool:
        """Whether it is a member of a group that elects nobody."""
        return self.line.kind == "member_gone" or (self.is_about_leader and rules_of(self.line.stack).has_no_leader)

    @property
    def has_just_started(self) -> bool:
        """Whether the cluster layer of the writer has just started, and so finds its peers missing."""
        started = self.lines.boots.of(host_key(self.line)).has(self.line.at - JUST_STARTED, self.line.at)
        return self.evidence is None and started

    @property
    def is_cut_off(self) -> bool:
        """Whether the writer lost its quorum in that: those that kept one may not miss anybody."""
        lost = self.lines.quorums.of(host_key(self.line))
        return lost.has(self.line.at - QUORUM_DECIDED, self.line.at + QUORUM_DECIDED)

    @property
    def leads_again(self) -> bool:
        """Whether the first leader that a line of the stack names after it is the one that was gone."""
        gone = self.line.node_key if self.line.kind == "give_up" else _gone_key(self.line)
        found = self.lines.leaders.of(self.line.stack).first_since(self.line.at)
        return found is not None and gone is not None and (found.system_key or found.node_key) == gone

    @property
    def answers_again(self) -> bool:
        """Whether the leader that was missed shows itself before another one could lead."""
        gone, until = _gone_key(self.line), self.line.at + ELECTION
        follows = self.lines.signs.of(self.line.node_key).between(self.line.at, until)
        return (gone is not None and self.lines.signs.of(gone).has(self.line.at, until)) or any(
            each.kind == "following" and each.peer_key is None for each in follows
        )

    @property
    def is_replaced(self) -> bool:
        """Whether a line of the stack names a leader within the time in which a loss is followed."""
        return self.lines.leaders.of(self.line.stack).has(self.line.at, self.line.at + FOLLOWED)


@dataclass(frozen=True, slots=True)
class Lines:
    """The lines of a unit that explain why another one declares no loss."""

    boots: Timelines[ClusterLine]
    quorums: Timelines[ClusterLine]
    leaders: Timelines[ClusterLine]
    signs: Timelines[LeaderLine]


class Rule(NamedTuple):
    """The first row whose condition holds says what a line was taken for, and what is missing."""

    holds: Callable[[Candidate], bool]
    taken_for: str
    missing: str | None


FENCED = {"fence_done", "fence_failed"}
MOVED = "a line that shows that a service moved after it"
RULES = (
    Rule(lambda c: c.line.kind in BOOTS, "none", "a log of another server, that shows who led meanwhile"),
    Rule(lambda c: c.incident is not None and c.incident.is_planned, "planned", None),
    Rule(lambda c: c.is_first, "incident", None),
    Rule(lambda c: c.incident is not None, "same event", None),
    Rule(lambda c: c.is_planned, "planned", None),
    Rule(lambda c: c.around is not None and c.around.is_planned, "planned", None),
    Rule(lambda c: c.around is not None, "same event", None),
    Rule(lambda c: c.has_just_started, "start", None),
    Rule(
        lambda c: c.is_cut_off,
        "none",
        "a log of a node that kept its quorum; one that lost it cannot tell which node is gone",
    ),
    Rule(lambda c: c.evidence is not None and c.unit_reason is not None, "none", f"{MOVED} ({{unit_reason}})"),
    Rule(lambda c: c.evidence is not None, "none", MOVED),
    Rule(lambda c: c.line.system_key == c.line.node_key, "none", "a line of another node: the node says it of itself"),
    Rule(lambda c: c.line.kind == "expired", "none", "the expiry of the other links to the node"),
    Rule(lambda c: c.line.kind in FENCED, "none", "a line that declares the fenced node lost"),
    Rule(lambda c: c.leaves_a_group, "none", "a line by which the members that are left go on, or have no quorum"),
    Rule(lambda c: c.line.kind == "ping_ack_missing", "none", "a line of a cluster manager that says the same"),
    Rule(lambda c: c.line.kind == "election_failed", "none", "a line by which a node misses the leader"),
    Rule(lambda c: c.is_about_leader and c.leads_again, "none", "another leader: the one that was gone leads again"),
    Rule(lambda c: c.is_about_leader and c.answers_again, "none", "a longer silence: the leader answers again"),
    Rule(lambda c: c.is_about_leader and c.is_long_before, "none", "a line about it within a minute before the loss"),
    Rule(lambda c: c.is_about_leader and not c.is_replaced, "none", "a later line that names another leader"),
    Rule(lambda c: c.is_about_leader, "none", "an earlier line that names the leader that is gone"),
    Rule(lambda c: c.line.system is None and c.line.node_id is None, "none", "the name of the node that is gone"),
    Rule(lambda _: True, "none", "a line before it that shows the node as a member"),
)


@step(by=CONFIGURATION)
def loss_line(
    cluster_line: Sequence[ClusterLine],
    node_loss_evidence: Sequence[NodeLossEvidence],
    incident: Sequence[Incident],
    missing_incident: Sequence[MissingIncident],
    leader_line: Sequence[LeaderLine],
) -> Iterator[LossLine]:
    """What each line about a lost node or leader of a configuration was taken for."""
    evidence, incidents, reasons, led = (
        grouped(each, "unit_run") for each in (node_loss_evidence, incident, missing_incident, leader_line)
    )
    for (unit_run,), lines in grouped(cluster_line, "unit_run").items():
        key = (unit_run,)
        reason = next((each.reason for each in reasons.get(key, [])), None)
        declared = grouped(evidence.get(key, []), "file_id", "line_no")
        followed = Followed(incidents.get(key, []))
        around = _around(lines, led.get(key, []))
        for line in _about_losses(lines, set(declared)):
            shown = declared.get(_place(line), [None])
            near = followed.incident_around(line)
            later = followed.incident_after(line)
            found = [Candidate(line, each, followed.incident_of(each), near, later, around, reason) for each in shown]
            yield _taken(max(found, key=lambda each: (each.is_first, each.incident is not None)))


class Followed:
    """The incidents of a unit by the nodes that were lost in them."""

    def __init__(self, incidents: Sequence[Incident]) -> None:
        self._incidents = Timeline(incidents, _by_loss, "loss_at")

    def incident_of(self, evidence: NodeLossEvidence | None) -> Incident | None:
        """The incident that a line which declares a node lost belongs to."""
        found = evidence and self._incidents.last_until(evidence.at)
        is_of_it = evidence and found and evidence.at < found.end_at and evidence.lost_key in _lost_keys(found)
        return found if is_of_it else None

    def incident_around(self, line: ClusterLine) -> Incident | None:
        """The incident in whose time a line lies that names its lost node or none."""
        # what the next incident may have begun with is no consequence of one hours before
        for found in (self._incidents.first_since(line.at), self._incidents.last_until(line.at)):
            if found is not None and found.search_start_at <= line.at < found.end_at and _may_be_about(line, found):
                return found
        return None

    def incident_after(self, line: ClusterLine) -> Incident | None:
        """The next incident after a line that names its lost node or none."""
        found = self._incidents.first_since(line.at)
        return found if found is not None and _may_be_about(line, found) else None


def _may_be_about(line: ClusterLine, incident: Incident) -> bool:
    """Whether a line names the lost node of an incident, or none."""
    return _gone_key(line) in {None, *_lost_keys(incident)} and line.node_id in {None, incident.lost_id}


def _gone_key(line: ClusterLine) -> str | None:
    """The node or leader that is gone by a line; one by which a node comes to lead says it of no other."""
    return None if line.kind in LEADS else line.node_key if line.kind in OF_ITSELF else line.system_key


def _gone(line: ClusterLine) -> str | None:
    """The same as a host is called."""
    return None if line.kind in LEADS else line.node if line.kind in OF_ITSELF else line.system


def _by_loss(incident: Incident) -> tuple[datetime, int]:
    return incident.loss_at, incident.loss_no


def _lost_keys(incident: Incident) -> set[str]:
    return {incident.lost_key, *incident.lost_keys}


def _around(lines: Sequence[ClusterLine], led: Sequence[LeaderLine]) -> Lines:
    signs = (each for each in led if each.kind in SIGNS_OF_LIFE)
    return Lines(
        Timelines((each for each in lines if each.kind in STARTS), host_key),
        Timelines((each for each in lines if each.kind == "quorum_lost"), host_key),
        Timelines((each for each in lines if each.kind in {"leader", "leader_kept"}), attrgetter("stack")),
        Timelines(signs, lambda each: each.peer_key or each.node_key, BY_PART),
    )


def _about_losses(lines: Sequence[ClusterLine], declaring: set[tuple[int, int]]) -> Iterator[ClusterLine]:
    """Lines that say that a node or leader is lost, replaced or gone, each once, in the order of time. Where no other
    server has a log, a leader that starts is a loss that nobody saw.
    """
    is_alone = len({each.node_key for each in lines if each.source not in rules("outcome")["client_logs"]}) == 1
    seen: set[tuple[int, int]] = set()
    leads: dict[tuple[str | None, str | None], str | None] = {}
    for line in Timeline(lines).rows:
        is_about = line.kind in DECLARING_KINDS or line.kind in LEADER_KINDS or _is_faulted(line)
        if line.kind == "leader":
            scope = (line.stack, line.resource)
            is_about = leads.get(scope) not in {None, line.system_key}
            leads[scope] = line.system_key or line.node_key
        elif line.kind in LEAVES:
            is_about |= is_alone and line.kind in BOOTS and line.node_key in leads.values()
            leads = {scope: leader for scope, leader in leads.items() if leader != line.node_key}
        if (is_about or _place(line) in declaring) and _place(line) not in seen:
            seen.add(_place(line))
            yield line


def _taken(candidate: Candidate) -> LossLine:
    line, evidence = candidate.line, candidate.evidence
    rule = next(each for each in RULES if each.holds(candidate))
    return passed_on(
        LossLine,
        line,
        peer=evidence.lost_node if evidence is not None else _gone(line),
        taken_for=rule.taken_for,
        incident_run=_run_of(candidate) if rule.taken_for in {"incident", "same event", "planned"} else None,
        missing=rule.missing and rule.missing.format(unit_reason=candidate.unit_reason),
    )


def _run_of(candidate: Candidate) -> str | None:
    incident = candidate.incident or candidate.around
    return incident.run if incident is not None else None


_place = attrgetter("file_id", "line_no")


def _is_faulted(line: ClusterLine) -> bool:
    return line.kind == "system_state" and (line.state or "").upper() == "FAULTED"
