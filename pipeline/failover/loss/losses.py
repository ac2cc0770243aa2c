"""When a node counts as lost: evidence about it that no pause divides."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from operator import attrgetter
from typing import Annotated, NamedTuple

from pipeline.failover.evidence import BOOTS, ClusterLine
from pipeline.failover.leaders.leaders import LeaderChange
from pipeline.failover.loss.loss_evidence import NodeLossEvidence
from pipeline.failover.loss.unit_lines import INSTANT, ring_ids
from pipeline.failover.rules import rules
from pipeline.failover.step import Int32, grouped
from pipeline.failover.timeline import Timeline, Timelines
from pipeline.failover.windows import BACK_FOR, LINK_FLAPS, ONE_LOSS

RETURN_KINDS = {"membership", "system_state", "member_joined", "status_up"}
RETURN_STATES = rules("losses")["returns"]["states"]
LINK_LAYERS = {name for name, layer in rules("losses")["layers"].items() if layer.get("is_link")}


class LossEvent(NamedTuple):
    """One row per loss of one node and the event that it belongs to: evidence of several hosts and layers about it, no
    more than 60 s apart, in which the node was not back: it did not lead again, nor did it start and join its cluster.
    Links that flap between a loss and the node's return are no further loss. Losses that are one event have one number.
    Times in UTC. One event are: nodes that declare each other lost (a partition of the network), nodes lost within a
    minute, of which the earlier had not returned nor the later begun to take over, and a node lost as it was taking
    over, where a third one then starts the service. The next loss is another event.
    """

    configuration: str
    unit_run: str | None
    lost_node: str
    lost_key: str
    lost_id: int | None
    loss_at: Annotated[datetime, "first evidence of the loss of this node"]
    back_at: Annotated[datetime | None, "a line shows it in its cluster again; null if none within an hour"]
    observers: Annotated[list[str] | None, "hosts that declared it lost, in small letters"]
    is_planned: bool
    is_leader_change: Annotated[bool, "the node led, and another one does so afterwards; no line declares it lost"]
    file_id: Annotated[Int32, "file of the first evidence"]
    line_no: Int32
    event_no: Annotated[Int32, "number of the event in the unit, by time"] = 0
    is_partition: Annotated[bool, "another node of the event and this one declared each other lost"] = False
    is_target: Annotated[bool, "it was taking over as it was lost, from another node of the event"] = False


def losses_of(
    known: Sequence[NodeLossEvidence], lines: Sequence[ClusterLine], changes: Sequence[LeaderChange]
) -> Sequence[LossEvent]:
    """The losses of a unit, by time; a link that flaps while its node is out is none."""
    decisive = sorted((each for each in known if each.is_decisive), key=_by_line)
    returns = Returns(lines, changes)
    found: list[LossEvent] = []
    for about_node in grouped(decisive, "lost_key").values():
        declared: LossEvent | None = None
        for evidence in _divided(about_node, returns):
            loss = _loss(evidence, returns)
            if any(each.layer not in LINK_LAYERS for each in evidence):
                declared = loss
            elif declared is not None and _is_out(declared, loss):
                continue
            found.append(loss)
    return sorted(found, key=BY_LOSS)


_by_line = attrgetter("at", "file_id", "line_no", "part")
BY_LOSS = attrgetter("loss_at", "lost_key")


class LeaderReturn(NamedTuple):
    """A node leads again, or is missed anew after it was replaced: it was back before `at`."""

    at: datetime
    node_key: str


class Returns:
    """What shows that a node was back between two losses."""

    def __init__(self, lines: Sequence[ClusterLine], changes: Sequence[LeaderChange]) -> None:
        joins = [each for each in lines if each.kind in RETURN_KINDS]
        self._joins = Timeline(joins)
        self._joins_by_host = Timelines(joins, lambda each: each.file_id if each.node is None else each.node_key)
        self._starts = Timelines((each for each in lines if each.kind in BOOTS), attrgetter("node_key"))
        fencings = (each for each in lines if each.kind in {"fence_start", "fence_done"})
        self._fencings = Timelines(fencings, attrgetter("system_key"))
        self._leads = Timelines(_leader_returns(changes), attrgetter("node_key"), attrgetter("at"))

    def divides(self, earlier: NodeLossEvidence, later: NodeLossEvidence) -> bool:
        """Whether the node led again in between, or the writer saw it join: after a start, or for a while unfenced."""
        since = earlier.at + INSTANT
        if self._leads.of(later.lost_key).has(since, later.at):
            return True
        writer = later.file_id if later.node_key is None else later.node_key
        joins = (each for each in self._joins_by_host.of(writer).within(since, later.at) if _is_back(each, later))
        joined = next(joins, None)
        if joined is None:
            return False
        has_started = any(self._starts.of(each).has(since, later.at) for each in (later.lost_key, later.node_key))
        is_fenced = self._fencings.of(later.lost_key).has(joined.at, later.at)
        return has_started or (later.at - joined.at >= BACK_FOR and not is_fenced)

    def back_at(self, last: NodeLossEvidence) -> datetime | None:
        """When a line shows a node in its cluster again, after the last evidence of its loss."""
        lines = self._joins.between(last.at, last.at + LINK_FLAPS)
        return next((each.at for each in lines if _is_back(each, last)), None)


def _is_back(line: ClusterLine, lost: NodeLossEvidence) -> bool:
    """Whether a line shows that a lost node is in its cluster."""
    if line.kind == "membership":
        return lost.lost_id in (ring_ids(line.state) if line.members is None else line.members)
    is_in_state = line.kind != "system_state" or (line.state or "").upper() in RETURN_STATES
    return is_in_state and line.system_key == lost.lost_key


def _leader_returns(changes: Sequence[LeaderChange]) -> Iterator[LeaderReturn]:
    replaced_at: dict[tuple[str, str, str], datetime] = {}
    for change in sorted(changes, key=_by_line):
        yield LeaderReturn(change.at, change.leader_key)
        led = (change.stack, change.group, change.former_key)
        if led in replaced_at and change.loss_at > replaced_at[led]:
            yield LeaderReturn(change.loss_at, change.former_key)
        replaced_at[led] = change.at


def _divided(evidence: Sequence[NodeLossEvidence], returns: Returns) -> Iterator[Sequence[NodeLossEvidence]]:
    """Evidence about a node, in the order of time, divided where it pauses and where the node was back."""
    start = 0
    for i in range(1, len(evidence)):
        before, each = evidence[i - 1 : i + 1]
        is_same = each.missed_at is not None and each.missed_at == before.missed_at
        if (each.at - before.at > ONE_LOSS and not is_same) or returns.divides(before, each):
            yield evidence[start:i]
            start = i
    yield evidence[start:]


def _is_out(declared: LossEvent, link_loss: LossEvent) -> bool:
    """Whether the node of a lost link was lost shortly before and has not returned."""
    is_near = link_loss.loss_at - LINK_FLAPS <= declared.loss_at < link_loss.loss_at
    return is_near and (declared.back_at is None or declared.back_at > link_loss.loss_at)


def _loss(evidence: Sequence[NodeLossEvidence], returns: Returns) -> LossEvent:
    first, last = evidence[0], evidence[-1]
    return LossEvent(
        first.configuration,
        first.unit_run,
        lost_key=first.lost_key,
        is_planned=first.is_planned,
        file_id=first.file_id,
        line_no=first.line_no,
        lost_node=min(each.lost_node for each in evidence),
        lost_id=min((each.lost_id for each in evidence if each.lost_id is not None), default=None),
        loss_at=first.at,
        back_at=returns.back_at(last),
        observers=sorted({each.node_key for each in evidence if each.node_key is not None}) or None,
        is_leader_change=all(each.is_leader_change for each in evidence),
    )
