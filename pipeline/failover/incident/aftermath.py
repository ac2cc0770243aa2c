"""What became of a node and its service after a loss: what shows that no service moved to another node."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, NamedTuple

from pipeline.failover.evidence import BOOTS, ClusterLine, ServiceSign, UnitFile
from pipeline.failover.incident.node_losses import NodeLoss
from pipeline.failover.loss.loss_evidence import NodeLossEvidence
from pipeline.failover.loss.losses import LINK_LAYERS
from pipeline.failover.partition.partitions import NetworkPartition
from pipeline.failover.step import Int32, step
from pipeline.failover.timeline import Timeline
from pipeline.failover.windows import (
    FOLLOWED,
    GIVEN_UP,
    IN_JEOPARDY,
    LAST_WORDS,
    LOST_BY_FENCING,
    STARTED_BEFORE,
)


class LossAftermath(NamedTuple):
    """One row per node loss: what the lines show of the service afterwards, where no service moved to another node.
    Times in UTC. A node loss without a move is an incident if the node is certainly gone and nobody had ordered
    it: its detection and fencing have times.
    """

    configuration: str
    unit_run: str | None
    loss_at: Annotated[datetime, "first evidence of the loss"]
    lost_node: Annotated[str | None, "node that was lost"]
    loss_no: Annotated[Int32, "number of the loss in the unit, by time"]
    is_planned: Annotated[bool, "the node leaves in order, or somebody ordered a take-over"]
    is_orderly: Annotated[bool, "the node left in order"]
    observers: Annotated[list[str], "hosts that declared the node lost, in small letters"]
    partition_outcome: Annotated[
        str | None, "outcome of `network_partition`; null if no nodes declared each other lost"
    ]
    doubt: Annotated[str | None, "what is doubtful of a partition"]
    file_id: Int32 | None
    line_no: Int32 | None
    other_start_node: Annotated[str | None, "another node that starts a service, from ten minutes before the loss on"]
    lost_started_at: Annotated[datetime | None, "first start of a service by the lost node itself, before it restarted"]
    down_observer: Annotated[
        str | None, "who declared the loss, where it went down itself and no other node has cluster messages"
    ]
    giving_up_node: Annotated[str | None, "who declared the loss, where it gave the service up"]
    has_lost_logs: Annotated[bool, "the lost node has logs that go on after the loss"]
    is_end_of_logs: Annotated[bool, "the logs end with the loss"]
    is_fenced: Annotated[bool, "the lost node was fenced"]
    is_certain: Annotated[bool, "more than links says that the node is gone, in no jeopardy"]
    is_unmoved: Annotated[bool, "the node is certainly gone, unplanned, and nothing contradicts that no service moved"]


@dataclass(frozen=True, slots=True)
class Afterwards:
    """The lines of a unit that show what became of its losses. `last_lines`, `log_ends`: by node."""

    signs: Timeline[ServiceSign]
    boots: Timeline[ClusterLine]
    fencings: Timeline[ClusterLine]
    jeopardies: Timeline[ClusterLine]
    evidence: Timeline[NodeLossEvidence]
    last_lines: dict[str, datetime]
    log_ends: dict[str, datetime]


@step(of="node_loss", is_stored=False)
def loss_aftermath(
    node_loss: Sequence[NodeLoss],
    network_partition: Sequence[NetworkPartition],
    service_sign: Sequence[ServiceSign],
    cluster_line: Sequence[ClusterLine],
    node_loss_evidence: Sequence[NodeLossEvidence],
    unit_file: Sequence[UnitFile],
) -> Iterator[LossAftermath]:
    """Look for what contradicts that the node of each loss is gone and no service moved."""
    partitions = {each.event_no: each for each in network_partition}
    unit = Afterwards(
        Timeline(service_sign),
        Timeline(each for each in cluster_line if each.kind in BOOTS),
        Timeline(each for each in cluster_line if each.kind == "fence_done"),
        Timeline(each for each in cluster_line if each.kind in {"jeopardy", "ddna"}),
        Timeline(each for each in node_loss_evidence if each.is_decisive),
        _latest((each.node_key, each.at) for each in cluster_line),
        _latest((each.node_key, each.last_at) for each in unit_file),
    )
    for loss in node_loss:
        yield _aftermath(loss, partitions.get(loss.event_no or 0), unit)


def _aftermath(loss: NodeLoss, partition: NetworkPartition | None, unit: Afterwards) -> LossAftermath:
    shown = partition if partition and partition.file_id is not None else loss
    is_orderly = loss.is_orderly or (loss.is_planned and not loss.is_commanded)
    lost_started_at = _own_start_at(loss, unit)
    down_observer = _down_observer(loss, unit)
    giving_up_node = _giving_up_node(loss, unit)
    is_end_of_logs = _is_end_of_logs(loss, unit)
    is_fenced = _is_fenced(loss, unit)
    is_certain = _is_certainly_gone(loss, unit)
    return LossAftermath(
        loss.configuration,
        loss.unit_run,
        loss.loss_at,
        loss.lost_node,
        loss.loss_no,
        loss.is_planned,
        is_orderly,
        loss.observers,
        loss.partition_outcome,
        partition and partition.doubt,
        shown.file_id,
        shown.line_no,
        _other_start_node(loss, unit),
        lost_started_at,
        down_observer,
        giving_up_node,
        _ends_after(loss.lost_key, loss.loss_at, unit),
        is_end_of_logs,
        is_fenced,
        is_certain,
        # of a partition in which no service is seen to start, fencing alone says who is gone
        is_unmoved=(
            (loss.partition_outcome is None or (loss.partition_outcome == "not_started" and is_fenced))
            and loss.lost_node is not None
            and is_certain
            and not is_orderly
            and not loss.is_planned
            and lost_started_at is None
            and down_observer is None
            and giving_up_node is None
        ),
    )


def _other_start_node(loss: NodeLoss, unit: Afterwards) -> str | None:
    """Another node that starts a service, by a line that no lost node wrote."""
    return min(
        (
            each.node
            for each in unit.signs.within(loss.loss_at - STARTED_BEFORE, loss.end_at)
            if each.sign == "start"
            and each.node is not None
            and each.node_key not in loss.lost_keys
            and each.writer_key not in loss.lost_keys
        ),
        default=None,
    )


def _own_start_at(loss: NodeLoss, unit: Afterwards) -> datetime | None:
    """When the lost node starts a service itself, before it starts again."""
    for sign in unit.signs.within(loss.loss_at, loss.end_at):
        if sign.sign == "start" and sign.node_key == sign.writer_key == loss.lost_key:
            boots = unit.boots.between(loss.loss_at, sign.at)
            return None if any(each.node_key == loss.lost_key for each in boots) else sign.at
    return None


def _down_observer(loss: NodeLoss, unit: Afterwards) -> str | None:
    """The only observer, where it starts again within the hour and no other node has a line from the loss on."""
    if len(loss.observers) != 1:
        return None
    if any(at >= loss.loss_at for node, at in unit.last_lines.items() if node != loss.observers[0]):
        return None
    boots = unit.boots.within(loss.loss_at, loss.loss_at + FOLLOWED)
    names = [each.node for each in boots if each.node_key == loss.observers[0] and each.at > loss.loss_at]
    return min((each for each in names if each is not None), default=None)


def _giving_up_node(loss: NodeLoss, unit: Afterwards) -> str | None:
    """An observer that stops the service soon after the loss."""
    stops = unit.signs.within(loss.loss_at, min(loss.end_at, loss.loss_at + GIVEN_UP))
    names = [each.node for each in stops if each.sign == "stop" and each.node_key in loss.observers]
    return min((each for each in names if each is not None), default=None)


def _is_end_of_logs(loss: NodeLoss, unit: Afterwards) -> bool:
    """Whether who saw the loss wrote nothing a minute later, and the lost node nothing after it."""
    ends = [unit.log_ends[each] for each in loss.observers if each in unit.log_ends]
    is_silent = bool(ends) and max(ends) < loss.loss_at + LAST_WORDS
    return is_silent and not _ends_after(loss.lost_key, loss.loss_at, unit)


def _ends_after(node_key: str, at: datetime, unit: Afterwards) -> bool:
    return node_key in unit.log_ends and unit.log_ends[node_key] > at


def _is_fenced(loss: NodeLoss, unit: Afterwards) -> bool:
    fencings = unit.fencings.within(loss.loss_at - LOST_BY_FENCING, loss.end_at)
    return any(each.system_key == loss.lost_key for each in fencings)


def _is_certainly_gone(loss: NodeLoss, unit: Afterwards) -> bool:
    """Whether more than links says so. In jeopardy, or where a daemon died alone, nobody knows."""
    if loss.is_hadr:  # `hadr_loss` says it
        return True
    lines = unit.evidence.within(loss.loss_at, loss.end_at)
    is_declared = any(each.lost_key == loss.lost_key and each.layer not in LINK_LAYERS for each in lines)
    return is_declared and not unit.jeopardies.between(loss.loss_at - FOLLOWED, loss.loss_at + IN_JEOPARDY)


def _latest(times: Iterable[tuple[str | None, datetime | None]]) -> dict[str, datetime]:
    """The latest time of each node."""
    found: dict[str, datetime] = {}
    for node, at in times:
        if node is not None and at is not None and (node not in found or at > found[node]):
            found[node] = at
    return found
