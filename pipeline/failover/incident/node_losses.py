"""Which node is lost in an event, and the losses that no cluster manager declares: of HADR, and recorded ones."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from itertools import zip_longest
from operator import attrgetter
from typing import Annotated, NamedTuple

from pipeline.failover.evidence import ClusterLine, RecordedFault, ServiceSign, UnitFile
from pipeline.failover.loss.departures import ALL_NODES, Departure
from pipeline.failover.loss.hadr_losses import HadrLoss
from pipeline.failover.loss.loss_evidence import NodeLossEvidence
from pipeline.failover.loss.losses import LossEvent
from pipeline.failover.partition.partitions import NetworkPartition
from pipeline.failover.rules import rules
from pipeline.failover.step import Int32, grouped, step
from pipeline.failover.timeline import BY_LINE, Timeline, Timelines
from pipeline.failover.windows import (
    FAULT_RECORDED_LATE,
    FOLLOWED,
    LEAVE_LOGGED,
    LOSS_OF_A_FAULT,
    ONE_ORDER,
    SAME_SECOND,
    STANDBY_LASTS,
    TAKE_OVER_ORDERED,
)

EMPTY: list[str] = []


class NodeLoss(NamedTuple):
    """One row per node loss: nodes declared lost in one event, by several hosts and layers. Times in UTC. Of a
    partition of the network the lost node is the one that lost the service; see `network_partition`. Of several
    nodes lost at once it is the one that had the service; where no line says so, the first to be declared lost. A
    fault time from study.toml that no evidence is near makes a row of its own, as do a primary of HADR that only
    its standby missed (`hadr_loss`), and a take-over of HADR without either. Not every loss is an incident: see
    `incident`.
    """

    configuration: str
    unit_run: str | None
    loss_no: Annotated[Int32, "number of the loss in the unit, by time"]
    loss_at: Annotated[datetime, "first evidence, of a partition the first by a node that is not lost"]
    end_at: Annotated[datetime, "next loss or one hour later, whichever is first"]
    next_at: Annotated[datetime | None, "next loss in the unit; null after the last"] = None
    lost_node: Annotated[
        str | None, "host name, or `node 0` where only the id is known; null if only study.toml knows of the loss"
    ] = None
    lost_key: Annotated[str, "the same in small letters; empty if unknown"] = ""
    lost_id: Annotated[int | None, "LLT or corosync id of the lost node, where known"] = None
    lost_keys: Annotated[list[str], "all nodes lost in the event, in small letters; empty if unknown"] = EMPTY
    manifest_fault_at: Annotated[datetime | None, "fault time from study.toml"] = None
    is_planned: Annotated[bool, "the node leaves in order, or somebody ordered a take-over without force"] = False
    is_commanded: Annotated[bool, "no line shows that a node was lost: somebody ordered a take-over of HADR"] = False
    is_hadr: Annotated[bool, "only the standby of HADR shows that its primary was lost"] = False
    is_orderly: Annotated[bool, "the node had left in order (LEAVING, EXITING, EXITED) before"] = False
    event_no: Annotated[Int32 | None, "number of the event in `loss_event`; null where none was seen"] = None
    partition_outcome: Annotated[
        str | None, "outcome of `network_partition`; null if no nodes declared each other lost"
    ] = None
    winner_key: Annotated[str | None, "node that serves after a partition, in small letters"] = None
    observers: Annotated[list[str], "hosts that declared the node lost, in small letters"] = EMPTY
    is_target_lost: Annotated[
        bool, "a node that was taking over was lost in the event too, and another one took over"
    ] = False
    file_id: Annotated[Int32 | None, "file of the first evidence"] = None
    line_no: Int32 | None = None


@step()
def node_loss(
    loss_event: Sequence[LossEvent],
    network_partition: Sequence[NetworkPartition],
    hadr_loss: Sequence[HadrLoss],
    recorded_fault: Sequence[RecordedFault],
    node_loss_evidence: Sequence[NodeLossEvidence],
    service_sign: Sequence[ServiceSign],
    cluster_line: Sequence[ClusterLine],
    departure: Sequence[Departure],
    unit_file: Sequence[UnitFile],
) -> Iterator[NodeLoss]:
    """Number the losses of a unit: declared, seen by a standby of HADR, recorded, ordered."""
    seen = list(_declared(loss_event, network_partition, node_loss_evidence, service_sign))
    seen += _of_hadr(hadr_loss, seen)
    commands = [each for each in cluster_line if each.kind == "hadr_takeover_command"]
    commands += _switches(cluster_line, seen)
    losses = [*_with_faults(seen, recorded_fault), *_ordered(commands, seen, recorded_fault)]
    losses.sort(key=lambda each: (each.loss_at, not each.lost_key and not each.is_hadr, each.lost_key))
    leavers = Leavers(cluster_line, departure, unit_file)
    for number, (loss, following) in enumerate(zip_longest(losses, losses[1:]), start=1):
        until = loss.loss_at + FOLLOWED
        end_at = min(until, following.loss_at) if following else until
        next_at = following and following.loss_at
        yield loss._replace(loss_no=number, end_at=end_at, next_at=next_at, is_orderly=leavers.is_orderly(loss))


def _declared(
    events: Sequence[LossEvent],
    partitions: Sequence[NetworkPartition],
    evidence: Sequence[NodeLossEvidence],
    signs: Sequence[ServiceSign],
) -> Iterator[NodeLoss]:
    """The node that stands for each event."""
    cuts = {each.event_no: each for each in partitions}
    lines = Timeline(each for each in evidence if each.is_decisive)
    service = Timelines((each for each in signs if each.sign in {"start", "up"}), attrgetter("node_key"))
    for (event_no,), losses in grouped(events, "event_no").items():
        cut = cuts.get(event_no)
        lost_keys = _lost_keys(losses, cut)
        loss = _standing(losses, lost_keys, service, is_cut=cut is not None)
        first = min(losses, key=_by_time)
        line = _first_line(loss.lost_key, lost_keys, first.loss_at, lines) if cut else None
        shown = line or loss
        yield NodeLoss(
            loss.configuration,
            loss.unit_run,
            0,
            line.at if line else loss.loss_at,
            loss.loss_at,
            lost_node=loss.lost_node,
            lost_key=loss.lost_key,
            lost_id=loss.lost_id,
            lost_keys=lost_keys,
            is_planned=first.is_planned,
            event_no=event_no,
            partition_outcome=cut and cut.outcome,
            winner_key=cut and cut.winner_key,
            observers=loss.observers or [],
            is_target_lost=any(each.is_target for each in losses),
            file_id=shown.file_id,
            line_no=shown.line_no,
        )


def _by_time(loss: LossEvent) -> tuple[datetime, str]:
    return loss.loss_at, loss.lost_key


def _lost_keys(losses: Sequence[LossEvent], cut: NetworkPartition | None) -> list[str]:
    """All nodes lost in an event: of a cut those against the winner."""
    keys = sorted({each.lost_key for each in losses})
    return cut.lost if cut and not set(keys).isdisjoint(cut.lost) else keys


def _standing(
    losses: Sequence[LossEvent], lost_keys: Sequence[str], service: Timelines[ServiceSign], *, is_cut: bool
) -> LossEvent:
    """The loss that stands for an event: of a cut that of the first key, else of the node that had the service last."""
    idle = _idle_before(losses, service)
    return min(
        (each for each in losses if each.lost_key in lost_keys),
        key=lambda each: (
            lost_keys.index(each.lost_key) if is_cut else 0,
            each.is_target,
            idle.get(each.lost_key, timedelta.max),
            _by_time(each),
        ),
    )


def _idle_before(losses: Sequence[LossEvent], service: Timelines[ServiceSign]) -> dict[str, timedelta]:
    """How long before the event each lost node last had the service, but for one that was only taking it over."""
    event_at = min(each.loss_at for each in losses)
    found: dict[str, timedelta] = {}
    for loss in losses:
        sign = service.of(loss.lost_key).last_before(loss.loss_at)
        if sign and not loss.is_target:
            # who had it as the event began is no later holder than another one
            idle = max(event_at - sign.at, SAME_SECOND)
            found[loss.lost_key] = min(idle, found.get(loss.lost_key, timedelta.max))
    return found


def _first_line(
    lost_key: str, lost_keys: Sequence[str], event_at: datetime, lines: Timeline[NodeLossEvidence]
) -> NodeLossEvidence | None:
    """The first line by which a node that is left declares one lost."""
    for line in lines.within(event_at, event_at + FOLLOWED):
        if line.lost_key == lost_key and line.node_key is not None and line.node_key not in lost_keys:
            return line
    return None


def _of_hadr(losses: Sequence[HadrLoss], declared: Sequence[NodeLoss]) -> Iterator[NodeLoss]:
    """Primaries that only their standby missed."""
    near = Timeline(declared, _by_loss, "loss_at")
    for loss in losses:
        if near.between(loss.loss_at - TAKE_OVER_ORDERED, (loss.command_at or loss.loss_at) + SAME_SECOND):
            continue
        yield NodeLoss(
            loss.configuration,
            loss.unit_run,
            0,
            loss.loss_at,
            loss.loss_at,
            lost_node=loss.lost_node,
            lost_key=loss.lost_key,
            lost_keys=[loss.lost_key] if loss.lost_key else [],
            is_hadr=True,
            observers=[loss.observer_key],
            file_id=loss.file_id,
            line_no=loss.line_no,
        )


def _by_loss(loss: NodeLoss) -> tuple[datetime, str]:
    return loss.loss_at, loss.lost_key


def _with_faults(seen: Sequence[NodeLoss], faults: Sequence[RecordedFault]) -> Iterator[NodeLoss]:
    """Losses with the recorded time of their fault, then the recorded faults that no loss follows."""
    losses = {_by_loss(each): each for each in reversed(seen)}
    near = Timeline(losses.values(), _by_loss, "loss_at")
    for fault in sorted(faults, key=lambda each: each.fault_at):
        at = fault.fault_at
        if following := near.between(at - FAULT_RECORDED_LATE, at + LOSS_OF_A_FAULT):
            # of two recorded times before one loss the later is its own
            losses[_by_loss(following[0])] = following[0]._replace(manifest_fault_at=at)
        else:
            yield NodeLoss(fault.configuration, fault.unit_run, 0, at, at, manifest_fault_at=at)
    yield from losses.values()


def _ordered(
    commands: Sequence[ClusterLine], seen: Sequence[NodeLoss], faults: Sequence[RecordedFault]
) -> Iterator[NodeLoss]:
    """Moves that somebody ordered, with no loss and no recorded fault before."""
    losses = Timeline(seen, _by_loss, "loss_at")
    recorded = Timeline(faults, lambda each: each.fault_at, "fault_at")
    orders: list[list[ClusterLine]] = []
    for command in sorted(commands, key=lambda each: (each.at, each.file_id, each.line_no, each.part)):
        since, until = command.at - FOLLOWED, command.at + SAME_SECOND
        caused_by = losses.between(since, until)
        if recorded.between(since, until) or any(
            each.is_hadr or each.loss_at >= command.at - TAKE_OVER_ORDERED for each in caused_by
        ):
            continue
        if orders and command.at - orders[-1][-1].at <= ONE_ORDER:
            orders[-1].append(command)
        else:
            orders.append([command])
    for order in orders:
        first = order[0]
        # of HADR it is the former primary; a switch of VCS names where to
        replaced = next((each for each in order if each.kind == "hadr_takeover_command" and each.system_key), None)
        yield NodeLoss(
            first.configuration,
            first.unit_run,
            0,
            first.at,
            first.at,
            lost_node=replaced and replaced.system,
            lost_key=(replaced and replaced.system_key) or "",
            lost_keys=[replaced.system_key] if replaced and replaced.system_key else [],
            is_planned=all(each.state is None for each in order),  # else by force
            is_commanded=True,
            file_id=first.file_id,
            line_no=first.line_no,
        )


def _switches(lines: Iterable[ClusterLine], seen: Iterable[NodeLoss]) -> Iterator[ClusterLine]:
    """Orders to switch a service in a folder of all tests' logs; the first one back to a lost node ends its test."""
    losses = Timeline(seen, _by_loss, "loss_at")
    back: dict[tuple[datetime, str], datetime] = {}
    for line in sorted((each for each in lines if each.kind == "group_switch" and each.unit_run is None), key=BY_LINE):
        loss = losses.last_until(line.at)
        is_back = loss is not None and line.system_key == loss.lost_key
        if loss is None or not is_back or line.at - back.setdefault(_by_loss(loss), line.at) > ONE_ORDER:
            yield line


