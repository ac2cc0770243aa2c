"""When a node counts as lost: evidence about it that no pause divides."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from operator import attrgetter
from typing import Annotated, NamedTuple

from pipeline.failover.evidence import ClusterLine
from pipeline.failover.leaders.leaders import LeaderChange
from pipeline.failover.loss.loss_evidence import NodeLossEvidence
from pipeline.failover.rules import rules
from pipeline.failover.step import Int32, grouped, step
from pipeline.failover.timeline import Timeline, Timelines
from pipeline.failover.windows import LINK_FLAPS, ONE_LOSS

LINK_LAYERS = {name for name, layer in rules("losses")["layers"].items() if layer.get("is_link")}


class LostNode(NamedTuple):
    """One row per loss of one node: evidence of several hosts and layers about it, no more than 60 s apart, in which
    the node does not become leader again; a leader that is replaced a second time was back. Times in UTC. Links that
    flap between a loss and the node's return are no further loss. What belongs together is one event in `loss_event`.
    """

    configuration: str
    unit_run: str | None
    lost_node: str
    lost_key: str
    lost_id: Annotated[int | None, "LLT or corosync id, where known"]
    loss_at: Annotated[datetime, "first evidence"]
    last_at: Annotated[datetime, "last evidence"]
    observers: Annotated[list[str] | None, "hosts that wrote the evidence, in small letters"]
    is_planned: bool
    is_leader_change: Annotated[bool, "the node led, and another one does so afterwards; no line declares it lost"]
    file_id: Annotated[Int32, "file of the first evidence"]
    line_no: Int32


@step(is_stored=False)
def lost_node(
    node_loss_evidence: Sequence[NodeLossEvidence],
    cluster_line: Sequence[ClusterLine],
    leader_change: Sequence[LeaderChange],
) -> Iterator[LostNode]:
    """The losses of a unit; a link that flaps while its node is out is none."""
    returns = Timeline(each for each in cluster_line if each.members is not None or each.kind == "system_state")
    decisive = sorted((each for each in node_loss_evidence if each.is_decisive), key=_by_line)
    returned = Timelines(_returns(leader_change), attrgetter("node_key"), attrgetter("at"))
    found: list[LostNode] = []
    for (lost_key,), about_node in grouped(decisive, "lost_key").items():
        declared: LostNode | None = None
        for evidence in _divided(about_node, returned.of(lost_key)):
            loss = _loss(evidence)
            if any(each.layer not in LINK_LAYERS for each in evidence):
                declared = loss
            elif declared is not None and _is_out_since(declared, loss, returns):
                continue
            found.append(loss)
    yield from sorted(found, key=attrgetter("loss_at", "lost_key"))


_by_line = attrgetter("at", "file_id", "line_no", "part")


class Return(NamedTuple):
    """A node leads again, or is missed anew after it was replaced: it was back before `at`."""

    at: datetime
    node_key: str


def _returns(changes: Sequence[LeaderChange]) -> Iterator[Return]:
    replaced_at: dict[tuple[str, str, str], datetime] = {}
    for change in sorted(changes, key=_by_line):
        yield Return(change.at, change.leader_key)
        led = (change.stack, change.group, change.former_key)
        if led in replaced_at and change.loss_at > replaced_at[led]:
            yield Return(change.loss_at, change.former_key)
        replaced_at[led] = change.at


def _divided(evidence: Sequence[NodeLossEvidence], returns: Timeline[Return]) -> Iterator[Sequence[NodeLossEvidence]]:
    """Evidence about a node, in the order of time, divided where it pauses and where the node was back."""
    start = 0
    for i in range(1, len(evidence)):
        before_at, at = evidence[i - 1].at, evidence[i].at
        if at - before_at > ONE_LOSS or any(before_at < each.at <= at for each in returns.between(before_at, at)):
            yield evidence[start:i]
            start = i
    yield evidence[start:]


def _loss(evidence: Sequence[NodeLossEvidence]) -> LostNode:
    first, last = evidence[0], evidence[-1]
    return LostNode(
        first.configuration,
        first.unit_run,
        min(each.lost_node for each in evidence),
        first.lost_key,
        min((each.lost_id for each in evidence if each.lost_id is not None), default=None),
        first.at,
        last.at,
        sorted({each.node_key for each in evidence if each.node_key is not None}) or None,
        is_planned=first.is_planned,
        is_leader_change=all(each.is_leader_change for each in evidence),
        file_id=first.file_id,
        line_no=first.line_no,
    )


def _is_out_since(earlier: LostNode, link_loss: LostNode, returns: Timeline[ClusterLine]) -> bool:
    """Whether the node of a lost link was lost shortly before and has not returned."""
    return link_loss.loss_at - LINK_FLAPS <= earlier.loss_at < link_loss.loss_at and not any(
        (each.kind == "membership" and each.members is not None and link_loss.lost_id in each.members)
        or (
            each.kind == "system_state"
            and each.system_key == link_loss.lost_key
            and (each.state or "").upper() == "RUNNING"
        )
        for each in returns.between(earlier.last_at, link_loss.loss_at)
    )
