"""Lines that say that a node is gone: which node it is, and whether it left in order."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from operator import attrgetter
from typing import Annotated, Any, NamedTuple

from pipeline.failover.evidence import ClusterLine
from pipeline.failover.leaders.leaders import LeaderChange
from pipeline.failover.leaders.unreplaced_leaders import UnreplacedLeader
from pipeline.failover.loss.declarations import (
    BY_LINE,
    Declaration,
    declarations,
    fenced_alone,
    lost_leaders,
)
from pipeline.failover.loss.departures import Departure, Departures
from pipeline.failover.loss.lost_names import DeclaredSystem, NodeNames, named_losses
from pipeline.failover.loss.node_ids import ClusterNode
from pipeline.failover.loss.unit_lines import UnitLines
from pipeline.failover.rules import rules
from pipeline.failover.step import CONFIGURATION, Int16, Int32, nulls_last, passed_on, step
from pipeline.failover.timeline import Timeline, Timelines
from pipeline.failover.windows import FENCE_FOLLOWS, FENCE_TAKES, RING_KNOWN

LAYERS: Mapping[str, Mapping[str, Any]] = rules("losses")["layers"]


class NodeLossEvidence(NamedTuple):
    """One row per log line that says a node is gone. Times in UTC. A GAB membership counts when the one before it on
    that port and host had the node; the first membership of a log counts against the nodes known otherwise,
    unless the cluster layer was just starting. Port h counts where port a is not logged. Planned is what follows
    from an order or a good-bye of the node (`departure`), unless it was back, or was to be fenced, in between.
    Corosync's members that left without a lost token, and said so, have left in order; what Pacemaker says of
    them follows from it. Where no line declares a node lost, fencing after a lost token does; where nodes elect a
    leader, a change of it (`leader_change`), or that nobody replaced it (`unreplaced_leader`).
    """

    configuration: str
    unit_run: str | None
    layer: Annotated[str, "llt, gab, had, heartbeat, pacemaker, corosync, or the stack whose leader it was"]
    port: str | None
    is_leader_change: Annotated[bool, "the node led, and another one does so afterwards"]
    is_decisive: Annotated[bool, "counts as node loss; false for the other GAB ports"]
    is_planned: Annotated[bool, "the node leaves in order"]
    lost_id: Annotated[int | None, "LLT or corosync id of the lost node, where known"]
    lost_node: Annotated[str, "host name, or `node 0` where only the id is known"]
    lost_key: str
    node_key: Annotated[str | None, "host that wrote the line"]
    at: Annotated[datetime, "stamp as printed"]
    file_id: Int32
    line_no: Int32
    part: Int16
    missed_at: Annotated[datetime | None, "of a leader: since when it was missed, in this loss"] = None


class LltId(NamedTuple):
    """An LLT id that lines of a configuration show."""

    configuration: str
    node_id: int


@step(by=CONFIGURATION, is_stored=False)
def llt_id(cluster_line: Sequence[ClusterLine]) -> Iterator[LltId]:
    """The ids of a configuration that memberships of GAB have, or that lines of VCS name."""
    found = set()
    for line in cluster_line:
        if line.stack is None:
            if line.node_id is not None:
                found.add(line.node_id)
            if line.kind == "membership":
                found.update(line.members or ())
    for each in sorted(found):
        yield LltId(cluster_line[0].configuration, each)


@step(is_stored=False)
def node_loss_evidence(
    cluster_line: Sequence[ClusterLine],
    leader_change: Sequence[LeaderChange],
    unreplaced_leader: Sequence[UnreplacedLeader],
    departure: Sequence[Departure],
    cluster_node: Sequence[ClusterNode],
    declared_system: Sequence[DeclaredSystem],
    llt_id: Sequence[LltId],
) -> Iterator[NodeLossEvidence]:
    """The lines of a unit that declare a node lost, but for those whose node nobody knows."""
    names = NodeNames(cluster_node, declared_system)
    lines = UnitLines(cluster_line, names.of_ring)
    declared = _declarations(lines, [each.node_id for each in llt_id], leader_change, unreplaced_leader)
    lost = named_losses(declared, names)
    departures = Departures(departure, lines)
    rings = Timelines((each for each in lost if _layer(each).get("is_ring")), attrgetter("lost_key"), BY_LINE)
    for each in sorted(lost, key=lambda each: nulls_last((*BY_LINE(each), each.lost_id))):
        yield passed_on(
            NodeLossEvidence,
            each,
            configuration=each.line.configuration,
            unit_run=each.line.unit_run,
            is_planned=departures.explain(each.lost_key, each.at) or _leaves_in_order(each, lines, rings),
            file_id=each.line.file_id,
            line_no=each.line.line_no,
            part=each.line.part,
        )


def _declarations(
    lines: UnitLines,
    llt_ids: Sequence[int],
    leader_changes: Sequence[LeaderChange],
    unreplaced_leaders: Sequence[UnreplacedLeader],
) -> list[Declaration]:
    """Every line of a unit that declares a node lost, or stands for one that does."""
    declared = declarations(lines, llt_ids)
    others = Timeline(declared, BY_LINE)
    return [
        *declared,
        *lost_leaders(lines, leader_changes, others),
        *(Declaration(each, each.stack, lost_node=each.former, missed_at=each.loss_at) for each in unreplaced_leaders),
        *fenced_alone(lines, others),
    ]


def _layer(declared: Declaration) -> Mapping[str, Any]:
    return LAYERS.get(declared.layer, {})


def _leaves_in_order(lost: Declaration, lines: UnitLines, rings: Timelines[Declaration]) -> bool:
    """Whether its layer says that a node left in order, and it was not fenced, no matter what its ring heard of it."""
    is_fenced = lines.fencings.of(lost.lost_key).has(lost.at - FENCE_TAKES, lost.at + FENCE_FOLLOWS)
    if lost.is_planned and (not is_fenced or _layer(lost).get("may_be_fenced")):
        return True
    if is_fenced or not _layer(lost).get("follows_ring"):
        return False
    ring = rings.of(lost.lost_key).between(lost.at - RING_KNOWN, lost.at + RING_KNOWN)
    return bool(ring) and all(each.is_planned for each in ring)