class Leavers:
    """What shows that a node of a unit left in order: the state that its cluster manager gave it, or an order."""

    def __init__(self, lines: Iterable[ClusterLine], orders: Iterable[Departure], files: Iterable[UnitFile]) -> None:
        known = rules("losses")["departures"]
        self._leaving = known["states"]
        states = [
            each
            for each in lines
            if each.kind == "system_state"
            and each.state is not None
            and each.state.upper() not in known["states_of_loss"]
        ]
        self._by_key = Timelines(states, attrgetter("system_key"))
        self._by_id = Timelines(states, attrgetter("node_id"))
        told = {each.file_id for each in files if each.format in known["logs_of_orders"]}
        self._orders = Timeline((each for each in orders if each.file_id in told), lambda each: each.at)

    def is_orderly(self, loss: NodeLoss) -> bool:
        """Whether a lost node had left in order."""
        return self._is_leaving(loss) or (loss.is_planned and self._is_ordered(loss))

    def _is_leaving(self, loss: NodeLoss) -> bool:
        """Whether the last state of the node before the loss is one of leaving."""
        of_node = [self._by_key.of(loss.lost_key), self._by_id.of(loss.lost_id)]
        last = [state for each in of_node if (state := each.last_until(loss.loss_at))]
        return any((each.state or "").upper() in self._leaving for each in sorted(last, key=BY_LINE)[-1:])

    def _is_ordered(self, loss: NodeLoss) -> bool:
        """Whether somebody had ordered the cluster manager of the node, or of all nodes, to stop."""
        orders = self._orders.between(loss.loss_at - STANDBY_LASTS, loss.loss_at + LEAVE_LOGGED)
        return any(each.node_key in {loss.lost_key, ALL_NODES} and loss.loss_at <= each.until_at for each in orders)
